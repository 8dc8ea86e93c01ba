# SPDX-License-Identifier: BSD-3-Clause
"""Codes of packets and of words, compared with arithmetic by bits."""

import itertools
import pickle

import gf256
import permxor
import pytest

# k, m, matrix, w, packetsize
PACKETS = [
    (4, 2, "jerasure_cauchy_orig", 8, 24),
    (3, 3, "jerasure_cauchy_orig", 4, 1),
    (5, 2, "jerasure_cauchy_good", 8, 16),
    (4, 3, "jerasure_cauchy_good", 5, 7),
    (5, 2, "jerasure_liberation", 5, 8),
    (4, 2, "jerasure_blaum_roth", 6, 3),
    (6, 2, "jerasure_liber8tion", 8, 64),
]
# k, m, matrix, w
WORDS = [
    (4, 2, "jerasure_van", 16),
    (4, 3, "jerasure_van", 32),
    (5, 2, "jerasure_r6", 16),
    (3, 2, "jerasure_r6", 32),
    (4, 3, "jerasure_van", 4),
    (14, 2, "jerasure_r6", 4),
]
POLYNOMIALS = {4: 0x13, 16: 0x1100B, 32: 0x100400007}


def packets_of(shard, unit, packetsize, at):
    return [shard[at + t : at + t + packetsize] for t in range(0, unit, packetsize)]


def sums_of_packets(code, data):
    """Returns the parity shards.  Packet r of a unit is the sum of the packets in which row r
    has ones."""
    parity = [b""] * code.m
    for at in range(0, len(data[0]), code.unit):
        sources = [
            packet for shard in data for packet in packets_of(shard, code.unit, code.packetsize, at)
        ]
        nothing = bytes(code.packetsize)
        for number, row in enumerate(code.rows):
            chosen = [packet for packet, one in zip(sources, row) if one]
            parity[number // code.w] += gf256.add(nothing, *chosen)
    return parity


def stripe(rng, code, units):
    data = [rng.randbytes(units * code.unit) for _ in range(code.k)]
    return data + code.encode(data)


def check_every_loss(code, shards):
    for lost in itertools.combinations(range(code.n), code.m):
        damaged = [None if i in lost else shard for i, shard in enumerate(shards)]
        assert code.reconstruct(damaged) == shards


@pytest.mark.parametrize("k, m, matrix, w, packetsize", PACKETS)
def test_packets_are_summed(rng, k, m, matrix, w, packetsize):
    code = permxor.Code(k, m, matrix, w=w, packetsize=packetsize)
    assert (code.k, code.m, code.matrix) == (k, m, matrix)
    assert (code.w, code.packetsize, code.unit) == (w, packetsize, w * packetsize)
    assert len(code.rows) == m * w and all(len(row) == k * w for row in code.rows)
    shards = stripe(rng, code, 3)
    assert shards[k:] == sums_of_packets(code, shards[:k])
    check_every_loss(code, shards)


def test_bits_are_those_of_a_cauchy_matrix():
    """Column y of a block is the element times 2^y."""
    k, m = 4, 2
    rows = permxor.Code(k, m, "jerasure_cauchy_orig", packetsize=8).rows
    for i, j, y in itertools.product(range(m), range(k), range(8)):
        column = sum(rows[i * 8 + x][j * 8 + y] << x for x in range(8))
        assert column == gf256.multiply(gf256.inverse(i ^ (m + j)), 1 << y)


def test_bits_of_ones_own(rng):
    known = permxor.Code(3, 2, "jerasure_liberation", w=3, packetsize=4)
    rows = b"".join(known.rows)
    code = permxor.Code(3, 2, rows=rows, w=3, packetsize=4)
    assert code.matrix == "custom_bits" and code.rows == known.rows
    shards = stripe(rng, code, 2)
    assert shards[3:] == known.encode(shards[:3])
    with pytest.raises(permxor.InvalidError, match="m \\* w \\* k \\* w = 54"):
        permxor.Code(3, 2, rows=rows[:-1], w=3, packetsize=4)
    with pytest.raises(permxor.InvalidError, match="neither 0 nor 1"):
        permxor.Code(3, 2, rows=b"\2" * 54, w=3, packetsize=4)
    with pytest.raises(permxor.NotMDSError):
        permxor.Code(3, 2, rows=b"\1" * 54, w=3, packetsize=4)


def test_a_matrix_that_is_not_mds(rng):
    """Ceph's default for blaum_roth."""
    with pytest.raises(permxor.NotMDSError):
        permxor.Code(7, 2, "jerasure_blaum_roth", w=7, packetsize=8)
    code = permxor.Code(7, 2, "jerasure_blaum_roth", w=7, packetsize=8, assume_mds=True)
    shards = stripe(rng, code, 1)
    failures = 0
    for lost in itertools.combinations(range(9), 2):
        damaged = [None if i in lost else shard for i, shard in enumerate(shards)]
        try:
            assert code.reconstruct(damaged) == shards
        except permxor.SingularError:
            failures += 1
    assert failures == 9


def words_of(shard, w):
    if w == 4:
        return [byte >> at & 15 for byte in shard for at in (0, 4)]
    size = w // 8
    return [int.from_bytes(shard[at : at + size], "little") for at in range(0, len(shard), size)]


def double(word, w):
    return word << 1 ^ (POLYNOMIALS[w] if word >> (w - 1) else 0)


@pytest.mark.parametrize("k, m, matrix, w", WORDS)
def test_words(rng, k, m, matrix, w):
    """The first parity shard is the sum.  RAID-6's second one is the sum of 2^j times shard j,
    by Horner's rule."""
    code = permxor.Code(k, m, matrix, w=w)
    assert (code.w, code.packetsize, code.unit, code.rows) == (w, 0, max(w // 8, 1), ())
    shards = stripe(rng, code, 100)
    assert shards[k] == gf256.add(*shards[:k])
    if matrix == "jerasure_r6":
        q = [0] * len(words_of(shards[0], w))
        for shard in reversed(shards[:k]):
            q = [double(sum_, w) ^ word for sum_, word in zip(q, words_of(shard, w))]
        assert words_of(shards[k + 1], w) == q
    check_every_loss(code, shards)


@pytest.mark.parametrize("k, m, w", [(300, 20, 16), (20, 300, 16), (1000, 24, 16), (270, 3, 32)])
def test_many_shards(rng, k, m, w):
    code = permxor.Code(k, m, "jerasure_van", w=w)
    shards = stripe(rng, code, 10)
    assert shards[k] == gf256.add(*shards[:k])
    lost = rng.sample(range(code.n), m)
    damaged = [None if i in lost else shard for i, shard in enumerate(shards)]
    assert code.reconstruct(damaged) == shards
    want = [bytearray(10 * code.unit) if i in lost else None for i in range(code.n)]
    code.reconstruct_into(damaged, want)
    assert all(want[i] == shards[i] for i in lost)
    parity = [bytearray(shard) for shard in shards[k:]]
    new = rng.randbytes(10 * code.unit)
    code.update(k - 1, shards[k - 1], new, parity)
    shards[k - 1 :] = [new, *parity]
    assert code.verify(shards) and code.locate(shards) is None
    wrong = bytearray(shards[-1])
    wrong[7] ^= 1
    shards[-1] = wrong
    assert not code.verify(shards) and code.locate(shards) == code.n - 1
    assert code.differences(shards) == [None] * (m - 1) + [7]


@pytest.mark.parametrize(
    "k, m, options, most",
    [
        (200, 57, {"matrix": "isal_cauchy"}, 256),
        (512, 513, {"matrix": "jerasure_van", "w": 16}, 1024),
        (1024, 1024, {"matrix": "jerasure_van", "w": 32}, 1024),
        (10, 7, {"matrix": "jerasure_van", "w": 4}, 16),
    ],
)
def test_too_many_shards(k, m, options, most):
    with pytest.raises(permxor.InvalidError, match=f"at most k\\+m={most} shards"):
        permxor.Code(k, m, **options)


def all_codes():
    for k, m, matrix, w, packetsize in PACKETS:
        yield permxor.Code(k, m, matrix, w=w, packetsize=packetsize)
    for k, m, matrix, w in WORDS:
        yield permxor.Code(k, m, matrix, w=w)


@pytest.mark.parametrize("code", all_codes(), ids=repr)
def test_the_other_calls(rng, code):
    shards = stripe(rng, code, 2)
    assert code.verify(shards) and code.locate(shards) is None
    parity = [bytearray(shard) for shard in shards[code.k :]]
    new = rng.randbytes(2 * code.unit)
    code.update(1, shards[1], new, parity)
    assert parity == code.encode([shards[0], new, *shards[2 : code.k]])
    wrong = [*shards]
    wrong[1] = new
    assert not code.verify(wrong)
    assert code.locate(wrong) == 1


def bits_of_ones_own():
    known = permxor.Code(3, 2, "jerasure_liberation", w=3, packetsize=4)
    return permxor.Code(3, 2, rows=b"".join(known.rows), w=3, packetsize=4)


def not_mds():
    return permxor.Code(3, 2, "jerasure_blaum_roth", w=7, packetsize=8, assume_mds=True)


@pytest.mark.parametrize("code", [*all_codes(), bits_of_ones_own(), not_mds()], ids=repr)
def test_copies(code):
    again = pickle.loads(pickle.dumps(code))
    assert repr(again) == repr(code) and again.rows == code.rows
    data = [bytes([i]) * code.unit for i in range(code.k)]
    assert again.encode(data) == code.encode(data)


@pytest.mark.parametrize("code", all_codes(), ids=repr)
def test_repr_makes_it_again(code):
    assert eval(repr(code)).__getstate__() == code.__getstate__()


@pytest.mark.parametrize("code", [code for code in all_codes() if code.unit > 1], ids=repr)
def test_a_part_of_a_unit(code):
    shards = [bytes(code.unit + 1)] * code.n
    calls = [
        lambda: code.encode(shards[: code.k]),
        lambda: code.reconstruct([None, *shards[1:]]),
        lambda: code.update(0, None, shards[0], [bytearray(shards[0])] + [None] * (code.m - 1)),
        lambda: code.verify(shards),
        lambda: code.differences(shards),
        lambda: code.locate(shards),
    ]
    for call in calls:
        with pytest.raises(permxor.InvalidError, match=f"the unit, {code.unit} bytes"):
            call()


@pytest.mark.parametrize(
    "matrix, options, message",
    [
        ("jerasure_cauchy_good", {}, "packets"),
        ("isal_cauchy", {"packetsize": 64}, "has no packets"),
        ("jerasure_van", {"w": 5}, "4, 16 or 32"),
        ("isal_cauchy", {"w": 16}, "have words"),
        ("jerasure_liberation", {"w": 8, "packetsize": 8}, "prime"),
        ("jerasure_cauchy_orig", {"w": 33, "packetsize": 8}, "w=33"),
        ("jerasure_cauchy_orig", {"w": 0, "packetsize": 8}, "w=0"),
        ("jerasure_cauchy_orig", {"packetsize": -1}, "packetsize"),
        ("jerasure_van", {"w": 16, "assume_mds": True}, "assume_mds"),
        ("isal_cauchy", {"rows": bytes(6), "w": 16}, "w=8"),
    ],
)
def test_bad_codes(matrix, options, message):
    with pytest.raises((permxor.InvalidError, permxor.NotMDSError), match=message):
        permxor.Code(3, 2, matrix, **options)
