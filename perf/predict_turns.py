# SPDX-License-Identifier: BSD-3-Clause
"""For predict.py: from the instructions of a function to those of a turn of its loops, in the
order in which they run."""
import re
from collections import namedtuple

Insn = namedtuple("Insn", "address text")

LONGEST = 2000  # instructions of a turn


def branch_target(insn):
    target = re.search(r"0x([0-9a-f]+) <", insn.text)
    return int(target[1], 16) if target else None


def turns(arch, insns):
    """Returns the turns of all loops in a function that contain no other loop, or only loops
    that run a known number of times."""
    if arch != "aarch64":
        return innermost_loops(insns)
    targets = {branch_target(insn): insn.address for insn in insns}
    headers = sorted(target for target, branch in targets.items()
                     if target is not None and target <= branch)
    found = (Walk(insns, header).turn() for header in headers)
    return [turn for turn in found if turn]


def innermost_loops(insns):
    """Returns the loops that contain no other: runs of instructions that end in a branch back."""
    at = {insn.address: i for i, insn in enumerate(insns)}
    runs = [(at[branch_target(insn)], i) for i, insn in enumerate(insns)
            if at.get(branch_target(insn), i + 1) <= i]
    return [insns[a:b + 1] for a, b in runs
            if not any((c, d) != (a, b) and a <= c and d <= b for c, d in runs)]


class Walk:
    """
    A walk through a function of aarch64 from the header of a loop until it returns there.

    A compiler may leave a loop over the rows inside the one over the sources, and choose the
    row's accumulators by branches.  Constants decide these branches, and the walk follows the
    constants.  Any other branch is taken if it leads to the header.  Otherwise it is not taken,
    because it leaves the loop or leads to code that rarely runs.
    """
    HOLDS = {"eq": lambda d: d == 0, "ne": lambda d: d != 0,
             "lt": lambda d: d < 0, "lo": lambda d: d < 0,
             "ge": lambda d: d >= 0, "hs": lambda d: d >= 0,
             "gt": lambda d: d > 0, "hi": lambda d: d > 0,
             "le": lambda d: d <= 0, "ls": lambda d: d <= 0}
    # These instructions set the flags, and so do others that end in s, unless the s is part of
    # a longer name.
    FLAGS = re.compile(r"(cm[pn]|tst|fcmp|ccm[pn]|ptest|while\w+|\w+s)\t")

    def __init__(self, insns, header):
        self.insns, self.header = insns, header
        self.at = {insn.address: i for i, insn in enumerate(insns)}
        self.known = {}         # {register's number: small number in it}
        self.difference = None  # of the last comparison, where it is known

    def turn(self):
        """Returns the instructions, or None where this is no loop or contains one of unknown
        length."""
        path, address = [], self.header
        while address in self.at and len(path) < LONGEST:
            insn = self.insns[self.at[address]]
            path.append(insn)
            if re.match(r"(ret|br|blr?)\b", insn.text):
                return None
            address = self.next(insn)
            if address == self.header:
                return path
        return None

    def next(self, insn):
        """Returns the next address, or None where it is not known."""
        target, behind = branch_target(insn), insn.address + 4
        if target is None or not re.match(r"b\b|cbn?z|tbn?z", insn.text):
            self.note(insn.text)
            return behind
        taken = self.taken(insn.text)
        if taken is None and self.header < target <= insn.address:
            return None
        if taken is None:
            taken = target == self.header
        return target if taken else behind

    def taken(self, text):
        if re.match(r"b\t", text):
            return True
        condition = re.match(r"b\.(\w+)\t", text)
        if condition:
            holds = self.HOLDS.get(condition[1])
            return None if self.difference is None or not holds else holds(self.difference)
        zero = re.match(r"cb(n?)z\t[wx](\d+)", text)
        if zero and int(zero[2]) in self.known:
            return (self.known[int(zero[2])] == 0) != bool(zero[1])
        return None

    def note(self, text):
        """Notes what an instruction that is no branch makes known, or unknown."""
        number = r"#(0x[0-9a-f]+|\d+)$"
        put = re.match(rf"mov\t[wx](\d+), {number}", text)
        more = re.match(rf"(add|sub)\t[wx](\d+), [wx](\d+), {number}", text)
        compare = re.match(rf"cmp\t[wx](\d+), {number}", text)
        if self.FLAGS.match(text):
            self.difference = None
        if put:
            self.known[int(put[1])] = int(put[2], 0)
        elif compare:
            if int(compare[1]) in self.known:
                self.difference = self.known[int(compare[1])] - int(compare[2], 0)
        elif more and int(more[3]) in self.known:
            change = int(more[4], 0) * (1 if more[1] == "add" else -1)
            self.known[int(more[2])] = self.known[int(more[3])] + change
        else:
            for register in re.findall(r"\b[wx](\d+)\b", text):
                self.known.pop(int(register), None)
