# SPDX-License-Identifier: BSD-3-Clause
"""Prints what `permxor hash` has to print for intact shards.

It computes from doc/format.md, doc/hash.md and the definition in permxor_hash.h alone.

    cli_hash.py SIZE KEY SHARD...       KEY is "none", or hexadecimal digits
"""
import hashlib
import sys

MATRICES = {
    0: "isal_vand",
    1: "isal_cauchy",
    2: "jerasure_van",
    3: "jerasure_r6",
    4: "klauspost_vand",
    6: "jerasure_cauchy_orig",
    7: "jerasure_cauchy_good",
    8: "jerasure_liberation",
    9: "jerasure_blaum_roth",
    10: "jerasure_liber8tion",
}
# The coefficients of p(t) below t^d.
POLYNOMIALS = {4: {3: 1, 2: 5, 0: 2}, 8: {3: 1, 1: 6, 0: 4}, 16: {3: 1, 1: 5, 0: 2}}


def product(a, b):
    """In GF(2^8)."""
    result = 0
    while b:
        if b & 1:
            result ^= a
        a = a << 1 ^ (0x11D if a & 0x80 else 0)
        b >>= 1
    return result


PRODUCTS = [[product(a, b) for b in range(256)] for a in range(256)]


def multiply(a, b):
    """In F."""
    d = len(a)
    long = [0] * (2 * d - 1)
    for i in range(d):
        for j in range(d):
            long[i + j] ^= PRODUCTS[a[i]][b[j]]
    for i in range(2 * d - 2, d - 1, -1):
        for power, coefficient in POLYNOMIALS[d].items():
            long[i - d + power] ^= PRODUCTS[long[i]][coefficient]
    return long[:d]


def hash_of(data, b):
    result = [0] * len(b)
    for byte in reversed(data):
        result = multiply(result, b)
        result[0] ^= byte
    return bytes(result)


class Shard:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        self.set = self.bytes[16:32].hex()
        self.k, self.m = self.number(32, 2), self.number(34, 2)
        self.matrix, self.index = self.number(36, 2), self.number(38, 2)
        self.cell, self.length = self.number(40, 4), self.number(48, 8)
        self.w, self.packetsize = self.number(360, 4), self.number(364, 4)
        self.unit = self.w * self.packetsize or 1
        self.stripes = -(-self.length // (self.k * self.cell))

    def number(self, offset, size):
        return int.from_bytes(self.bytes[offset : offset + size], "little")

    def cell_of(self, stripe):
        rest = min(self.length - stripe * self.k * self.cell, self.k * self.cell)
        size = -(-rest // (self.k * self.unit)) * self.unit
        offset = 512 + stripe * (16 + self.cell) + 16
        return self.bytes[offset : offset + size]

    def parts(self, data):
        """The bytes that are hashed together."""
        if not self.packetsize:
            return [data]
        units = [data[at : at + self.unit] for at in range(0, len(data), self.unit)]
        return [
            b"".join(unit[p * self.packetsize : (p + 1) * self.packetsize] for unit in units)
            for p in range(self.w)
        ]

    def line(self, stripe, data, size, key):
        b = bytes.fromhex(key) if key != "none" else bytes([0, 1] + [0] * (size - 2))
        name = hashlib.sha256(b).hexdigest()[:16] if key != "none" else key
        sums = b"".join(hash_of(part, b) for part in self.parts(data)).hex()
        return (
            f"permxor-hash 1 set={self.set} k={self.k} m={self.m} "
            f"matrix={MATRICES[self.matrix]} w={self.w} packetsize={self.packetsize} "
            f"cell={self.cell} length={self.length} shard={self.index} stripe={stripe} "
            f"size={size} key={name} bytes={len(data)} hash={sums}"
        )


def main(size, key, paths):
    for path in paths:
        shard = Shard(path)
        cells = [shard.cell_of(stripe) for stripe in range(shard.stripes)]
        for stripe, cell in enumerate(cells):
            print(shard.line(stripe, cell, size, key))
        print(shard.line("whole", b"".join(cells), size, key))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
