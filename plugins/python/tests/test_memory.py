# SPDX-License-Identifier: BSD-3-Clause
"""References, objects and pages must not leak, on success and on failure."""

import gc
import sys
import tracemalloc

import permxor
import pytest
from permxor import raid, zfec

CODE = permxor.Code(4, 2)
SHARDS = [bytearray([i]) * 500 for i in range(4)]
PARITY = CODE.encode(SHARDS)
ALL = [*SHARDS, *PARITY]
LOST = [None, *ALL[1:]]
NONE = [None] * 6
OUT = bytearray(500)


def fails(call, *arguments):
    try:
        call(*arguments)
    except (permxor.Error, TypeError, BufferError):
        return
    raise AssertionError("it did not fail")


CASES = {
    "encode": lambda: CODE.encode(SHARDS),
    "encode bytes": lambda: CODE.encode(SHARDS, bytes),
    "encode_into": lambda: CODE.encode_into(SHARDS, PARITY),
    "reconstruct": lambda: CODE.reconstruct(LOST),
    "reconstruct_into": lambda: CODE.reconstruct_into(LOST, [OUT, *NONE[1:]]),
    "update": lambda: CODE.update(0, SHARDS[0], SHARDS[1], PARITY),
    "verify": lambda: CODE.verify(ALL),
    "differences": lambda: CODE.differences(ALL),
    "rows": lambda: CODE.rows,
    "make": lambda: permxor.Code(5, 3),
    "make custom": lambda: permxor.Code(2, 1, rows=b"\1\2"),
    "state": lambda: CODE.__getstate__(),
    "raid": lambda: raid.pq_gen(SHARDS),
    "raid recover": lambda: raid.recover([OUT, *ALL[1:]], [0]),
    "raid check": lambda: raid.check(SHARDS, *PARITY),
    "zfec": lambda: zfec.Encoder(4, 6).encode(SHARDS),
    "zfec decode": lambda: zfec.Decoder(4, 6).decode(ALL[1:5], [1, 2, 3, 4]),
    "kernels": permxor.kernels,
    "bad shape": lambda: fails(permxor.Code, 0, 0),
    "bad matrix": lambda: fails(permxor.Code, 2, 2, "x"),
    "not MDS": lambda: fails(lambda: permxor.Code(2, 2, rows=b"\1\1\1\1")),
    "bad length": lambda: fails(CODE.encode, [*SHARDS[:3], b"short"]),
    "bad type": lambda: fails(CODE.encode, [*SHARDS[:3], "text"]),
    "bad count": lambda: fails(CODE.encode, SHARDS[:3]),
    "bad want": lambda: fails(CODE.reconstruct, LOST, [0, 0]),
    "read-only": lambda: fails(CODE.encode_into, SHARDS, [bytes(500), OUT]),
    "overlap": lambda: fails(CODE.encode_into, SHARDS, [OUT, OUT]),
    "too few": lambda: fails(CODE.reconstruct, [None] * 3 + ALL[3:]),
    "bad recover": lambda: fails(raid.recover, ALL, [0, 0]),
}
OBJECTS = [*ALL, OUT, None, bytes, bytearray, permxor.Code, CODE, LOST, ALL, SHARDS]


@pytest.mark.parametrize("case", CASES)
def test_references_are_given_back(case):
    call = CASES[case]
    for _ in range(50):
        call()
    gc.collect()
    before = [sys.getrefcount(thing) for thing in OBJECTS]
    for _ in range(1000):
        call()
    gc.collect()
    after = [sys.getrefcount(thing) for thing in OBJECTS]
    assert all(abs(b - a) < 100 for a, b in zip(before, after)), (before, after)


def test_objects_are_given_back():
    def work():
        for call in CASES.values():
            for _ in range(300):
                call()
        gc.collect()

    tracemalloc.start()
    try:
        work()
        before, _ = tracemalloc.get_traced_memory()
        work()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # If one case leaked one object per call, that would be 300 times 16 bytes.
    assert after - before < 300 * 16


def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc/self/statm")
def test_pages_are_given_back():
    """Makes 10^5 calls, and also looks at the memory of the library."""
    calls = list(CASES.values())
    rounds = 100_000 // len(calls) + 1

    def work(count):
        for _ in range(count):
            for call in calls:
                call()

    work(300)
    gc.collect()
    before = resident()
    work(rounds)
    gc.collect()
    assert resident() - before < 1 << 20  # 10^5 leaks of 1 KiB would be a hundred times this
