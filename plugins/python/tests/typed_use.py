# SPDX-License-Identifier: BSD-3-Clause
"""This file never runs; mypy reads it.  Uses that the types must allow stand as they are.  Uses
that the types must reject are marked, and an unused mark is an error, too."""

import mmap
from typing import Optional

import numpy as np
import permxor
from permxor import raid, zfec

code = permxor.Code(np.int64(3), 2)
mixed = (b"1", bytearray(1), memoryview(b"1"), mmap.mmap(-1, 1), np.zeros(1, np.uint8))
new: list[bytearray] = code.encode(mixed)
constant: list[bytes] = code.encode(mixed, bytes)
code.encode_into(np.zeros((3, 8)), np.zeros((2, 8)))
code.reconstruct_into([None, *mixed], np.zeros((5, 8)))
code.update(0, None, b"1", [bytearray(1), None])
where: Optional[int] = code.locate(mixed)
p, q = raid.pq_gen(mixed)
p.append(1)
suspect: Optional[int] = raid.check(mixed, p, q).suspect
blocks: list[object] = [*zfec.Encoder(3, 5).encode(mixed, (3, 4))]
name: str = permxor.kernels()[0].name
hashing = permxor.Hash(np.int64(4), np.zeros(4, np.uint8))
sums: list[bytes] = [hashing.hash(shard, 5, b"1234") for shard in mixed]
checked: bool = code.verify(sums)
agree: bool = hashing.check(code, [*sums[:4], None])
sketches: list[bytes] = permxor.Hash.ceph_71721().encode(code, sums)
shares: list[object] = [*zfec.easyfec.Encoder(3, 5).encode(b"12345")]

permxor.Code("3", 2)  # type: ignore[arg-type]
permxor.Hash(4, "key")  # type: ignore[arg-type]
hashing.check(hashing, sums)  # type: ignore[arg-type]
permxor.Code(3, 2, None)  # type: ignore[arg-type]
code.encode(7)  # type: ignore[call-overload]
code.verify(b"12345")  # type: ignore[arg-type]
code.encode(mixed, str)  # type: ignore[arg-type]
code.verify(["a"])  # type: ignore[list-item]
code.k = 5  # type: ignore[misc]
zfec.Decoder(3, 5).decode(mixed, "0")  # type: ignore[arg-type]
