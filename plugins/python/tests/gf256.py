# SPDX-License-Identifier: BSD-3-Clause
"""GF(2^8) bit by bit.  The tests compare results with it.  It has no code of the library."""


def multiply(a, b):
    """The product of two polynomials over GF(2), modulo x^8 + x^4 + x^3 + x^2 + 1."""
    product = 0
    for bit in range(8):
        if b >> bit & 1:
            product ^= a << bit
    for bit in range(14, 7, -1):
        if product >> bit & 1:
            product ^= 0x11D << (bit - 8)
    return product


PRODUCT = [bytes(multiply(a, b) for b in range(256)) for a in range(256)]


def inverse(a):
    return PRODUCT[a].index(1)


def power(a, n):
    result = 1
    for _ in range(n):
        result = PRODUCT[a][result]
    return result


def add(*blocks):
    """The sum of blocks of bytes."""
    total = 0
    for block in blocks:
        total ^= int.from_bytes(block, "little")
    return total.to_bytes(len(blocks[0]), "little")


def scale(coefficient, block):
    return bytes(block).translate(PRODUCT[coefficient])


def dot(row, blocks):
    return add(*(scale(coefficient, block) for coefficient, block in zip(row, blocks)))


def cauchy(k, m):
    """ISA-L's gf_gen_cauchy1_matrix."""
    return [bytes(inverse((k + r) ^ j) for j in range(k)) for r in range(m)]


def vandermonde(k, m):
    """ISA-L's gf_gen_rs_matrix."""
    return [bytes(power(power(2, r), j) for j in range(k)) for r in range(m)]
