"""What replicas and files are told: effects, in words that do not depend on settings, and nothing when nothing changed."""
import unittest

from server import Failure, Server, ServerTest, free_port, wait_for


class Replication(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        port = free_port()
        cls.master = Server(port=port)
        # Other settings than the master's: what is made there must not be made by these.
        cls.replica = Server("--replicaof", "127.0.0.1", str(port),
                             module_arguments=("bf-error-rate", "0.1", "bf-initial-size", "7", "bf-expansion-factor", "0"))
        cls.m, cls.s = cls.master.client(), cls.replica.client()
        wait_for(lambda: b"master_link_status:up" in cls.s("INFO", "replication"), "the replica")

    @classmethod
    def tearDownClass(cls):
        cls.m.close()
        cls.s.close()
        cls.master.stop()
        cls.replica.stop()

    def same(self, key):
        self.assertEqual(self.m("WAIT", 1, 30000), 1)
        self.assertEqual(self.m("DUMP", key), self.s("DUMP", key))
        self.assertIsNotNone(self.m("DUMP", key))

    def test_every_way_to_make_a_filter(self):
        self.m("BF.ADD", "add", "a")
        self.m("BF.MADD", "madd", "a", "b", "a")
        self.m("BF.INSERT", "insert", "ERROR", "0.003", "ITEMS", "a", "b")
        self.m("BF.INSERT", "fixed", "CAPACITY", 5, "NONSCALING", "ITEMS", "a", "b")
        self.m("BF.RESERVE", "reserve", "1e-05", 1000)
        self.m("BF.RESERVE", "fixed2", "0.01", 10, "NONSCALING")
        self.m("BF.RESERVE", "large rate", "0.9", 10, "EXPANSION", 4)
        for key in ("add", "madd", "insert", "fixed", "reserve", "fixed2", "large rate"):
            self.same(key)

    def test_growth_and_repeats(self):
        for i in range(0, 5000, 250):
            self.m("BF.MADD", "grown", *(f"item{j % 3000}" for j in range(i, i + 400)))
        self.assertGreater(self.m("BF.INFO", "grown", "FILTERS")[0], 3)
        self.same("grown")

    def test_a_full_filter_replicates_what_it_took(self):
        self.m("BF.RESERVE", "full", "0.001", 3, "NONSCALING")
        answer = self.m("BF.MADD", "full", "a", "b", "a", "c", "d", "e")
        self.assertEqual(answer, [1, 1, 0, 1, Failure("ERR non scaling filter is full")])
        self.same("full")
        self.assertEqual(self.s("BF.CARD", "full"), 3)

    def test_chunks(self):
        self.m("BF.MADD", "source", *range(300))
        iterator = 0
        while True:
            iterator, data = self.m("BF.SCANDUMP", "source", iterator)
            if iterator == 0:
                break
            self.m("BF.LOADCHUNK", "target", iterator, data)
        self.same("target")

    def test_inside_a_transaction_and_a_script(self):
        self.m.pipeline([("MULTI",), ("BF.ADD", "multi", "a"), ("BF.MADD", "multi", "b", "c"), ("EXEC",)])
        self.m("EVAL", "redis.call('BF.ADD', KEYS[1], 'x') return redis.call('BF.EXISTS', KEYS[1], 'x')", 1, "script")
        self.same("multi")
        self.same("script")

    def offset(self):
        self.assertEqual(self.m("WAIT", 1, 30000), 1)
        lines = self.m("INFO", "replication").decode().splitlines()
        return int(next(l for l in lines if l.startswith("master_repl_offset")).split(":")[1])

    def commands(self):
        """How many the replica has been sent, other than the ones that keep the link."""
        text = self.s("INFO", "commandstats").decode()
        return sum(int(l.split("calls=")[1].split(",")[0]) for l in text.splitlines() if l.startswith("cmdstat_bf."))

    def test_nothing_when_nothing_changed(self):
        self.m("BF.MADD", "still", "a", "b")
        self.same("still")
        before, dirty = self.commands(), self.dirty()
        self.m("BF.ADD", "still", "a")
        self.m("BF.MADD", "still", "a", "b")
        self.m("BF.INSERT", "still", "ITEMS", "b")
        self.m("BF.EXISTS", "still", "a")
        self.m("BF.LOADCHUNK", "still", 0, "x")
        self.assertEqual(self.dirty(), dirty)
        self.m("BF.ADD", "still", "c")
        self.same("still")
        self.assertEqual(self.commands() - before, 1)

    def dirty(self):
        lines = self.m("INFO", "persistence").decode().splitlines()
        return int(next(l for l in lines if l.startswith("rdb_changes_since_last_save")).split(":")[1])


class Watching(ServerTest):
    def test_a_watched_key_is_touched_by_changes_only(self):
        self.r("BF.ADD", "k", "a")
        for item, wish in (("a", ["PONG"]), ("b", None)):
            self.r("WATCH", "k")
            self.r3("BF.ADD", "k", item)
            self.assertEqual(self.r.pipeline([("MULTI",), ("PING",), ("EXEC",)])[-1], wish)


if __name__ == "__main__":
    unittest.main()
