# SPDX-License-Identifier: BSD-3-Clause
"""The lines that a DataNode's host makes, and that are checked in one place:

    permxor-hdfs 1 NODE KEY                        1 is the format, and KEY tells keys apart
    block POOL NUMBER STAMP LENGTH HASH PATH
    end BLOCKS

HASH is "unreadable" if the file could not be read. PATH is the last field, so it may have blanks.
END counts the lines before, so that a report that was cut off is found out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence, Set
from typing import NamedTuple, Optional, TextIO

from permxor import Hash

from . import Trouble
from .groups import PLACES, GroupId

HEAD = re.compile(r"permxor-hdfs 1 (\S+) ([0-9a-f]{16})")
BLOCK = re.compile(r"block (\S+) (-\d{1,19}) (\d{1,19}) (\d{1,19}) ([0-9a-f]{16}|unreadable) (.+)")
END = re.compile(r"end (\d{1,19})")


class Block(NamedTuple):
    """A block file of a DataNode."""

    pool: str
    number: int
    stamp: int
    length: int
    hash: Optional[bytes]
    path: str
    node: str

    @property
    def group(self) -> GroupId:
        return self.pool, self.number // PLACES

    def line(self) -> str:
        text = "unreadable" if self.hash is None else self.hash.hex()
        return f"block {self.pool} {self.number} {self.stamp} {self.length} {text} {self.path}"


def check_name(node: str) -> None:
    if not re.fullmatch(r"\S+", node):
        raise Trouble(f"--name={node}: a name has no blanks")


def write_report(out: TextIO, hashing: Hash, node: str, blocks: Sequence[Block]) -> None:
    for block in blocks:
        if "\n" in block.path:
            raise Trouble(f"{block.path!r}: a path in a report has no line breaks")
    mark = hashing.hash(b"Which key is this?").hex()
    print(f"permxor-hdfs 1 {node} {mark}", file=out)
    for block in blocks:
        print(block.line(), file=out)
    print(f"end {len(blocks)}", file=out)


def parse_block(line: str, node: str) -> Optional[Block]:
    found = BLOCK.fullmatch(line)
    if not found:
        return None
    pool, number, stamp, length, hash, path = found.groups()
    value = None if hash == "unreadable" else bytes.fromhex(hash)
    return Block(pool, int(number), int(stamp), int(length), value, path, node)


def read_report(file: str) -> tuple[str, list[Block]]:
    """Returns the mark of the key, and the blocks."""
    with open(file, encoding="utf-8", errors="surrogateescape") as text:
        lines = text.read().split("\n")
    head = HEAD.fullmatch(lines[0])
    if not head:
        raise Trouble(f"{file}: this is not a report of permxor.hdfs")
    end = END.fullmatch(lines[-2]) if len(lines) > 2 and lines[-1] == "" else None
    if not end or int(end[1]) != len(lines) - 3:
        raise Trouble(f"{file}: the report is cut off")
    blocks = []
    for number, line in enumerate(lines[1:-2], 2):
        block = parse_block(line, head[1])
        if block is None:
            raise Trouble(f"{file}:{number}: this is not a line of a report")
        blocks.append(block)
    return head[2], blocks


class Reports:
    """The blocks of all reports, by their group."""

    def __init__(self, files: Sequence[str]):
        marks: dict[str, str] = {}
        self.groups: defaultdict[GroupId, list[Block]] = defaultdict(list)
        for file in files:
            mark, blocks = read_report(file)
            marks.setdefault(mark, file)
            for block in blocks:
                self.groups[block.group].append(block)
        if len(marks) > 1:
            raise Trouble("{} and {} were made with different keys".format(*marks.values()))

    def of(self, group: GroupId) -> list[Block]:
        return self.groups.get(group, [])

    def count(self) -> int:
        return sum(map(len, self.groups.values()))

    def count_without(self, groups: Set[GroupId]) -> int:
        return sum(len(blocks) for id, blocks in self.groups.items() if id not in groups)
