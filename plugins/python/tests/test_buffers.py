# SPDX-License-Identifier: BSD-3-Clause
"""Calls take any object with the buffer protocol, and copy nothing."""

import array
import mmap
import sys

import gf256
import permxor
import pytest
from permxor import raid

K, M, LENGTH = 3, 2, 4096
CODE = permxor.Code(K, M)

KINDS = {
    "bytearray": bytearray,
    "memoryview": lambda content: memoryview(bytearray(content)),
    "array": lambda content: array.array("I", content),
}


def make_mmap(content):
    mapped = mmap.mmap(-1, len(content))
    mapped[:] = content
    return mapped


KINDS["mmap"] = make_mmap


@pytest.mark.parametrize("kind", [*KINDS, "bytes"])
def test_sources_of_every_kind(rng, kind):
    data = [rng.randbytes(LENGTH) for _ in range(K)]
    given = [KINDS.get(kind, bytes)(shard) for shard in data]
    parity = CODE.encode(given)
    assert parity == [gf256.dot(row, data) for row in CODE.rows]
    assert CODE.reconstruct([None, *given[1:], *parity])[0] == data[0]
    assert CODE.verify([*given, *parity])


@pytest.mark.parametrize("kind", KINDS)
def test_outputs_of_every_kind(rng, kind):
    data = [rng.randbytes(LENGTH) for _ in range(K)]
    parity = [KINDS[kind](bytes(LENGTH)) for _ in range(M)]
    CODE.encode_into(data, parity)
    assert [bytes(shard) for shard in parity] == [gf256.dot(row, data) for row in CODE.rows]
    again = KINDS[kind](bytes(LENGTH))
    CODE.reconstruct_into([None, *data[1:], *parity], [again, *[None] * 4])
    assert bytes(again) == data[0]
    CODE.update(0, again, data[1], parity)
    expected = CODE.encode([data[1], data[1], data[2]])
    assert [bytes(shard) for shard in parity] == expected


def test_a_slice_of_a_view_is_coded_in_its_place(rng):
    whole = bytearray(rng.randbytes(5 * 100 + 7))
    before = bytes(whole)
    view = memoryview(whole)[7:]
    shards = [view[i * 100 : (i + 1) * 100] for i in range(K + M)]
    CODE.encode_into(shards[:K], shards[K:])
    assert whole[: 7 + K * 100] == before[: 7 + K * 100]
    assert [bytes(shard) for shard in shards[K:]] == CODE.encode(shards[:K])


def test_a_buffer_is_held_no_longer_than_a_call(rng):
    shards = [bytearray(rng.randbytes(50)) for _ in range(K)]
    CODE.encode(shards)
    with pytest.raises(permxor.InvalidError):
        CODE.encode([*shards[:2], b""])
    for shard in shards:
        shard.append(0)  # a BufferError if the call still held it


# ---------------------------------------------------------------- NumPy ----


@pytest.fixture
def np():
    return pytest.importorskip("numpy")


def test_rows_of_an_array(np, rng):
    array_of_shards = np.zeros((K + M, LENGTH), np.uint8)
    array_of_shards[:K] = np.frombuffer(rng.randbytes(K * LENGTH), np.uint8).reshape(K, LENGTH)
    addresses = [row.ctypes.data for row in array_of_shards]
    CODE.encode_into(array_of_shards[:K], array_of_shards[K:])
    assert CODE.verify(array_of_shards)
    assert [row.ctypes.data for row in array_of_shards] == addresses
    data = [row.tobytes() for row in array_of_shards[:K]]
    assert [row.tobytes() for row in array_of_shards[K:]] == CODE.encode(data)

    # The result holds the same objects, and so the same memory.
    rows = list(array_of_shards)
    rebuilt = CODE.reconstruct([None, *rows[1:]])
    assert all(a is b for a, b in zip(rebuilt[1:], rows[1:]))
    assert rebuilt[1].ctypes.data == addresses[1]


def test_elements_of_any_type(np):
    data = [np.arange(100, dtype=np.float64) + i for i in range(K)]
    parity = CODE.encode(data)
    assert len(parity[0]) == 800
    damaged = [None, *data[1:], *parity]
    assert np.array_equal(np.frombuffer(CODE.reconstruct(damaged)[0], np.float64), data[0])
    lost = np.empty(100)
    CODE.reconstruct_into(damaged, [lost, *[None] * 4])
    assert np.array_equal(lost, data[0])


def test_arrays_with_gaps_are_refused(np):
    grid = np.zeros((10, 10), np.uint8)
    good = np.zeros(10, np.uint8)
    with pytest.raises((ValueError, BufferError)):
        CODE.encode([good, good, grid[:, 1]])
    with pytest.raises((ValueError, BufferError)):
        CODE.encode([good, good, memoryview(bytes(20))[::2]])
    with pytest.raises((ValueError, BufferError)):
        CODE.encode_into([good] * 3, [bytearray(10), grid[:, 1]])


def test_what_cannot_be_written_is_refused(np):
    constant = np.zeros(10, np.uint8)
    constant.flags.writeable = False
    for shard in (bytes(10), memoryview(bytes(10)), constant):
        with pytest.raises((ValueError, BufferError, TypeError)):
            CODE.encode_into([bytes(10)] * 3, [bytearray(10), shard])
        with pytest.raises((ValueError, BufferError, TypeError)):
            CODE.update(0, None, bytes(10), [bytearray(10), shard])
        with pytest.raises((ValueError, BufferError, TypeError)):
            raid.generate_into([bytes(10)] * 3, shard)


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is as on Linux")
def test_nothing_is_copied(np, child):
    """Every method codes shards of 64 MiB in a process that cannot get 32 MiB more."""
    child(
        """
import os, resource
import numpy as np
import permxor
from permxor import raid

size = 64 << 20
shards = [np.full(size, i, np.uint8) for i in range(5)]
other = np.full(size, 7, np.uint8)
code = permxor.Code(3, 2)
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * os.sysconf("SC_PAGE_SIZE") + (32 << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    bytes(shards[0])
except MemoryError:
    pass
else:
    raise SystemExit("the limit lets copies through")
try:
    code.encode(shards[:3])
except MemoryError:
    pass
else:
    raise SystemExit("new shards in no memory")

code.encode_into(shards[:3], shards[3:])
assert code.verify(shards) and code.locate(shards) is None
code.reconstruct_into([None, *shards[1:]], [other, None, None, None, None])
assert not other.any()
code.update(1, shards[1], other, shards[3:])
assert code.verify([shards[0], other, *shards[2:]])
raid.generate_into(shards[:3], *shards[3:])
assert raid.check(shards[:3], *shards[3:]).ok
raid.recover([other, *shards[1:]], [0])
raid.update(0, shards[0], shards[2], *shards[3:])
"""
    )
