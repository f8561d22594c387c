"""Data of RedisBloom in and out: dumps, chunks, files of either kind."""
import unittest

from golden import all_golden, scandump
from server import Failure, ServerTest, wait_for

GOLDEN = all_golden()
DUMPED = [g for g in GOLDEN if g.dump]


class Exchange(ServerTest):
    options = ("--appendonly", "yes", "--appendfsync", "always", "--aof-use-rdb-preamble", "no")

    def check(self, golden, key):
        if golden.members:
            self.assertEqual(self.r("BF.MEXISTS", key, *golden.members), golden.member_answers, golden.name)
        self.assertEqual(self.r("BF.MEXISTS", key, *golden.others), golden.other_answers, golden.name)
        reports = golden.meta["reports"]
        if "BF.INFO" in reports:
            self.assertEqual(self.r3("BF.INFO", key), reports["BF.INFO"])
            self.assertEqual([line.decode() for line in self.r("BF.DEBUG", key)], reports["BF.DEBUG"])
            self.assertEqual(self.r("BF.CARD", key), reports["BF.CARD"])

    def test_restore_then_dump_is_the_same(self):
        self.assertGreater(len(DUMPED), 10)
        for golden in DUMPED:
            self.assertEqual(self.r("RESTORE", golden.name, 0, golden.dump), "OK", golden.name)
            self.check(golden, golden.name)
            self.assertEqual(self.r("DUMP", golden.name), golden.dump, golden.name)

    def test_the_same_commands_make_the_same_dump(self):
        for golden in DUMPED:
            parameters = golden.meta["parameters"]
            reserve = ("BF.RESERVE", golden.name, parameters["error_rate"], parameters["capacity"], *golden.growth_words())
            self.assertEqual(self.r(*reserve), "OK")
            answers = self.r.pipeline(("BF.ADD", golden.name, key) for key in golden.members)
            self.assertEqual(answers.count(1), golden.meta["reports"]["adds_returning_1"])
            self.assertEqual(answers.count(Failure("ERR non scaling filter is full")),
                             golden.meta["reports"]["adds_refused_full"])
            self.assertEqual(self.r("DUMP", golden.name), golden.dump, golden.name)

    def test_loadchunk_then_scandump_is_the_same(self):
        for golden in GOLDEN:
            for iterator, data in golden.chunks():
                self.assertEqual(self.r("BF.LOADCHUNK", golden.name, iterator, data), "OK", golden.name)
            self.check(golden, golden.name)
            self.assertEqual(scandump(self.r, golden.name), golden.chunks())
            self.assertEqual(self.r("BF.SCANDUMP", golden.name, -1), [0, b""])

    def fill(self):
        for golden in GOLDEN:
            for iterator, data in golden.chunks():
                self.r("BF.LOADCHUNK", golden.name, iterator, data)

    def check_all(self):
        for golden in GOLDEN:
            self.check(golden, golden.name)

    def reconnect(self, restart):
        before = {g.name: self.r("DUMP", g.name) for g in GOLDEN}
        restart()
        self.r.close()
        self.r3.close()
        self.r, self.r3 = self.server.client(), self.server.client(3)
        self.assertEqual({g.name: self.r("DUMP", g.name) for g in GOLDEN}, before)
        self.check_all()

    def test_appended_commands_survive_a_crash(self):
        self.fill()
        self.reconnect(self.server.restart)

    def test_a_rewritten_aof_says_loadchunk_and_survives_a_crash(self):
        self.fill()
        self.r("BGREWRITEAOF")
        wait_for(lambda: b"aof_rewrite_in_progress:0" in self.r("INFO", "persistence")
                 and b"aof_rewrite_scheduled:0" in self.r("INFO", "persistence"), "the rewrite")
        self.assertIn(b"aof_last_bgrewrite_status:ok", self.r("INFO", "persistence"))
        manifest = (self.server.folder / "appendonlydir" / "appendonly.aof.manifest").read_text().split()
        base = (self.server.folder / "appendonlydir" / manifest[1]).read_bytes()  # "file NAME seq 2 type b", first
        self.assertEqual(base.count(b"BF.LOADCHUNK"), sum(len(g.chunks()) for g in GOLDEN))
        self.reconnect(self.server.restart)

    def test_an_rdb_reloads(self):
        self.fill()
        self.assertEqual(self.r("DEBUG", "RELOAD"), "OK")
        self.check_all()

    def test_chunks_that_do_not_belong(self):
        golden = GOLDEN[0]
        (one, header), (end, data) = golden.chunks()[:2]
        self.assertEqual(self.r("BF.LOADCHUNK", "k", one, header), "OK")
        for iterator, text in ((0, "ERR received bad data"), (-5, "ERR received bad data"), (1, "ERR received bad data"),
                               (len(data), "ERR invalid offset - no link found"),
                               (end + 10**9, "ERR invalid offset - no link found"),
                               (end + 1, "ERR invalid chunk - Too big for current filter"),
                               ("x", "ERR Second argument must be numeric")):
            self.fails(text, "BF.LOADCHUNK", "k", iterator, data)
        self.fails("ERR received bad data", "BF.LOADCHUNK", "k", 1, header)
        self.fails("ERR received bad data", "BF.LOADCHUNK", "new", 1, header + b"x")
        self.fails("Second argument must be numeric", "BF.SCANDUMP", "k", "x")
        self.assertEqual(self.r("EXISTS", "new"), 0)

    def test_copies_are_their_own(self):
        self.r("BF.MADD", "k", *range(300))
        self.assertEqual(self.r("COPY", "k", "copy"), 1)
        self.assertEqual(self.r("DUMP", "copy"), self.r("DUMP", "k"))
        self.assertEqual(self.r("BF.ADD", "copy", "another"), 1)
        self.assertEqual(self.r("BF.CARD", "copy"), self.r("BF.CARD", "k") + 1)

    def test_large_filters_go_in_pieces(self):
        self.r("BF.RESERVE", "k", 0.01, 30_000_000)
        self.r("BF.MADD", "k", *range(100))
        chunks = scandump(self.r, "k")
        self.assertEqual([len(d) for _, d in chunks[1:]], [16 << 20, 16 << 20, chunks[-1][0] - 1 - (32 << 20)])
        for iterator, data in chunks:
            self.assertEqual(self.r("BF.LOADCHUNK", "copy", iterator, data), "OK")
        self.assertEqual(self.r("BF.MEXISTS", "copy", *range(100)), [1] * 100)


if __name__ == "__main__":
    unittest.main()
