# SPDX-License-Identifier: BSD-3-Clause
"""Tests permxor.hdfs on the blocks that BlockGroups.java has left:

    scrub_blocks.py FOLDER WORK

All groups must be fine.  Then a byte of each block is changed in turn, and the block must be named,
and no other.
"""

import contextlib
import io
import random
import re
import sys
from collections import Counter
from pathlib import Path

from permxor.hdfs.__main__ import main

FOLDER, WORK = Path(sys.argv[1]), Path(sys.argv[2])
FILES = FOLDER / "files"
NODES = sorted(FOLDER.glob("data/data*"))
COUNTS = re.compile(r"^(\d+) block groups: (\d+) fine, (\d+) WRONG, .*, (\d+) left out$", re.M)


def run(*words):
    """Returns the status and the output of a command."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        status = main([str(word) for word in words])
    return status, out.getvalue()


def report(node):
    return WORK / f"report.{node.name}"


def hash_node(node):
    status, text = run("hash", "--key", WORK / "key", "--name", node.name, node)
    assert status == 0, node
    report(node).write_text(text)


def check(nodes=NODES):
    return run("check", "--fsck", FILES, *map(report, nodes))


def wrong_lines(text):
    return [line for line in text.splitlines() if line.startswith("WRONG")]


def blocks():
    """The blocks of the groups that can be judged: the policy, the node and the file of each."""
    policies = {}
    policy = None
    for line in FILES.read_text().splitlines():
        if found := re.search(r"policy=((?:RS|XOR)-\d\S*),", line):
            policy = found[1]
        elif " bytes, " in line:
            policy = None
        elif policy and (found := re.match(r"\d+\. BP-\S*:blk_(-\d+)_", line)):
            policies[int(found[1])] = policy
    for node in NODES:
        for file in sorted(node.rglob("finalized/**/blk_-*")):
            number = int(file.name[4:]) if file.suffix == "" else 0
            if number & ~15 in policies:
                yield policies[number & ~15], node, file


def change(file, at):
    with open(file, "r+b") as bytes_of_file:
        bytes_of_file.seek(at)
        byte = bytes_of_file.read(1)[0]
        bytes_of_file.seek(at)
        bytes_of_file.write(bytes([byte ^ random.randrange(1, 256)]))


def changed(file):
    """Changes a byte, and afterwards puts the file's contents back."""
    stack = contextlib.ExitStack()
    whole = file.read_bytes()
    stack.callback(file.write_bytes, whole)
    change(file, random.randrange(len(whole)))
    return stack


def all_is_fine():
    status, text = check()
    assert status == 0, text
    groups, fine, wrong, left_out = map(int, COUNTS.search(text).groups())
    assert fine == groups - left_out and wrong == 0, text
    assert "left out: RS-LEGACY-6-3-1024k" in text and left_out == 7, text
    return f"{fine} block groups are fine, {left_out} are left out"


def expect_named(policy, node, file, text):
    """One group is wrong, and for it this block is named, or no block where none can be told."""
    lines = wrong_lines(text)
    assert len(lines) == 1 and lines[0].startswith(f"WRONG: /{policy}/"), text
    place = int(file.name[4:]) & 15
    if policy.startswith("XOR"):
        assert lines[0].endswith("the blocks disagree, and do not tell which are wrong"), text
    else:
        named = f"block {place} ({file.name}) is wrong: {node.name}:{file}"
        assert lines[0].endswith(f": {named}"), text


def each_block_is_named(found):
    counts = Counter()
    for policy, node, file in found:
        with changed(file):
            hash_node(node)
            status, text = check()
        assert status == 1, text
        expect_named(policy, node, file, text)
        hash_node(node)
        k = int(policy.split("-")[1])
        counts[policy, "parity" if int(file.name[4:]) & 15 >= k else "data"] += 1
    return ", ".join(f"{policy} {counts[policy, 'data']}+{counts[policy, 'parity']}"
                     for policy in sorted({policy for policy, _ in counts}))


def two_are_named(found):
    """With three parity blocks or more, two blocks that are wrong in different places are named.
    Blocks of one byte are wrong in the same place."""
    count = 0
    members = {}
    for policy, node, file in found:
        if policy in ("RS-6-3-1024k", "RS-10-4-1024k") and file.stat().st_size > 1:
            members.setdefault(int(file.name[4:]) & ~15, []).append((node, file))
    for group in members.values():
        pair = random.sample(group, 2)
        with changed(pair[0][1]), changed(pair[1][1]):
            for node, _ in pair:
                hash_node(node)
            status, text = check()
        for node, _ in pair:
            hash_node(node)
        (line,) = wrong_lines(text)
        assert status == 1 and line.count(" is wrong: ") == 2, text
        assert all(f"is wrong: {node.name}:{file}" in line for node, file in pair), text
        count += 1
    return f"two wrong blocks named in {count} groups"


def shorter_is_named(found):
    policy, node, file = found[0]
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    hash_node(node)
    status, text = check()
    file.write_bytes(whole)
    hash_node(node)
    (line,) = wrong_lines(text)
    assert status == 1 and f"has {len(whole) - 1} bytes instead of {len(whole)}" in line, text
    return f"a block of {policy} that is a byte too short is named"


def a_report_is_missing():
    status, text = check(NODES[1:])
    assert status == 3 and not wrong_lines(text) and "incomplete: " in text, text
    return "groups without a block in the reports are said to be incomplete"


def main_test():
    seed = random.randrange(1 << 32)
    random.seed(seed)
    print("seed", seed)
    (WORK / "key").write_text(random.randbytes(8).hex() + "\n")
    for node in NODES:
        hash_node(node)
    found = list(blocks())
    for words in (
        all_is_fine(),
        f"{len(found)} blocks (data+parity): {each_block_is_named(found)}, each changed and named",
        two_are_named(found),
        shorter_is_named(found),
        a_report_is_missing(),
        all_is_fine(),
    ):
        print("said:", words)


main_test()
