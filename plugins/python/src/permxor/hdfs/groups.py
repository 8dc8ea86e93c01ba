# SPDX-License-Identifier: BSD-3-Clause
"""Block groups, as the NameNode has them, and the policies that they were written with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Optional

from permxor import Code

from . import Trouble

# The low four bits of a block's number are its place in the group.
PLACES = 16
GroupId = tuple[str, int]  # the pool, and the number without these bits

POLICY = re.compile(r"(RS|XOR)-(\d{1,3})-(\d{1,3})-(\d{1,9})k")


@dataclass
class Policy:
    """An erasure-coding policy."""

    code: Code
    cell: int

    @staticmethod
    def of(name: str) -> Optional[Policy]:
        """From a name such as RS-6-3-1024k. None for a codec whose code permxor does not have."""
        found = POLICY.fullmatch(name)
        if not found:
            return None
        k, m, cell = int(found[2]), int(found[3]), int(found[4]) << 10
        if min(k, m, cell) < 1 or k + m > PLACES or (found[1] == "XOR" and m != 1):
            return None
        code = Code(k, 1, rows=bytes([1]) * k) if found[1] == "XOR" else Code(k, m)
        return Policy(code, cell)

    def length(self, group: int, place: int) -> int:
        """The length of a block, from that of the data in the group. The cells go round the data
        blocks. In the last stripe, the last cell may be shorter and others may be missing, and the
        cells of parity are as long as the first one."""
        stripes, rest = divmod(group, self.code.k * self.cell)
        before = place * self.cell if place < self.code.k else 0
        return stripes * self.cell + min(max(rest - before, 0), self.cell)


class Group(NamedTuple):
    """A block group of a file."""

    file: str
    policy: str
    pool: str
    number: int
    stamp: int
    length: int

    @property
    def id(self) -> GroupId:
        return self.pool, self.number // PLACES


FILE = re.compile(r"(.*) \d+ bytes, (?:replicated|erasure-coded): (?:policy=([^\s,]+))?")
GROUP = re.compile(r"\d+\. (BP-[^\s:]+):blk_(-\d{1,19})_(\d{1,19}) len=(\d{1,19})")
END = re.compile(r"The filesystem under path '.*' is (HEALTHY|CORRUPT)")


def read_fsck(file: str) -> Iterator[Group]:
    """The block groups in the output of hdfs fsck -files -blocks."""
    path, policy, complete = "", None, False
    with open(file, encoding="utf-8", errors="surrogateescape") as lines:
        for line in lines:
            if found := FILE.match(line):
                path, policy = found[1], found[2]
            elif policy and (found := GROUP.match(line)):
                number, stamp, length = int(found[2]), int(found[3]), int(found[4])
                if number % PLACES:
                    raise Trouble(f"{file}: blk_{number} is not the number of a block group")
                yield Group(path, policy, found[1], number, stamp, length)
            complete = complete or END.match(line) is not None
    if not complete:
        raise Trouble(f"{file}: this is not the whole output of hdfs fsck / -files -blocks")
