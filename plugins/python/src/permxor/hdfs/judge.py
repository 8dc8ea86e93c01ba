# SPDX-License-Identifier: BSD-3-Clause
"""Judges a block group from the hashes of its blocks.

Hashes are linear, so the hashes of a group are themselves a stripe of the same code.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Optional

from permxor import Code

from .groups import Group, Policy
from .report import Block

WRONG, MEANWHILE, INCOMPLETE = "WRONG", "written meanwhile", "incomplete"

Sums = Sequence[Optional[bytes]]


def completed(code: Code, sums: Sums) -> Optional[list[bytes]]:
    """The hashes of all blocks, computed from those that are there. None if these disagree."""
    whole = [bytes(each) for each in code.reconstruct(sums)]
    return whole if code.verify(whole) else None


def explained(code: Code, sums: Sums, doubtful: Sequence[int]) -> Optional[list[bytes]]:
    """The right hashes of all blocks: those that the fewest of the given ones contradict. None if
    there are several such sets. Only the doubtful ones can be wrong. At least k + 1 given hashes
    have to agree with the right ones, because any k hashes agree with some set."""
    there = sum(each is not None for each in sums)
    for count in range(there - code.k):
        found = []
        for left_out in itertools.combinations(doubtful, count):
            rest = [None if place in left_out else each for place, each in enumerate(sums)]
            whole = completed(code, rest)
            if whole:
                found.append(whole)
        if found:
            return found[0] if len(found) == 1 else None
    return None


class Judge:
    """Judges one block group."""

    def __init__(self, group: Group, policy: Policy, blocks: Iterable[Block]):
        self.group, self.policy = group, policy
        self.found: list[tuple[str, str]] = []
        self.copies: defaultdict[int, list[Block]] = defaultdict(list)
        for block in blocks:
            self.take(block)

    def judge(self) -> tuple[str, str]:
        """Returns the verdict, which is empty for a group that is fine, and the reasons."""
        sums = self.sums()
        there = sum(each is not None for each in sums)
        if there > self.policy.code.k:
            self.compare(sums)
        else:
            enough = self.policy.code.k + 1
            self.found.append((INCOMPLETE, f"{there} hashes do not suffice, {enough} do"))
            self.compare_copies()
        for place, each in enumerate(sums):
            if each is None and not self.copies[place]:
                self.found.append((INCOMPLETE, f"no good {self.name(place)} is in the reports"))
        for verdict in (WRONG, MEANWHILE, INCOMPLETE):
            reasons = [reason for each, reason in self.found if each == verdict]
            if reasons:
                return verdict, "; ".join(reasons)
        return "", ""

    def name(self, place: int) -> str:
        return f"block {place} (blk_{self.group.number + place})"

    def say(self, verdict: str, block: Block, what: str) -> None:
        name = self.name(block.number - self.group.number)
        self.found.append((verdict, f"{name} {what}: {block.node}:{block.path}"))

    def take(self, block: Block) -> None:
        """Takes a block whose hash can be compared, or says why it cannot."""
        place = block.number - self.group.number
        if place >= self.policy.code.n:
            self.say(WRONG, block, f"has no place in {self.group.policy}")
        elif block.stamp > self.group.stamp:
            self.say(MEANWHILE, block, f"has the stamp {block.stamp}")
        elif block.stamp < self.group.stamp:
            self.say(WRONG, block, f"is stale, with the stamp {block.stamp}")
        elif block.hash is None:
            self.say(WRONG, block, "cannot be read")
        elif block.length != self.length(place):
            self.say(WRONG, block, f"has {block.length} bytes instead of {self.length(place)}")
        else:
            self.copies[place].append(block)

    def length(self, place: int) -> int:
        return self.policy.length(self.group.length, place)

    def sums(self) -> list[Optional[bytes]]:
        """One hash for each place. A block without bytes is not stored, and its hash is zero.
        Copies that disagree are judged by the other blocks."""
        sums: list[Optional[bytes]] = []
        for place in range(self.policy.code.n):
            different = {block.hash for block in self.copies[place]}
            if self.length(place) == 0:
                different.add(bytes(8))
            sums.append(different.pop() if len(different) == 1 else None)
        return sums

    def compare_copies(self) -> None:
        for place, blocks in sorted(self.copies.items()):
            if len({block.hash for block in blocks}) > 1:
                self.found.append((WRONG, f"the copies of {self.name(place)} disagree"))

    def compare(self, sums: Sums) -> None:
        stored = [place for place, each in enumerate(sums) if each and self.copies[place]]
        right = explained(self.policy.code, sums, stored)
        if right is None:
            self.found.append((WRONG, "the blocks disagree, and do not tell which are wrong"))
            return
        for place, blocks in sorted(self.copies.items()):
            for block in blocks:
                if block.hash != right[place]:
                    self.say(WRONG, block, "is wrong")
