# SPDX-License-Identifier: BSD-3-Clause
"""RAID-5 and RAID-6 parity, with the bytes of Linux md.

A stripe is 1 to 255 data blocks D[i] of one length, and their parity blocks

    P = sum of D[i]        Q = sum of 2^i * D[i]

in GF(2^8).  Where a function takes all blocks as one sequence, P and Q are its last two
entries.  The rules for buffers, threads and errors are those of permxor.Code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Optional

from . import _core
from ._core import generate_into, pq_gen, recover, update, xor_gen

if TYPE_CHECKING:
    from ._core import Shard, Shards

__all__ = ["Report", "check", "generate_into", "pq_gen", "recover", "update", "xor_gen"]


class Report(NamedTuple):
    """The result of check(). first_p and first_q are the offsets of the first byte in which P
    and Q disagree with the data, or None where they agree. suspect is the number of the
    block whose change alone would make all agree (n for P, n + 1 for Q), or None where no
    block would, or all agree already."""

    first_p: Optional[int]
    first_q: Optional[int]
    suspect: Optional[int]

    @property
    def ok(self) -> bool:
        """Whether all blocks agree."""
        return self.first_p is None and self.first_q is None


def check(data: Shards, p: Shard, q: Optional[Shard] = None) -> Report:
    """Compares P, and Q where it is given, with the data."""
    return Report(*_core.check(data, p, q))
