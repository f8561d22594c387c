#!/usr/bin/env python3
"""A second reader of bloomery files, written from docs/format.md alone, standard library only.

  reader.py FILE [KEY...]              prints each key that may be in
  reader.py --secret HEX FILE [KEY...]
Exit: 0 some key may be in (or none asked), 1 none, 2 the file is refused.
"""
import argparse
import struct
import sys

from aes import aes_128
from xxh3 import xxh3_64, xxh3_128

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
MAGIC = b"\x8bBLM\r\n\x1a\n"
CHUNK = 1 << 20
CLASSIC, BLOCKED, EXACT, COUNTING, FUSE, RIBBON, WINDOWED = range(1, 8)
XXH3, MURMUR3, SIPHASH, AES, PRECOMPUTED = 1, 2, 3, 4, 255


class Refused(Exception):
    """The file is not one that this reader can answer for."""


def need(condition, why):
    if not condition:
        raise Refused(why)


def mix(z):
    z ^= z >> 32
    z = z * 0xD6E8FEB86659FD93 & MASK
    return z ^ z >> 32


def high64(a, b):
    return a * b >> 64


def rotl(x, bits):
    return (x << bits | x >> (64 - bits)) & MASK


def murmur3_first_word(key, seed):
    c1, c2 = 0x87C37B91114253D5, 0x4CF5AD432745937F
    h1 = h2 = seed

    def stir(k, first, turn, second):
        return rotl(k * first & MASK, turn) * second & MASK

    whole = len(key) // 16 * 16
    for at in range(0, whole, 16):
        k1, k2 = struct.unpack_from("<QQ", key, at)
        h1 = (rotl(h1 ^ stir(k1, c1, 31, c2), 27) + h2) * 5 + 0x52DCE729 & MASK
        h2 = (rotl(h2 ^ stir(k2, c2, 33, c1), 31) + h1) * 5 + 0x38495AB5 & MASK
    tail = key[whole:]
    h1 ^= stir(int.from_bytes(tail[:8], "little"), c1, 31, c2)
    h2 ^= stir(int.from_bytes(tail[8:], "little"), c2, 33, c1)
    h1, h2 = h1 ^ len(key), h2 ^ len(key)
    h1 = h1 + h2 & MASK
    h2 = h2 + h1 & MASK

    def final(k):
        k = (k ^ k >> 33) * 0xFF51AFD7ED558CCD & MASK
        k = (k ^ k >> 33) * 0xC4CEB9FE1A85EC53 & MASK
        return k ^ k >> 33

    return final(h1) + final(h2) & MASK


def siphash_128(key, secret):
    k0, k1 = struct.unpack("<QQ", secret)
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D ^ 0xEE, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def rounds(count):
        for _ in range(count):
            v[0] = v[0] + v[1] & MASK
            v[1] = rotl(v[1], 13) ^ v[0]
            v[0] = rotl(v[0], 32)
            v[2] = v[2] + v[3] & MASK
            v[3] = rotl(v[3], 16) ^ v[2]
            v[0] = v[0] + v[3] & MASK
            v[3] = rotl(v[3], 21) ^ v[0]
            v[2] = v[2] + v[1] & MASK
            v[1] = rotl(v[1], 17) ^ v[2]
            v[2] = rotl(v[2], 32)

    padded = key + bytes(7 - len(key) % 8) + bytes([len(key) & 255])
    for (word,) in struct.iter_unpack("<Q", padded):
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xEE
    rounds(4)
    lo = v[0] ^ v[1] ^ v[2] ^ v[3]
    v[1] ^= 0xDD
    rounds(4)
    return lo, v[0] ^ v[1] ^ v[2] ^ v[3]


def subsets(k):
    def turned(byte, by):
        return (byte << by | byte >> (8 - by)) & 255

    least = [b for b in range(256) if bin(b).count("1") == k and all(b < turned(b, i) for i in range(1, 8))] or [255]
    return [turned(least[i // 8 % len(least)], i % 8) for i in range(64)]


class Segment:
    """One record of the segment table, and the bytes it speaks of."""

    RECORD = struct.Struct("<QHBBBBHQQQdQQQ")

    def __init__(self, record):
        (self.offset, self.kind, self.rule, self.probes, self.cell_bits, self.lines_per_key, zero, self.cells,
         self.salt, self.planned_keys, self.planned_fpr, self.keys_inserted, *self.param) = self.RECORD.unpack(record)
        need(CLASSIC <= self.kind <= WINDOWED, f"kind {self.kind} is unknown")
        need(zero == 0, "reserved bytes are not zero")
        need(self.kind in (FUSE, RIBBON) or self.salt == 0, "reserved bytes are not zero")
        need(self.kind in (FUSE, RIBBON, WINDOWED) or self.param[0] == 0, "reserved bytes are not zero")
        need(self.kind in (RIBBON, WINDOWED) or self.param[1] == 0, "reserved bytes are not zero")
        need(0 <= self.planned_fpr <= 1, "planned rate out of range")
        bits = {BLOCKED: 512}.get(self.kind, self.cell_bits) * self.cells
        self.size = (bits + 7) // 8 + (sum(map(self.codes, self.param)) if self.kind == RIBBON else 0)
        if self.kind == WINDOWED:
            need(1 <= self.param[0] <= 1 << 40 and 1 <= self.param[1] <= 15, "window out of range")
            self.size = self.cells * (self.param[1] + 1) * 64 + 64
        self.bytes = b""
        lines = self.kind in (BLOCKED, WINDOWED) or self.kind == COUNTING and self.rule == 2
        self.subsets = subsets(self.probes) if lines else None

    def may_contain(self, lo, hi):
        return {CLASSIC: self.in_classic, BLOCKED: self.in_blocked, EXACT: self.in_exact, COUNTING: self.in_counting,
                FUSE: self.in_fuse, RIBBON: self.in_ribbon, WINDOWED: self.in_windowed}[self.kind](lo, hi)

    def bit(self, i):
        return self.bytes[i // 8] >> i % 8 & 1

    def in_classic(self, lo, hi):
        return all(map(self.bit, self.classic_bits(lo, hi)))

    def in_blocked(self, lo, hi):
        return all(map(self.bit, self.blocked_bits(lo, hi, self.cells)))

    def in_windowed(self, lo, hi):
        slots, bits = self.param[1] + 1, list(self.blocked_bits(lo, hi, self.cells))
        return any(all(self.bit((b // 512 * slots + slot) * 512 + b % 512) for b in bits) for slot in range(slots))

    def classic_bits(self, lo, hi):
        for i in range(self.probes):
            if self.rule == 0:
                yield (lo + i * hi & MASK) % self.cells
            else:
                yield high64(mix(lo + i * (hi | 1) & MASK), self.cells)

    def blocked_bits(self, lo, hi, lines):
        words = [lo, hi]
        for t in range(2, self.lines_per_key):
            words.append(mix(words[t - 2] + t * GOLDEN & MASK))
        for w in words[:self.lines_per_key]:
            line, subset = high64(w, lines), self.subsets[w & 63]
            pattern = (w >> 6) * GOLDEN & MASK
            for j in range(8):
                if subset >> j & 1:
                    yield line * 512 + j * 64 + (pattern >> 8 * j & 63)

    def cell(self, i):
        """Cell number i of cell_bits bits."""
        first = i * self.cell_bits
        word = int.from_bytes(self.bytes[first // 8:(first + self.cell_bits + 7) // 8], "little")
        return word >> first % 8 & (1 << self.cell_bits) - 1

    def in_counting(self, lo, hi):
        if self.rule == 1:
            return all(map(self.cell, self.classic_bits(lo, hi)))
        lines = self.cells * self.cell_bits // 512
        return all(self.cell(b // self.cell_bits) for b in self.blocked_bits(lo, hi, lines))

    def word(self, lo, hi):
        return mix(mix(lo ^ self.salt) + hi & MASK)

    def in_fuse(self, lo, hi):
        if self.cells == 0:
            return False
        length, a = self.param[0], self.word(lo, hi)
        b, start = mix(a), high64(a, self.cells - (self.probes - 1) * length)
        total = self.cell(start)
        for i in range(1, self.probes):
            total ^= self.cell(start + i * length ^ (b >> 21 * (i - 1)) % length)
        return total == a % (1 << self.cell_bits)

    @staticmethod
    def codes(slots):
        return (2 * -(-slots // 128) + 7) // 8

    def slot(self, i):
        block = i // 64 * 8 * self.cell_bits
        words = struct.unpack_from(f"<{self.cell_bits}Q", self.bytes, block)
        return sum((word >> i % 64 & 1) << j for j, word in enumerate(words))

    def in_ribbon(self, lo, hi):
        layers = [*self.param, self.cells - sum(self.param)]
        first, codes, word = 0, self.cells // 8 * self.cell_bits, self.word(lo, hi)
        for layer, slots in enumerate(layers):
            if slots > 0:
                start = high64(word, slots - 63)
                bumped = 0
                if layer < 2:
                    bumped = (0, 22, 50, 128)[self.bytes[codes + start // 512] >> start // 128 % 4 * 2 & 3]
                if start % 128 >= bumped:
                    total = 0
                    for i in range(64):
                        if (mix(word) | 1) >> i & 1:
                            total ^= self.slot(first + start + i)
                    return total == word % (1 << self.cell_bits)
                first, codes = first + slots, codes + self.codes(slots)
            word = mix(word + GOLDEN & MASK)
        return False

    def in_exact(self, lo, hi):
        first, count = 0, self.cells
        while count > 0:
            half = count // 2
            entry = struct.unpack_from("<QQ", self.bytes, (first + half) * 16)
            if entry == (lo, hi):
                return True
            if entry < (lo, hi):
                first, count = first + half + 1, count - half - 1
            else:
                count = half
        return False

    def check_bytes(self):
        if self.kind == WINDOWED:
            need(not any(self.bytes[-48:]), "reserved bytes are not zero")
        if self.kind == CLASSIC and self.cells % 8:
            need(self.bytes[-1] >> self.cells % 8 == 0, "bits beyond the last one are set")
        if self.kind == EXACT:
            entries = [struct.unpack_from("<QQ", self.bytes, i * 16) for i in range(self.cells)]
            need(all(a < b for a, b in zip(entries, entries[1:])), "fingerprints are not ascending")


class File:
    """A whole file, checked: header, checksums, places of the segments."""

    FIXED = struct.Struct("<8sHHIQIIBB6s16sQQdII")

    def __init__(self, data, secret=None):
        need(data[:8] == MAGIC, "not a bloomery file")
        need(len(data) >= self.FIXED.size, "truncated")
        (_, self.version, align_log2, self.header_bytes, file_bytes, required, self.optional_features, self.hash_id,
         hasher_flags, zero, self.stored_key, self.offered, self.inserted, self.expected_wrong_repeats, count_flags,
         segment_count) = self.FIXED.unpack_from(data)
        need(self.version == 0 and required in (0, 1), "made by a newer version")
        growth_bytes = 24 * required
        need(file_bytes == len(data), f"header says {file_bytes} bytes, file has {len(data)}")
        need(align_log2 in (3, 12) and self.header_bytes <= file_bytes, "header damaged")
        need(self.header_bytes >= self.FIXED.size + 72 * segment_count + growth_bytes + 8, "header damaged")
        header = data[:self.header_bytes]
        need(xxh3_64(header[:-8]) == struct.unpack("<Q", header[-8:])[0], "header checksum")
        need(not any(zero) and count_flags <= 1 and hasher_flags == (self.hash_id == SIPHASH), "reserved bytes")
        self.estimated = count_flags == 1
        self.take_secret(secret)
        self.segments = [Segment(header[88 + 72 * i:160 + 72 * i]) for i in range(segment_count)]
        self.check_places(data, 1 << align_log2)
        self.growth = struct.unpack_from("<dQd", data, 88 + 72 * segment_count) if required else None
        need(not required or 1e-12 <= self.growth[0] < 1 and self.growth[1] <= 1 << 40 and 2 <= self.growth[2] <= 64
             and self.segments[0].kind in (EXACT, BLOCKED), "growth out of range")
        self.check_chunks(data, 88 + 72 * segment_count + growth_bytes)
        for segment in self.segments:
            segment.bytes = data[segment.offset:segment.offset + segment.size]
            segment.check_bytes()

    def take_secret(self, secret):
        self.secret = secret
        need((self.hash_id == SIPHASH) == (secret is not None), "secret key missing, or given where none is used")
        if secret is not None:
            need(struct.pack("<QQ", *siphash_128(b"bloomery key check", secret)) == self.stored_key, "wrong key")

    def check_places(self, data, alignment):
        need(alignment == (4096 if sum(s.size for s in self.segments) >= 65536 else 8), "alignment")
        end = self.header_bytes
        need(end % alignment == 0 and self.segments, "header damaged")
        for segment in self.segments:
            start = (end + alignment - 1) // alignment * alignment
            need(segment.offset == start and not any(data[end:start]), "segments are not where they should be")
            end = start + segment.size
        need(end == len(data), "segments do not end where the file does")

    def check_chunks(self, data, at):
        payload = memoryview(data)[self.header_bytes:]
        chunks = (len(payload) + CHUNK - 1) // CHUNK
        need(not any(data[at + 8 * chunks:self.header_bytes - 8]), "reserved bytes")
        for i in range(chunks):
            need(xxh3_64(bytes(payload[i * CHUNK:(i + 1) * CHUNK]), i) ==
                 struct.unpack_from("<Q", data, at + 8 * i)[0], f"chunk {i} is damaged")

    def hash(self, key):
        if self.hash_id == XXH3:
            return xxh3_128(key, struct.unpack_from("<Q", self.stored_key)[0])
        if self.hash_id == MURMUR3:
            return murmur3_first_word(key, 0x123456789ABCDEF0), murmur3_first_word(key, 0xFEDCBA9876543210) or 1
        if self.hash_id == AES:
            return aes_128(key, struct.unpack_from("<Q", self.stored_key)[0])
        if self.hash_id == SIPHASH:
            return siphash_128(key, self.secret)
        return struct.unpack("<QQ", key)  # precomputed: the key is its hash

    def may_contain(self, key):
        lo, hi = self.hash(key)
        return any(segment.may_contain(lo, hi) for segment in self.segments)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--secret", type=bytes.fromhex)
    parser.add_argument("file")
    parser.add_argument("keys", nargs="*")
    options = parser.parse_args()
    try:
        with open(options.file, "rb") as source:
            filter_file = File(source.read(), options.secret)
    except (OSError, Refused) as error:
        print(f"reader.py: {options.file}: {error}", file=sys.stderr)
        return 2
    found = [key for key in options.keys if filter_file.may_contain(key.encode())]
    for key in found:
        print(key)
    return 0 if found or not options.keys else 1


if __name__ == "__main__":
    sys.exit(main())
