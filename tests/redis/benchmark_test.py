#!/usr/bin/env python3
"""redis-benchmark, a client that we did not write, pipelined and from many connections: every command is answered, none fails, and
the filters hold what was sent."""
import re
import shutil
import subprocess
import unittest

from server import ServerTest

PROGRAM = shutil.which("redis-benchmark")
REQUESTS, RANGE = 40_000, 1000  # that none of the numbers is missed: e^-40 for each


@unittest.skipUnless(PROGRAM, "redis-benchmark is missing (as root: apt-get install redis-tools)")
class RedisBenchmark(ServerTest):
    def run_benchmark(self, *command):
        self.r("CONFIG", "RESETSTAT")
        done = subprocess.run([PROGRAM, "-s", self.server.socket, "-n", str(REQUESTS), "-r", str(RANGE), "-P", "50", "-q", *command],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("requests per second", done.stdout)
        stats = self.r("INFO", "commandstats").decode()
        self.assertRegex(stats, rf"cmdstat_{re.escape(command[0].lower())}:calls={REQUESTS},.*rejected_calls=0,failed_calls=0")

    def check_single(self, *layout):
        numbers = [f"{i:012}" for i in range(RANGE)]
        self.r("BF.RESERVE", "f", "0.000001", RANGE, *layout)
        self.run_benchmark("BF.ADD", "f", "__rand_int__")
        self.assertEqual(self.r("BF.CARD", "f"), RANGE)
        self.assertEqual(self.r("BF.MEXISTS", "f", *numbers), [1] * RANGE)
        self.run_benchmark("BF.EXISTS", "f", "__rand_int__")

    def test_single_items(self):
        self.check_single()

    def test_single_items_of_layout_blocked(self):
        self.check_single("LAYOUT", "BLOCKED")

    def test_batches(self):
        self.r("BF.RESERVE", "f", "0.000001", RANGE)
        self.run_benchmark("BF.MADD", "f", *["__rand_int__"] * 10)
        self.assertEqual(self.r("BF.CARD", "f"), RANGE)
        self.run_benchmark("BF.MEXISTS", "f", *["__rand_int__"] * 10)
        self.assertEqual(self.r("BF.CARD", "f"), RANGE)


if __name__ == "__main__":
    unittest.main()
