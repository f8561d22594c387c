#!/usr/bin/env python3
"""The Python reader against golden files: reader_test.py FOLDER..."""
import json
import pathlib
import struct
import sys

import reader
from xxh3 import xxh3_128

KINDS = {reader.CLASSIC: "classic", reader.BLOCKED: "blocked", reader.EXACT: "exact",
         reader.COUNTING: "counting", reader.FUSE: "fuse", reader.RIBBON: "ribbon", reader.WINDOWED: "windowed"}
HASHES = {reader.XXH3: "xxh3", reader.MURMUR3: "murmur3", reader.SIPHASH: "siphash",
          reader.AES: "aes", reader.PRECOMPUTED: "precomputed"}


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def check_vectors(path):
    vectors = json.loads(path.read_text())
    for vector in vectors:
        seed = struct.unpack("<Q", bytes.fromhex(vector["seed"]))[0]
        words = struct.pack("<QQ", *xxh3_128(bytes.fromhex(vector["key"]), seed)).hex()
        check(words == vector["lo"] + vector["hi"], f"XXH3 of {len(vector['key']) // 2} bytes, seed {seed}")
    return len(vectors)


def refused(data, secret):
    try:
        reader.File(data, secret)
    except reader.Refused:
        return True
    return False


def check_damage(path, data, secret):
    """A reader that checks nothing would pass everything else."""
    places = {8, 20, 33, 90, len(data) // 2, len(data) - 1}
    for at in places:
        damaged = data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]
        check(refused(damaged, secret), f"{path}: byte {at} damaged and taken")
    check(refused(data[:-1], secret) and refused(data + b"\0", secret), f"{path}: another length, and taken")


def check_file(path):
    expected = json.loads(path.with_suffix(".json").read_text())
    secret = bytes.fromhex(expected["secret"]) if "secret" in expected else None
    data = path.read_bytes()
    file = reader.File(data, secret)
    check(HASHES[file.hash_id] == expected["hash"], f"{path}: hash")
    check({KINDS[s.kind] for s in file.segments} == {expected["kind"]}, f"{path}: kind")
    check(len(file.segments) == expected["segments"], f"{path}: segments")
    for field in ("offered", "inserted", "estimated", "expected_wrong_repeats"):
        check(getattr(file, field) == expected[field], f"{path}: {field}")
    for answer in ("maybe", "no"):
        for key in expected[answer]:
            check(file.may_contain(bytes.fromhex(key)) == (answer == "maybe"), f"{path}: {key} is not a {answer}")
    check_damage(path, data, secret)
    return len(expected["maybe"]) + len(expected["no"])


def main():
    files = answers = vectors = 0
    for folder in map(pathlib.Path, sys.argv[1:]):
        for path in sorted(folder.glob("*.blm")):
            answers += check_file(path)
            files += 1
        for path in folder.glob("xxh3_vectors.json"):
            vectors += check_vectors(path)
    check(files > 0 and answers > 0, "no golden files found")
    print(f"{files} files, {answers} answers, {vectors} XXH3 vectors")


if __name__ == "__main__":
    main()
