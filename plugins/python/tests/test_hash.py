# SPDX-License-Identifier: BSD-3-Clause
"""permxor.Hash against its definition, and codes checked from hashes."""

import copy
import pickle
import random

import gf256
import permxor
import pytest

# The coefficients of p(t) below t^d, from that of t^0 on.
POLYNOMIALS = {4: [2, 0, 5, 1], 8: [4, 6, 0, 1, 0, 0, 0, 0], 16: [2, 5, 0, 1] + [0] * 12}


def times_t(element):
    top = element[-1]
    shifted = [0, *element[:-1]]
    return [s ^ gf256.PRODUCT[top][c] for s, c in zip(shifted, POLYNOMIALS[len(element)])]


def product(a, b):
    total = [0] * len(a)
    for digit in reversed(b):
        total = [s ^ gf256.PRODUCT[digit][x] for s, x in zip(times_t(total), a)]
    return total


def by_definition(key, data):
    total = [0] * len(key)
    for byte in reversed(data):
        total = product(total, list(key))
        total[0] ^= byte
    return bytes(total)


@pytest.fixture(params=[4, 8, 16])
def hashing(request):
    random.seed(request.param)
    return permxor.Hash(request.param, random.randbytes(request.param))


def test_definition(hashing):
    for length in (0, 1, 3, 64, 257):
        data = random.randbytes(length)
        assert hashing.hash(data) == by_definition(hashing.key, data)


def test_without_a_key():
    assert permxor.Hash(4).hash(bytes(range(256))).hex() == "19c2bbd2"
    assert permxor.Hash().size == 8
    assert permxor.Hash().key == b"\0\1" + bytes(6)


def test_pieces(hashing):
    data = random.randbytes(200000)
    whole = hashing.hash(data)
    first = hashing.hash(memoryview(data)[150000:], 150000)
    assert hashing.hash(data[:150000], start=first) == whole
    part = hashing.hash(bytearray(data[150000:]))
    assert hashing.combine(hashing.hash(data[:150000]), part, 150000) == whole


def test_change(hashing):
    data = bytearray(random.randbytes(5000))
    total = hashing.hash(data)
    new = random.randbytes(100)
    total = hashing.hash(data[700:800], 700, total)
    total = hashing.hash(new, 700, total)
    data[700:800] = new
    assert total == hashing.hash(data)


def test_codes(hashing):
    code = permxor.Code(6, 3)
    data = [random.randbytes(3000) for _ in range(6)]
    shards = data + code.encode(data)
    sums = [hashing.hash(shard) for shard in shards]
    assert code.verify(sums) and code.locate(sums) is None
    assert [bytes(sum) for sum in code.encode(sums[:6])] == sums[6:]
    for wrong in range(9):
        changed = bytearray(shards[wrong])
        changed[1234] ^= 1
        some = [*sums[:wrong], hashing.hash(changed), *sums[wrong + 1 :]]
        assert not code.verify(some)
        assert code.locate(some) == wrong


def test_copies(hashing):
    for other in (copy.copy(hashing), pickle.loads(pickle.dumps(hashing))):
        assert other.hash(b"abc") == hashing.hash(b"abc")


def test_bad_input(hashing):
    size = hashing.size
    for bad in (0, 5, 17, -1, 2**40):
        with pytest.raises(permxor.InvalidError):
            permxor.Hash(bad)
    with pytest.raises(permxor.InvalidError, match="key has 3 bytes"):
        permxor.Hash(size, b"abc")
    with pytest.raises(permxor.InvalidError, match="smaller field"):
        permxor.Hash(size, bytes(size))
    with pytest.raises(permxor.InvalidError, match="start has 2 bytes"):
        hashing.hash(b"abc", start=b"ab")
    for offset in (-1, 2**64):
        with pytest.raises(permxor.InvalidError, match="offset"):
            hashing.hash(b"abc", offset)
    with pytest.raises(permxor.InvalidError, match="part has 1 bytes"):
        hashing.combine(bytes(size), b"a", 0)
    for not_a_buffer in (None, 3, "text"):
        with pytest.raises(TypeError):
            hashing.hash(not_a_buffer)
    with pytest.raises(TypeError):
        hashing.hash(b"abc", "0")
