# SPDX-License-Identifier: BSD-3-Clause
"""RAID parity compared with GF(2^8) arithmetic by bits."""

import itertools

import gf256
import permxor
import pytest
from permxor import raid


def make_stripe(rng, n, length):
    data = [rng.randbytes(length) for _ in range(n)]
    p = gf256.add(*data)
    q = gf256.dot([gf256.power(2, i) for i in range(n)], data)
    return data, p, q


@pytest.mark.parametrize("n", [1, 2, 8, 255])
@pytest.mark.parametrize("length", [0, 1, 511, 4096])
def test_generate(rng, n, length):
    data, p, q = make_stripe(rng, n, length)
    assert raid.pq_gen(data) == (p, q)
    assert raid.xor_gen(data, bytes) == p
    assert [type(block) for block in raid.pq_gen(data, bytes)] == [bytes] * 2
    into = [bytearray(length), bytearray(length)]
    raid.generate_into(data, into[0])
    assert into == [p, bytes(length)]
    raid.generate_into(data, None, into[1])
    assert into == [p, q]


def test_check(rng):
    data, p, q = make_stripe(rng, 6, 100)
    assert raid.check(data, p, q) == (None, None, None)
    assert raid.check(data, p).ok
    blocks = [bytearray(block) for block in (*data, p, q)]
    for wrong, block in enumerate(blocks):
        block[17] ^= 0x40
        report = raid.check(blocks[:6], *blocks[6:])
        assert not report.ok
        assert report == (None if wrong == 7 else 17, None if wrong == 6 else 17, wrong)
        block[17] ^= 0x40
    blocks[1][3] ^= 1
    assert raid.check(blocks[:6], p) == (3, None, None)


@pytest.mark.parametrize("old_is_none", [False, True])
def test_update(rng, old_is_none):
    data, p, q = make_stripe(rng, 5, 200)
    new = rng.randbytes(200)
    blocks = [bytearray(p), bytearray(q)]
    if old_is_none:
        raid.update(2, None, gf256.add(data[2], new), *blocks)
    else:
        raid.update(2, data[2], new, *blocks)
    data[2] = new
    assert tuple(blocks) == raid.pq_gen(data)
    before = bytes(blocks[0])
    raid.update(0, None, new, None, blocks[1])
    assert blocks[0] == before
    with pytest.raises(permxor.InvalidError):
        raid.update(0, None, new, None)
    with pytest.raises(permxor.InvalidError):
        raid.generate_into(data, None)


@pytest.mark.parametrize("n", [1, 4])
def test_recover_any_two(rng, n):
    data, p, q = make_stripe(rng, n, 77)
    whole = [*data, p, q]
    for count in range(3):
        for lost in itertools.permutations(range(n + 2), count):
            blocks = [bytearray(77) if i in lost else block for i, block in enumerate(whole)]
            raid.recover(blocks, lost)
            assert blocks == whole


def test_recover_refuses(rng):
    data, p, q = make_stripe(rng, 4, 10)
    blocks = [bytearray(block) for block in (*data, p, q)]
    with pytest.raises(permxor.TooFewError):
        raid.recover(blocks, [0, 1, 2])
    with pytest.raises(permxor.TooFewError):
        raid.recover([*blocks[:5], None], [0, 1])
    with pytest.raises(permxor.InvalidError, match="twice"):
        raid.recover(blocks, [0, 0])
    with pytest.raises(TypeError):
        raid.recover([*blocks[:5], None], [5])
    with pytest.raises(TypeError):
        raid.recover([None, *blocks[1:]], [1])
    assert blocks == [*data, p, q]
    raid.recover([bytearray(10), *blocks[1:5], None], [0])


@pytest.mark.parametrize("count", [0, 256])
def test_stripes_of_wrong_size(count):
    with pytest.raises(permxor.InvalidError):
        raid.pq_gen([b"a"] * count)
    with pytest.raises(permxor.InvalidError):
        raid.recover([b"a"] * (count + 2), [])
