"""Filters of our own as they are stored: five words and their checksum, then a .blm file."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from server import ServerTest

TOP = pathlib.Path(__file__).resolve().parents[2]
BLOOMERY = os.environ["BLOOMERY"]
ITEMS = [f"item{i}" for i in range(30_000)]
OTHERS = [f"other{i}" for i in range(30_000)]


class Reader:
    """The value in a DUMP, by the server's own rules for modules' types: numbers and strings, each behind what it is."""

    def __init__(self, dump):
        self.bytes, self.at = dump, 1  # behind the type of the key
        self.length()                  # the type's name and encoding version

    def take(self, count):
        self.at += count
        return self.bytes[self.at - count : self.at]

    def length(self):
        first = self.take(1)[0]
        if first >> 6 < 2:
            return first if first < 64 else (first & 63) << 8 | self.take(1)[0]
        assert first in (0x80, 0x81), "a compressed string"
        return int.from_bytes(self.take(4 if first == 0x80 else 8), "big")

    def values(self):
        while (kind := self.length()) != 0:
            assert kind in (2, 5), kind
            yield self.length() if kind == 2 else self.take(self.length())


class Files(ServerTest):
    options = ("--rdbcompression", "no", "--save", "")

    def make(self):
        """One of each kind, and one that grew; keys and what its file is."""
        self.r("BF.RESERVE", "grown", 0.01, 5000, "LAYOUT", "BLOCKED")
        self.r("BF.RESERVE", "small", 0.01, 100, "LAYOUT", "BLOCKED", "NONSCALING")
        self.r("CBF.RESERVE", "counting", 0.01, 30_000)
        self.r("BF.RESERVE", "last", 0.01, 30_000, "WINDOW", "ITEMS")
        self.r("BF.RESERVE", "lately", 0.01, 30_000, "WINDOW", "SECONDS", 1000)
        self.r("BF.MADD", "small", *ITEMS[:100])
        self.r("CBF.MADD", "counting", *ITEMS)
        for key in ("grown", "last", "lately"):
            self.r("BF.MADD", key, *ITEMS)
        return {"grown": "blocked", "small": "blocked", "counting": "counting", "last": "windowed", "lately": "windowed"}

    def check_file(self, key, data, kind):
        with tempfile.NamedTemporaryFile(suffix=".blm") as file:
            file.write(data)
            file.flush()
            subprocess.run([BLOOMERY, "verify", file.name], check=True)
            info = subprocess.run([BLOOMERY, "info", "--json", file.name], check=True, capture_output=True, text=True).stdout
            self.assertIn(f'"{kind}"', info)
            lines = "".join(f"{item}\n" for item in ITEMS + OTHERS)
            found = subprocess.run([BLOOMERY, "check", file.name], input=lines, capture_output=True, text=True).stdout.split()
        name = "CBF.MEXISTS" if kind == "counting" else "BF.MEXISTS"
        answers = self.r(name, key, *ITEMS, *OTHERS)
        self.assertEqual(found, [item for item, maybe in zip(ITEMS + OTHERS, answers) if maybe])
        self.assertGreaterEqual(len(found), 100)

    def test_dump(self):
        for key, kind in self.make().items():
            *words, file = self.split(self.r("DUMP", key))
            self.assertEqual(len(words), 6)
            self.assertEqual(words[0], 2 if key == "grown" else 0)
            self.assertEqual(words[1], 250_000 if key == "lately" else 0)
            self.check_file(key, file, kind)

    def test_out_of_the_server(self):
        """The program of docs/redis.md."""
        part = re.search(r"^## Filters of our own, in pieces\n(.*?)^## ", (TOP / "docs/redis.md").read_text(), re.MULTILINE | re.DOTALL)[1]
        program = re.search(r"```python\n(.*?)```", part, re.DOTALL)[1]
        self.assertEqual(program.count("redis.Redis()"), 1)
        program = program.replace("redis.Redis()", f"redis.Redis(unix_socket_path={self.server.socket!r})")
        for key in self.make():
            with tempfile.NamedTemporaryFile(suffix=".blm") as file:
                subprocess.run(["/usr/bin/python3", "-c", program, key, file.name], check=True)
                *_, stored = self.split(self.r("DUMP", key))
                self.assertEqual(file.read(), stored)

    def split(self, dump):
        values = list(Reader(dump).values())
        return [*(v for v in values if isinstance(v, int)), b"".join(v for v in values if isinstance(v, bytes))]


if __name__ == "__main__":
    unittest.main()
