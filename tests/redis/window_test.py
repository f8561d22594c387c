"""Windows of items and of time: what is found, what is forgotten, and that replicas, files and copies agree about it."""
import time
import unittest

from server import Failure, Server, ServerTest, free_port, pieces, put_pieces, wait_for

WRONG_TYPE = "WRONGTYPE Operation against a key holding the wrong kind of value"
SPAN = 1.25  # of a window, after which all is forgotten
SLACK = 0.15  # seconds that a slow machine may lose between two lines of a test


class Items(ServerTest):
    def test_the_oldest_are_forgotten(self):
        self.assertEqual(self.r("BF.RESERVE", "w", "1e-6", 1000, "WINDOW", "ITEMS", "EX", 1000), "OK")
        self.assertEqual(self.r("TYPE", "w"), "blmWindow")
        for i in range(5000):
            self.assertEqual(self.r("BF.ADD", "w", i), 1)
        self.assertEqual(self.r("BF.MEXISTS", "w", *range(4000, 5000)), [1] * 1000)
        self.assertEqual(self.r("BF.MEXISTS", "w", *range(3700)), [0] * 3700)
        self.assertEqual(self.r("BF.INFO", "w", "CAPACITY"), [1000])
        self.assertEqual(self.r("BF.INFO", "w", "EXPANSION"), [None])
        self.assertEqual(self.r3("BF.INFO", "w", "WINDOW"), {"Window": "items", "Length": 1000})
        self.assertEqual(self.r("BF.RESET", "w"), "OK")
        self.assertEqual(self.r("BF.EXISTS", "w", 4999), 0)

    def test_refusals(self):
        self.fails("ERR window must be ITEMS or SECONDS", "BF.RESERVE", "w", 0.01, 1000, "WINDOW", 10)
        self.fails("ERR windowed filters cannot expand", "BF.RESERVE", "w", 0.01, 1000, "WINDOW", "ITEMS", "EXPANSION", 2)
        self.r("BF.RESERVE", "w", 0.01, 1000, "WINDOW", "ITEMS")
        self.fails("ERR windowed filters cannot be merged, in the key w", "BF.MERGE", "v", "w")
        self.fails("ERR only filters of layout blocked can be folded", "BF.FOLD", "w")
        self.fails(WRONG_TYPE, "CBF.ADD", "w", "a")


def reserve(client, key, seconds, *words, rate="1e-6", items=1000):
    assert client("BF.RESERVE", key, rate, items, "WINDOW", "SECONDS", seconds, *words) == "OK"


class Seconds(ServerTest):
    options = ("--appendonly", "yes", "--appendfsync", "always", "--aof-use-rdb-preamble", "no")

    def restart(self):
        self.r.close()
        self.r3.close()
        self.server.restart()
        self.r, self.r3 = self.server.client(), self.server.client(3)

    def test_what_is_in_the_window_is_found_and_nothing_older(self):
        reserve(self.r, "w", 2)
        added = {}  # item: before and after it was added
        start = time.monotonic()
        while time.monotonic() - start < 7:
            item, before = len(added), time.monotonic()
            self.r("BF.ADD", "w", item)
            added[item] = before, time.monotonic()
            time.sleep(0.05)
            asked = time.monotonic()
            answers = self.r("BF.MEXISTS", "w", *added)
            answered = time.monotonic()
            for answer, (begun, done) in zip(answers, added.values()):
                if answered - begun < 2 - 0.01:
                    self.assertEqual(answer, 1)
                if asked - done > 2 * SPAN + 0.01:
                    self.assertEqual(answer, 0)
        self.assertEqual(answers[0], 0)

    def test_it_forgets_although_nothing_is_added(self):
        reserve(self.r, "w", 1)
        self.assertEqual(self.r("BF.MADD", "w", "a", "b", "a"), [1, 1, 0])
        before = self.r("DUMP", "w")
        wait_for(lambda: self.r("BF.MEXISTS", "w", "a", "b") == [0, 0], "the clock", 5)
        self.assertEqual(self.r("BF.EXISTS", "w", "a"), 0)
        self.assertEqual(self.r("DUMP", "w"), before)  # who asks changes nothing
        self.assertEqual(self.r("BF.ADD", "w", "a"), 1)
        self.assertNotEqual(self.r("DUMP", "w"), before)

    def test_a_repeat_makes_an_item_young(self):
        reserve(self.r, "w", 2)
        for _ in range(8):
            self.r("BF.ADD", "w", "often")
            time.sleep(0.5)
            self.assertEqual(self.r("BF.EXISTS", "w", "often"), 1)

    def test_more_than_fit(self):
        reserve(self.r, "w", 1000)  # the window gives way: by number it is the last thousand
        reserve(self.r, "r", 1000, "FULL", "RATE")
        for key in "wr":
            for i in range(0, 10000, 500):
                self.r("BF.MADD", key, *range(i, i + 500))
        self.assertEqual(self.r("BF.MEXISTS", "w", *range(9000, 10000)), [1] * 1000)
        self.assertLess(sum(self.r("BF.MEXISTS", "w", *range(8700))), 10)
        self.assertEqual(self.r("BF.MEXISTS", "r", *range(10000)), [1] * 10000)
        for key, gives_way in (("w", "window"), ("r", "rate")):
            info = self.r3("BF.INFO", key, "WINDOW")
            began = info.pop("Generation began")
            self.assertAlmostEqual(began / 1000, time.time(), delta=30)
            self.assertEqual(info, {"Window": "seconds", "Length": 1000, "Gives way": gives_way, "Items needed": 40000})
            line = self.r("BF.DEBUG", key)[-1].decode()
            self.assertEqual(line, f"seconds:1000 full:{gives_way} began:{began} items:10000 needed:40000")
        self.assertEqual(len(self.r("BF.INFO", "w")), 10)  # the five pairs
        self.r("BF.RESET", "r")
        self.assertEqual(self.r3("BF.INFO", "r", "WINDOW")["Items needed"], 0)
        self.assertEqual(self.r("BF.EXISTS", "r", 1), 0)

    def test_other_options_beside(self):
        reserve(self.r, "w", 100, "EX", 50, "NONSCALING")
        self.assertAlmostEqual(self.r("TTL", "w"), 50, delta=2)
        self.assertEqual(self.r("BF.RESERVE", "v", 0.01, 100, "FULL", "rate", "window", "seconds", 3), "OK")
        self.assertEqual(self.r("TYPE", "v"), "blmWindow")

    def test_refusals(self):
        wrong = "ERR WINDOW SECONDS must be in the range [1, 4294967295]"
        for seconds in (0, -1, "1.5", "ten", "", 4294967296, 2**64):
            self.fails(wrong, "BF.RESERVE", "w", 0.01, 1000, "WINDOW", "SECONDS", seconds)
        self.fails("ERR wrong number of arguments for 'bf.reserve' command", "BF.RESERVE", "w", 0.01, 9, "WINDOW", "SECONDS")
        self.fails("ERR wrong number of arguments for 'bf.reserve' command", "BF.RESERVE", "w", 0.01, 9, "WINDOW")
        self.fails("ERR FULL must be WINDOW or RATE", "BF.RESERVE", "w", 0.01, 9, "WINDOW", "SECONDS", 5, "FULL", "x")
        self.fails("ERR FULL and BEGAN need WINDOW SECONDS", "BF.RESERVE", "w", 0.01, 9, "WINDOW", "ITEMS", "FULL", "RATE")
        self.fails("ERR FULL and BEGAN need WINDOW SECONDS", "BF.RESERVE", "w", 0.01, 9, "BEGAN", 5)
        for began in (0, -1, "now", 2**63):
            self.fails("ERR BEGAN must be a time in milliseconds since 1970", "BF.RESERVE", "w", 0.01, 9, "WINDOW", "SECONDS", 5, "BEGAN", began)
        self.fails("ERR windowed filters cannot expand", "BF.RESERVE", "w", 0.01, 9, "WINDOW", "SECONDS", 5, "EXPANSION", 2)
        self.assertEqual(self.r("EXISTS", "w"), 0)
        self.r("BF.RESERVE", "i", 0.01, 100, "WINDOW", "ITEMS")
        self.r("BF.ADD", "b", "a")
        for key in "ib":
            self.fails("ERR the filter has no window of time", "BF.TURN", key, 5)
        self.fails("ERR the filter has no window", "BF.INFO", "b", "WINDOW")
        self.fails("ERR not found", "BF.TURN", "none", 5)
        for when in ("x", -1, 2**62):
            self.fails("ERR the time must be in milliseconds since 1970", "BF.TURN", "i", when)

    def test_the_longest_window_and_the_last_times(self):
        reserve(self.r, "w", 4294967295)
        self.r("BF.ADD", "w", "a")
        reserve(self.r, "future", 1, "BEGAN", 2**60)
        self.r("BF.ADD", "future", "a")
        reserve(self.r, "past", 1, "BEGAN", 1)
        self.assertEqual(self.r("BF.ADD", "past", "a"), 1)
        for key in ("w", "future", "past"):  # a clock that went back forgets nothing
            self.assertEqual(self.r("BF.EXISTS", key, "a"), 1)
        self.assertEqual(self.r("BF.TURN", "w", 2**60), "OK")
        self.assertEqual(self.r("BF.EXISTS", "w", "a"), 0)
        self.assertEqual(self.r("BF.ADD", "w", "a"), 1)
        self.assertEqual(self.r("BF.EXISTS", "w", "a"), 1)

    def test_copies_and_files(self):
        reserve(self.r, "w", 600)
        now = int(time.time() * 1000)
        self.r("BF.MADD", "w", *range(100))
        self.r("BF.TURN", "w", now + 310_000)
        self.r("BF.MADD", "w", *range(100, 200))
        dump = self.r("DUMP", "w")
        self.assertEqual(self.r("COPY", "w", "copy"), 1)
        self.assertEqual(self.r("RESTORE", "restored", 0, dump), "OK")
        put_pieces(self.r, "pieces", pieces(self.r, "w"))
        keys = ("w", "copy", "restored", "pieces")
        self.assertEqual({self.r("DUMP", key) for key in keys}, {dump})
        self.assertEqual(self.r("DEBUG", "RELOAD"), "OK")
        self.assertEqual({self.r("DUMP", key) for key in keys}, {dump})
        self.restart()  # from the AOF as it was written
        self.assertEqual({self.r("DUMP", key) for key in keys}, {dump})
        self.r("BGREWRITEAOF")
        wait_for(lambda: b"aof_rewrite_in_progress:0" in self.r("INFO", "persistence")
                 and b"aof_rewrite_scheduled:0" in self.r("INFO", "persistence"), "the rewrite")
        self.restart()
        for key in keys:
            self.assertEqual(self.r("DUMP", key), dump)
            self.r("BF.TURN", key, now + 610_000)
            self.assertEqual(self.r("BF.MEXISTS", key, 5, 150), [1, 1])
            self.r("BF.TURN", key, now + 765_000)
            self.assertEqual(self.r("BF.MEXISTS", key, 5, 150), [0, 1])

    def test_an_aof_that_is_read_later(self):
        """Its additions come long after their time, and must not be turned by the clock of the one that reads."""
        reserve(self.r, "w", 1)
        for i in range(20):
            self.r("BF.ADD", "w", i)
            time.sleep(0.1)
        dump = self.r("DUMP", "w")
        time.sleep(0.6)
        self.restart()
        self.assertEqual(self.r("DUMP", "w"), dump)
        time.sleep(1)
        self.assertEqual(self.r("BF.MEXISTS", "w", *range(20)), [0] * 20)

    def test_transactions_and_scripts(self):
        reserve(self.r, "w", 1)
        self.r("BF.ADD", "w", "old")
        time.sleep(SPAN + SLACK)
        script = "redis.call('BF.ADD', KEYS[1], 'x') return {redis.call('BF.EXISTS', KEYS[1], 'x'), redis.call('BF.EXISTS', KEYS[1], 'old')}"
        self.assertEqual(self.r("EVAL", script, 1, "w"), [1, 0])
        self.assertEqual(self.r.pipeline([("MULTI",), ("BF.ADD", "w", "y"), ("BF.MEXISTS", "w", "x", "y", "old"), ("EXEC",)])[-1],
                         [1, [1, 1, 0]])
        dump = self.r("DUMP", "w")
        self.restart()
        self.assertEqual(self.r("DUMP", "w"), dump)


class Replica(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        port = free_port()
        cls.master = Server(port=port)
        cls.replica = Server("--replicaof", "127.0.0.1", str(port))
        cls.m, cls.s = cls.master.client(), cls.replica.client()
        wait_for(lambda: b"master_link_status:up" in cls.s("INFO", "replication"), "the replica")

    @classmethod
    def tearDownClass(cls):
        for client, server in ((cls.m, cls.master), (cls.s, cls.replica)):
            client.close()
            server.stop()

    def same(self, key):
        self.assertEqual(self.m("WAIT", 1, 30000), 1)
        self.assertIsNotNone(self.m("DUMP", key))
        self.assertEqual(self.m("DUMP", key), self.s("DUMP", key), key)

    def test_it_turns_as_the_master_does(self):
        reserve(self.m, "w", 1)
        reserve(self.m, "r", 1, "FULL", "RATE", items=20)
        self.same("w")
        for i in range(60):
            for key in "wr":
                self.m("BF.MADD", key, i, i // 2, i + 1000)
            time.sleep(0.05)
            if i % 15 == 14:
                self.same("w")
                self.same("r")
        self.m("BF.RESET", "w")
        self.same("w")
        time.sleep(0.5)
        self.m("BF.ADD", "w", "a")
        self.same("w")

    def test_a_replica_forgets_on_its_own(self):
        reserve(self.m, "alone", 1)
        self.m("BF.ADD", "alone", "a")
        self.same("alone")
        self.assertEqual(self.s("BF.EXISTS", "alone", "a"), 1)
        wait_for(lambda: self.s("BF.EXISTS", "alone", "a") == 0, "the replica's clock", 5)
        self.assertEqual(self.m("BF.EXISTS", "alone", "a"), 0)
        self.same("alone")

    def test_a_replica_that_comes_later(self):
        reserve(self.m, "early", 1000)
        self.m("BF.MADD", "early", *range(500))
        self.m("BF.TURN", "early", int(time.time() * 1000) + 400_000)
        self.m("BF.MADD", "early", *range(500, 600))
        self.s("REPLICAOF", "NO", "ONE")
        self.s("FLUSHALL")
        self.s("SET", "its", "own")
        self.s("REPLICAOF", "127.0.0.1", self.master.port)
        wait_for(lambda: b"master_link_status:up" in self.s("INFO", "replication"), "the replica")
        self.assertEqual(self.s("EXISTS", "its"), 0)
        self.m("BF.ADD", "early", "next")
        self.same("early")

    def turns(self):
        lines = [l for l in self.s("INFO", "commandstats").decode().splitlines() if l.startswith("cmdstat_bf.turn:")]
        return int(lines[0].split("calls=")[1].split(",")[0]) if lines else 0

    def test_a_turn_is_told_once_and_before_the_items(self):
        reserve(self.m, "told", 1)
        self.m("BF.ADD", "told", "a")
        time.sleep(0.3)
        self.same("told")
        before = self.turns()
        self.m("BF.MADD", "told", "b", "c")
        self.m("BF.EXISTS", "told", "b")
        self.same("told")
        self.assertEqual(self.turns(), before + 1)
        self.assertIsInstance(self.s("BF.TURN", "told", 10**15), Failure)  # read-only


if __name__ == "__main__":
    unittest.main()
