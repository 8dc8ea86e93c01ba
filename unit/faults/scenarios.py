# SPDX-License-Identifier: BSD-3-Clause
"""The scenarios of faults.py: commands, their folders, and rules for the files they leave."""
import hashlib
import os
import random
import re
import shutil
import subprocess
from pathlib import Path

SHARDS = "s"
SECOND = "t"  # the second folder, in scenarios with two disks
NEW = random.Random(1).randbytes(700)
OLD = random.Random(2).randbytes(600)
SMALL = ["--cell=64", "--threads=1", "--quiet"]
# After so many seconds a program counts as hanging.  No check depends on the time of a program.
HANGS = 60


class Command:
    """Runs the command without faults, to prepare a folder and to judge it."""

    def __init__(self, program, environment):
        self.program, self.environment = program, environment
        self.known = {}

    def run(self, folder, *arguments, environment=None):
        return subprocess.run([self.program, *arguments], cwd=folder, timeout=HANGS,
                              env=environment or self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def encode(self, folder, content, parity, disks=(SHARDS,), cell=64, code=()):
        (folder / "f").write_bytes(content)
        for disk in disks:
            (folder / disk).mkdir()
        result = self.run(folder, "encode", "-k4", f"-m{parity}", *SMALL,
                          f"--cell={cell}", *code, *outputs(disks), "f")
        if result.returncode != 0:
            raise RuntimeError(result.stderr.decode())

    def remember(self, what, folder):
        """The result of a method for these shards.  Many runs leave the same shards."""
        state = {disk: files(folder / disk) for disk in disks_of(folder)}
        key = what.__name__, hashlib.sha256(repr(sorted(state.items())).encode()).digest()
        if key not in self.known:
            self.known[key] = what(folder)
        return self.known[key]

    def contents(self, folder):
        """The contents of the shards, set by set if they belong to several sets."""
        return self.remember(self.decode, folder)

    def repaired(self, folder):
        """The files after a repair of the shards, and the status of the repair."""
        return self.remember(self.repair_copy, folder)

    def repair_copy(self, folder):
        copy = folder.parent / "repaired"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        result = self.run(copy, "repair", "--quiet", SHARDS)
        return files(copy / SHARDS), result.returncode

    def plain(self, folder):
        """The result of a decode that does not choose a set."""
        return self.run(folder, "decode", "-q", "-o", "-", *disks_of(folder))

    def decode(self, folder):
        disks = disks_of(folder)
        plain = self.plain(folder)
        if plain.returncode == 0:
            return [plain.stdout]
        sets = sorted(set(re.findall(r"belongs to set ([0-9a-f]+)", plain.stderr.decode())))
        tried = [self.run(folder, "decode", "-q", f"--set={name}", "-o", "-", *disks)
                 for name in sets]
        return [one.stdout for one in tried if one.returncode == 0]

    def is_whole(self, folder):
        return self.run(folder, "verify", "-q", *disks_of(folder)).returncode == 0


def outputs(disks):
    return [f"--output={disk}" for disk in disks]


def disks_of(folder):
    return [disk for disk in (SHARDS, SECOND) if (folder / disk).is_dir()]


def files(folder):
    """A dictionary from names to bytes, with all files and also the hidden ones."""
    return {entry.name: Path(entry.path).read_bytes() for entry in os.scandir(folder)
            if entry.is_file()}


class Scenario:
    name = ""
    arguments = []
    # After success the work is on the disk.
    lasts = True
    # The name of a call that the file system does not support.
    lacks = ""
    # The names of a call and of a file.  The scenario starts with the files that the same
    # command left when the power failed after the first such call on such a file.
    begun = None

    def prepare(self, command, folder):
        """Makes the folder.  Each run starts with a copy of it."""

    def lost(self, command, folder):
        """What is wrong with every status of the command, or None."""

    def unfinished(self, command, folder):
        """What is wrong if the status is 0, or None."""

    def judge(self, command, folder, status):
        return self.lost(command, folder) or (
            self.unfinished(command, folder) if status == 0 else None)


class EncodeNew(Scenario):
    name = "encode"
    arguments = ["encode", "-k4", "-m2", *SMALL, "-o", SHARDS, "f"]

    def prepare(self, command, folder):
        (folder / "f").write_bytes(NEW)
        (folder / SHARDS).mkdir()

    def lost(self, command, folder):
        return None if (folder / "f").read_bytes() == NEW else "the input has changed"

    def unfinished(self, command, folder):
        if command.contents(folder) != [NEW]:
            return "status 0, but the shards do not decode to the input"
        return None if command.is_whole(folder) else "status 0, but verify finds damage"


class EncodeUnsynced(EncodeNew):
    name = "encode-unsynced"
    arguments = [*EncodeNew.arguments, "--no-sync"]
    lasts = False


class EncodeLinked(EncodeNew):
    name = "encode-linked"
    lacks = "renameat2"


class EncodeOver(EncodeNew):
    name = "encode-over"
    arguments = [*EncodeNew.arguments, "--force"]

    def prepare(self, command, folder):
        command.encode(folder, OLD, 2)
        (folder / "f").write_bytes(NEW)

    def lost(self, command, folder):
        contents = command.contents(folder)
        if any(content not in (OLD, NEW) for content in contents):
            return "the shards decode to neither the old nor the new content"
        if not contents:
            return "neither the old nor the new content decodes"
        return super().lost(command, folder)


class EncodeOverPlain(EncodeOver):
    name = "encode-plain"
    lacks = "renameat2"


class EncodeOverDisks(EncodeOver):
    """Encodes onto two disks.  Each has the shards of an old set that belong on the other."""
    name = "encode-disks"
    arguments = ["encode", "-k4", "-m2", *SMALL, "--force", *outputs([SHARDS, SECOND]), "f"]

    def prepare(self, command, folder):
        command.encode(folder, OLD, 3, disks=[SECOND, SHARDS])
        (folder / "f").write_bytes(NEW)

    def unfinished(self, command, folder):
        count = sum(len(files(folder / disk)) for disk in disks_of(folder))
        return super().unfinished(command, folder) or (
            None if count == 6 else f"status 0, but there are {count} files instead of 6")


class Repair(Scenario):
    name = "repair"
    arguments = ["repair", "--threads=1", "--quiet", SHARDS]
    missing, damaged = (0, 5), (2, 7)

    @staticmethod
    def shard(number):
        return f"f.{number:03d}.pxr"

    def prepare(self, command, folder):
        command.encode(folder, NEW, 4)
        self.right = files(folder / SHARDS)
        for number in self.missing:
            (folder / SHARDS / self.shard(number)).unlink()
        for number in self.damaged:  # so many cells that they are not repaired in place
            content = bytearray(self.right[self.shard(number)])
            content[540 + 80 * (number % 2)] ^= 1
            content[700] ^= 1
            (folder / SHARDS / self.shard(number)).write_bytes(content)

    def lost(self, command, folder):
        if command.contents(folder) != [NEW]:
            return "the content does not decode any more"
        now = files(folder / SHARDS)
        for number in set(range(8)) - set(self.missing) - set(self.damaged):
            name = self.shard(number)
            if now.get(name) != self.right[name]:
                return f"the good shard {name} has changed"
        return None

    def unfinished(self, command, folder):
        now = files(folder / SHARDS)
        wrong = [name for name, content in self.right.items() if now.get(name) != content]
        return f"status 0, but not restored: {', '.join(wrong)}" if wrong else None


class RepairDisk(Scenario):
    """The second of two disks is new and empty."""
    name = "repair-disk"
    arguments = ["repair", "--threads=1", "--quiet", SHARDS, SECOND]

    def prepare(self, command, folder):
        command.encode(folder, NEW, 4, disks=[SHARDS, SECOND])
        self.right = {disk: files(folder / disk) for disk in disks_of(folder)}
        for name in self.right[SECOND]:
            (folder / SECOND / name).unlink()

    def lost(self, command, folder):
        if files(folder / SHARDS) != self.right[SHARDS]:
            return "the shards on the good disk have changed"
        return None if command.contents(folder) == [NEW] else "the content does not decode"

    def unfinished(self, command, folder):
        right = files(folder / SECOND) == self.right[SECOND]
        return None if right else "status 0, but the new disk has other files than the old one"


class RepairInPlace(Repair):
    """Repairs cells, a header, a trailer and a length.  Another repair must complete it."""
    name = "in-place"
    parity, long_content = 4, random.Random(3).randbytes(40000)
    cells = {1: 3, 2: 2, 6: 8}
    header, short, long = 3, 4, 6
    # If False, a crash may destroy so many blocks around a bad cell that only a repair can
    # restore the content.
    decodes_between = True

    def prepare(self, command, folder):
        command.encode(folder, self.long_content, self.parity, cell=1024,
                       code=("--matrix=jerasure_cauchy_good", "--packetsize=16"))
        self.right = files(folder / SHARDS)
        for name, content in self.damage().items():
            (folder / SHARDS / name).write_bytes(content)

    def damage(self):
        shards = {number: bytearray(self.right[self.shard(number)])
                  for number in {*self.cells, self.header, self.short, self.long} - {None}}
        for number, stripe in self.cells.items():
            shards[number][512 + 1040 * stripe + 100] ^= 1
        if self.header is not None:
            shards[self.header][20] ^= 1
        if self.short is not None:
            del shards[self.short][-100:]
        if self.long is not None:
            shards[self.long] += b"more"
        return {self.shard(number): content for number, content in shards.items()}

    def lost(self, command, folder):
        if self.decodes_between and command.contents(folder) != [self.long_content]:
            return "the content does not decode any more"
        found, status = command.repaired(folder)
        if status != 0:
            return f"another repair ends with status {status}"
        # After a crash, the file that a new shard replaced may be there under a temporary name.
        found = {name: content for name, content in found.items() if not name.endswith(".tmp")}
        return None if found == self.right else "another repair does not complete the work"


class RepairBare(RepairInPlace):
    """The cells next to bad cells belong to stripes that cannot lose another cell."""
    name = "in-place-bare"
    parity = 2
    cells = {1: 3, 4: 3, 2: 2, 5: 2}
    header = short = long = None
    decodes_between = False


class RepairAgain(RepairInPlace):
    """Completes the work of another repair, which was writing when the power failed."""
    name = "in-place-again"
    begun = ("pwritev", "f.001.pxr")


class DecodeNew(Scenario):
    name = "decode"
    arguments = ["decode", "--threads=1", "--quiet", "-o", "g", SHARDS]
    allowed = (None, NEW)

    def prepare(self, command, folder):
        command.encode(folder, NEW, 2)
        (folder / SHARDS / "f.001.pxr").unlink()
        self.shards = files(folder / SHARDS)

    @staticmethod
    def output(folder):
        path = folder / "g"
        return path.read_bytes() if path.exists() else None

    def lost(self, command, folder):
        if files(folder / SHARDS) != self.shards:
            return "the shards have changed"
        found = self.output(folder)
        if found in self.allowed:
            return None
        return "the file is gone" if found is None else "the file is neither old nor new"

    def unfinished(self, command, folder):
        return None if self.output(folder) == NEW else "status 0, but the file is not decoded"


class DecodeOver(DecodeNew):
    name = "decode-over"
    arguments = [*DecodeNew.arguments, "--force"]
    allowed = (OLD, NEW)

    def prepare(self, command, folder):
        super().prepare(command, folder)
        (folder / "g").write_bytes(OLD)


SCENARIOS = [EncodeNew(), EncodeUnsynced(), EncodeLinked(), EncodeOver(), EncodeOverPlain(),
             EncodeOverDisks(), Repair(), RepairDisk(), RepairInPlace(), RepairBare(),
             RepairAgain(), DecodeNew(), DecodeOver()]


def fresh(folder):
    """Makes an empty folder.  Files that an earlier run left there are removed."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder
