# SPDX-License-Identifier: BSD-3-Clause
"""Checks erasure-coded block groups of HDFS from hashes that each DataNode's host makes.

    python3 -m permxor.hdfs --help

One line for each block is moved, and no block. doc/hdfs-scrub.md describes the use, and has the
rules of the blocks and of the hashes.
"""


class Trouble(Exception):
    """An error in words for the user."""
