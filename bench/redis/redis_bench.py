#!/usr/bin/env python3
"""What BF commands cost a server: its own CPU time per command, from /proc, beside a plain EXISTS.

usage: redis_bench.py --module bloomery.so --one-by-one one_by_one.so --empty empty.so [--items N] [--rounds N] --output FILE.md

Commands are made beforehand and sent without a pause over a unix socket; what counts is the CPU time that the server's main
thread takes for them. Server and client take turns on one CPU, so that no client works on the other half of the server's
core, where there is one. All rows are measured in turn, in many short rounds, and each beside the one that it is compared with, again
and again for some milliseconds. Filters are made anew several times, since memory that a server gets is faster or slower by a tenth. Goals are judged by medians of what the two of a pair say, so that what slows the machine for a
while slows both.
"""
import argparse
import os
import pathlib
import platform
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np

BATCH = 100
STRANGERS = 10**11  # items from here on are in no filter, unless they are added while that is measured
DIGITS = 12


def bulk(text):
    return b"$%d\r\n%s\r\n" % (len(text), text)


def encode(words, numbers, per_command):
    """Commands of these words and so many numbers each, as decimal digits."""
    prefix = b"*%d\r\n" % (len(words) + per_command) + b"".join(bulk(word.encode()) for word in words)
    item = bulk(b"0" * DIGITS)
    commands = np.tile(np.frombuffer(prefix + item * per_command, np.uint8), (len(numbers) // per_command, 1))
    for i in range(per_command):
        at = len(prefix) + len(item) * i + item.index(b"0" * DIGITS)
        for digit in range(DIGITS):
            commands[:, at + DIGITS - 1 - digit] = numbers[i::per_command] // 10**digit % 10 + ord("0")
    return commands.tobytes()


class Server:
    def __init__(self, folder, *modules):
        self.socket = str(folder / (pathlib.Path(modules[0]).stem + ".socket"))
        words = [word for module in modules for word in ("--loadmodule", str(pathlib.Path(module).resolve()))]
        self.process = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", self.socket, "--dir", str(folder), "--save", "", *words],
                                        stdout=subprocess.DEVNULL)
        for _ in range(500):
            if subprocess.run(["redis-cli", "-s", self.socket, "PING"], capture_output=True, text=True).stdout == "PONG\n":
                return
            time.sleep(0.02)
        self.stop()
        sys.exit(f"redis-server did not start with {modules}")

    def ask(self, *words):
        return subprocess.run(["redis-cli", "-s", self.socket, *map(str, words)], capture_output=True, text=True).stdout.strip()

    def raw(self, *words):
        """One command and its reply, as bytes on the wire: those of redis-cli are not exact."""
        words = [w if isinstance(w, bytes) else str(w).encode() for w in words]
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self.socket)
            connection.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words))
            file = connection.makefile("rb")
            if file.readline() != b"*2\r\n":
                return None
            iterator = int(file.readline()[1:])
            return iterator, file.read(int(file.readline()[1:]))

    def send(self, data, reply_bytes):
        """Sends commands whose replies are numbers, and have so many bytes in all."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self.socket)
            sender = threading.Thread(target=connection.sendall, args=(data,))
            sender.start()
            left = reply_bytes
            while left > 0:
                part = connection.recv(1 << 20)
                if not part or b"-" in part:
                    sys.exit(f"the server answers {part[:200]!r}")
                left -= len(part)
            sender.join()

    def cpu_seconds(self):
        """Of the main thread, which runs the commands."""
        return int(open(f"/proc/{self.process.pid}/schedstat").read().split()[0]) / 1e9

    def stop(self):
        self.process.terminate()
        self.process.wait()


def reply_bytes(commands, per_command):
    return commands * (4 if per_command == 1 else len(f"*{per_command}\r\n") + 4 * per_command)


def fill(server, key, items):
    """The numbers below `items`."""
    step = 1_000_000
    for first in range(0, items, step):
        numbers = np.arange(first, min(first + step, items), dtype=np.uint64)
        server.send(encode(["BF.MADD", key], numbers, BATCH), reply_bytes(len(numbers) // BATCH, BATCH))


def copy(source, key, target):
    iterator = 0
    while True:
        iterator, data = source.raw("BF.SCANDUMP", key, iterator)
        if iterator == 0:
            return
        target.raw("BF.LOADCHUNK", key, iterator, data)


class Row:
    """A command to measure: about items that are there (below `known`) or, with known = 0, about strangers."""

    def __init__(self, title, server, words, known, items, per_command, before=()):
        self.title, self.server, self.words, self.known, self.before = title, server, words, known, before
        self.items, self.per_command, self.samples = items, per_command, []
        self.beside = []  # what the other row of the pair took just before

    def measure(self, random):
        if self.before:
            self.server.ask(*self.before)
        first, end = (0, self.known) if self.known else (STRANGERS, 10**DIGITS)
        numbers = random.integers(first, end, self.items, dtype=np.uint64)
        data = encode(self.words, numbers, self.per_command)
        before = self.server.cpu_seconds()
        self.server.send(data, reply_bytes(self.items // self.per_command, self.per_command))
        self.samples.append((self.server.cpu_seconds() - before) * 1e6 / self.items)

    def measure_beside(self, other, random):
        other.measure(random)
        self.beside.append(other.samples[-1])
        self.measure(random)

    def take(self, other):
        """The figures of another row too."""
        if other is not self:
            self.samples += other.samples
            self.beside += other.beside

    def micros(self):
        return statistics.median(self.samples)


LAYOUTS = (("compatible", ()), ("blocked", ("LAYOUT", "BLOCKED")))
SINGLE = 25_000  # commands of one item, in each of SLICES turns of a round
SLICES = 4
FILLINGS = 4  # times that filters are made


def server_rows(server):
    """What the server itself takes."""
    key = "small:compatible"
    return {"exists": Row("`EXISTS` of a missing key", server, ["EXISTS"], 0, SINGLE, 1),
            "empty": Row("a module's command with key and item that answers 0", server, ["EMPTY.REPLY", key], 0, SINGLE, 1),
            "empty open": Row("the same, which opens its key to read", server, ["EMPTY.OPEN", key], 0, SINGLE, 1),
            "empty write": Row("one that opens it to write, and tells of a change", server, ["EMPTY.WRITE", key], 0, SINGLE, 1)}


def single_rows(name, server):
    """A filter of a million items; new ones go into copies of one that is half full."""
    small, half, known = f"small:{name}", f"half:{name}", 900_000
    return {(name, "BF.EXISTS", "absent"): Row(f"`BF.EXISTS`, {name}, absent", server, ["BF.EXISTS", small], 0, SINGLE, 1),
            (name, "BF.EXISTS", "present"): Row(f"`BF.EXISTS`, {name}, present", server, ["BF.EXISTS", small], known, SINGLE, 1),
            (name, "BF.ADD", "new"): Row(f"`BF.ADD`, {name}, new", server, ["BF.ADD", "copy"], 0, SINGLE, 1,
                                            ["COPY", half, "copy", "REPLACE"]),
            (name, "BF.ADD", "present"): Row(f"`BF.ADD`, {name}, present", server, ["BF.ADD", small], known, SINGLE, 1)}


def batch_rows(name, server, key, items):
    count, known = 200_000, items * 8 // 10
    return {(name, "absent"): Row(f"`BF.MEXISTS`, {name}, absent", server, ["BF.MEXISTS", key], 0, count, BATCH),
            (name, "present"): Row(f"`BF.MEXISTS`, {name}, present", server, ["BF.MEXISTS", key], known, count, BATCH),
            (name, "repeats"): Row(f"`BF.MADD`, {name}, present", server, ["BF.MADD", key], known, count, BATCH),
            (name, "new"): Row(f"`BF.MADD`, {name}, new", server, ["BF.MADD", key], 0, items // 500, BATCH)}


def prepare(server, one_by_one, items):
    rows = server_rows(server)
    for name, words in LAYOUTS:
        for key, capacity, filled in ((f"small:{name}", 1_000_000, 900_000), (f"half:{name}", 1_000_000, 500_000),
                                      (f"adds:{name}", 10_000_000, 0),
                                      (name, items, items * 8 // 10)):
            if server.ask("BF.RESERVE", key, "0.01", capacity, "NONSCALING", *words) != "OK":
                sys.exit(f"the server makes no filter of layout {name}")
            print(f"filling a filter of {capacity} items, {name}", file=sys.stderr)
            fill(server, key, filled)
        rows |= single_rows(name, server)
    for name, _ in LAYOUTS:
        rows |= batch_rows(name, server, name, items)
    copy(server, "compatible", one_by_one)
    return rows | batch_rows("one by one", one_by_one, "compatible", items)


def in_pairs(row, work):
    """The median of what becomes of a row's figures and those beside them."""
    return statistics.median(work(x, y) for x, y in zip(row.samples, row.beside))


def measure_round(rows, random):
    exists = rows["exists"]
    for key, row in rows.items():
        if row.per_command == 1 and row is not exists:
            for _ in range(SLICES):
                row.measure_beside(exists, random)
        elif key[0] in ("compatible", "blocked"):
            row.measure_beside(rows["one by one", key[1]], random)


def goals(rows):
    """(what, figure, goal, met) of each."""
    for name, _ in LAYOUTS:
        for command, kind in (("BF.EXISTS", "absent"), ("BF.EXISTS", "present"), ("BF.ADD", "new"), ("BF.ADD", "present")):
            row = rows[name, command, kind]
            more = in_pairs(row, lambda ours, exists: ours - 1.25 * exists)
            yield row.title, f"1.25 x EXISTS {more:+.3f} us", "at most 1.25 x EXISTS + 0.15 us", more <= 0.15
    for name, factor in (("blocked", 2.5), ("compatible", 1.5)):
        for kind in ("absent", "present", "repeats", "new"):
            ratio = in_pairs(rows[name, kind], lambda ours, one: one / ours)
            yield (f"{rows[name, kind].title}, beside one by one", f"{ratio:.2f} x", f"at least {factor} x the items per second",
                   ratio >= factor)


def report(rows, items, rounds, rates):
    version = " ".join(subprocess.run(["redis-server", "--version"], capture_output=True, text=True).stdout.split()[:3])
    yield f"# What BF commands cost a server\n\n{platform.machine()}, {version}"
    yield f"CPU time of the server's main thread, medians of {rounds} rounds; server and client share one CPU. Single commands: a filter of 1 M items at 1%; batches of {BATCH}: {items:,} items at 1%.\n"
    yield "| | us per item | least | most |\n|---|---|---|---|"
    for row in rows.values():
        least, most = (f(row.samples) for f in (min, max))
        yield f"| {row.title} | {row.micros():.3f} | {least:.3f} | {most:.3f} |"
    yield "\n| | measured | goal | |\n|---|---|---|---|"
    for what, figure, goal, met in goals(rows):
        yield f"| {what} | {figure} | {goal} | {'met' if met else 'MISSED'} |"
    yield "\nRequests per second that redis-benchmark reaches (the server and its 50 clients share this machine):\n"
    yield "| | one at a time | 50 in a pipeline |\n|---|---|---|"
    for name, one, pipelined in rates:
        yield f"| `{name}` | {one:,.0f} | {pipelined:,.0f} |"


def request_rate(server, command, requests, pipeline):
    done = subprocess.run(["redis-benchmark", "-s", server.socket, "-n", str(requests), "-P", str(pipeline), "-r", "1000000000", "-q", *command],
                          capture_output=True, text=True, check=True).stdout
    return float(re.findall(r"([\d.]+) requests per second", done)[-1])


def request_rates(server):
    for command in (["EXISTS"], ["BF.EXISTS", "small:compatible"], ["BF.ADD", "adds:compatible"]):
        command.append("__rand_int__")
        yield " ".join(command), request_rate(server, command, 100_000, 1), request_rate(server, command, 1_000_000, 50)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--module", required=True)
    parser.add_argument("--one-by-one", required=True)
    parser.add_argument("--empty", required=True)
    parser.add_argument("--items", type=int, default=100_000_000)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--output", required=True)
    arguments = parser.parse_args()
    processors = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(processors)})
    modules = ((arguments.module, arguments.empty), (arguments.one_by_one,))
    random, known, rates = np.random.default_rng(8), {}, []
    for i in range(FILLINGS):
        with tempfile.TemporaryDirectory(prefix="blm-redis-bench-") as folder:
            servers = {}
            try:
                for j in (i % 2, 1 - i % 2):
                    servers[j] = Server(pathlib.Path(folder), *modules[j])
                rows = prepare(servers[0], servers[1], arguments.items)
                print("measuring", file=sys.stderr, flush=True)
                for _ in range(-(-arguments.rounds // FILLINGS)):
                    measure_round(rows, random)
                for key, row in rows.items():
                    known.setdefault(key, row).take(row)
                if i == FILLINGS - 1:
                    os.sched_setaffinity(0, processors)  # of redis-benchmark; the servers stay where they are
                    rates = list(request_rates(servers[0]))
            finally:
                for server in servers.values():
                    server.stop()
    text = "\n".join(report(known, arguments.items, -(-arguments.rounds // FILLINGS) * FILLINGS, rates))
    print(text)
    pathlib.Path(arguments.output).write_text(text + "\n")


if __name__ == "__main__":
    main()
