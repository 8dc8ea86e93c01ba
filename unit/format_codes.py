# SPDX-License-Identifier: BSD-3-Clause
"""The codes of the shard format: computes the k data cells of a stripe from any k of its cells.

It was written from doc/format.md alone, like unit/format_reader.py, which imports it.
"""

import functools


class Refused(Exception):
    """The reason why the file cannot be restored from the shards."""


def require(condition, what):
    if not condition:
        raise Refused(what)


# ----------------------------------------------------------------- fields --

# The polynomial of GF(2^w) is x^w + LOW[w].
LOW = [None, 0x1, 0x3, 0x3, 0x3, 0x5, 0x3, 0x9, 0x1D, 0x11, 0x9, 0x5, 0x53, 0x1B, 0x443, 0x3,
       0x100B, 0x9, 0x81, 0x27, 0x9, 0x5, 0x3, 0x21, 0x87, 0x9, 0x47, 0x27, 0x9, 0x5,
       0x800007, 0x9, 0x400007]


class Field:
    """GF(2^w).  An element is a number whose bits are the coefficients of a polynomial."""

    def __init__(self, w):
        self.w = w
        self.mul = functools.lru_cache(maxsize=1 << 18)(self.multiply)

    def double(self, a):
        return a << 1 if a >> (self.w - 1) == 0 else (a << 1) ^ (1 << self.w) ^ LOW[self.w]

    def multiply(self, a, b):
        total = 0
        while b:
            if b & 1:
                total ^= a
            a, b = self.double(a), b >> 1
        return total

    def power(self, a, n):
        """a^n, with 0^0 = 1."""
        result = 1
        while n:
            if n & 1:
                result = self.mul(result, a)
            a, n = self.mul(a, a), n >> 1
        return result

    def inverse(self, a):
        """The inverse is a^(2^w - 2), because a^(2^w - 1) is 1."""
        require(a != 0, "the matrix of these shards has no inverse")
        return self.power(a, (1 << self.w) - 2)

    def scale(self, factor, words, ones):
        """The product of a factor and each word of a vector.

        A vector of words is one number.  `ones` is the vector whose words are all 1.
        """
        total = 0
        while factor:
            if factor & 1:
                total ^= words
            top = words >> (self.w - 1) & ones
            words = (words ^ top << (self.w - 1)) << 1 ^ top * LOW[self.w]
            factor >>= 1
        return total


# --------------------------------------------- matrices of bytes and words --


def product(field, a, b):
    """The product of two matrices."""
    result = []
    for row in a:
        line = [0] * len(b[0])
        for factor, other in zip(row, b):
            for j, value in enumerate(other):
                line[j] ^= field.mul(factor, value)
        result.append(line)
    return result


def inverse_matrix(field, matrix):
    """The inverse of a matrix, by the elimination of Gauss and Jordan."""
    n = len(matrix)
    work = [list(row) + [int(i == j) for j in range(n)] for i, row in enumerate(matrix)]
    for i in range(n):
        pivot = next((r for r in range(i, n) if work[r][i]), None)
        require(pivot is not None, "the matrix of these shards has no inverse")
        work[i], work[pivot] = work[pivot], work[i]
        scale = field.inverse(work[i][i])
        work[i] = [field.mul(scale, value) for value in work[i]]
        for r in range(n):
            factor = work[r][i]
            if r != i and factor:
                work[r] = [a ^ field.mul(factor, b) for a, b in zip(work[r], work[i])]
    return [row[n:] for row in work]


def systematic(field, vandermonde, k):
    """The rows from k on of V * T^-1, where T is the first k rows of V."""
    return product(field, vandermonde[k:], inverse_matrix(field, vandermonde[:k]))


def powers(field, rows, k):
    return [[field.power(i, j) for j in range(k)] for i in range(rows)]


def isal_vand(field, k, m):
    return [[field.power(2, r * j) for j in range(k)] for r in range(m)]


def isal_cauchy(field, k, m):
    return [[field.inverse((k + r) ^ j) for j in range(k)] for r in range(m)]


def divided(field, values, by):
    inverse = field.inverse(by)
    return [field.mul(value, inverse) for value in values]


def jerasure_van(field, k, m):
    rows = powers(field, k + m - 1, k) + [[0] * (k - 1) + [1]]
    columns = zip(*systematic(field, rows, k))
    rows = zip(*[divided(field, column, column[0]) for column in columns])
    return [divided(field, row, row[0]) for row in rows]


def jerasure_r6(field, k, m):
    require(m == 2, "jerasure_r6 is for two parity shards")
    return [[1] * k, [field.power(2, j) for j in range(k)]]


def klauspost_vand(field, k, m):
    return systematic(field, powers(field, k + m, k), k)


OF_BYTES = {0: isal_vand, 1: isal_cauchy, 2: jerasure_van, 3: jerasure_r6, 4: klauspost_vand}
OF_WORDS = {2: jerasure_van, 3: jerasure_r6}

# ------------------------------------------------------ matrices of packets --

# A block is a matrix of w by w bits, stored as its w rows.  Bit x of a row is column x.


def element(field, e):
    """The block that multiplies by e.  Its column x has the bits of e * 2^x."""
    columns = [field.mul(e, 1 << x) for x in range(field.w)]
    return [sum((c >> row & 1) << x for x, c in enumerate(columns)) for row in range(field.w)]


def weight(field, e):
    return sum(bin(row).count("1") for row in element(field, e))


def blocks(field, rows):
    return [[element(field, e) for e in row] for row in rows]


def check_cauchy(k, m, w):
    require(w <= 32 and k + m <= 1 << w, "the field has too few elements")


def cauchy(field, k, m):
    return [[field.inverse(i ^ (m + j)) for j in range(k)] for i in range(m)]


def cauchy_orig(k, m, w):
    check_cauchy(k, m, w)
    field = Field(w)
    return blocks(field, cauchy(field, k, m))


def best_elements(field, k):
    """The k elements whose blocks have the fewest ones.  Ties go to smaller elements."""
    return sorted(range(1, 1 << field.w), key=lambda e: (weight(field, e), e))[:k]


def improved_row(field, row):
    """The row, or the row divided by one of its entries, whichever has the fewest ones."""
    rows = [row] + [divided(field, row, e) for e in row]
    return min(rows, key=lambda row: sum(weight(field, e) for e in row))


def cauchy_good(k, m, w):
    require(w <= 32, "the field is too large")
    field = Field(w)
    if m == 2 and 2 <= w <= 11 and k < 1 << w:
        return blocks(field, [[1] * k, best_elements(field, k)])
    check_cauchy(k, m, w)
    columns = [divided(field, column, column[0]) for column in zip(*cauchy(field, k, m))]
    rows = list(zip(*columns))
    return blocks(field, rows[:1] + [improved_row(field, row) for row in rows[1:]])


def is_prime(n):
    return n > 1 and all(n % d for d in range(2, n))


def with_identities(second, k, m, w):
    """Two rows of blocks.  All blocks of the first row are identities."""
    require(m == 2 and k <= w, "the matrix needs m = 2 and k <= w")
    return [[[1 << x for x in range(w)]] * k, second]


def liberation_block(j, w):
    rows = [1 << (r + j) % w for r in range(w)]
    if j > 0:
        y = j * ((w - 1) // 2) % w
        rows[y] |= 1 << (y + j - 1) % w
    return rows


def liberation(k, m, w):
    require(w > 2 and is_prime(w), "w is not a prime number above 2")
    return with_identities([liberation_block(j, w) for j in range(k)], k, m, w)


def blaum_roth_row(row, j, p):
    """A row of a block, where rows and columns are numbered from 1."""
    if row + j != p:
        return 1 << (row + j) % p - 1
    half = j // 2 if j % 2 == 0 else (j + p) // 2
    return 1 << j - 1 | 1 << half - 1


def blaum_roth(k, m, w):
    p = w + 1
    require(p > 2 and is_prime(p), "w+1 is not a prime number above 2")
    second = [[blaum_roth_row(row, j, p) for row in range(1, p)] for j in range(1, k)]
    return with_identities([[1 << x for x in range(w)]] + second, k, m, w)


LIBER8TION = [("01234567", None), ("73026154", (4, 7)), ("62407315", (1, 3)),
              ("25760341", (5, 4)), ("56172430", (2, 0)), ("12345670", (7, 2)),
              ("30651742", (6, 5)), ("47153206", (3, 1))]


def liber8tion(k, m, w):
    require(w == 8, "liber8tion has w = 8")
    second = []
    for columns, more in LIBER8TION[:k]:
        rows = [1 << int(column) for column in columns]
        if more:
            rows[more[0]] |= 1 << more[1]
        second.append(rows)
    return with_identities(second, k, m, w)


OF_PACKETS = {6: cauchy_orig, 7: cauchy_good, 8: liberation, 9: blaum_roth, 10: liber8tion}

# ------------------------------------------------------------------ codes --


class Products:
    """A code of bytes or of words.  A parity cell is a sum of products."""

    def __init__(self, k, m, field, matrix):
        self.k, self.field, self.rows = k, field, matrix(field, k, m)

    def combine(self, factors, cells):
        """The sum of the products of factors and cells, word by word."""
        size, length = self.field.w // 8, len(cells[0])
        one = int.from_bytes((1).to_bytes(size, "little") * (length // size), "little")
        total = 0
        for factor, cell in zip(factors, cells):
            total ^= self.field.scale(factor, int.from_bytes(cell, "little"), one)
        return total.to_bytes(length, "little")

    def restore(self, cells):
        k, have = self.k, sorted(cells)
        rows = [[int(i == j) for j in range(k)] if i < k else self.rows[i - k] for i in have]
        back = inverse_matrix(self.field, rows)
        inputs = [cells[i] for i in have]
        return [cells[j] if j in cells else self.combine(back[j], inputs) for j in range(k)]


class Packets:
    """A code of packets.  A matrix of bits says which packets are xored for parity."""

    def __init__(self, k, m, w, packetsize, matrix):
        self.k, self.w, self.packetsize = k, w, packetsize
        identity = [[[1 << x if i == j else 0 for x in range(w)] for j in range(k)]
                    for i in range(k)]
        self.blocks = identity + matrix(k, m, w)

    def split(self, cell):
        """For each x, the packets x of all units, one after the other, as one number."""
        size, unit = self.packetsize, self.packetsize * self.w
        starts = range(0, len(cell), unit)
        parts = [b"".join(cell[u + x * size : u + x * size + size] for u in starts)
                 for x in range(self.w)]
        return [int.from_bytes(part, "little") for part in parts]

    def join(self, packets, length):
        size, units = self.packetsize, length // (self.packetsize * self.w)
        parts = [packet.to_bytes(units * size, "little") for packet in packets]
        return b"".join(part[u * size : u * size + size] for u in range(units) for part in parts)

    def equations(self, cells):
        """For each packet, bits that say which data packets it is the xor of, and the packet."""
        for i, cell in cells.items():
            for row, packet in enumerate(self.split(cell)):
                mask = sum(b[row] << j * self.w for j, b in enumerate(self.blocks[i]))
                yield mask, packet

    def restore(self, cells):
        length, w = len(next(iter(cells.values()))), self.w
        packets = solve(list(self.equations(cells)))
        return [self.join(packets[j * w : j * w + w], length) for j in range(self.k)]


def solve(equations):
    """Solves as many equations as there are unknowns, by elimination with xor."""
    for i in range(len(equations)):
        pivot = next((n for n in range(i, len(equations)) if equations[n][0] >> i & 1), None)
        require(pivot is not None, "the matrix of these shards has no inverse")
        equations[i], equations[pivot] = equations[pivot], equations[i]
        mask, value = equations[i]
        for n, (other, known) in enumerate(equations):
            if n != i and other >> i & 1:
                equations[n] = other ^ mask, known ^ value
    return [value for _, value in equations]


def code_of(k, m, matrix, w, packetsize):
    """The code with w and packetsize of a header.

    Both are 0 for a code of bytes, and packetsize is 0 for a code of words.
    """
    if w == 0:
        return Products(k, m, Field(8), OF_BYTES[matrix])
    if packetsize == 0:
        return Products(k, m, Field(w), OF_WORDS[matrix])
    require(w <= 257 and w * (k + m) <= 2048, "too many packets")
    return Packets(k, m, w, packetsize, OF_PACKETS[matrix])


def is_code(matrix, w, packetsize):
    """True if a header may have these three values together."""
    if w == 0:
        return matrix in OF_BYTES and packetsize == 0
    if packetsize == 0:
        return matrix in OF_WORDS and w in (16, 32)
    return matrix in OF_PACKETS


def unit_of(w, packetsize):
    return w * packetsize if packetsize else w // 8 or 1
