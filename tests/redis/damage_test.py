"""Damaged values by RESTORE and damaged chunks by LOADCHUNK: refused, or safe to use; the server lives."""
import random
import unittest

from golden import all_golden
from server import Failure, ServerTest, pieces, put_pieces

SMALL = [g for g in all_golden() if len(g.stream) < 2000]
REFLECTED = 0x95AC9329AC4BC9B5  # CRC-64 of Jones, as dumps end with


def table():
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (REFLECTED if value & 1 else 0)
        yield value


TABLE = list(table())


def crc64(data):
    crc = 0
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc.to_bytes(8, "little")


def damaged(data, dice):
    data = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 5))):
        at = dice.randrange(min(len(data), dice.choice((80, 2000))))
        how = dice.randrange(4)
        if how == 0:
            data[at] ^= 1 << dice.randrange(8)
        elif how == 1:
            data[at] = dice.choice((0, 1, 0x7F, 0x80, 0x81, 0xFF))
        elif how == 2:
            del data[at:at + dice.randrange(1, 9)]
        else:
            data[at:at] = bytes(dice.randrange(256) for _ in range(dice.randrange(1, 9)))
        if not data:
            return b"\0"
    return bytes(data)


class Damage(ServerTest):
    def use(self, key):
        """Every command on what was let in: none may hang or end the server."""
        answers = self.r.pipeline([("BF.INFO", key), ("BF.MEXISTS", key, "a", "", "b" * 100), ("BF.MADD", key, *range(20)),
                                   ("BF.SCANDUMP", key, 0), ("BF.SCANDUMP", key, 1), ("BF.DEBUG", key), ("DEL", key)])
        self.assertIsInstance(answers[0], list)
        self.assertEqual(answers[-1], 1)

    def test_the_checksum_is_the_servers(self):
        for golden in SMALL:
            if golden.dump:
                self.assertEqual(crc64(golden.dump[:-8]), golden.dump[-8:])

    def test_restore(self):
        dice = random.Random(7)
        dumps = [g.dump for g in SMALL if g.dump]
        taken = refused = 0
        for _ in range(3000):
            dump = dice.choice(dumps)
            body = damaged(dump[:-10], dice) + dump[-10:-8]
            answer = self.r("RESTORE", "k", 0, body + crc64(body), "REPLACE")
            if answer == "OK":
                taken += 1
                if self.r("TYPE", "k") == "MBbloom--":
                    self.use("k")
            else:
                self.assertIsInstance(answer, Failure)
                refused += 1
        self.assertGreater(taken, 100)
        self.assertGreater(refused, 1000)

    def test_loadchunk(self):
        dice = random.Random(8)
        taken = refused = 0
        for _ in range(3000):
            chunks = dice.choice(SMALL).chunks()
            answer = self.r("BF.LOADCHUNK", "k", 1, damaged(chunks[0][1], dice))
            if answer != "OK":
                self.assertEqual(answer, Failure("ERR received bad data"))
                refused += 1
                continue
            taken += 1
            for iterator, data in chunks[1:]:
                iterator = dice.choice((iterator, iterator, dice.randrange(-5, 5000), 2**63 - 1, -(2**63)))
                self.r("BF.LOADCHUNK", "k", iterator, damaged(data, dice))
            self.use("k")
        self.assertGreater(taken, 20)
        self.assertGreater(refused, 1000)

    def test_links_without_end(self):
        header = bytearray(SMALL[0].chunks()[0][1])
        header[8:12] = b"\xff\xff\xff\xff"
        self.fails("ERR received bad data", "BF.LOADCHUNK", "k", 1, bytes(header))
        dump = next(g.dump for g in SMALL if g.name == "rb_two")
        for count in (b"\x00", b"\x81" + b"\xff" * 8):  # no link, and 2^64 - 1
            body = dump[:13] + count + dump[14:-8]  # after the type, its name, and how many items
            answer = self.r("RESTORE", "k", 0, body + crc64(body))
            self.assertEqual(answer, Failure("ERR Bad data format"))


class OwnDamage(ServerTest):
    """Filters of our own: every piece has a checksum, so damage is found wherever it is."""

    def setUp(self):
        super().setUp()
        self.r("BF.RESERVE", "b", 0.01, 100, "LAYOUT", "BLOCKED")
        self.r("BF.MADD", "b", *range(1000))
        self.r("CBF.MADD", "c", *(i % 50 for i in range(90)))
        self.r("BF.RESERVE", "w", 0.01, 100, "WINDOW", "ITEMS")
        self.r("BF.RESERVE", "t", 0.01, 100, "WINDOW", "SECONDS", 1000)
        for key in "wt":
            self.r("BF.MADD", key, *range(300))

    def use(self, key):
        self.r.pipeline([("BF.INFO", key), ("BF.MADD", key, *range(20)), ("BF.MEXISTS", key, "a", ""), ("CBF.MADD", key, "a"),
                         ("BF.TURN", key, 10**14), ("BF.SCANDUMP", key, 0), ("BF.CARD", key, "ESTIMATE"), ("BF.DEBUG", key), ("DEL", key)])

    def test_restore(self):
        dice = random.Random(9)
        for key in "bcwt":
            dump = self.r("DUMP", key)
            for _ in range(500):
                body = damaged(dump[:-10], dice) + dump[-10:-8]
                answer = self.r("RESTORE", "k", 0, body + crc64(body), "REPLACE")
                if answer != "OK":
                    self.assertIsInstance(answer, Failure)
                elif self.r("TYPE", "k").startswith("blm"):  # damage that the server's compression reads as the same bytes
                    self.assertTrue(self.r("DUMP", "k") == dump)
                self.use("k")
            for end in range(10, len(dump) - 10, 7):
                body = dump[:end] + dump[-10:-8]
                self.assertEqual(self.r("RESTORE", "k", 0, body + crc64(body)), Failure("ERR Bad data format"))

    def test_loadchunk(self):
        dice = random.Random(10)
        bad = Failure("ERR received bad data")
        for key in "bcwt":
            (one, head), *runs = pieces(self.r, key)
            for _ in range(500):
                broken = damaged(head, dice)
                if broken != head:
                    self.assertEqual(self.r("BF.LOADCHUNK", "k", one, broken), bad)
            self.assertEqual(self.r("BF.LOADCHUNK", "k", one, head), "OK")
            for _ in range(500):
                number, run = dice.choice(runs)
                broken = damaged(run, dice)
                if broken != run:
                    self.assertEqual(self.r("BF.LOADCHUNK", "k", number, broken), bad)
                elsewhere = dice.choice((0, -1, 2, 9, number - 1, number + 8, 2**63 - 1, -(2**63)))
                self.assertEqual(self.r("BF.LOADCHUNK", "k", elsewhere, run), bad)
            self.assertEqual(self.r("BF.LOADCHUNK", "k", 1, head), Failure("ERR item exists"))
            self.use("k")

    def test_pieces_of_another_filter(self):
        head, *_ = pieces(self.r, "b")
        self.r("BF.RESERVE", "large", 0.001, 10000, "LAYOUT", "BLOCKED")
        put_pieces(self.r, "k", [head])
        number, run = pieces(self.r, "large")[1]
        self.assertEqual(self.r("BF.LOADCHUNK", "k", number, run), Failure("ERR invalid chunk - Too big for current filter"))
        self.use("k")


if __name__ == "__main__":
    unittest.main()
