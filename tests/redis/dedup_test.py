"""bloomery dedup --redis: one server, errors, several processes, a cluster. With BLOOMERY_SLOW_TESTS=1 two processes share ten
million lines of a crawl (or the file that BLOOMERY_CORPUS names)."""
import collections
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

from cluster import Cluster, ClusterClient, full_form, slot
from server import Server, ServerTest, free_port, wait_for

TOP = pathlib.Path(__file__).resolve().parents[2]


def dedup(address, *arguments, lines=b"", check=None):
    result = subprocess.run([os.environ["BLOOMERY"], "dedup", "--redis", address, *map(str, arguments)], input=lines,
                            capture_output=True, timeout=200)
    if check is not None and result.returncode != check:
        raise AssertionError(f"exit code {result.returncode}: {result.stderr.decode()}")
    return result


def numbers(first, last):
    return b"".join(b"line %d\n" % i for i in range(first, last + 1))


class OneServer(ServerTest):
    @classmethod
    def setUpClass(cls):
        port = free_port()
        cls.server = Server(port=port)
        cls.address = f"127.0.0.1:{port}"

    def run_set(self, *arguments, lines=b"", check=0):
        return dedup(self.address, "--name", "set", *arguments, lines=lines, check=check)

    def error(self, text, *arguments, lines=b"x\n", name="set"):
        result = dedup(self.address, "--name", name, *arguments, lines=lines, check=2)
        self.assertEqual(result.stderr.decode(), f"bloomery dedup: {text}\n")
        return result

    def test_first_occurrences_in_order_and_one_set_for_all(self):
        first = self.run_set("--expected", 1000, "--json", lines=b"b\na\nb\n\nc\na\nlast")
        self.assertEqual(first.stdout, b"b\na\n\nc\nlast\n")
        summary = json.loads(first.stderr)
        subprocess.run([sys.executable, TOP / "tests/cli/json_schema.py", "dedup --redis"], input=first.stderr, check=True, stdout=subprocess.DEVNULL)
        self.assertEqual((summary["lines_in"], summary["lines_out"], summary["method"], summary["shards"]), (7, 5, "shared", 64))
        second = self.run_set(lines=b"c\nd\nlast\ne")
        self.assertEqual(second.stdout, b"d\ne\n")
        self.assertIn(b"4 lines in, 2 out, 2 dropped\nmethod: set set at ", second.stderr)
        self.assertIn(b"estimated distinct: 7, of all who share the set\n", second.stderr)

    def test_its_options(self):
        self.run_set("--expected", 1000, "--shards", 3, "--hash", "murmur3", lines=b"x\n")
        self.assertEqual(sorted(self.r("KEYS", "*")), [b"set", b"set:{0}", b"set:{1}", b"set:{2}"])
        murmur = ("--hash", "murmur3")
        self.assertEqual(self.run_set(*murmur, "-d", lines=b"x\ny\n").stdout, b"x\n")
        self.assertEqual(self.run_set(*murmur, "--header", lines=b"x\ny\nz\n").stdout, b"x\nz\n")
        self.assertEqual(self.run_set(*murmur, "-z", lines=b"x\0v\0").stdout, b"v\0")
        self.assertEqual(self.run_set(*murmur, "-k", 2, "--delimiter", ",", lines=b"1,x\n1,w\n2,w\n").stdout, b"1,w\n")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        old, out = pathlib.Path(folder.name, "old"), pathlib.Path(folder.name, "out")
        old.write_bytes(b"old 1\nold 2\n")
        self.run_set(*murmur, "--seen", old, "-o", out, lines=b"old 2\nnew\nold 1\n")
        self.assertEqual(out.read_bytes(), b"new\n")

    def test_long_lines(self):
        long = b"y" * 3_000_000
        self.assertEqual(self.run_set("--expected", 10, lines=b"a\n" + long + b"\n" + long + b"\na\n").stdout, b"a\n" + long + b"\n")

    def test_losses_are_as_expected(self):
        result = self.run_set("--expected", 300_000, "--fpr", "0.01", "--strict", "--json", lines=numbers(1, 300_000))
        summary = json.loads(result.stderr)
        self.losses_fit(300_000 - summary["lines_out"], summary["expected_wrong_drops"])
        self.assertTrue(50 < summary["expected_wrong_drops"] < 300)
        self.assertTrue(summary["promise_kept"])

    def losses_fit(self, lost, expected):
        self.assertLess(abs(lost - expected), 5 * math.sqrt(expected) + 5)

    def test_plans_that_differ(self):
        self.run_set("--expected", 1000, lines=b"x\n")
        at = self.address + ": set: "
        self.error(at + "the set was made with --shards 64; give the same, or another --name", "--shards", 8)
        self.error(at + "the set was made with --expected 1000; give the same, or another --name", "--expected", 1001)
        self.error(at + "the set was made with --fpr 1e-05; give the same, or another --name", "--fpr", "1e-4")
        self.error(at + "the set was made with another hash: xxh3, or another seed or key file; give the same, or another --name",
                   "--seed", 1)
        self.run_set("--expected", 1000, "--shards", 64, "--fpr", "1e-5", "--hash", "xxh3")

    def test_refusals(self):
        at = self.address + ": "
        self.error(at + "set: there is no such set yet: --expected N says for how many distinct lines to make it")
        self.error("--name: \"a{b\" is no name of a set: at least one character, and no braces", name="a{b")
        self.error("--redis: needs the --name of the set", name="")
        self.error("--memory: the set is in the server; --expected and --fpr say how large it is made", "--memory", "1G")
        self.error("--state, --checkpoint: with --redis the server keeps the set; leave them out", "--state", "s.blm")
        self.error("--shards: a filter takes 1,073,741,824 lines at most: 1,000,000,000,000 lines need more shards", "--expected", "1T")
        self.r("SET", "text", "something")
        self.error(at + "text: is no set of dedup --redis, or one of a newer version; choose another --name", name="text")
        self.r("LPUSH", "list", "something")
        self.error(at + "list: holds something else than this set; choose another --name", name="list")
        self.r("SET", "mixed:{5}", "something")
        self.error(at + "mixed:{5}: holds something else than this set; choose another --name", "--expected", 10, name="mixed")
        self.r("BF.RESERVE", "other:{5}", "0.01", 10)
        text = dedup(self.address, "--name", "other", "--expected", 1000, check=2).stderr.decode()
        self.assertRegex(text, r"other:\{5\}: is a filter for 10 lines, and not [\d,]+ as this set has them; choose another --name\n$")
        text = dedup(f"127.0.0.1:{free_port()}", "--name", "x", check=2).stderr.decode()
        self.assertRegex(text, r"^bloomery dedup: 127.0.0.1:\d+: Connection refused; does a redis-server run there\?\n$")
        for address in ("localhost", ":6379", "localhost:0", "localhost:65536", "localhost:x"):
            text = dedup(address, "--name", "x", check=2).stderr.decode()
            self.assertEqual(text, f"bloomery dedup: --redis: \"{address}\" is not HOST:PORT, with a port from 1 to 65535\n")
        text = dedup(self.address + ",cluster", "--name", "x", check=2).stderr.decode()
        self.assertIn("leave \",cluster\" out where there is none", text)

    def test_a_full_set_prints_what_was_new_and_stops(self):
        result = self.run_set("--expected", 2000, "--shards", 4, lines=numbers(1, 20_000), check=2)
        self.assertRegex(result.stderr.decode(), r"^bloomery dedup: .*set:\{\d\}: the filter is full: the set was made for 2,000 distinct "
                         r"lines; .*; ([\d,]+) lines were read and ([\d,]+) of them are out\n$")
        out = result.stdout.splitlines()
        self.assertEqual(len(out), len(set(out)))
        self.assertEqual(len(out), sum(self.r("BF.CARD", f"set:{{{i}}}") for i in range(4)))
        repeats = self.run_set("-d", lines=numbers(1, 20_000), check=2).stdout.splitlines()
        self.assertLessEqual(set(repeats), set(out))

    def test_a_filter_that_goes_away_meanwhile(self):
        self.while_it_waits(lambda: self.r("DEL", "set:{0}", "set:{1}"),
                            r": set:\{[01]\}: the filter is gone, deleted or evicted, and with it what it had seen; start another --name; ")

    def while_it_waits(self, action, message):
        program = subprocess.Popen([os.environ["BLOOMERY"], "dedup", "-q", "--redis", self.address, "--name", "set", "--expected", "1000"],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        program.stdin.write(b"first\n")
        program.stdin.flush()
        self.assertEqual(program.stdout.readline(), b"first\n")  # before more is needed
        action()
        out, error = program.communicate(numbers(1, 500), timeout=60)
        self.assertEqual(program.returncode, 2)
        self.assertRegex(error.decode(), message)
        self.assertEqual(error.count(b"\n"), 1)
        return out, re.search(message, error.decode())

    def test_a_server_that_is_killed_meanwhile(self):
        try:
            out, told = self.while_it_waits(
                self.server.kill, r": the connection is lost \(.*\); (\d+) lines got no answer: they are not printed, "
                                  r"and may count as seen; (\d+) lines were read and 1 of them are out\n$")
            self.assertEqual(out, b"")
            self.assertEqual(int(told[2]), int(told[1]) + 1)
            self.assertIn(int(told[1]), range(1, 501))  # the lines come in pieces
        finally:
            self.server.restart()

    def test_a_server_without_the_commands(self):
        other = subprocess.Popen([os.environ["REDIS_SERVER"], "--port", str(port := free_port()), "--bind", "127.0.0.1", "--save", ""],
                                 stdout=subprocess.DEVNULL, cwd=self.server.folder)
        try:
            def answer():
                return dedup(f"127.0.0.1:{port}", "--name", "x", "--expected", 10, check=2).stderr.decode()
            wait_for(lambda: "Connection refused" not in answer(), "a plain server")
            self.assertEqual(answer(), f"bloomery dedup: 127.0.0.1:{port}: x:{{0}}: the server has no BF commands; load bloomery.so there\n")
        finally:
            other.terminate()
            other.wait()


def corpus(folder):
    """A file of lines with many repeats."""
    if not full_form():
        number = random.Random(5)
        path = folder / "lines"
        path.write_text("".join(f"https://example.org/{int(150_000 * number.random() ** 2)}\n" for _ in range(200_000)))
        return path
    if os.environ.get("BLOOMERY_CORPUS"):
        return pathlib.Path(os.environ["BLOOMERY_CORPUS"])
    with open(folder / "lines", "wb") as file:
        subprocess.run([sys.executable, TOP / "bench/gen_urls.py", "10000000", "4000000", "20261130"], stdout=file, check=True)
    return folder / "lines"


class Together(unittest.TestCase):
    """Two processes on halves of a file, through a cluster."""

    def setUp(self):
        self.cluster = Cluster()
        self.addCleanup(self.cluster.stop)
        folder = tempfile.TemporaryDirectory(prefix="blm-dedup-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def halves(self):
        lines = corpus(self.folder).read_bytes().splitlines(keepends=True)
        (self.folder / "half1").write_bytes(b"".join(lines[:len(lines) // 2]))
        (self.folder / "half2").write_bytes(b"".join(lines[len(lines) // 2:]))
        return len(set(lines))

    def run_both(self, distinct, fpr):
        port = self.cluster.servers[-1].port  # a replica will do
        programs = []
        for half in ("half1", "half2"):
            with open(self.folder / (half + ".out"), "wb") as out:
                programs.append(subprocess.Popen(
                    [os.environ["BLOOMERY"], "dedup", "--json", "--redis", f"127.0.0.1:{port},cluster", "--shards", "64", "--name", "crawl",
                     "--expected", str(distinct), "--fpr", fpr, self.folder / half], stdout=out, stderr=subprocess.PIPE))
        summaries = [json.loads(program.communicate(timeout=250)[1]) for program in programs]
        self.assertEqual([program.returncode for program in programs], [0, 0])
        return summaries

    def test_no_line_twice_and_none_lost_beyond_what_is_expected(self):
        distinct = self.halves()
        summaries = self.run_both(distinct, "0.001")
        printed = [line for half in ("half1", "half2") for line in (self.folder / (half + ".out")).read_bytes().splitlines()]
        self.assertEqual(len(printed), len(set(printed)), "a line was printed twice")
        lost, expected = distinct - len(printed), sum(s["expected_wrong_drops"] for s in summaries)
        self.assertLess(abs(lost - expected), 4 * math.sqrt(expected) + 4)
        client = ClusterClient(self.cluster)
        owners = collections.Counter(client.port_of(f"crawl:{{{i}}}") for i in range(64))
        client.close()
        self.assertEqual(len(owners), 3)
        print(f"{sum(s['lines_in'] for s in summaries)} lines, {distinct} distinct, {len(printed)} printed, none twice; lost {lost}, "
              f"expected {expected:.1f}; {[round(s['lines_per_second']) for s in summaries]} lines/s")

    def test_slots_that_move(self):
        """The slot of one filter goes to another master while a run waits for more lines."""
        client = ClusterClient(self.cluster)
        self.addCleanup(client.close)
        program = subprocess.Popen(
            [os.environ["BLOOMERY"], "dedup", "-q", "--redis", f"127.0.0.1:{self.cluster.servers[0].port},cluster", "--name", "s", "--shards",
             "4", "--expected", "10000"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        program.stdin.write(b"first\n")
        program.stdin.flush()
        self.assertEqual(program.stdout.readline(), b"first\n")
        moved = slot("s:{1}")
        giver = client.port_of("s:{1}")
        taker = next(server.port for server in self.cluster.servers[:3] if server.port != giver)
        ids = {port: client.client(port)("CLUSTER", "MYID").decode() for port in (giver, taker)}
        self.assertEqual(client.client(taker)("CLUSTER", "SETSLOT", moved, "IMPORTING", ids[giver]), "OK")
        self.assertEqual(client.client(giver)("CLUSTER", "SETSLOT", moved, "MIGRATING", ids[taker]), "OK")
        self.assertEqual(client.client(giver)("MIGRATE", "127.0.0.1", taker, "s:{1}", 0, 60000), "OK")
        program.stdin.write(numbers(1, 1000))  # ASK
        program.stdin.flush()
        self.assertEqual([program.stdout.readline() for _ in range(1000)], numbers(1, 1000).splitlines(keepends=True))
        for port in (taker, giver):
            self.assertEqual(client.client(port)("CLUSTER", "SETSLOT", moved, "NODE", ids[taker]), "OK")
        out, _ = program.communicate(numbers(500, 1500), timeout=60)  # MOVED
        self.assertEqual(out, numbers(1001, 1500))
        self.assertEqual(program.returncode, 0)

    def test_a_cluster_that_is_taken_for_one_server(self):
        text = dedup(f"127.0.0.1:{self.cluster.servers[0].port}", "--name", "s", "--expected", 10, check=2).stderr.decode()
        self.assertIn("the server is one of a cluster; say --redis HOST:PORT,cluster\n", text)


if __name__ == "__main__":
    unittest.main()
