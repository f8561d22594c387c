"""XXH3 with a 64-bit seed, 64 and 128 bits, in plain Python: for reading files, not for speed.

The algorithm is specified in doc/xxhash_spec.md of xxHash.
"""

MASK32 = (1 << 32) - 1
MASK64 = (1 << 64) - 1
PRIME32_1, PRIME32_2, PRIME32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
PRIME64_1, PRIME64_2, PRIME64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
PRIME64_4, PRIME64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
PRIME_MX1, PRIME_MX2 = 0x165667919E3779F9, 0x9FB21C651E98DF25
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb"
    "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")
STRIPE_BYTES = 64
SECRET_STEP = 8
STRIPES_PER_BLOCK = (len(SECRET) - STRIPE_BYTES) // SECRET_STEP
BLOCK_BYTES = STRIPE_BYTES * STRIPES_PER_BLOCK


def u32(data, at=0):
    return int.from_bytes(data[at:at + 4], "little")


def u64(data, at=0):
    return int.from_bytes(data[at:at + 8], "little")


def swap32(x):
    return int.from_bytes(x.to_bytes(4, "little"), "big")


def swap64(x):
    return int.from_bytes(x.to_bytes(8, "little"), "big")


def rotl(x, bits, width=64):
    return (x << bits | x >> (width - bits)) & ((1 << width) - 1)


def fold(a, b):
    product = a * b
    return (product ^ product >> 64) & MASK64


def xxh64_avalanche(h):
    h = (h ^ h >> 33) * PRIME64_2 & MASK64
    h = (h ^ h >> 29) * PRIME64_3 & MASK64
    return h ^ h >> 32


def avalanche(h):
    h = (h ^ h >> 37) * PRIME_MX1 & MASK64
    return h ^ h >> 32


def mix16(data, at, secret_at, seed):
    lo = u64(data, at) ^ (u64(SECRET, secret_at) + seed & MASK64)
    hi = u64(data, at + 8) ^ (u64(SECRET, secret_at + 8) - seed & MASK64)
    return fold(lo, hi)


def accumulate_all(data, seed):
    """The eight accumulators of an input of more than 240 bytes, and the secret that made them."""
    secret = bytearray()
    for i in range(0, len(SECRET), 16):
        secret += (u64(SECRET, i) + seed & MASK64).to_bytes(8, "little")
        secret += (u64(SECRET, i + 8) - seed & MASK64).to_bytes(8, "little")
    acc = [PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1]
    secret_words = [[u64(secret, s * SECRET_STEP + 8 * i) for i in range(8)] for s in range(STRIPES_PER_BLOCK)]
    last_words = [u64(secret, len(secret) - STRIPE_BYTES + 8 * i) for i in range(8)]

    def stripe(at, keys):
        for i in range(8):
            value = int.from_bytes(data[at + 8 * i:at + 8 * i + 8], "little")
            key = value ^ keys[i]
            acc[i ^ 1] += value
            acc[i] = acc[i] + (key & MASK32) * (key >> 32)
        for i in range(8):
            acc[i] &= MASK64

    blocks = (len(data) - 1) // BLOCK_BYTES
    for block in range(blocks):
        for s in range(STRIPES_PER_BLOCK):
            stripe(block * BLOCK_BYTES + s * STRIPE_BYTES, secret_words[s])
        for i in range(8):
            acc[i] = (acc[i] ^ acc[i] >> 47 ^ last_words[i]) * PRIME32_1 & MASK64
    for s in range((len(data) - 1 - blocks * BLOCK_BYTES) // STRIPE_BYTES):
        stripe(blocks * BLOCK_BYTES + s * STRIPE_BYTES, secret_words[s])
    at = len(secret) - STRIPE_BYTES - 7
    stripe(len(data) - STRIPE_BYTES, [u64(secret, at + 8 * i) for i in range(8)])
    return acc, secret


def merge(acc, secret, at, start):
    total = start
    for i in range(4):
        total += fold(acc[2 * i] ^ u64(secret, at + 16 * i), acc[2 * i + 1] ^ u64(secret, at + 16 * i + 8))
    return avalanche(total & MASK64)


def xxh3_64(data, seed=0):
    n = len(data)
    if n == 0:
        return xxh64_avalanche(seed ^ u64(SECRET, 56) ^ u64(SECRET, 64))
    if n <= 3:
        combined = data[0] << 16 | data[n >> 1] << 24 | data[-1] | n << 8
        return xxh64_avalanche(combined ^ ((u32(SECRET) ^ u32(SECRET, 4)) + seed & MASK64))
    if n <= 8:
        seed ^= swap32(seed & MASK32) << 32
        keyed = u32(data, n - 4) + (u32(data) << 32) ^ ((u64(SECRET, 8) ^ u64(SECRET, 16)) - seed & MASK64)
        h = keyed ^ rotl(keyed, 49) ^ rotl(keyed, 24)
        h = h * PRIME_MX2 & MASK64
        h ^= (h >> 35) + n
        h = h * PRIME_MX2 & MASK64
        return h ^ h >> 28
    if n <= 16:
        lo = u64(data) ^ ((u64(SECRET, 24) ^ u64(SECRET, 32)) + seed & MASK64)
        hi = u64(data, n - 8) ^ ((u64(SECRET, 40) ^ u64(SECRET, 48)) - seed & MASK64)
        return avalanche(n + swap64(lo) + hi + fold(lo, hi) & MASK64)
    if n <= 128:
        acc = n * PRIME64_1
        for i in range((n - 1) // 32 + 1):
            acc += mix16(data, 16 * i, 32 * i, seed) + mix16(data, n - 16 * (i + 1), 32 * i + 16, seed)
        return avalanche(acc & MASK64)
    if n <= 240:
        acc = n * PRIME64_1 + sum(mix16(data, 16 * i, 16 * i, seed) for i in range(8))
        acc = avalanche(acc & MASK64)
        acc += sum(mix16(data, 16 * i, 16 * (i - 8) + 3, seed) for i in range(8, n // 16))
        return avalanche(acc + mix16(data, n - 16, 136 - 17, seed) & MASK64)
    acc, secret = accumulate_all(data, seed)
    return merge(acc, secret, 11, n * PRIME64_1)


def short_128(data, seed):
    """At most 16 bytes."""
    n = len(data)
    if n == 0:
        return (xxh64_avalanche(seed ^ u64(SECRET, 64) ^ u64(SECRET, 72)),
                xxh64_avalanche(seed ^ u64(SECRET, 80) ^ u64(SECRET, 88)))
    if n <= 3:
        low = data[0] << 16 | data[n >> 1] << 24 | data[-1] | n << 8
        high = rotl(swap32(low), 13, 32)
        return (xxh64_avalanche(low ^ ((u32(SECRET) ^ u32(SECRET, 4)) + seed & MASK64)),
                xxh64_avalanche(high ^ ((u32(SECRET, 8) ^ u32(SECRET, 12)) - seed & MASK64)))
    if n <= 8:
        seed ^= swap32(seed & MASK32) << 32
        keyed = u32(data) + (u32(data, n - 4) << 32) ^ ((u64(SECRET, 16) ^ u64(SECRET, 24)) + seed & MASK64)
        product = keyed * (PRIME64_1 + (n << 2))
        low, high = product & MASK64, product >> 64 & MASK64
        high = high + (low << 1) & MASK64
        low ^= high >> 3
        low = (low ^ low >> 35) * PRIME_MX2 & MASK64
        return low ^ low >> 28, avalanche(high)
    bits_lo = (u64(SECRET, 32) ^ u64(SECRET, 40)) - seed & MASK64
    bits_hi = (u64(SECRET, 48) ^ u64(SECRET, 56)) + seed & MASK64
    first, last = u64(data), u64(data, n - 8)
    product = (first ^ last ^ bits_lo) * PRIME64_1
    low, high = product & MASK64, product >> 64
    low = low + (n - 1 << 54) & MASK64
    last ^= bits_hi
    high = high + last + (last & MASK32) * (PRIME32_2 - 1) & MASK64
    low ^= swap64(high)
    product = low * PRIME64_2
    return avalanche(product & MASK64), avalanche((product >> 64) + high * PRIME64_2 & MASK64)


def middle_128(data, seed):
    """17 to 240 bytes."""
    n = len(data)
    lo, hi = n * PRIME64_1 & MASK64, 0

    def mix32(at1, at2, secret_at, seed_now):
        nonlocal lo, hi
        lo = lo + mix16(data, at1, secret_at, seed_now) & MASK64
        lo ^= u64(data, at2) + u64(data, at2 + 8) & MASK64
        hi = hi + mix16(data, at2, secret_at + 16, seed_now) & MASK64
        hi ^= u64(data, at1) + u64(data, at1 + 8) & MASK64

    if n <= 128:
        for i in reversed(range((n - 1) // 32 + 1)):
            mix32(16 * i, n - 16 * (i + 1), 32 * i, seed)
    else:
        for i in range(4):
            mix32(32 * i, 32 * i + 16, 32 * i, seed)
        lo, hi = avalanche(lo), avalanche(hi)
        for i in range(4, n // 32):
            mix32(32 * i, 32 * i + 16, 3 + 32 * (i - 4), seed)
        mix32(n - 16, n - 32, 136 - 17 - 16, -seed & MASK64)
    low = lo + hi & MASK64
    high = lo * PRIME64_1 + hi * PRIME64_4 + (n - seed) * PRIME64_2 & MASK64
    return avalanche(low), -avalanche(high) & MASK64


def xxh3_128(data, seed=0):
    """(low64, high64)"""
    if len(data) <= 16:
        return short_128(data, seed)
    if len(data) <= 240:
        return middle_128(data, seed)
    acc, secret = accumulate_all(data, seed)
    n = len(data)
    return (merge(acc, secret, 11, n * PRIME64_1 & MASK64),
            merge(acc, secret, len(secret) - 64 - 11, ~(n * PRIME64_2) & MASK64))
