"""Batch lookups of a numpy array of uint64, from Python and from C++: nanoseconds per key, and their ratio.

usage: PYTHONPATH=BUILD/python compare.py PYTHON_BATCH [KEYS [ROUNDS]]; exit 1 if a ratio of medians is above 1.3
"""
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

import bloomery

LIMIT = 1.3


def python_rounds(filter, words, rounds):
    for _ in range(rounds):
        start = time.perf_counter()
        maybes = int(numpy.count_nonzero(filter.contains(words)))
        yield (time.perf_counter() - start) * 1e9 / len(words), maybes


def compare(program, keys, rounds, hash):
    random = numpy.random.default_rng(1)
    words = random.integers(0, 2**64, keys, dtype=numpy.uint64)
    built = bloomery.Filter(keys, 0.01, hash=hash)
    built.update(words)
    words[::2] = random.integers(0, 2**64, (keys + 1) // 2, dtype=numpy.uint64)  # half of them strangers
    with tempfile.TemporaryDirectory() as scratch:
        paths = [pathlib.Path(scratch) / name for name in ("filter.blm", "words")]
        built.save(paths[0])
        words.tofile(paths[1])
        filter = bloomery.Filter.open(paths[0], copy=True)
        ours, theirs = [], []
        for _ in range(rounds):  # turn by turn: whatever else the machine does meets both
            ours += python_rounds(filter, words, 2)
            said = subprocess.run([program, *paths, "2"], check=True, capture_output=True, text=True).stdout
            theirs += [(float(line.split()[0]), int(line.split()[1])) for line in said.splitlines()]
    assert len({maybes for _, maybes in ours + theirs}) == 1, "the answers differ"
    python, cpp = (statistics.median(ns for ns, _ in side) for side in (ours, theirs))
    print(f"{hash}: {keys} keys, Python {python:.2f} ns, C++ {cpp:.2f} ns per key, ratio {python / cpp:.3f}")
    return python / cpp


def main():
    program = sys.argv[1]
    keys = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000_000
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    ratios = [compare(program, keys, rounds, hash) for hash in ("precomputed", "xxh3")]
    sys.exit(0 if max(ratios) <= LIMIT else 1)


main()
