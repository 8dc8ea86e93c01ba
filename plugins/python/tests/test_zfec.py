# SPDX-License-Identifier: BSD-3-Clause
"""permxor.zfec compared with zfec: the same bytes and the same answers.  test_zfec_surface.py has
what is around the two classes."""

import itertools
import random

import gf256
import permxor
import pytest
from hypothesis import given
from hypothesis import strategies as st
from permxor import zfec as ours

theirs = pytest.importorskip("zfec")


@st.composite
def encodings(draw):
    m = draw(st.integers(1, 256))
    k = draw(st.integers(1, m))
    length = draw(st.integers(0, 40))
    seed = draw(st.randoms(use_true_random=False))
    return k, m, [seed.randbytes(length) for _ in range(k)], seed


def test_rows_follow_from_the_points():
    """The rows must map the values of a polynomial at the first points to its values at the
    other points.  This is checked bit by bit, for each power of x."""
    for k, m in ((1, 3), (3, 10), (10, 14), (20, 60)):
        points = [0] + [gf256.power(2, i) for i in range(m - 1)]
        rows = permxor.Code(k, m - k, rows=ours._fec._rows(k, m), assume_mds=True).rows
        for exponent in range(k):
            values = [bytes([gf256.power(x, exponent)]) for x in points]
            assert [gf256.dot(row, values[:k]) for row in rows] == values[k:]


@given(encodings())
def test_the_same_bytes(encoding):
    k, m, data, seed = encoding
    blocks = ours.Encoder(k, m).encode(data)
    assert blocks == theirs.Encoder(k, m).encode(data)
    assert all(block is given for block, given in zip(blocks, data))
    assert {type(block) for block in blocks} == {bytes}

    desired = [seed.randrange(m) for _ in range(seed.randrange(6))]
    assert ours.Encoder(k, m).encode(data, desired) == [blocks[i] for i in desired]


def test_the_same_bytes_at_every_shape():
    """Every k and m up to 32, and every m with k around a third."""
    shapes = [(k, m) for m in range(1, 33) for k in range(1, m + 1)]
    shapes += [(m // 3, m) for m in range(33, 257)]
    numbers = random.Random(1)
    for k, m in shapes:
        data = [numbers.randbytes(9) for _ in range(k)]
        assert ours.Encoder(k, m).encode(data) == theirs.Encoder(k, m).encode(data), (k, m)


@given(encodings())
def test_each_decodes_the_other(encoding):
    k, m, data, seed = encoding
    blocks = list(theirs.Encoder(k, m).encode(data))
    numbers = seed.sample(range(m), k)
    chosen = [blocks[i] for i in numbers]
    assert ours.Decoder(k, m).decode(chosen, numbers) == data
    blocks = ours.Encoder(k, m).encode(data)
    chosen = [blocks[i] for i in numbers]
    # (zfec gets tuples, because it changes the order of a list's entries.)
    assert theirs.Decoder(k, m).decode(tuple(chosen), tuple(numbers)) == data


def test_every_choice_of_blocks(rng):
    k, m = 3, 7
    data = [rng.randbytes(50) for _ in range(k)]
    blocks = theirs.Encoder(k, m).encode(data)
    decoder = ours.Decoder(k, m)
    for numbers in itertools.permutations(range(m), k):
        chosen = [blocks[i] for i in numbers]
        decoded = decoder.decode(chosen, numbers)
        assert decoded == data
        assert all(decoded[i] is blocks[i] for i in numbers if i < k)
        assert chosen == [blocks[i] for i in numbers]


BAD_SHAPES = [(0, 1), (-1, -1), (1, 0), (1, 257), (3, 2), (256, 257), (10**30, 10**30)]


@pytest.mark.parametrize("k, m", BAD_SHAPES)
@pytest.mark.parametrize("name", ["Encoder", "Decoder"])
def test_shapes_that_both_refuse(name, k, m):
    with pytest.raises((theirs.Error, OverflowError)):
        getattr(theirs, name)(k, m)
    with pytest.raises(ours.Error):
        getattr(ours, name)(k, m)


@pytest.mark.parametrize("shape", [("3", 5), (3.0, 5), (None, 5), (3, "5"), (3,), ()])
def test_shapes_that_are_no_numbers(shape):
    with pytest.raises(TypeError):
        theirs.Encoder(*shape)
    with pytest.raises(TypeError):
        ours.Encoder(*shape)


class Two:
    """What numbers of numpy are, too."""

    def __index__(self):
        return 2


def test_shapes_of_other_integers():
    for module in (theirs, ours):
        encoder = module.Encoder(Two(), 3)
        assert (encoder.k, encoder.m) == (2, 3)
        assert type(encoder.k) is int
        assert module.Decoder(True, Two()).k == 1


@pytest.mark.parametrize("m", [2, 3])
def test_blocks_that_are_not_contiguous(m):
    blocks = [memoryview(bytearray(8))[::2]] * 2
    for module in (theirs, ours):
        for numbers in (range(m), (0, 1)):
            with pytest.raises(BufferError):
                module.Encoder(2, m).encode(blocks, numbers)
        with pytest.raises(BufferError):
            module.Encoder(2, m).encode(blocks)
        with pytest.raises(BufferError):
            module.Decoder(2, m).decode(blocks, (0, 1))


def test_k_and_m_are_read_only():
    encoder = ours.Encoder(3, 5)
    assert (encoder.k, encoder.m) == (3, 5)
    with pytest.raises(AttributeError):
        encoder.k = 4


@pytest.mark.parametrize(
    "blocks, numbers",
    [
        ([b"a", b"b"], [0]),
        ([b"a"], [0, 1]),
        ([b"a", b"b", b"c"], [0, 1, 2]),
        ([b"a", b"bc"], [0, 3]),
        ([b"a", b"bc"], [0, 1]),
        ([b"a", b"b"], [0, 0]),
        ([b"a", b"b"], [2, 2]),
        ([b"a", b"b"], [0, -1]),
        ([b"a", b"b"], [0, 4]),
        ([b"a", b"b"], [0, 10**30]),
        ([b"a", b"b"], ["0", "1"]),
        ([b"a", b"b"], [0.0, 1.0]),
    ],
)
def test_decode_refuses(blocks, numbers):
    """(zfec itself reads outside of its tables if a number comes twice or is too big.)"""
    with pytest.raises(ours.Error):
        ours.Decoder(2, 4).decode(blocks, numbers)


@pytest.mark.parametrize(
    "blocks, numbers", [(98, []), ([b"a", b"b"], 98), (["a", "b"], [0, 2])]
)
def test_decode_refuses_types(blocks, numbers):
    for module in (theirs, ours):
        with pytest.raises(TypeError):
            module.Decoder(2, 4).decode(blocks, numbers)


@pytest.mark.parametrize(
    "arguments",
    [([b"a"],), ([b"a", b"bc"],), ([b"a", b"b"], [-1]), ([b"a", b"b"], [4]), ([b"a"] * 3, [0])],
)
def test_encode_refuses(arguments):
    with pytest.raises(ours.Error):
        ours.Encoder(2, 4).encode(*arguments)


def test_blocks_without_parity_are_looked_at_too():
    assert ours.Encoder(2, 2).encode([b"a", b"b"]) == [b"a", b"b"]
    for method in (ours.Encoder(2, 2).encode, lambda b: ours.Decoder(2, 2).decode(b, [1, 0])):
        with pytest.raises(ours.Error):
            method([b"a", b"bc"])
        with pytest.raises(TypeError):
            method(["a", "b"])
