# SPDX-License-Identifier: BSD-3-Clause
"""The commands that pairs.py runs at the same time, and the folders that they start with."""
import os
import random
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from scenarios import NEW, OLD, SHARDS, fresh

FEW = random.Random(3).randbytes(650)
MANY = random.Random(4).randbytes(1500)
PLAIN = random.Random(5).randbytes(720)
LEFT = random.Random(6).randbytes(610)
INPUTS = {"new": NEW, "few": FEW, "many": MANY, "plain": PLAIN}
# Each set has more than one stripe.  The sets differ in their shards, cells and codes.
SHAPES = {"new": ["-k4", "-m2", "--cell=64"],
          "few": ["-k3", "-m2", "--cell=128", "--matrix=jerasure_liber8tion", "--packetsize=8"],
          "many": ["-k5", "-m3", "--cell=64"], "plain": ["-k4", "-m2", "--cell=64"]}
HIDDEN = ".permxor-"


@dataclass(frozen=True)
class Job:
    """A command, the content that an encode writes, and the statuses that are allowed."""
    name: str
    arguments: tuple
    statuses: frozenset
    content: bytes = None
    forced: bool = False

    def line(self, sync):
        verb, *rest = self.arguments
        return [verb, "--quiet", *([] if sync or verb == "verify" else ["--no-sync"]), *rest]

    @property
    def output(self):
        """The file to which the command decodes, in the folder of the round."""
        return {"decode": "out", "decode-into": f"{SHARDS}/f"}.get(self.name)


def encode(which, *options):
    arguments = ("encode", "--name=f", *SHAPES[which], "-j1", "-o", SHARDS, *options, which)
    return Job(f"encode-{which}", arguments, frozenset({0, 3}), INPUTS[which], bool(options))


# Status 5 is allowed if there is no set, or if there are two because a command was killed.
JOBS = [
    encode("new", "--force"), encode("few", "--force"), encode("many", "--force"),
    encode("plain"),
    Job("repair", ("repair", "-j1", SHARDS), frozenset({0, 3, 5})),
    Job("repair-force", ("repair", "-j1", "--force", SHARDS), frozenset({0, 3, 5})),
    Job("decode", ("decode", "-j1", "--force", "-o", "out", SHARDS), frozenset({0, 3, 5})),
    Job("decode-into", ("decode", "-j1", "--force", "-o", SHARDS, SHARDS),
        frozenset({0, 3, 5})),
    Job("verify", ("verify", "-j1", SHARDS), frozenset({0, 1, 5})),
    Job("verify-deep", ("verify", "-j1", "--deep", SHARDS), frozenset({0, 1, 5})),
]


# -------------------------------------------------------------- start states --

def shard(number):
    return f"f.{number:03d}.pxr"


def corrupt(folder):
    for number in (1, 4):
        path = folder / SHARDS / shard(number)
        content = bytearray(path.read_bytes())
        content[540 + 80 * (number % 2)] ^= 1
        path.write_bytes(content)


def interrupt(command, folder):
    """Makes the files that encode --force leaves if it is killed after three exchanges."""
    old = folder / "old"
    (folder / SHARDS).rename(old)
    command.encode(folder, LEFT, 2)
    for number in range(6):
        hidden = folder / SHARDS / f"{HIDDEN}{number:016x}.tmp"
        if number < 3:
            shutil.copy(old / shard(number), hidden)
        else:
            (folder / SHARDS / shard(number)).rename(hidden)
            shutil.copy(old / shard(number), folder / SHARDS / shard(number))
    shutil.rmtree(old)


@dataclass
class Start:
    """The folder at the start of a round, and the contents that its sets decode to."""
    name: str
    contents: list
    folder: Path = None
    hidden: set = field(default_factory=set)

    def prepare(self, command, folder):
        self.folder = fresh(folder)
        if self.contents:
            command.encode(folder, OLD, 2)
        else:
            (folder / SHARDS).mkdir()
        if self.name == "damaged":
            corrupt(folder)
        elif self.name == "missing":
            (folder / SHARDS / shard(2)).unlink()
        elif self.name == "interrupted":
            interrupt(command, folder)
        (folder / "f").unlink(missing_ok=True)
        for name, content in INPUTS.items():
            (folder / name).write_bytes(content)
        self.hidden = hidden(folder)


def hidden(folder):
    return {name for name in os.listdir(folder / SHARDS) if name.startswith(HIDDEN)}


STARTS = [Start("empty", []), Start("good", [OLD]), Start("damaged", [OLD]),
          Start("missing", [OLD]), Start("interrupted", [OLD, LEFT])]
