"""Every BF command: replies, errors, limits, and that the server outlives what it is told."""
import os
import unittest

from server import Failure, ServerTest, Simple

WRONG_TYPE = "WRONGTYPE Operation against a key holding the wrong kind of value"
TITLES = ["Capacity", "Size", "Number of filters", "Number of items inserted", "Expansion rate"]


class Reserve(ServerTest):
    def test_defaults_and_growth(self):
        self.assertEqual(self.r("BF.RESERVE", "k", 0.01, 100), Simple("OK"))
        self.assertEqual(self.r("BF.INFO", "k", "EXPANSION"), [2])
        self.assertEqual(self.r("BF.RESERVE", "n", "1e-3", 100, "NONSCALING"), "OK")
        self.assertEqual(self.r("BF.INFO", "n"), sum(map(list, zip(TITLES, [100, 280, 1, 0, None])), []))
        self.assertEqual(self.r("BF.RESERVE", "e", "0.1", 3, "expansion", 4), "OK")
        self.assertEqual(self.r("BF.INFO", "e", "expansion"), [4])
        self.assertEqual(self.r("BF.RESERVE", "z", 0.01, 100, "EXPANSION", 0, "NONSCALING"), "OK")
        self.assertEqual(self.r("BF.INFO", "z", "EXPANSION"), [None])
        self.assertEqual(self.r("BF.RESERVE", "x", 0.01, 100, "WORD"), "OK")
        self.assertEqual(self.r("TYPE", "k"), "MBbloom--")
        self.assertEqual(self.r("OBJECT", "ENCODING", "k"), b"raw")

    def test_a_key_may_be_named_like_an_option(self):
        self.assertEqual(self.r("BF.RESERVE", "NONSCALING", 0.01, 100), "OK")
        self.assertEqual(self.r("BF.INFO", "NONSCALING", "EXPANSION"), [2])

    def test_refusals(self):
        for rate in ("x", "", "nan", "0.1x"):
            self.fails("ERR bad error rate", "BF.RESERVE", "k", rate, 100)
        for rate in (0, 1, -0.5, 2, "inf", "-inf"):
            self.fails("ERR error rate must be in the range (0.000000, 1.000000)", "BF.RESERVE", "k", rate, 100)
        for capacity in ("x", "", "1.5", "99999999999999999999"):
            self.fails("ERR bad capacity", "BF.RESERVE", "k", 0.01, capacity)
        for capacity in (0, -1, 2**30 + 1, 2**63 - 1):
            self.fails("ERR capacity must be in the range [1, 1073741824]", "BF.RESERVE", "k", 0.01, capacity)
        self.fails("ERR no expansion", "BF.RESERVE", "k", 0.01, 100, "EXPANSION")
        self.fails("ERR bad expansion", "BF.RESERVE", "k", 0.01, 100, "EXPANSION", "x")
        for expansion in (-1, 32769):
            self.fails("ERR expansion must be in the range [0, 32768]", "BF.RESERVE", "k", 0.01, 1, "EXPANSION", expansion)
        self.fails("Nonscaling filters cannot expand", "BF.RESERVE", "k", 0.01, 100, "NONSCALING", "EXPANSION", 2)
        arity = "ERR wrong number of arguments for 'bf.reserve' command"
        self.fails(arity, "BF.RESERVE", "k", 0.01)
        self.fails(arity, "BF.RESERVE", "k", 0.01, 100, "a", "b", "c", "d")
        self.assertEqual(self.r("EXISTS", "k"), 0)
        self.r("BF.RESERVE", "k", 0.01, 100)
        self.fails("ERR item exists", "BF.RESERVE", "k", 0.01, 100)
        self.r("SET", "s", "text")
        self.fails(WRONG_TYPE, "BF.RESERVE", "s", 0.01, 100)

    def test_what_no_machine_holds_is_an_error(self):
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        if memory > 190e9:
            self.skipTest("this machine may hold it")
        for command in (("BF.RESERVE", "k", "1e-300", 2**30), ("BF.INSERT", "k", "ERROR", "5e-324", "CAPACITY", 2**30, "ITEMS", "a")):
            self.fails("ERR Insufficient memory to create filter", *command)
        self.assertEqual(self.r("EXISTS", "k"), 0)

    def test_a_large_filter_costs_nothing_until_it_is_used(self):
        before = self.resident()
        self.assertEqual(self.r("BF.RESERVE", "k", "1e-6", 100_000_000), "OK")  # 377 MB
        self.assertLess(self.resident() - before, 50 << 20)
        self.assertGreater(self.r("MEMORY", "USAGE", "k"), 370_000_000)

    def resident(self):
        with open(f"/proc/{self.server.process.pid}/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def test_rates_above_a_quarter_are_taken_as_a_quarter(self):
        self.r("BF.RESERVE", "k", 0.9, 100, "NONSCALING")
        self.assertTrue(self.r("BF.DEBUG", "k")[1].endswith(b"ratio:0.25"))


class Add(ServerTest):
    def test_add_and_ask(self):
        self.assertEqual(self.r("BF.EXISTS", "k", "a"), 0)
        self.assertEqual(self.r("BF.ADD", "k", "a"), 1)
        self.assertEqual(self.r("BF.ADD", "k", "a"), 0)
        self.assertEqual(self.r("BF.EXISTS", "k", "a"), 1)
        self.assertEqual(self.r("BF.MADD", "k", "a", "b", "b", ""), [0, 1, 0, 1])
        self.assertEqual(self.r("BF.MEXISTS", "k", "b", "c", ""), [1, 0, 1])
        self.assertEqual(self.r("BF.CARD", "k"), 3)
        self.assertEqual(self.r("BF.INFO", "k", "CAPACITY"), [100])

    def test_booleans_in_resp3(self):
        r = self.r3
        self.assertIs(r("BF.ADD", "k", "a"), True)
        self.assertIs(r("BF.ADD", "k", "a"), False)
        self.assertIs(r("BF.EXISTS", "k", "a"), True)
        for answer, wish in zip(r("BF.MADD", "k", "a", "b"), [False, True]):
            self.assertIs(answer, wish)
        for answer, wish in zip(r("BF.MEXISTS", "k", "zzz", "b"), [False, True]):
            self.assertIs(answer, wish)
        for answer, wish in zip(r("BF.INSERT", "k", "ITEMS", "b", "c"), [False, True]):
            self.assertIs(answer, wish)
        self.assertIs(type(r("BF.CARD", "k")), int)

    def test_wrong_types_and_missing_keys(self):
        self.r("SET", "s", "text")
        for command in (("BF.ADD", "s", "a"), ("BF.MADD", "s", "a"), ("BF.INSERT", "s", "ITEMS", "a"), ("BF.CARD", "s"),
                        ("BF.INFO", "s"), ("BF.DEBUG", "s"), ("BF.SCANDUMP", "s", 0), ("BF.LOADCHUNK", "s", 1, "x")):
            self.fails(WRONG_TYPE, *command)
        self.assertEqual(self.r("BF.EXISTS", "s", "a"), 0)
        self.assertEqual(self.r("BF.MEXISTS", "s", "a", "b"), [0, 0])
        self.assertEqual(self.r("BF.MEXISTS", "none", "a", "b"), [0, 0])
        self.assertEqual(self.r("BF.CARD", "none"), 0)
        for command in (("BF.INFO", "none"), ("BF.DEBUG", "none"), ("BF.SCANDUMP", "none", 0), ("BF.LOADCHUNK", "none", 2, "x")):
            self.fails("ERR not found", *command)
        self.fails(WRONG_TYPE, "LPUSH", "k", "a") if self.r("BF.ADD", "k", "a") else None

    def test_arity(self):
        for name, words in {"add": ("k",), "madd": ("k",), "exists": ("k", "a", "b"), "mexists": ("k",), "card": (),
                            "info": ("k", "SIZE", "x"), "debug": ("k", "x"), "scandump": ("k",), "insert": ("k", "ITEMS"),
                            "loadchunk": ("k", 1)}.items():
            self.fails(f"ERR wrong number of arguments for 'bf.{name}' command", "BF." + name, *words)

    def test_a_full_filter_stops_with_an_error_in_its_place(self):
        full = Failure("ERR non scaling filter is full")
        self.r("BF.RESERVE", "k", 0.0001, 2, "NONSCALING")
        self.assertEqual(self.r("BF.MADD", "k", "a", "b", "a", "c", "d"), [1, 1, 0, full])
        self.assertEqual(self.r("BF.INSERT", "k", "ITEMS", "a", "e", "f"), [0, full])
        self.assertEqual(self.r3("BF.MADD", "k", "a", "e", "f"), [False, full])
        self.fails(str(full), "BF.ADD", "k", "c")
        self.assertEqual(self.r("BF.ADD", "k", "b"), 0)
        self.assertEqual(self.r("BF.CARD", "k"), 2)

    def test_a_filter_grows(self):
        self.r("BF.RESERVE", "k", 0.01, 10, "EXPANSION", 3)
        answers = [a for i in range(0, 1000, 100) for a in self.r("BF.MADD", "k", *(f"item{j}" for j in range(i, i + 100)))]
        self.assertEqual(self.r("BF.CARD", "k"), sum(answers))
        self.assertEqual(self.r("BF.INFO", "k", "FILTERS"), [5])
        self.assertEqual(self.r("BF.INFO", "k", "CAPACITY"), [10 * (1 + 3 + 9 + 27 + 81)])
        self.assertEqual(self.r("BF.MEXISTS", "k", *(f"item{j}" for j in range(1000))), [1] * 1000)
        self.assertLess(sum(self.r("BF.MEXISTS", "k", *(f"other{j}" for j in range(10000)))), 200)

    def test_growing_past_memory_is_an_error_in_its_place(self):
        self.r("BF.RESERVE", "source", 0.01, 100)
        header = bytearray(self.r("BF.SCANDUMP", "source", 0)[1])
        header[0:8] = header[36:44] = header[64:72] = (2**62).to_bytes(8, "little")  # items, again, and the capacity
        self.assertEqual(self.r("BF.LOADCHUNK", "k", 1, bytes(header)), "OK")
        error = Failure("ERR problem inserting into filter")
        self.assertEqual(self.r("BF.MADD", "k", "a", "b"), [error, error])
        self.fails(str(error), "BF.ADD", "k", "a")
        self.assertEqual(self.r("BF.CARD", "k"), 2**62)


class Insert(ServerTest):
    def test_options_in_any_order(self):
        self.assertEqual(self.r("BF.INSERT", "k", "expansion", 4, "ERROR", 0.001, "capacity", 1000, "ITEMS", "a", "b", "a"), [1, 1, 0])
        self.assertEqual(self.r("BF.INFO", "k", "CAPACITY"), [1000])
        self.assertEqual(self.r("BF.INFO", "k", "EXPANSION"), [4])
        self.assertEqual(self.r("BF.INSERT", "k", "CAPACITY", 5, "NOCREATE", "ITEMS", "c"), [1])
        self.assertEqual(self.r("BF.INFO", "k", "CAPACITY"), [1000])
        self.assertEqual(self.r("BF.INSERT", "n", "EXPANSION", 4, "NONSCALING", "ITEMS", "a"), [1])
        self.assertEqual(self.r("BF.INFO", "n", "EXPANSION"), [None])
        self.assertEqual(self.r("BF.INSERT", "w", "ITEMS", "ITEMS", "CAPACITY"), [1, 1])

    def test_refusals(self):
        self.fails("ERR not found", "BF.INSERT", "k", "NOCREATE", "ITEMS", "a")
        for rate in (0, 1, "x", "nan"):
            self.fails("Bad error rate", "BF.INSERT", "k", "ERROR", rate, "ITEMS", "a")
        for capacity in (0, -1, "x", 2**30 + 1):
            self.fails("Bad capacity", "BF.INSERT", "k", "CAPACITY", capacity, "ITEMS", "a")
        for expansion in (-1, "x", 32769):
            self.fails("Bad expansion", "BF.INSERT", "k", "EXPANSION", expansion, "ITEMS", "a")
        self.fails("Unknown argument received", "BF.INSERT", "k", "SIZE", "ITEMS", "a")
        arity = "ERR wrong number of arguments for 'bf.insert' command"
        self.fails(arity, "BF.INSERT", "k", "ITEMS")
        self.fails(arity, "BF.INSERT", "k", "NOCREATE", "NONSCALING")
        self.fails(arity, "BF.INSERT", "k", "NOCREATE", "CAPACITY")
        self.assertEqual(self.r("EXISTS", "k"), 0)


class Information(ServerTest):
    def test_five_pairs_and_no_more(self):
        self.r("BF.RESERVE", "k", 0.01, 100)
        self.r("BF.MADD", "k", "a", "b")
        values = [100, 240, 1, 2, 2]
        self.assertEqual(self.r("BF.INFO", "k"), sum(map(list, zip(TITLES, values)), []))
        self.assertTrue(all(type(t) is Simple for t in self.r("BF.INFO", "k")[::2]))
        self.assertEqual(self.r3("BF.INFO", "k"), dict(zip(TITLES, values)))
        self.assertEqual(list(self.r3("BF.INFO", "k")), TITLES)

    def test_one_field(self):
        self.r("BF.RESERVE", "k", 0.001, 100)
        words = dict(zip(["CAPACITY", "size", "Filters", "ITEMS", "expansion"], zip(TITLES, [100, 296, 1, 0, 2])))
        for word, (title, value) in words.items():
            self.assertEqual(self.r("BF.INFO", "k", word), [value])
            self.assertEqual(self.r3("BF.INFO", "k", word), {title: value})
        self.fails("Invalid information value", "BF.INFO", "k", "CAPACITIES")

    def test_sizes_that_clients_test(self):
        self.r("BF.RESERVE", "k", "1e-6", 300_000_000)
        self.assertEqual(self.r("BF.INFO", "k", "SIZE"), [1132420232])
        self.r("BF.RESERVE", "n", 0.1, 3, "NONSCALING")
        self.assertEqual(self.r("BF.INFO", "n", "SIZE"), [104])

    def test_debug(self):
        self.r("BF.RESERVE", "k", 0.01, 2)
        self.r("BF.MADD", "k", "a", "b", "c")
        self.assertEqual(self.r("BF.DEBUG", "k"),
                         [b"size:3", b"bytes:8 bits:64 hashes:8 hashwidth:64 capacity:2 size:2 ratio:0.005",
                          b"bytes:8 bits:64 hashes:9 hashwidth:64 capacity:4 size:1 ratio:0.0025"])

    def test_command_info(self):
        info = {i[0].decode(): i for i in self.r("COMMAND", "INFO", "bf.add", "bf.exists", "bf.reserve", "bf.scandump")}
        self.assertEqual([i[1] for i in info.values()], [3, 3, -4, 3])
        self.assertTrue({"write", "denyoom", "module"} <= set(info["bf.add"][2]))
        self.assertTrue({"readonly", "fast", "module"} <= set(info["bf.scandump"][2]))
        for entry in info.values():
            self.assertEqual(entry[3:6], [1, 1, 1])
        self.assertEqual(self.r("COMMAND", "GETKEYS", "BF.MADD", "k", "a", "b"), [b"k"])
        self.assertEqual(self.r("COMMAND", "GETKEYS", "BF.INSERT", "k", "ITEMS", "b"), [b"k"])
        docs = self.r("COMMAND", "DOCS", "bf.insert")
        self.assertIn(b"bf.insert", docs[0])


if __name__ == "__main__":
    unittest.main()
