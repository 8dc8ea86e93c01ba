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
    protocols = range(pickle.HIGHEST_PROTOCOL + 1)
    pickled = [pickle.loads(pickle.dumps(hashing, protocol)) for protocol in protocols]
    for other in (copy.copy(hashing), *pickled):
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


# ----------------------------------------------------------- with a code ----

CODES = {
    "bytes": permxor.Code(6, 3),
    "packets": permxor.Code(6, 3, "jerasure_cauchy_good", w=4, packetsize=24),
}


@pytest.fixture(params=CODES)
def code(request):
    return CODES[request.param]


def test_hashes_of_shards(hashing, code):
    random.seed(5)
    length = 40 * code.unit
    shards = [random.randbytes(length) for _ in range(6)]
    shards += code.encode(shards, bytes)
    sums = [hashing.hash_shard(code, shard) for shard in shards]
    assert {len(sum) for sum in sums} == {hashing.size_of(code)}
    assert hashing.check(code, sums) and hashing.locate(code, sums) is None
    assert hashing.encode(code, sums[:6]) == sums[6:]
    assert hashing.check(code, [*sums[:6], None, sums[7], None])
    for wrong in range(9):
        changed = bytearray(shards[wrong])
        changed[length // 2] ^= 1
        some = [*sums[:wrong], hashing.hash_shard(code, changed), *sums[wrong + 1 :]]
        assert not hashing.check(code, some)
        assert hashing.locate(code, some) == wrong


def test_pieces_of_shards(hashing, code):
    shard = random.randbytes(40 * code.unit)
    at = 16 * code.unit
    sum = hashing.hash_shard(code, shard[at:], at)
    assert hashing.hash_shard(code, shard[:at], 0, sum) == hashing.hash_shard(code, shard)


def test_for_codes_of_bytes_it_is_the_hash(hashing):
    assert hashing.hash_shard(CODES["bytes"], b"shard", 7) == hashing.hash(b"shard", 7)


def test_bad_input_with_a_code(hashing):
    packets, size = CODES["packets"], hashing.size_of(CODES["packets"])
    words = permxor.Code(4, 2, "jerasure_van", w=16)
    assert size == 4 * hashing.size and hashing.size_of(words) == 0
    sums = [bytes(size)] * 9
    for bad in (
        lambda: hashing.hash_shard(words, b"ab"),
        lambda: hashing.check(words, [b""] * 6),
        lambda: hashing.hash_shard(packets, b"ab"),
        lambda: hashing.hash_shard(packets, bytes(packets.unit), 1),
        lambda: hashing.hash_shard(packets, bytes(packets.unit), 0, bytes(size - 1)),
        lambda: hashing.check(packets, sums[:8]),
        lambda: hashing.check(packets, [bytes(size + 1)] * 9),
        lambda: hashing.encode(packets, sums),
        lambda: hashing.locate(permxor.Code(2, 1), [bytes(hashing.size)] * 3),
    ):
        with pytest.raises(permxor.InvalidError):
            bad()
    for bad in (None, "code", hashing):
        with pytest.raises(TypeError, match="code must be a permxor.Code|incompatible"):
            hashing.size_of(bad)
    with pytest.raises(TypeError):
        hashing.check(packets, [None] * 9)


# ------------------------------------------------------ the sketch of Ceph ----


def sketch(data, offset=0):
    """By the definition in permxor_hash.h."""
    total = [0] * 4
    for i, byte in enumerate(data, offset):
        for row in range(4):
            v = i * 6364136223846793005 + row * 2891336453 + 1442695040888963407
            total[row] ^= gf256.PRODUCT[v >> 33 & 0xFF or 1][byte]
    return bytes(total)


def test_the_sketch_of_ceph():
    ceph = permxor.Hash.ceph_71721()
    assert (ceph.size, ceph.key) == (4, None)
    random.seed(3)
    for length in (0, 1, 5, 1000, 5000):
        data = random.randbytes(length)
        assert ceph.hash(data) == sketch(data)
        assert ceph.hash(data, 12345) == sketch(data, 12345)
    code = permxor.Code(4, 2)
    shards = [random.randbytes(3000) for _ in range(4)]
    shards += code.encode(shards)
    sums = [sketch(shard) for shard in shards]
    assert ceph.check(code, sums) and not ceph.check(code, sums[::-1])
    with pytest.raises(permxor.InvalidError, match="cannot be combined"):
        ceph.combine(bytes(4), bytes(4), 0)
    for other in (copy.copy(ceph), pickle.loads(pickle.dumps(ceph))):
        assert other.key is None and other.hash(b"abc") == ceph.hash(b"abc")
