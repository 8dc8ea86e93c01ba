# SPDX-License-Identifier: BSD-3-Clause
"""The block files of a DataNode, and their hashes."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Optional

from permxor import Hash

from . import Trouble
from .report import Block

PIECE = 1 << 20
META = re.compile(r"(blk_-\d+)_(\d+)\.meta")


def read_key(file: Optional[str]) -> Optional[bytes]:
    if file is None:
        return None
    with open(file, encoding="ascii", errors="replace") as lines:
        text = lines.read().strip()
    if not re.fullmatch(r"[0-9a-fA-F]{16}", text):
        raise Trouble(f"{file}: a key is 16 hexadecimal digits")
    return bytes.fromhex(text)


def refuse(error: OSError) -> None:
    # A folder may go away while it is walked, but one that cannot be read hides blocks.
    if not isinstance(error, FileNotFoundError):
        raise error


def pools_of(folder: str) -> list[str]:
    """The folders of the pools of blocks that a DataNode has in a folder."""
    current = os.path.join(folder, "current")
    try:
        names = sorted(name for name in os.listdir(current) if name.startswith("BP-"))
    except (FileNotFoundError, NotADirectoryError):
        raise Trouble(f"{folder}: this is not a folder of a DataNode: it has no current/") from None
    return [os.path.join(current, name) for name in names]


def block_files(folder: str) -> Iterator[tuple[str, int, int, str]]:
    """The complete blocks of block groups: their pool, number, stamp and path. The numbers of
    other blocks are above zero. A block has a file of checksums beside it, whose name has the
    stamp."""
    for pool in pools_of(folder):
        top = os.path.join(pool, "current", "finalized")
        for path, folders, names in os.walk(top, onerror=refuse):
            folders.sort()
            stamps = {found[1]: int(found[2]) for found in map(META.fullmatch, names) if found}
            for name in sorted(stamps.keys() & set(names)):
                number = int(name[len("blk_") :])
                yield os.path.basename(pool), number, stamps[name], os.path.join(path, name)


def hash_file(hashing: Hash, path: str) -> tuple[int, bytes]:
    """Returns the length and the hash."""
    total, offset, buffer = bytes(hashing.size), 0, bytearray(PIECE)
    with open(path, "rb", buffering=0) as file:
        while count := file.readinto(buffer):
            total = hashing.hash(memoryview(buffer)[:count], offset, total)
            offset += count
    return offset, total


def hash_folder(hashing: Hash, folder: str, node: str) -> list[Block]:
    blocks = []
    for pool, number, stamp, path in block_files(folder):
        try:
            length, sum = hash_file(hashing, path)
            blocks.append(Block(pool, number, stamp, length, sum, path, node))
        except FileNotFoundError:
            pass  # HDFS has removed or moved the block since.
        except OSError as error:
            print(f"permxor.hdfs: {path}: {error.strerror}", file=sys.stderr)
            blocks.append(Block(pool, number, stamp, 0, None, path, node))
    return blocks


def hash_folders(hashing: Hash, folders: Sequence[str], node: str) -> list[Block]:
    """Each folder is a disk, and each disk has a thread."""
    for folder in folders:
        pools_of(folder)  # A wrong folder would otherwise be found out after the others are read.
    with ThreadPoolExecutor(len(folders)) as pool:
        runs = [pool.submit(hash_folder, hashing, folder, node) for folder in folders]
        return [block for run in runs for block in run.result()]
