"""Filters that RedisBloom made, with its answers: tests/golden/redis."""
import json
import pathlib

FOLDER = pathlib.Path(__file__).parents[1] / "golden" / "redis"


class Golden:
    def __init__(self, path):
        self.name = path.stem
        self.meta = json.loads(path.read_text())
        self.stream = path.with_suffix(".scandump").read_bytes()  # all chunks in a row, the header first
        dump = path.with_suffix(".redisdump")
        self.dump = dump.read_bytes() if dump.exists() else None
        self.members, self.member_answers = self.keys("members", "1")
        self.others, self.other_answers = self.keys("non_members", "0")

    def keys(self, name, otherwise):
        group = self.meta[name]
        if "hex" in group:
            keys = [bytes.fromhex(h) for h in group["hex"]]
        else:
            rule = group["rule"]
            keys = [(rule["format"] % i).encode() for i in range(rule["first"], rule["last"] + 1)]
        return keys, [int(a) for a in group.get("peer_answers", otherwise * len(keys))]

    def chunks(self):
        """(iterator, bytes) as SCANDUMP gives them."""
        links = int.from_bytes(self.stream[8:12], "little")
        header = 20 + 53 * links
        result, at = [(1, self.stream[:header])], header
        for i in range(links):
            size = int.from_bytes(self.stream[20 + 53 * i : 28 + 53 * i], "little")
            result.append((1 + at + size - header, self.stream[at : at + size]))
            at += size
        return result

    def growth_words(self):
        expansion = self.meta["parameters"]["expansion"]
        return ["NONSCALING"] if expansion == "NONSCALING" else ["EXPANSION", expansion] if type(expansion) is int else []


def all_golden():
    return [Golden(path) for path in sorted(FOLDER.glob("*.json"))]


def scandump(client, key):
    iterator, chunks = 0, []
    while True:
        iterator, data = client("BF.SCANDUMP", key, iterator)
        if iterator == 0:
            return chunks
        chunks.append((iterator, data))
