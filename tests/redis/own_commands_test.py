"""What RedisBloom has not: layout blocked, counting filters, MERGE, RESET, FOLD, EX, limits, events."""
import unittest

from server import Failure, Server, ServerTest, free_port, pieces, put_pieces, wait_for

WRONG_TYPE = "WRONGTYPE Operation against a key holding the wrong kind of value"
FULL = Failure("ERR non scaling filter is full")


class Blocked(ServerTest):
    options = ("--appendonly", "yes", "--appendfsync", "always", "--aof-use-rdb-preamble", "no")

    def blocked(self, key, *words, rate=0.01, capacity=1000):
        self.assertEqual(self.r("BF.RESERVE", key, rate, capacity, *words, "LAYOUT", "BLOCKED"), "OK")

    def test_a_type_of_its_own(self):
        self.blocked("b")
        self.assertEqual(self.r("BF.RESERVE", "c", 0.01, 1000, "layout", "compatible"), "OK")
        self.assertEqual([self.r("TYPE", k) for k in "bc"], ["blmFilter", "MBbloom--"])
        self.assertEqual(self.r("BF.INSERT", "i", "LAYOUT", "blocked", "ITEMS", "a"), [1])
        self.assertEqual(self.r("TYPE", "i"), "blmFilter")
        self.fails("ERR layout must be COMPATIBLE or BLOCKED", "BF.RESERVE", "x", 0.01, 10, "LAYOUT", "round")
        self.fails("ERR layout must be COMPATIBLE or BLOCKED", "BF.INSERT", "x", "LAYOUT", "round", "ITEMS", "a")
        self.fails("ERR wrong number of arguments for 'bf.reserve' command", "BF.RESERVE", "x", 0.01, 10, "LAYOUT")
        self.fails("ERR item exists", "BF.RESERVE", "b", 0.01, 10)
        self.fails("ERR error rate must be at least 6e-18 in layout blocked, in windows and when counting",
                   "BF.RESERVE", "x", "1e-18", 10, "LAYOUT", "BLOCKED")
        self.assertEqual(self.r("EXISTS", "x"), 0)

    def test_every_command(self):
        self.blocked("b")
        self.assertEqual(self.r("BF.ADD", "b", "a"), 1)
        self.assertEqual(self.r("BF.MADD", "b", "a", "b", "b", ""), [0, 1, 0, 1])
        self.assertEqual(self.r("BF.INSERT", "b", "ITEMS", "c", "a"), [1, 0])
        self.assertEqual(self.r("BF.EXISTS", "b", "a"), 1)
        self.assertEqual(self.r("BF.MEXISTS", "b", "", "z", "c"), [1, 0, 1])
        self.assertEqual(self.r("BF.CARD", "b"), 4)
        info = self.r3("BF.INFO", "b")
        self.assertEqual(list(info), ["Capacity", "Size", "Number of filters", "Number of items inserted", "Expansion rate"])
        self.assertEqual((info["Capacity"], info["Number of filters"], info["Number of items inserted"], info["Expansion rate"]),
                         (1000, 1, 4, 2))
        self.assertEqual(self.r("BF.DEBUG", "b")[0], b"size:4")
        self.assertGreater(self.r("MEMORY", "USAGE", "b"), info["Size"])

    def test_it_grows_and_keeps_its_rate(self):
        self.blocked("b", "EXPANSION", 3, capacity=100)
        for i in range(0, 20000, 1000):
            self.r("BF.MADD", "b", *(f"item{j}" for j in range(i, i + 1000)))
        self.assertEqual(self.r("BF.INFO", "b", "CAPACITY"), [100 * (1 + 3 + 9 + 27 + 81 + 243)])
        self.assertEqual(self.r("BF.MEXISTS", "b", *(f"item{j}" for j in range(20000))), [1] * 20000)
        self.assertLess(sum(self.r("BF.MEXISTS", "b", *(f"other{j}" for j in range(20000)))), 300)

    def test_full(self):
        self.blocked("b", "NONSCALING", rate=0.0001, capacity=2)
        self.assertEqual(self.r("BF.MADD", "b", "a", "b", "a", "c", "d"), [1, 1, 0, FULL])
        self.assertEqual(self.r("BF.INSERT", "b", "ITEMS", "a", "e", "f"), [0, FULL])
        self.assertEqual(self.r("BF.ADD", "b", "e"), FULL)
        self.assertEqual(self.r("BF.INFO", "b", "EXPANSION"), [None])

    def fill(self):
        self.blocked("b", capacity=100)
        self.r("BF.MADD", "b", *range(1000))
        self.blocked("fixed", "NONSCALING", capacity=5000)
        self.r("BF.MADD", "fixed", *range(3000))
        self.r("CBF.MADD", "c", *(i % 50 for i in range(90)))
        self.r("BF.RESERVE", "w", 0.01, 100, "WINDOW", "ITEMS")
        self.r("BF.MADD", "w", *(i % 300 for i in range(400)))

    def dumps(self):
        return {key: self.r("DUMP", key) for key in ("b", "fixed", "c", "w")}

    def test_files_and_dumps(self):
        self.fill()
        before = self.dumps()
        for key, dump in before.items():
            self.assertEqual(self.r("RESTORE", key + "2", 0, dump), "OK")
            self.assertEqual(self.r("DUMP", key + "2"), dump)
            self.assertEqual(self.r("COPY", key, key + "3"), 1)
            self.assertEqual(self.r("DUMP", key + "3"), dump)
            parts = pieces(self.r, key)
            self.assertEqual(self.r("BF.SCANDUMP", key, parts[-1][0]), [0, b""])
            put_pieces(self.r, key + "4", parts)
            self.assertEqual(self.r("DUMP", key + "4"), dump)
            self.fails("ERR item exists", "BF.LOADCHUNK", key + "4", *parts[0])
        self.assertEqual(self.r("BF.ADD", "b3", "another"), 1)
        self.assertEqual(self.r("DUMP", "b"), before["b"])
        self.assertEqual(self.r("DEBUG", "RELOAD"), "OK")
        self.assertEqual(self.dumps(), before)

    def peak_memory(self):
        with open(f"/proc/{self.server.process.pid}/status", encoding="ascii") as status:
            return int(next(l for l in status if l.startswith("VmHWM")).split()[1]) * 1024

    def test_a_filter_of_several_pieces(self):
        self.blocked("b", rate="1e-3", capacity=20_000_000)
        self.r("BF.MADD", "b", *range(50_000))
        size = self.r("BF.INFO", "b", "SIZE")[0]
        parts = pieces(self.r, "b")
        self.assertEqual(len(parts), 1 + -(-size // ((16 << 20) - 8)))
        self.assertLessEqual(max(len(data) for _, data in parts), 16 << 20)
        head, *runs = parts
        put_pieces(self.r, "c", [head, *reversed(runs)])
        before = self.r("DUMP", "b")
        self.assertTrue(self.r("DUMP", "c") == before)
        self.assertEqual(self.r("DEBUG", "RELOAD"), "OK")
        self.assertTrue(self.r("DUMP", "b") == before)

    def test_saving_takes_no_copy(self):
        self.blocked("b", rate="1e-3", capacity=100_000_000)
        size = self.r("BF.INFO", "b", "SIZE")[0]
        self.assertGreater(size, 150 << 20)
        peak = self.peak_memory()
        self.assertEqual(self.r("SAVE"), "OK")
        self.assertLess(self.peak_memory(), peak + (64 << 20))

    def restart(self):
        self.r.close()
        self.r3.close()
        self.server.restart()
        self.r, self.r3 = self.server.client(), self.server.client(3)

    def test_an_aof_as_written_and_rewritten(self):
        self.fill()
        before = self.dumps()
        self.restart()
        self.assertEqual(self.dumps(), before)
        self.r("BGREWRITEAOF")
        wait_for(lambda: b"aof_rewrite_in_progress:0" in self.r("INFO", "persistence")
                 and b"aof_rewrite_scheduled:0" in self.r("INFO", "persistence"), "the rewrite")
        self.restart()
        self.assertEqual(self.dumps(), before)

    def test_lazily_zeroed(self):
        self.blocked("b", rate="1e-6", capacity=100_000_000)
        self.assertGreater(self.r("MEMORY", "USAGE", "b"), 300_000_000)
        with open(f"/proc/{self.server.process.pid}/statm", encoding="ascii") as statm:
            self.assertLess(int(statm.read().split()[1]) * 4096, 200 << 20)
        used = next(l for l in self.r("INFO", "memory").split() if l.startswith(b"used_memory:"))
        self.assertGreater(int(used.split(b":")[1]), 300_000_000)
        self.assertEqual(self.r("UNLINK", "b"), 1)


class Counting(ServerTest):
    def test_every_command(self):
        self.assertEqual(self.r("CBF.RESERVE", "c", 0.001, 1000), "OK")
        self.assertEqual(self.r("TYPE", "c"), "blmCount-")
        self.assertEqual(self.r("CBF.ADD", "c", "a"), 1)
        self.assertEqual(self.r("CBF.MADD", "c", "a", "b"), [0, 1])
        self.assertEqual(self.r("CBF.MEXISTS", "c", "a", "z"), [1, 0])
        self.assertEqual(self.r("CBF.COUNT", "c", "a"), 2)
        self.assertEqual([self.r("CBF.DEL", "c", "a") for _ in range(3)], [1, 1, 0])
        self.assertEqual(self.r("CBF.EXISTS", "c", "a"), 0)
        self.assertEqual(self.r("CBF.EXISTS", "c", "b"), 1)
        info = self.r3("CBF.INFO", "c")
        self.assertEqual((info["Capacity"], info["Number of items"], info["Bits of a counter"]), (1000, 1, 4))
        self.r("CBF.MADD", "c", *["many"] * 40)
        self.assertEqual(self.r("CBF.COUNT", "c", "many"), 15)
        self.assertIs(self.r3("CBF.ADD", "c", "new"), True)

    def test_refusals(self):
        self.r("CBF.ADD", "c", "a")
        self.r("BF.ADD", "b", "a")
        self.r("SET", "s", "text")
        for key in ("b", "s"):
            for command in (("CBF.ADD", key, "a"), ("CBF.MADD", key, "a"), ("CBF.DEL", key, "a"), ("CBF.INFO", key),
                            ("CBF.RESERVE", key, 0.01, 10)):
                self.fails(WRONG_TYPE, *command)
            self.assertEqual(self.r("CBF.COUNT", key, "a"), 0)
            self.assertEqual(self.r("CBF.MEXISTS", key, "a"), [0])
        for command in (("BF.ADD", "c", "a"), ("BF.RESERVE", "c", 0.01, 10), ("BF.INFO", "c"), ("BF.CARD", "c"), ("BF.FOLD", "c")):
            self.fails(WRONG_TYPE, *command)
        self.fails("ERR not found", "CBF.DEL", "none", "a")
        self.fails("ERR not found", "CBF.INFO", "none")
        self.fails("ERR item exists", "CBF.RESERVE", "c", 0.01, 10)
        self.fails("Unknown argument received", "CBF.RESERVE", "n", 0.01, 10, "WORD", 1)
        self.fails("ERR bad error rate", "CBF.RESERVE", "n", "x", 10)
        self.fails("ERR capacity must be in the range [1, 1073741824]", "CBF.RESERVE", "n", 0.1, 0)

    def test_full(self):
        self.r("CBF.RESERVE", "c", 0.0001, 2)
        self.assertEqual(self.r("CBF.MADD", "c", "a", "b", "a", "x", "y"), [1, 1, 0, FULL])
        self.assertEqual(self.r("CBF.DEL", "c", "b"), 1)
        self.assertEqual(self.r("CBF.ADD", "c", "x"), 1)


class Upkeep(ServerTest):
    def test_merge(self):
        for layout in ("COMPATIBLE", "BLOCKED"):
            a, b, c = (layout + end for end in "abc")
            for key, items in ((a, range(50)), (b, range(30, 90))):
                self.r("BF.RESERVE", key, 0.001, 1000, "LAYOUT", layout)
                self.r("BF.MADD", key, *items)
            self.assertEqual(self.r("BF.MERGE", c, a, b), "OK")
            self.assertEqual(self.r("BF.MEXISTS", c, *range(90)), [1] * 90)
            self.assertAlmostEqual(self.r("BF.CARD", c), 90, delta=3)
            self.assertAlmostEqual(self.r("BF.CARD", c, "ESTIMATE"), 90, delta=3)
            self.assertEqual(self.r("BF.MERGE", a, b, a), "OK")
            self.assertEqual(self.r("BF.MEXISTS", a, *range(90)), [1] * 90)
            self.assertEqual(self.r("BF.CARD", b), self.r("BF.CARD", b, "ESTIMATE"))

    def test_merge_of_what_grew_alike(self):
        for layout in ("COMPATIBLE", "BLOCKED"):
            for key, first in (("a", 0), ("b", 5000)):
                self.r("BF.INSERT", layout + key, "CAPACITY", 500, "LAYOUT", layout, "ITEMS", *range(first, first + 1400))
                self.assertEqual(self.r("BF.INFO", layout + key, "FILTERS"), [2])
            self.assertEqual(self.r("BF.MERGE", layout + "a", layout + "b"), "OK")
            items = (*range(1400), *range(5000, 6400))
            self.assertEqual(self.r("BF.MEXISTS", layout + "a", *items), [1] * 2800)
            self.assertAlmostEqual(self.r("BF.CARD", layout + "a"), 2800, delta=150)
            self.r("BF.MADD", layout + "a", *range(9000, 9100))  # full by now: goes to a third
            self.assertEqual(self.r("BF.INFO", layout + "a", "FILTERS"), [3])
            self.assertEqual(self.r("BF.MEXISTS", layout + "a", *items, *range(9000, 9100)), [1] * 2900)

    def test_merges_that_cannot_be(self):
        for layout in ("COMPATIBLE", "BLOCKED"):
            self.r("BF.RESERVE", layout, 0.01, 1000, "LAYOUT", layout)
            self.r("BF.RESERVE", layout + "large", 0.01, 3000, "LAYOUT", layout)
            answer = self.r("BF.MERGE", layout, layout + "large")
            self.assertRegex(str(answer), "^ERR sizes in (bits|lines) differ: [0-9]+ and [0-9]+, in the key " + layout + "large")
            self.r("BF.INSERT", "grown" + layout, "CAPACITY", 1000, "LAYOUT", layout, "ITEMS", *range(1500))
            self.fails("ERR numbers of filters differ: 1 and 2, in the key grown" + layout, "BF.MERGE", layout, "grown" + layout)
        self.fails("ERR layouts differ: only one is compatible, in the key BLOCKED", "BF.MERGE", "COMPATIBLE", "BLOCKED")
        self.r("SET", "s", "text")
        self.fails(WRONG_TYPE, "BF.MERGE", "s", "BLOCKED")
        self.fails(WRONG_TYPE, "BF.MERGE", "BLOCKED", "s")
        self.fails("ERR not found", "BF.MERGE", "new", "none")
        self.fails("ERR not found", "BF.MERGE", "new", "BLOCKED", "none")
        self.assertEqual(self.r("EXISTS", "new"), 0)

    def test_reset(self):
        for layout in ("COMPATIBLE", "BLOCKED"):
            self.r("BF.RESERVE", layout, 0.01, 100, "LAYOUT", layout)
            empty = self.r("DUMP", layout)
            self.r("BF.MADD", layout, *range(1000))
            self.assertEqual(self.r("BF.RESET", layout), "OK")
            self.assertEqual(self.r("DUMP", layout), empty)
        self.r("CBF.ADD", "c", "a")
        self.assertEqual(self.r("BF.RESET", "c"), "OK")
        self.assertEqual(self.r("CBF.EXISTS", "c", "a"), 0)
        self.fails("ERR not found", "BF.RESET", "none")
        self.r("SET", "s", "text")
        self.fails(WRONG_TYPE, "BF.RESET", "s")

    def test_estimate(self):
        for layout in ("COMPATIBLE", "BLOCKED"):
            self.r("BF.RESERVE", layout, 0.01, 1000, "LAYOUT", layout)
            self.r("BF.MADD", layout, *range(3000))
            self.assertAlmostEqual(self.r("BF.CARD", layout, "ESTIMATE"), 3000, delta=200)
        self.assertEqual(self.r("BF.CARD", "none", "estimate"), 0)
        self.fails("Unknown argument received", "BF.CARD", "BLOCKED", "GUESS")

    def foldable(self, key):
        """Makes filters at this key until one has an even number of lines. Its size."""
        for capacity in range(1000, 1200, 10):
            self.r("DEL", key)
            self.r("BF.RESERVE", key, 0.001, capacity, "NONSCALING", "LAYOUT", "BLOCKED")
            size = self.r("BF.INFO", key, "SIZE")[0]
            if size // 64 % 2 == 0:
                return size
            self.assertRegex(str(self.r("BF.FOLD", key)), "^ERR by must divide the [0-9]+ lines of the filter")
        raise AssertionError("every size is odd")

    def test_fold(self):
        size = self.foldable("b")
        self.r("BF.MADD", "b", *range(200))
        self.assertEqual(self.r("BF.FOLD", "b"), "OK")
        self.assertEqual(self.r("BF.INFO", "b", "SIZE"), [size // 2])
        self.assertEqual(self.r("BF.MEXISTS", "b", *range(200)), [1] * 200)
        self.r("BF.ADD", "c", "a")
        self.fails("ERR only filters of layout blocked can be folded", "BF.FOLD", "c")
        self.fails("ERR the divisor must be an integer from 2 on", "BF.FOLD", "b", 1)
        self.fails("ERR not found", "BF.FOLD", "none")

    def test_expiry(self):
        self.assertEqual(self.r("BF.RESERVE", "a", 0.01, 100, "EX", 100), "OK")
        self.assertEqual(self.r("BF.INSERT", "b", "EX", 100, "LAYOUT", "BLOCKED", "ITEMS", "a"), [1])
        self.assertEqual(self.r("CBF.RESERVE", "c", 0.01, 100, "EX", 100), "OK")
        for key in "abc":
            self.assertIn(self.r("TTL", key), range(90, 101))
        self.r("BF.INSERT", "b", "EX", 10000, "ITEMS", "b")  # it exists
        self.assertLessEqual(self.r("TTL", "b"), 100)
        for seconds in (0, -1, "x", 2**32):
            self.fails("ERR EX must be in the range [1, 4294967295]", "BF.RESERVE", "n", 0.01, 100, "EX", seconds)
            self.fails("ERR EX must be in the range [1, 4294967295]", "BF.INSERT", "n", "EX", seconds, "ITEMS", "a")

    def test_a_memory_limit(self):
        error = "ERR the filter would exceed the setting bf.memory-limit"
        self.assertEqual(self.r("CONFIG", "SET", "bf.memory-limit", 1000), "OK")
        try:
            for layout in ("COMPATIBLE", "BLOCKED"):
                self.fails(error, "BF.RESERVE", "k", 0.01, 10000, "LAYOUT", layout)
                self.assertEqual(self.r("BF.RESERVE", layout, 0.01, 100, "LAYOUT", layout), "OK")
                answers = self.r("BF.MADD", layout, *range(2000))
                self.assertEqual((len(answers), set(answers)), (2000, {0, 1, Failure(error)}))
                self.assertLessEqual(self.r("BF.INFO", layout, "SIZE")[0], 1000)
            self.fails(error, "CBF.RESERVE", "k", 0.01, 10000)
            self.assertEqual(self.r("EXISTS", "k"), 0)
        finally:
            self.r("CONFIG", "SET", "bf.memory-limit", 0)

    def test_a_merge_keeps_to_the_memory_limit(self):
        for layout in ("COMPATIBLE", "BLOCKED"):
            self.r("BF.RESERVE", layout, 0.01, 10000, "LAYOUT", layout)
            self.r("BF.RESERVE", layout + "twin", 0.01, 10000, "LAYOUT", layout)
            self.r("BF.ADD", layout + "twin", "a")
        self.assertEqual(self.r("CONFIG", "SET", "bf.memory-limit", 1000), "OK")
        try:
            for layout in ("COMPATIBLE", "BLOCKED"):
                self.fails("ERR the filter would exceed the setting bf.memory-limit", "BF.MERGE", "new", layout)
                self.assertEqual(self.r("EXISTS", "new"), 0)
                self.assertEqual(self.r("BF.MERGE", layout, layout + "twin"), "OK")  # is there, and grows no larger
                self.assertEqual(self.r("BF.EXISTS", layout, "a"), 1)
        finally:
            self.r("CONFIG", "SET", "bf.memory-limit", 0)

    def test_the_layout_by_default(self):
        self.assertEqual(self.r("CONFIG", "SET", "bf.layout", "blocked"), "OK")
        try:
            self.r("BF.ADD", "b", "a")
            self.r("BF.RESERVE", "c", 0.01, 10, "LAYOUT", "COMPATIBLE")
            self.assertEqual([self.r("TYPE", k) for k in "bc"], ["blmFilter", "MBbloom--"])
            self.assertIsInstance(self.r("CONFIG", "SET", "bf.layout", "round"), Failure)
        finally:
            self.r("CONFIG", "SET", "bf.layout", "compatible")

    def test_events(self):
        self.r("BF.RESERVE", "t", 0.01, 100, "WINDOW", "SECONDS", 10)
        self.foldable("f")
        self.r("CONFIG", "SET", "notify-keyspace-events", "Kg")
        listener = self.server.client()
        listener("PSUBSCRIBE", "__keyspace*__:*")
        self.r.pipeline([("BF.ADD", "k", "a"), ("BF.ADD", "k", "a"), ("BF.MERGE", "m", "k"), ("BF.RESET", "k"), ("CBF.ADD", "c", "a"),
                         ("CBF.DEL", "c", "a"), ("CBF.DEL", "c", "a"), ("BF.RESERVE", "r", 0.1, 10)])
        pieces_of_m = pieces(self.r, "m")
        self.r.pipeline([*(("BF.LOADCHUNK", "l", *piece) for piece in pieces_of_m), ("BF.TURN", "t", 1), ("BF.TURN", "t", 2**42),
                         ("BF.FOLD", "f")])
        events = [(m[2].split(b":")[1], m[3]) for m in (listener.read() for _ in range(10 + len(pieces_of_m)))]
        listener.close()
        self.assertEqual(events, [(b"k", b"bloom.reserve"), (b"k", b"bloom.add"), (b"m", b"bloom.merge"), (b"k", b"bloom.reset"),
                                  (b"c", b"bloom.reserve"), (b"c", b"bloom.add"), (b"c", b"bloom.del"), (b"r", b"bloom.reserve"),
                                  *[(b"l", b"bloom.loadchunk")] * len(pieces_of_m), (b"t", b"bloom.turn"), (b"f", b"bloom.fold")])

    def section(self):
        lines = [l.split(":") for l in self.r("INFO", "bf").decode().split() if ":" in l]
        return {name: int(value) for name, value in lines}

    def test_the_section_of_info(self):
        self.r("FLUSHALL", "SYNC")
        wait_for(lambda: self.section()["bf_filters"] == 0, "the other thread that frees")
        self.assertEqual(self.section(), {"bf_filters": 0, "bf_memory_bytes": 0, "bf_memory_limit": 0, "bf_layout_blocked": 0})
        self.r("BF.RESERVE", "k", 0.01, 100_000)
        self.r("BF.RESERVE", "b", 0.01, 100_000, "LAYOUT", "BLOCKED")
        self.assertEqual(self.r("DEBUG", "RELOAD"), "OK")
        section = self.section()
        self.assertEqual(section["bf_filters"], 2)
        sizes = [self.r("BF.INFO", key, "SIZE")[0] for key in "kb"]
        self.assertGreaterEqual(section["bf_memory_bytes"], sum(sizes) - 96)  # that RedisBloom adds for its structures
        self.assertLessEqual(section["bf_memory_bytes"], 1.3 * sum(sizes))

    def number(self, section, name):
        return next(int(l.split(b":")[1]) for l in self.r("INFO", section).split() if l.startswith(name + b":"))

    def test_memory_usage_is_what_the_allocator_gave(self):
        for command in (("BF.RESERVE", "k", 0.01, 5_000_000), ("BF.RESERVE", "k", 0.01, 5_000_000, "LAYOUT", "BLOCKED"),
                        ("BF.RESERVE", "k", 0.01, 5_000_000, "WINDOW", "ITEMS"), ("CBF.RESERVE", "k", 0.01, 5_000_000)):
            self.r("FLUSHALL", "SYNC")
            wait_for(lambda: self.section()["bf_filters"] == 0, "the other thread that frees")
            before = self.number("memory", b"used_memory")
            self.assertEqual(self.r(*command), "OK")
            taken = self.number("memory", b"used_memory") - before
            self.assertAlmostEqual(self.r("MEMORY", "USAGE", "k"), taken, delta=0.02 * taken, msg=command)

    def test_large_filters_are_freed_by_another_thread(self):
        for layout in ("COMPATIBLE", "BLOCKED"):
            self.r("BF.RESERVE", "large", 0.01, 5_000_000, "LAYOUT", layout)
            self.r("BF.RESERVE", "small", 0.01, 100, "LAYOUT", layout)
            self.r("CONFIG", "RESETSTAT")
            self.assertEqual(self.r("UNLINK", "small", "large"), 2)
            wait_for(lambda: self.number("memory", b"lazyfreed_objects") == 1 and self.section()["bf_filters"] == 0, "one, freed elsewhere")

    def test_keys_of_commands(self):
        self.assertEqual(self.r("COMMAND", "GETKEYS", "BF.MERGE", "d", "a", "b"), [b"d", b"a", b"b"])
        self.assertEqual(self.r("COMMAND", "GETKEYSANDFLAGS", "BF.MERGE", "d", "a", "b"),
                         [[b"d", ["RW", "insert"]], [b"a", ["RO", "access"]], [b"b", ["RO", "access"]]])
        for command in ("BF.RESET", "BF.FOLD", "CBF.INFO"):
            self.assertEqual(self.r("COMMAND", "GETKEYS", command, "k"), [b"k"])
        for command in ("CBF.ADD", "CBF.MADD", "CBF.EXISTS", "CBF.MEXISTS", "CBF.DEL", "CBF.COUNT"):
            self.assertEqual(self.r("COMMAND", "GETKEYS", command, "k", "i"), [b"k"])
        self.assertEqual(self.r("COMMAND", "INFO", "bf.merge")[0][3:6], [1, -1, 1])


class Replica(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        port = free_port()
        cls.master = Server(port=port)
        cls.replica = Server("--replicaof", "127.0.0.1", str(port), module_arguments=("layout", "blocked", "memory-limit", "10"))
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

    def dirty(self):
        lines = self.m("INFO", "persistence").decode().splitlines()
        return int(next(l for l in lines if l.startswith("rdb_changes_since_last_save")).split(":")[1])

    def test_effects(self):
        m = self.m
        m("BF.ADD", "compatible", "a")
        m("BF.INSERT", "inserted", "LAYOUT", "BLOCKED", "ITEMS", "a", "a", "b")
        m("BF.RESERVE", "grown", "0.01", 100, "LAYOUT", "BLOCKED")
        for i in range(0, 3000, 250):
            m("BF.MADD", "grown", *(j % 2000 for j in range(i, i + 400)))
        m("BF.RESERVE", "full", "0.001", 3, "NONSCALING", "LAYOUT", "BLOCKED")
        self.assertEqual(m("BF.MADD", "full", "a", "b", "a", "c", "d", "e"), [1, 1, 0, 1, FULL])
        m("CBF.MADD", "counted", "a", "b", "a", "c")
        m("CBF.DEL", "counted", "a")
        m("BF.MERGE", "merged", "inserted")
        m("BF.RESERVE", "window", "0.01", 100, "WINDOW", "ITEMS")
        m("BF.MADD", "window", *(i % 250 for i in range(900)))
        m("BF.MADD", "reset", *range(500))
        m("BF.RESET", "reset")
        m("BF.INSERT", "mortal", "EX", 1000, "ITEMS", "a")
        for key in ("compatible", "inserted", "grown", "full", "counted", "merged", "reset", "mortal", "window"):
            self.same(key)
        self.assertEqual(self.m("PEXPIRETIME", "mortal"), self.s("PEXPIRETIME", "mortal"))

    def test_nothing_when_nothing_changed(self):
        m = self.m
        m("BF.INSERT", "still", "LAYOUT", "BLOCKED", "ITEMS", "a", "b")
        m("CBF.ADD", "count", "a")
        m("BF.RESERVE", "empty", 0.01, 10)
        m("BF.MERGE", "twin", "still")
        before = self.dirty()
        for command in (("BF.MADD", "still", "a", "b"), ("BF.ADD", "still", "a"), ("BF.MERGE", "still", "twin"),
                        ("CBF.DEL", "count", "zzz"), ("BF.RESET", "empty"), ("BF.FOLD", "empty"), ("BF.CARD", "still", "ESTIMATE")):
            m(*command)
            self.assertEqual(self.dirty(), before, command)


if __name__ == "__main__":
    unittest.main()
