# SPDX-License-Identifier: BSD-3-Clause
"""Code compared with GF(2^8) arithmetic by bits."""

import copy
import itertools
import pickle

import gf256
import permxor
import pytest
from hypothesis import given
from hypothesis import strategies as st

MATRICES = ["isal_cauchy", "isal_vand", "jerasure_van", "jerasure_r6", "klauspost_vand"]
LENGTHS = [0, 1, 15, 63, 64, 65, 1000, 4096]


def make_data(rng, k, length):
    return [rng.randbytes(length) for _ in range(k)]


@st.composite
def stripes(draw, most=20):
    """A code and data of any length up to a few vectors."""
    k = draw(st.integers(1, most))
    m = draw(st.integers(1, most))
    length = draw(st.integers(0, 300))
    seed = draw(st.randoms(use_true_random=False))
    return permxor.Code(k, m), [seed.randbytes(length) for _ in range(k)]


def test_rows_are_those_of_isal():
    assert permxor.Code(10, 4).rows == tuple(gf256.cauchy(10, 4))
    assert permxor.Code(10, 3, "isal_vand").rows == tuple(gf256.vandermonde(10, 3))


@pytest.mark.parametrize("matrix", MATRICES)
@pytest.mark.parametrize("length", LENGTHS)
def test_encode_is_the_product(rng, matrix, length):
    code = permxor.Code(6, 2, matrix)
    assert (code.k, code.m, code.n, code.matrix) == (6, 2, 8, matrix)
    data = make_data(rng, 6, length)
    assert code.encode(data) == [gf256.dot(row, data) for row in code.rows]


def test_encode_gives_the_kind_asked_for(rng):
    code = permxor.Code(3, 2)
    data = make_data(rng, 3, 100)
    assert [type(shard) for shard in code.encode(data)] == [bytearray] * 2
    assert [type(shard) for shard in code.encode(data, bytes)] == [bytes] * 2
    assert code.encode(data, kind=bytes) == code.encode(data)


@pytest.mark.parametrize("length", [0, 1])
def test_short_bytes_are_objects_of_their_own(length):
    """The interpreter shares bytes objects of length 0 and 1, so nobody may write to them."""
    code = permxor.Code(1, 2, rows=b"\x02\x03")
    before = [bytes([i]) for i in range(256)]
    assert code.encode([b"\x55" * length], bytes) == [b"\xaa" * length, b"\xff" * length]
    assert before == [i.to_bytes(1, "big") for i in range(256)]
    assert b"" == bytes(0)


def test_custom_rows(rng):
    rows = b"".join(gf256.cauchy(4, 2))
    code = permxor.Code(4, 2, rows=rows)
    assert code.matrix == "custom"
    assert b"".join(code.rows) == rows
    data = make_data(rng, 4, 50)
    assert code.encode(data) == permxor.Code(4, 2).encode(data)


def test_rows_that_are_not_mds():
    with pytest.raises(permxor.NotMDSError):
        permxor.Code(2, 2, rows=b"\1\1\1\1")
    code = permxor.Code(2, 2, rows=b"\1\1\1\1", assume_mds=True)
    with pytest.raises(permxor.SingularError):
        code.reconstruct([None, None, b"a", b"a"])


def test_vandermonde_that_is_not_mds():
    with pytest.raises(permxor.NotMDSError, match="MDS"):
        permxor.Code(22, 4, "isal_vand")


def test_rows_too_many_to_be_proved():
    rows = b"".join(permxor.Code(100, 100).rows)
    with pytest.raises(permxor.UnprovenError):
        permxor.Code(100, 100, rows=rows)
    assert permxor.Code(100, 100, rows=rows, assume_mds=True).k == 100


@pytest.mark.parametrize("k, m", [(4, 2), (3, 3), (6, 3), (1, 4), (5, 1)])
def test_every_pattern_of_losses(rng, k, m):
    code = permxor.Code(k, m)
    shards = make_data(rng, k, 97)
    shards += code.encode(shards)
    for count in range(k + m + 1):
        for lost in itertools.combinations(range(k + m), count):
            damaged = [None if i in lost else shard for i, shard in enumerate(shards)]
            if count > m:
                with pytest.raises(permxor.TooFewError):
                    code.reconstruct(damaged)
                continue
            rebuilt = code.reconstruct(damaged)
            assert rebuilt == shards
            assert all(rebuilt[i] is shards[i] for i in range(k + m) if i not in lost)


@given(stripes(), st.data())
def test_reconstruct_what_is_wanted(stripe, choose):
    code, data = stripe
    shards = data + code.encode(data)
    lost = choose.draw(st.lists(st.integers(0, code.n - 1), max_size=code.m, unique=True))
    want = [i for i in lost if choose.draw(st.booleans())]
    damaged = [None if i in lost else shard for i, shard in enumerate(shards)]
    expected = [
        None if i in lost and i not in want else shard for i, shard in enumerate(shards)
    ]
    assert code.reconstruct(damaged, want, bytes) == expected

    length = len(data[0])
    buffers = [bytearray(length) if i in want else None for i in range(code.n)]
    code.reconstruct_into(damaged, buffers)
    assert all(buffers[i] == shards[i] for i in want)


@given(stripes(), st.data())
def test_update(stripe, choose):
    code, data = stripe
    length = len(data[0])
    parity = code.encode(data)
    index = choose.draw(st.integers(0, code.k - 1))
    left_out = choose.draw(st.sets(st.integers(0, code.m - 1)))
    new = choose.draw(st.binary(min_size=length, max_size=length))
    before = [bytes(shard) for shard in parity]
    given = [None if r in left_out else shard for r, shard in enumerate(parity)]
    by_difference = [None if shard is None else bytearray(shard) for shard in given]

    code.update(index, data[index], new, given)
    code.update(index, None, gf256.add(data[index], new), by_difference)
    after = code.encode([*data[:index], new, *data[index + 1 :]])
    assert parity == [before[r] if r in left_out else after[r] for r in range(code.m)]
    assert by_difference == given


@given(stripes(), st.data())
def test_a_wrong_byte_is_found(stripe, choose):
    code, data = stripe
    shards = [bytearray(shard) for shard in data + code.encode(data)]
    assert code.verify(shards)
    assert code.differences(shards) == [None] * code.m
    if code.m >= 2:
        assert code.locate(shards) is None
    if not shards[0]:
        return
    wrong = choose.draw(st.integers(0, code.n - 1))
    offset = choose.draw(st.integers(0, len(shards[0]) - 1))
    shards[wrong][offset] ^= choose.draw(st.integers(1, 255))
    assert not code.verify(shards)
    assert code.differences(shards) == [
        offset if wrong < code.k or wrong == code.k + r else None for r in range(code.m)
    ]
    if code.m >= 2:
        assert code.locate(shards) == wrong


def test_parity_left_out_is_not_looked_at(rng):
    code = permxor.Code(4, 2)
    data = make_data(rng, 4, 10)
    parity = code.encode(data)
    parity[1][3] ^= 1
    assert code.differences([*data, *parity]) == [None, 3]
    assert code.verify([*data, parity[0], None])
    assert code.differences([*data, None, None]) == [None, None]


def test_two_wrong_shards_are_ambiguous(rng):
    code = permxor.Code(4, 3)
    shards = [bytearray(shard) for shard in make_data(rng, 4, 100)]
    shards += code.encode(shards)
    for shard in shards[:2]:
        shard[:] = rng.randbytes(100)
    with pytest.raises(permxor.AmbiguousError):
        code.locate(shards)


@pytest.mark.parametrize("k, m", [(1, 254), (254, 1), (128, 127)])
def test_as_many_shards_as_there_may_be(rng, k, m):
    code = permxor.Code(k, m)
    shards = make_data(rng, k, 33)
    shards += code.encode(shards)
    assert shards[k] == gf256.dot(code.rows[0], shards[:k])
    assert shards[-1] == gf256.dot(code.rows[-1], shards[:k])
    lost = rng.sample(range(k + m), m)
    assert code.reconstruct([None if i in lost else s for i, s in enumerate(shards)]) == shards


def test_copies_and_pickles(rng):
    data = make_data(rng, 2, 20)
    codes = [
        permxor.Code(2, 2),
        permxor.Code(2, 2, "klauspost_vand"),
        permxor.Code(2, 2, rows=b"\1\1\1\2"),
        permxor.Code(2, 2, rows=b"\1\1\1\1", assume_mds=True),
    ]
    for code in codes:
        protocols = range(pickle.HIGHEST_PROTOCOL + 1)
        pickled = [pickle.loads(pickle.dumps(code, protocol)) for protocol in protocols]
        for again in (copy.copy(code), copy.deepcopy(code), *pickled):
            assert (again.matrix, again.rows) == (code.matrix, code.rows)
            assert again.encode(data) == code.encode(data)
    assert repr(codes[1]) == "permxor.Code(2, 2, 'klauspost_vand')"


def test_all_kernel_sets_give_the_same_bytes(rng):
    code = permxor.Code(10, 4)
    data = make_data(rng, 10, 1234)
    expected = [gf256.dot(row, data) for row in code.rows]
    try:
        for kernel in permxor.kernels():
            if not kernel.usable:
                with pytest.raises(permxor.UnusableError):
                    permxor.kernel_select(kernel.name)
                continue
            permxor.kernel_select(kernel.name)
            assert [row.name for row in permxor.kernels() if row.selected] == [kernel.name]
            assert code.encode(data) == expected
        with pytest.raises(permxor.InvalidError, match="abacus"):
            permxor.kernel_select("abacus")
    finally:
        permxor.kernel_select(None)
    assert permxor.kernel_reason()


def test_environment_chooses_the_kernel_set(child):
    name = permxor.kernels()[-1].name
    said = child(
        "import permxor; print([k.name for k in permxor.kernels() if k.selected])",
        PERMXOR_KERNELS=name,
    )
    assert said == f"['{name}']\n"
