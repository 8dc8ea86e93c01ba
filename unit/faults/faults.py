# SPDX-License-Identifier: BSD-3-Clause
"""Lets each system call of the command fail in turn, and judges the files that are left.

    faults.py PROGRAM PRELOAD [--kinds=all|sample] [--effort=PERCENT]
              [--only=SCENARIO[:CALL[:KIND]]]

PROGRAM is the command itself, and PRELOAD is the library of unit/faults/*.c.  A run without a
fault counts the calls.  Then the command runs once for each call and each kind of fault, in a
new copy of the scenario's folder (scenarios.py).  After each run the result is judged without
faults:

  - If the status is not 0, a message must name the error.
  - If the status is 0, all of the work must be done.
  - With every status, the old or the new content must still be there.

--kinds=sample runs the cases that SAMPLE lists.  --effort draws so many of them at random.
--only runs one scenario, or repeats one call and shows the command's messages.
"""
import argparse
import errno
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True

from scenarios import SCENARIOS, Command, fresh  # noqa: E402

READS = {"read", "readv", "pread", "preadv", "pread64", "preadv64"}
WRITES = {"write", "writev", "pwrite", "pwritev", "pwrite64", "pwritev64"}
SYNCS = {"fsync", "fdatasync", "close"}


@dataclass(frozen=True)
class Kind:
    name: str
    do: str  # FAULTS_DO
    loss: str = ""  # FAULTS_LOSS
    stays: bool = False
    calls: frozenset = frozenset()  # the calls that can have this fault; empty for all calls

    @property
    def crash(self):
        return self.do in ("kill", "torn")


def fails(name, **more):
    return Kind(name, str(getattr(errno, name.split("-")[0])), **more)


MOVES = frozenset(READS | WRITES | {"getrandom"})
KINDS = [
    *[fails(name) for name in ("EIO", "ENOSPC", "EDQUOT", "EINTR", "ENOSYS")],
    fails("EIO-stays", stays=True), fails("ENOSYS-stays", stays=True),
    # The machine dies after the command has ended.
    fails("EIO-power", loss="all"),
    Kind("short", "short", calls=MOVES), Kind("zero", "zero", calls=MOVES),
    Kind("zero-stays", "zero", stays=True, calls=MOVES),
    Kind("kill", "kill"), Kind("torn", "torn", calls=frozenset(WRITES)),
    *[Kind(f"kill-{loss}", "kill", loss=loss) for loss in ("old", "zeros", "names", "all")],
]

# `make check` runs these kinds of fault in these scenarios.
SAMPLE = {
    "encode": ["EIO", "kill"],
    "encode-unsynced": ["EIO", "kill"],
    "encode-linked": ["EIO", "kill"],
    "encode-plain": ["EIO"],
    "encode-disks": ["EIO-power"],
    "repair": ["EIO", "kill"],
    "repair-disk": ["EIO", "kill"],
    "in-place": ["EIO", "kill"],
    "in-place-bare": ["kill-zeros"],
    "in-place-again": ["kill-zeros"],
    "decode": ["EIO", "kill", "kill-all"],
    "decode-over": ["EIO", "kill", "kill-all"],
}


@dataclass
class Sum:
    calls: int = 0
    faults: int = 0
    crashes: int = 0
    states: int = 0
    failed: int = 0


class Harness:
    def __init__(self, program, preload, work, show, effort):
        environment = dict(os.environ, LC_ALL="C", PERMXOR_TUNE="")
        environment["LD_LIBRARY_PATH"] = str(Path(program).parent)
        self.preload, self.show, self.effort = str(preload), show, effort
        self.start, self.folder = work / "start", work / "run"
        self.keep, self.log = work / "keep", work / "log"
        self.command = Command(program, environment)
        self.failures = []
        self.sums = {}

    # ------------------------------------------------------------- one run --

    def faulty(self, scenario, call=0, kind=None, loss=""):
        """Runs the scenario in a new copy of its folder.

        Returns the calls as (name, path), and the result.
        """
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.start, self.folder)
        fresh(self.keep)
        self.log.unlink(missing_ok=True)
        environment = dict(self.command.environment, LD_PRELOAD=self.preload,
                           FAULTS_ROOT=str(self.folder), FAULTS_KEEP=str(self.keep),
                           FAULTS_LOG=str(self.log), FAULTS_AT=str(call))
        loss = kind.loss if kind else loss
        if kind:
            environment["FAULTS_DO"] = kind.do
        if kind and kind.stays:
            environment["FAULTS_STAYS"] = "1"
        if loss:
            environment["FAULTS_LOSS"] = loss
        if scenario.lacks:
            environment["FAULTS_LACKS"] = scenario.lacks
        result = self.command.run(self.folder, *scenario.arguments, environment=environment)
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [tuple(line.split(" ", 2)[1:]) for line in lines], result

    def judge(self, scenario, result, crash):
        if crash:
            if result.returncode != -9:
                return f"error of this test: status {result.returncode} after a kill"
            return scenario.judge(self.command, self.folder, result.returncode)
        message = result.stderr.decode(errors="replace")
        if result.returncode < 0:
            return f"died of signal {-result.returncode}"
        if result.returncode > 0 and not re.search(r"^permxor: .+: .+", message, re.M):
            return f"status {result.returncode} without a message that names the error"
        if "memory" in message:  # no fault here is a lack of memory
            return "the message is about memory"
        return scenario.judge(self.command, self.folder, result.returncode)

    def try_one(self, scenario, call, kind):
        """Runs one fault.  Returns what is wrong, or None."""
        try:
            calls, result = self.faulty(scenario, call, kind)
        except subprocess.TimeoutExpired:
            return "does not end"
        if len(calls) < call:
            return "error of this test: there was no such call"
        found = self.judge(scenario, result, kind.crash)
        if self.show:
            print(f"{scenario.name}:{call}:{kind.name}: {' '.join(calls[call - 1])}: "
                  f"status {result.returncode}; {found or 'no error found'}")
            sys.stdout.write(result.stderr.decode(errors="replace"))
        return found

    # ------------------------------------------------------------ scenario --

    def fail(self, scenario, call, kind, name, path, found):
        self.sums[scenario.name].failed += 1
        where = os.path.relpath(path, self.folder) if path.startswith("/") else path
        print(f"FAILED: {scenario.name}, call {call} ({name} {where}), {kind}: {found} "
              f"[make check-command-faults ONLY={scenario.name}:{call}:{kind}]", flush=True)
        self.failures.append((scenario.name, name, kind, found))

    def undisturbed(self, scenario, sums):
        """Returns the calls of a run without faults, or None if it cannot be watched.

        Its work must outlast a crash after the end of the run.
        """
        calls, result = self.faulty(scenario)
        again, _ = self.faulty(scenario)
        if not calls:
            return None
        sums.states += 1
        found = self.judge(scenario, result, False)
        if result.returncode != 0 or found:
            self.fail(scenario, 0, "none", "none", "-", found or "it fails without a fault")
        # The command locks folders in the order of their inode numbers, and a copy may have
        # another order.
        if sorted(calls) != sorted(again):
            self.fail(scenario, 0, "none", "none", "-", "another run makes other calls")
        for loss in ("old", "zeros", "names"):
            _, result = self.faulty(scenario, loss=loss)
            sums.states += 1
            found = self.judge(scenario, result, False)
            # Without a sync the work must be lost.  Else this test loses nothing anywhere.
            if not scenario.lasts:
                found = None if found else "error of this test: nothing was lost"
            if found:
                self.fail(scenario, 0, f"power-{loss}", "exit", "-", found)
        return calls

    def begin(self, scenario):
        """Interrupts a run.  All later runs of the scenario start with the files it left."""
        calls, _ = self.faulty(scenario)
        named = [(name, os.path.basename(path)) for name, path in calls]
        if scenario.begun in named:
            power = next(kind for kind in KINDS if kind.name == "kill-zeros")
            self.faulty(scenario, named.index(scenario.begun) + 1, power)
            shutil.rmtree(self.start)
            shutil.copytree(self.folder, self.start)

    def run(self, scenario, kinds, only_call):
        sums = self.sums[scenario.name] = Sum()
        fresh(self.start)
        scenario.prepare(self.command, self.start)
        if scenario.begun:
            self.begin(scenario)
        calls = self.undisturbed(scenario, sums)
        if calls is None:
            return False
        sums.calls = len(calls)
        for number, (name, path) in enumerate(calls, 1):
            for kind in kinds:
                if only_call not in (None, number) or (kind.calls and name not in kind.calls):
                    continue
                if kind.loss and not scenario.lasts or 100 * random.random() >= self.effort:
                    continue
                found = self.try_one(scenario, number, kind)
                sums.states += 1
                sums.crashes += kind.crash
                sums.faults += not kind.crash
                if found:
                    self.fail(scenario, number, kind.name, name, path, found)
        return True

    # ------------------------------------------------------------- report --

    def report(self):
        groups = {}
        for failure in self.failures:
            groups[failure] = groups.get(failure, 0) + 1
        for (scenario, name, kind, found), count in groups.items():
            print(f"{count:5} x {scenario}, {name}, {kind}: {found}")
        columns = ("calls", "faults", "crashes", "states", "failed")
        print(f"{'':16}" + "".join(f"{column:>9}" for column in columns))
        for name, sums in self.sums.items():
            print(f"{name:16}" + "".join(f"{getattr(sums, column):9}" for column in columns))
        failed = sum(sums.failed for sums in self.sums.values())
        passed = sum(sums.states for sums in self.sums.values()) - failed
        print(f"command_faults: {passed} passed, {failed} failed, 0 skipped")
        return failed == 0 and passed > 0


def choose(arguments):
    """Yields the scenarios with their kinds, and the number of the only call or None."""
    only = (arguments.only or "").split(":")
    call = int(only[1]) if len(only) > 1 else None
    for scenario in SCENARIOS:
        names = [kind.name for kind in KINDS]
        if arguments.kinds == "sample":
            names = SAMPLE.get(scenario.name, [])
        if len(only) > 2:
            names = only[2:]
        kinds = [kind for kind in KINDS if kind.name in names]
        if kinds and only[0] in ("", scenario.name):
            yield scenario, kinds, call


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", type=os.path.realpath)
    parser.add_argument("preload", type=os.path.realpath)
    parser.add_argument("--kinds", choices=("all", "sample"), default="all")
    parser.add_argument("--effort", type=int, default=100)
    parser.add_argument("--only")
    arguments = parser.parse_args()
    seed = os.environ.get("PXR_SEED") or str(random.randrange(1 << 32))
    random.seed(seed)
    if arguments.effort < 100:
        print(f"command_faults: PXR_SEED={seed}")
    with tempfile.TemporaryDirectory(prefix="permxor-faults.") as work:
        harness = Harness(arguments.program, arguments.preload, Path(work).resolve(),
                          ":" in (arguments.only or ""), arguments.effort)
        for scenario, kinds, call in choose(arguments):
            if not harness.run(scenario, kinds, call):
                print("skipped: command_faults (the command does not take LD_PRELOAD)")
                print("command_faults: 0 passed, 0 failed, 1 skipped")
                return 0
        return 0 if harness.report() else 1


if __name__ == "__main__":
    sys.exit(main())
