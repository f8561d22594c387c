"""The hash "aes", written from docs/format.md alone."""
import struct

# The digits of pi, as in docs/format.md.
AES_START = ((0x243F6A8885A308D3, 0x13198A2E03707344), (0xA4093822299F31D0, 0x082EFA98EC4E6C89),
             (0x452821E638D01377, 0xBE5466CF34E90C6C), (0xC0AC29B7C97C50DD, 0x3F84D5B5B5470917))
AES_MIDDLE = (0x9216D5D98979FB1B, 0xD1310BA698DFB5AC)
AES_END = ((0x2FFD72DBD01ADFB7, 0xB8E1AFED6A267E96), (0xBA7C9045F12C7F99, 0x24A19947B3916CF7))


def aes_sbox():
    def times(a, b):
        product = 0
        while b:
            product ^= a if b & 1 else 0
            a, b = (a << 1) ^ (0x11B if a & 0x80 else 0), b >> 1
        return product

    box = []
    for a in range(256):
        inverse = next((b for b in range(256) if times(a, b) == 1), 0)
        box.append(0x63 ^ inverse ^ inverse << 1 ^ inverse << 2 ^ inverse << 3 ^ inverse << 4)
        box[-1] = (box[-1] ^ box[-1] >> 8) & 0xFF
    return box


SBOX = aes_sbox()


def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b))


def aes_round(state, key):
    """FIPS 197: SubBytes, ShiftRows, MixColumns, AddRoundKey. Byte i is row i % 4 of column i // 4."""
    rows = [SBOX[state[(i + 4 * (i % 4)) % 16]] for i in range(16)]
    twice = [(a << 1) ^ (0x11B if a & 0x80 else 0) for a in rows]
    mixed = []
    for i in range(16):
        a, b, c, d = (i // 4 * 4 + (i + step) % 4 for step in range(4))
        mixed.append(twice[a] ^ twice[b] ^ rows[b] ^ rows[c] ^ rows[d])
    return xor(mixed, key)


def aes_128(key, seed):
    def block(lo, hi):
        return struct.pack("<QQ", lo, hi)

    lanes = [xor(block(*words), block(seed, seed)) for words in AES_START]
    padded = key.ljust(max(1, -(-len(key) // 64)) * 64, b"\0")
    for at in range(0, len(padded), 16):
        part, lane = padded[at:at + 16], at // 16 % 4
        lanes[lane] = aes_round(aes_round(xor(lanes[lane], part), block(*AES_MIDDLE)), part)
    lanes = [aes_round(lane, block(len(key), seed)) for lane in lanes]
    end = aes_round(aes_round(lanes[0], lanes[2]), aes_round(lanes[1], lanes[3]))
    for words in AES_END:
        end = aes_round(end, block(*words))
    return struct.unpack("<QQ", end)
