# SPDX-License-Identifier: BSD-3-Clause
"""permxor.hdfs on block groups that are laid out here as HDFS lays them out."""

import subprocess
import sys

import gf256
import pytest
from permxor.hdfs.__main__ import main
from permxor.hdfs.groups import Policy

POOL = "BP-1-127.0.0.1-2"
FIRST = -(1 << 63) + 16
CELL = 4096
STAMP = 1001


def block_group(rows, data):
    """The blocks of a group: cells of data in turn, and parity as if zeros filled the stripe."""
    k = len(rows[0])
    blocks = [b""] * (k + len(rows))
    for begin in range(0, len(data), k * CELL):
        cells = [data[begin + i * CELL :][:CELL] for i in range(k)]
        filled = [cell.ljust(len(cells[0]), b"\0") for cell in cells]
        parity = [gf256.dot(row, filled) for row in rows]
        for place, cell in enumerate(cells + parity):
            blocks[place] += cell
    return blocks


class Cluster:
    """DataNodes, of which number i has block i of each group, and the NameNode's list of files."""

    def __init__(self, folder, rng, policy, lengths):
        self.folder, self.policy = folder, policy
        self.k, self.m = (int(word) for word in policy.split("-")[1:3])
        self.nodes = [folder / f"node {place}" for place in range(self.k + self.m)]
        rows = [[1] * self.k]
        if policy.startswith("RS"):
            rows = gf256.cauchy(self.k, self.m)
        self.files = ["Connecting to namenode via http://localhost/"]
        for number, length in enumerate(lengths):
            self.add_group(FIRST + 16 * number, block_group(rows, rng.randbytes(length)), length)
        (folder / "files").write_text(
            "\n".join([*self.files, "", "The filesystem under path '/' is HEALTHY", ""])
        )

    def add_group(self, number, blocks, length):
        self.files += [
            f"/a/file {length} bytes, erasure-coded: policy={self.policy}, 1 block(s):  OK",
            f"0. {POOL}:blk_{number}_{STAMP} len={length} Live_repl={sum(map(bool, blocks))}",
        ]
        for place, block in enumerate(blocks):
            file = self.file(number, place)
            file.parent.mkdir(parents=True, exist_ok=True)
            if block:
                file.write_bytes(block)
                self.meta(file).write_bytes(b"checksums")

    def file(self, group, place):
        finalized = self.nodes[place] / "current" / POOL / "current" / "finalized"
        return finalized / "subdir0" / "subdir1" / f"blk_{group + place}"

    @staticmethod
    def meta(file, stamp=STAMP):
        return file.with_name(f"{file.name}_{stamp}.meta")

    def stored(self):
        """The files of all blocks, each with its place."""
        for place in range(self.k + self.m):
            for file in sorted(self.file(FIRST, place).parent.glob("blk_*[0-9]")):
                yield place, file

    def report(self, place, capsys, *options):
        status = main(["hash", f"--name=dn{place}", *options, str(self.nodes[place])])
        captured = capsys.readouterr()
        assert status == 0, captured.err
        (self.folder / f"report{place}").write_text(captured.out)

    def report_all(self, capsys, *options):
        for place in range(self.k + self.m):
            self.report(place, capsys, *options)

    def check(self, capsys, but=()):
        """Returns the status, the lines about groups, and what is on standard error."""
        reports = [
            str(self.folder / f"report{place}")
            for place in range(self.k + self.m)
            if place not in but
        ]
        status = main(["check", "--fsck", str(self.folder / "files"), *reports])
        captured = capsys.readouterr()
        return status, captured.out.splitlines()[:-2], captured.err


LENGTHS = (1, CELL - 1, CELL, 2 * CELL + 7, 3 * CELL, 15 * CELL + 1)


@pytest.fixture(params=["RS-3-2-4k", "RS-6-3-4k", "RS-10-4-4k", "XOR-2-1-4k"])
def cluster(request, tmp_path, rng):
    return Cluster(tmp_path, rng, request.param, LENGTHS)


@pytest.fixture
def three_and_two(tmp_path, rng):
    return Cluster(tmp_path, rng, "RS-3-2-4k", LENGTHS)


def flip(file, at):
    whole = bytearray(file.read_bytes())
    whole[at] ^= 1
    file.write_bytes(whole)


def group_of(file):
    return int(file.name[4:]) & ~15


def test_each_block_is_named(cluster, rng, capsys):
    cluster.report_all(capsys)
    assert cluster.check(capsys) == (0, [], "")
    for place, file in cluster.stored():
        at = rng.randrange(file.stat().st_size)
        flip(file, at)
        cluster.report(place, capsys)
        status, lines, _ = cluster.check(capsys)
        start = f"WRONG: /a/file: blk_{group_of(file)}: "
        reason = f"block {place} ({file.name}) is wrong: dn{place}:{file}"
        if cluster.m == 1:
            reason = "the blocks disagree, and do not tell which are wrong"
        assert (status, lines) == (1, [start + reason])
        flip(file, at)
        cluster.report(place, capsys)


def test_lengths(cluster):
    policy = Policy.of(cluster.policy)
    for number, length in enumerate(LENGTHS):
        for place in range(cluster.k + cluster.m):
            file = cluster.file(FIRST + 16 * number, place)
            size = file.stat().st_size if file.exists() else 0
            assert policy.length(length, place) == size


def test_too_many_wrong_blocks(three_and_two, capsys):
    for place, at in ((0, 5), (3, 77)):
        flip(three_and_two.file(FIRST + 64, place), at)
    three_and_two.report_all(capsys)
    status, lines, _ = three_and_two.check(capsys)
    assert status == 1 and len(lines) == 1
    assert lines[0].endswith("the blocks disagree, and do not tell which are wrong")


def test_blocks_that_are_not_stored_are_right(three_and_two, capsys):
    """These two wrong blocks would be explained by one wrong block that has no bytes."""
    for place, change in ((0, 1), (3, 215)):
        file = three_and_two.file(FIRST, place)
        file.write_bytes(bytes([file.read_bytes()[0] ^ change]))
    three_and_two.report_all(capsys)
    status, lines, _ = three_and_two.check(capsys)
    assert status == 1 and len(lines) == 1
    assert lines[0].endswith("the blocks disagree, and do not tell which are wrong")


def test_copies_that_disagree_alone(three_and_two, capsys):
    """Too few other blocks are there to tell which copy is wrong."""
    last = FIRST + 16 * (len(LENGTHS) - 1)
    copy = three_and_two.nodes[1] / "current" / POOL / "current" / "finalized" / f"blk_{last}"
    copy.write_bytes(three_and_two.file(last, 0).read_bytes())
    three_and_two.meta(copy).write_bytes(b"checksums")
    flip(copy, 5)
    three_and_two.report_all(capsys)
    status, lines, _ = three_and_two.check(capsys, but=(4,))
    assert status == 1
    assert [line for line in lines if f"the copies of block 0 (blk_{last}) disagree" in line]


def test_blocks_that_cannot_be_compared(three_and_two, capsys):
    """A block that is short, one that cannot be read, one of an older state, one of a newer state,
    and one with a number that the policy does not have."""
    files = [three_and_two.file(FIRST + 16 * number, 0) for number in range(1, 6)]
    files[0].write_bytes(files[0].read_bytes()[:-1])
    files[1].unlink()
    files[1].symlink_to(files[1])
    for file, stamp in ((files[2], STAMP - 1), (files[3], STAMP + 1)):
        three_and_two.meta(file).rename(three_and_two.meta(file, stamp))
    other = files[4].with_name(f"blk_{FIRST + 80 + 5}")
    files[4].rename(other)
    three_and_two.meta(files[4]).rename(three_and_two.meta(other))
    three_and_two.report_all(capsys)
    status, lines, _ = three_and_two.check(capsys)
    starts = [
        f"WRONG: /a/file: blk_{FIRST + 16}: block 0 (blk_{FIRST + 16})"
        f" has {CELL - 2} bytes instead of {CELL - 1}: dn0:",
        f"WRONG: /a/file: blk_{FIRST + 32}: block 0 (blk_{FIRST + 32}) cannot be read: dn0:",
        f"WRONG: /a/file: blk_{FIRST + 48}: block 0 (blk_{FIRST + 48})"
        f" is stale, with the stamp {STAMP - 1}: dn0:",
        f"written meanwhile: /a/file: blk_{FIRST + 64}: block 0 (blk_{FIRST + 64})"
        f" has the stamp {STAMP + 1}: dn0:",
        f"WRONG: /a/file: blk_{FIRST + 80}: block 5 ({other.name})"
        " has no place in RS-3-2-4k: dn0:",
    ]
    assert status == 1 and len(lines) == len(starts)
    for line, start in zip(lines, starts):
        assert line.startswith(start)


def test_a_wrong_block_beside_a_missing_one(three_and_two, capsys):
    flip(three_and_two.file(FIRST + 64, 1), 9)
    three_and_two.report_all(capsys)
    status, lines, _ = three_and_two.check(capsys, but=(4,))
    assert status == 1
    assert any(
        line.startswith("WRONG: ") and "do not tell which are wrong" in line for line in lines
    )
    assert sum(line.startswith("incomplete: ") for line in lines) == len(LENGTHS) - 1


def test_missing_reports(three_and_two, capsys):
    three_and_two.report_all(capsys)
    status, lines, _ = three_and_two.check(capsys, but=(3,))
    assert status == 3 and len(lines) == len(LENGTHS)
    assert lines[0] == (
        f"incomplete: /a/file: blk_{FIRST}: no good block 3 (blk_{FIRST + 3}) is in the reports"
    )
    status, lines, _ = three_and_two.check(capsys, but=(3, 4))
    assert status == 3 and "3 hashes do not suffice, 4 do; no good block 3" in lines[0]


def test_a_wrong_copy(three_and_two, capsys):
    """Two DataNodes have block 0, and one of the two copies is wrong."""
    file = three_and_two.file(FIRST + 64, 0)
    copy = three_and_two.file(FIRST + 64, 1).with_name(file.name)
    copy.write_bytes(file.read_bytes())
    three_and_two.meta(copy).write_bytes(b"checksums")
    three_and_two.report_all(capsys)
    assert three_and_two.check(capsys) == (0, [], "")
    flip(copy, 3)
    three_and_two.report(1, capsys)
    status, lines, _ = three_and_two.check(capsys)
    assert status == 1
    assert lines == [
        f"WRONG: /a/file: blk_{FIRST + 64}: block 0 ({file.name}) is wrong: dn1:{copy}"
    ]


def test_keys(three_and_two, capsys):
    key = three_and_two.folder / "key"
    key.write_text("0123456789abcdef\n")
    three_and_two.report_all(capsys, f"--key={key}")
    assert three_and_two.check(capsys) == (0, [], "")
    three_and_two.report(2, capsys)
    status, _, errors = three_and_two.check(capsys)
    assert status == 2 and "were made with different keys" in errors
    key.write_text("0123456789abcde")
    assert main(["hash", f"--key={key}", str(three_and_two.nodes[0])]) == 2
    assert capsys.readouterr().err.endswith(": a key is 16 hexadecimal digits\n")


def test_bad_reports(three_and_two, capsys):
    three_and_two.report_all(capsys)
    report = three_and_two.folder / "report1"
    lines = report.read_text().splitlines(keepends=True)
    for bad, message in (
        ([], "is not a report"),
        (["permxor-hdfs 2 dn1 0123456789abcdef\n"], "is not a report"),
        (lines[:1], "is cut off"),
        (lines[:-1], "is cut off"),
        (lines[:-2] + lines[-1:], "is cut off"),
        (lines[:-1] + [lines[-1].rstrip("\n")], "is cut off"),
        ([lines[0], "block of wood\n", *lines[2:]], "report1:2: this is not a line"),
    ):
        report.write_text("".join(bad))
        status, _, errors = three_and_two.check(capsys)
        assert status == 2 and message in errors


def test_bad_lists(three_and_two, capsys):
    three_and_two.report_all(capsys)
    files = three_and_two.folder / "files"
    whole = files.read_text()
    files.write_text(whole[: len(whole) // 2])
    status, _, errors = three_and_two.check(capsys)
    assert status == 2 and "this is not the whole output of hdfs fsck" in errors
    files.write_text(whole.replace(f"blk_{FIRST}_", f"blk_{FIRST + 1}_"))
    status, _, errors = three_and_two.check(capsys)
    assert status == 2 and "is not the number of a block group" in errors
    files.write_text(whole.replace("RS-3-2", "RS-LEGACY-3-2"))
    assert three_and_two.check(capsys)[0] == 0
    files.unlink()
    status, _, errors = three_and_two.check(capsys)
    assert status == 2 and errors.startswith(f"permxor.hdfs: {files}: No such file")


def test_policies():
    for name in ("RS-LEGACY-6-3-1024k", "XOR-2-2-4k", "RS-0-2-4k", "RS-12-5-4k", "RS-6-3-0k",
                 "RS-6-" + 5000 * "1" + "-4k", ""):
        assert Policy.of(name) is None


def test_wrong_arguments_are_found_before_blocks_are_read(three_and_two, capsys, monkeypatch):
    monkeypatch.setattr("permxor.hdfs.blocks.hash_file", lambda *_: pytest.fail("a block is read"))
    good, bad = str(three_and_two.nodes[0]), str(three_and_two.folder)
    assert main(["hash", good, bad]) == 2
    assert "this is not a folder of a DataNode" in capsys.readouterr().err
    assert main(["hash", "--name=a b", good]) == 2
    assert "a name has no blanks" in capsys.readouterr().err


def test_as_a_program(tmp_path):
    """A folder of something else is refused, by a message and not by a traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "permxor.hdfs", "hash", str(tmp_path)],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr == (
        f"permxor.hdfs: {tmp_path}: this is not a folder of a DataNode: it has no current/\n"
    )


def test_without_standard_output(three_and_two, capsys):
    """That is an error. The status must not be 1, which means that a block is wrong."""
    three_and_two.report_all(capsys)
    folder = three_and_two.folder
    for words in (["hash", three_and_two.nodes[0]],
                  ["check", "--fsck", folder / "files", folder / "report0"]):
        done = subprocess.run(
            ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m", "permxor.hdfs", *words],
            stderr=subprocess.PIPE,
            text=True,
        )
        assert done.returncode == 2
        assert done.stderr == "permxor.hdfs: the standard output is closed\n"
