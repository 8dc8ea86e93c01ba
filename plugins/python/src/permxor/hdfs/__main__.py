# SPDX-License-Identifier: BSD-3-Clause
"""The commands."""

from __future__ import annotations

import argparse
import socket
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Optional

import permxor

from . import Trouble
from .blocks import hash_folders, read_key
from .groups import Policy, read_fsck
from .judge import INCOMPLETE, MEANWHILE, WRONG, Judge
from .report import Reports, check_name, write_report

DESCRIPTION = """\
Checks erasure-coded block groups of HDFS from hashes that each DataNode's host makes:

    hdfs fsck / -files -blocks > files                        once, on any host
    python3 -m permxor.hdfs hash DATA-FOLDER... > REPORT      on the host of each DataNode
    python3 -m permxor.hdfs check --fsck files REPORT...      in one place

DataNodes go on running meanwhile.  Nothing is changed.
"""
STATUS = """\
exit status:
  0  all block groups are fine
  1  a block is wrong
  2  an error, which is on standard error
  3  no block is wrong, but some groups were written meanwhile, or are incomplete
"""


def hash_command(options: argparse.Namespace) -> int:
    check_name(options.name)
    hashing = permxor.Hash(key=read_key(options.key))
    blocks = hash_folders(hashing, options.folders, options.name)
    write_report(sys.stdout, hashing, options.name, blocks)
    return 0


def check_command(options: argparse.Namespace) -> int:
    reports = Reports(options.reports)
    policies: dict[str, Optional[Policy]] = {}
    counts: Counter[str] = Counter()
    seen: set[tuple[str, int]] = set()
    for group in read_fsck(options.fsck):
        # A file and its snapshots may have the same groups.
        if group.id in seen:
            continue
        seen.add(group.id)
        if group.policy not in policies:
            policies[group.policy] = Policy.of(group.policy)
        policy = policies[group.policy]
        if policy is None:
            counts["left out"] += 1
            continue
        verdict, reason = Judge(group, policy, reports.of(group.id)).judge()
        counts[verdict or "fine"] += 1
        if verdict:
            print(f"{verdict}: {group.file}: blk_{group.number}: {reason}")
    for name, policy in sorted(policies.items()):
        if policy is None:
            print(f"left out: {name}, because permxor does not have its code")
    print(f"{len(seen)} block groups: {summary(counts)}")
    print(f"{reports.count()} blocks hashed, {reports.count_without(seen)} of other groups")
    if counts[WRONG]:
        return 1
    return 3 if counts[MEANWHILE] or counts[INCOMPLETE] else 0


def summary(counts: Counter[str]) -> str:
    return ", ".join(
        f"{counts[what]} {what}" for what in ("fine", WRONG, MEANWHILE, INCOMPLETE, "left out")
    )


def parse(words: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="permxor.hdfs",
        description=DESCRIPTION,
        epilog=STATUS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="hash|check")
    make = commands.add_parser("hash", help="hash the blocks of this host's DataNode")
    make.add_argument("folders", nargs="+", metavar="DATA-FOLDER",
                      help="what dfs.datanode.data.dir names")
    make.add_argument("--name", default=socket.gethostname(),
                      help="the DataNode's name in messages (default: %(default)s)")
    make.add_argument("--key", metavar="FILE",
                      help="16 hexadecimal digits, the same on all hosts")
    make.set_defaults(run=hash_command)
    check = commands.add_parser("check", help="check the block groups from all reports")
    check.add_argument("--fsck", required=True, metavar="FILE",
                       help="the output of hdfs fsck / -files -blocks")
    check.add_argument("reports", nargs="+", metavar="REPORT")
    check.set_defaults(run=check_command)
    return parser.parse_args(words)


def main(words: Optional[Sequence[str]] = None) -> int:
    options = parse(words)
    # Names of files may be any bytes.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="surrogateescape")
    try:
        # print() says nothing if there is no standard output, and the report would be lost.
        if sys.stdout is None:
            raise Trouble("the standard output is closed")
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except Trouble as trouble:
        message = str(trouble)
    except OSError as error:
        message = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    except permxor.Error as error:
        message = str(error)
    print(f"permxor.hdfs: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
