# SPDX-License-Identifier: BSD-3-Clause
"""Runs two and three commands at once on one folder, and judges the files that they leave.

    pairs.py PROGRAM PRELOAD [--pairs=N] [--triples=N] [--seed=N] [--only=NUMBER]
             [--keep=FOLDER]

PROGRAM is the command itself, and PRELOAD is the library of unit/faults/*.c.  Each pair of the
commands in jobs.py runs --pairs times, and --triples triples are drawn at random.  A round has
a start state, and a delay before each command.

In some rounds a command is killed.  In others all commands but one are stopped, each before one
of its system calls, until the others have ended.  PRELOAD stops them.  By chance alone,
commands would rarely meet in the short gaps between two calls.

Everything is drawn from the seed and the number of the round, so --only repeats a round, but
not to the microsecond.  Round.judge() has the rules for the result.
"""
import argparse
import itertools
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True

from jobs import JOBS, STARTS, Job, hidden  # noqa: E402
from scenarios import HANGS, OLD, SHARDS, Command, files  # noqa: E402


# -------------------------------------------------------------------- rounds --

@dataclass
class Running:
    """A command of a round.  Its times are in seconds from the start of the round."""
    job: Job
    starts: float
    kill_at: float = None
    stop_before: int = 0  # the number of a system call, or 0
    process: subprocess.Popen = None
    status: int = None
    said: str = ""

    @property
    def killed(self):
        return self.status == -signal.SIGKILL

    @property
    def done(self):
        return self.status == 0


def events(commands):
    for one in commands:
        yield one.starts, "start", one
        if one.kill_at is not None:
            yield one.kill_at, "kill", one


class Round:
    def __init__(self, seed, number, jobs, alone):
        draw = random.Random(f"{seed} {number}")
        self.number, self.draw = number, draw
        self.start = draw.choice(STARTS)
        # Most rounds do not sync, because they would wait for the disk.
        self.sync = draw.random() < 0.1
        takes = {job.name: alone[job.name, self.sync].seconds for job in jobs}
        self.longest = max(takes.values())
        self.commands = [Running(job, draw.uniform(0, self.longest)) for job in jobs]
        self.mode = draw.choice(["all end", "all end", "one is killed", "stopped on the way",
                                 "stopped on the way"])
        draw.shuffle(self.commands)
        if self.mode == "one is killed":
            victim = self.commands[0]
            victim.kill_at = victim.starts + draw.uniform(0, takes[victim.job.name])
        elif self.mode == "stopped on the way":
            for victim in self.commands[1:]:
                victim.starts = 0
                calls = alone[victim.job.name, False].calls
                # Prefers calls near the end, where files get their names.
                victim.stop_before = calls - int(calls * draw.random() ** 2)

    def __str__(self):
        names = ", ".join(one.job.name for one in self.commands)
        return f"round {self.number} ({names}; start: {self.start.name}; {self.mode})"

    def spawn(self, command, preload, folder, one):
        environment = command.environment
        if one.stop_before > 0:
            environment = dict(environment, LD_PRELOAD=preload, FAULTS_ROOT=str(folder),
                               FAULTS_DO="stop", FAULTS_AT=str(one.stop_before),
                               FAULTS_SEED=str(self.draw.getrandbits(64)))
        with open(folder / f"said.{self.commands.index(one)}", "wb") as said:
            one.process = subprocess.Popen(
                [command.program, *one.job.line(self.sync)], cwd=folder, close_fds=False,
                env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=said)

    def play(self, command, preload, folder):
        began = time.monotonic()
        for when, what, one in sorted(events(self.commands), key=lambda event: event[0]):
            time.sleep(max(0, began + when - time.monotonic()))
            if what == "start":
                self.spawn(command, preload, folder, one)
            elif one.process.poll() is None:
                one.process.kill()
        # Twice, because a command may wait for a lock of another command that is stopped, too.
        for one in self.commands * 2:
            self.go_on(one)
            self.await_end(one, min(1, 5 * self.longest))  # less than readers wait
        for number, one in enumerate(self.commands):
            self.await_end(one, HANGS)
            one.status = one.process.poll()
            one.said = (folder / f"said.{number}").read_text(errors="replace")
            one.process.kill()
            one.process.wait()

    @staticmethod
    def has_stopped(process):
        try:
            options = os.WSTOPPED | os.WNOWAIT | os.WNOHANG
            return os.waitid(os.P_PID, process.pid, options) is not None
        except ChildProcessError:  # it has ended
            return False

    def go_on(self, one):
        """Continues a command after it has stopped, if it stops soon."""
        until = time.monotonic() + 5 * self.longest
        while one.stop_before > 0 and one.process.poll() is None and time.monotonic() < until:
            if self.has_stopped(one.process):
                one.process.send_signal(signal.SIGCONT)
                return
            time.sleep(0.001)

    @staticmethod
    def await_end(one, seconds):
        try:
            one.process.wait(seconds)
        except subprocess.TimeoutExpired:
            pass

    # --------------------------------------------------------------- judge --

    def written(self, *states):
        return [one.job.content for one in self.commands if one.job.content is not None and
                any(getattr(one, state) for state in states)]

    @property
    def any_killed(self):
        return any(one.killed for one in self.commands)

    def judge_command(self, one, folder):
        allowed = self.start.contents + [other.job.content for other in self.commands]
        output = folder / one.job.output if one.job.output else None
        found = output.read_bytes() if output and output.exists() else None
        if found is not None and found not in allowed:
            return "decoded to a content that no command wrote"
        if one.done and output and found is None:
            return "status 0, but the file is missing"
        if one.status is None:
            return "does not end"
        if one.killed and one.kill_at is not None:
            return None
        if one.status not in one.job.statuses:
            return f"status {one.status}"
        if one.status == 5 and self.start.contents == [OLD] and not self.any_killed:
            return "refuses a folder that always had exactly one set"
        if one.status > 1 and not re.search(r"^permxor: .+", one.said, re.M):
            return f"status {one.status} without a message"
        return None

    def judge_set(self, command, folder):
        """Checks the content to which the folder decodes.  Returns what is wrong, or None."""
        plain = command.plain(folder)
        found = [plain.stdout] if plain.returncode == 0 else command.contents(folder)
        known = self.start.contents + [one.job.content for one in self.commands]
        expected = self.written("done") or self.start.contents
        possible = expected + self.written("killed")
        if any(content not in known for content in found):
            return "the shards decode to a content that no command wrote"
        if not expected or self.any_killed:
            lost = expected and not any(content in possible for content in found)
            return "LOST: nothing decodes" if lost else None
        if not self.written("done") and len(self.start.contents) > 1:
            return None if set(expected) <= set(found) else "LOST: one of two sets"
        if plain.returncode == 0 and plain.stdout in expected:
            return None
        return "LOST: the folder does not decode to what was written last"

    def judge_rest(self, command, folder):
        if self.any_killed:
            return None
        if hidden(folder) - self.start.hidden:
            return "temporary files are left behind"
        repaired = any(one.done and one.job.name.startswith("repair") for one in self.commands)
        if repaired and not self.written("done") and not command.is_whole(folder):
            return "repair ended with status 0, but verify finds damage"
        writes = [one for one in self.commands if one.job.forced]
        if writes and not any(one.done for one in self.commands if one.job.output is None):
            return "the commands blocked each other, and none did its work"
        return None

    def judge(self, command, folder):
        """Returns what is wrong, or None."""
        for one in self.commands:
            found = self.judge_command(one, folder)
            if found:
                return f"{one.job.name}: {found}"
        return self.judge_set(command, folder) or self.judge_rest(command, folder)


# ------------------------------------------------------------------- harness --

@dataclass
class Alone:
    """The time and the number of system calls of a command that runs alone."""
    seconds: float
    calls: int


class Harness:
    def __init__(self, arguments, work):
        environment = dict(os.environ, LC_ALL="C", PERMXOR_TUNE="")
        environment["LD_LIBRARY_PATH"] = str(Path(arguments.program).parent)
        self.command = Command(arguments.program, environment)
        self.arguments, self.folder = arguments, work / "run"
        self.failures, self.statuses = [], {}
        self.counts = dict.fromkeys(["rounds", "killed", "stopped", "two sets", "losses"], 0)
        for start in STARTS:
            start.prepare(self.command, work / start.name)
        self.takes = {(job.name, sync): self.alone(job, sync, work / "log")
                      for job in JOBS for sync in (False, True)}

    def copy(self, start):
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(start.folder, self.folder)

    def timed(self, job, sync, **environment):
        self.copy(STARTS[3])
        began = time.monotonic()
        self.command.run(self.folder, *job.line(sync),
                         environment=dict(self.command.environment, **environment))
        return time.monotonic() - began

    def alone(self, job, sync, log):
        log.unlink(missing_ok=True)
        self.timed(job, sync, LD_PRELOAD=self.arguments.preload, FAULTS_LOG=str(log),
                   FAULTS_ROOT=str(self.folder))
        calls = len(log.read_text().splitlines()) if log.exists() else 0
        return Alone(min(self.timed(job, sync) for _ in range(3)), calls)

    @property
    def preloads(self):
        return all(alone.calls > 0 for alone in self.takes.values())

    def rounds(self):
        pairs = itertools.combinations_with_replacement(JOBS, 2)
        jobs = [pair for pair in pairs for _ in range(self.arguments.pairs)]
        draw = random.Random(self.arguments.seed)
        jobs += [draw.choices(JOBS, k=3) for _ in range(self.arguments.triples)]
        for number, some in enumerate(jobs, 1):
            if self.arguments.only in (None, number):
                yield Round(self.arguments.seed, number, some, self.takes)

    def count(self, one_round):
        counts = self.counts
        counts["rounds"] += 1
        counts["killed"] += one_round.any_killed
        counts["stopped"] += one_round.mode.startswith("stopped")
        counts["two sets"] += self.command.plain(self.folder).returncode == 5
        for one in one_round.commands:
            key = (one.job.name, one.status)
            self.statuses[key] = self.statuses.get(key, 0) + 1

    def fail(self, one_round, found):
        self.failures.append(found)
        self.counts["losses"] += found.startswith("LOST")
        print(f"FAILED: {one_round}: {found} [make check-command-pairs "
              f"PAIRS={self.arguments.pairs} ARGS='--triples={self.arguments.triples} "
              f"--seed={self.arguments.seed} --only={one_round.number}']")
        for one in one_round.commands:
            print(f"    {one.job.name} at {one.starts * 1000:.1f} ms: status {one.status}")
            print("".join(f"        {line}\n" for line in one.said.splitlines()), end="")
        print(f"    in the folder: {' '.join(sorted(files(self.folder / SHARDS)))}", flush=True)
        if self.arguments.keep:
            shutil.copytree(self.folder, Path(self.arguments.keep) / str(one_round.number),
                            dirs_exist_ok=True)

    def run(self):
        for one_round in self.rounds():
            self.copy(one_round.start)
            one_round.play(self.command, self.arguments.preload, self.folder)
            found = one_round.judge(self.command, self.folder)
            self.count(one_round)
            if found:
                self.fail(one_round, found)

    def report(self):
        for job in JOBS:
            ends = sorted((status, count) for (name, status), count in self.statuses.items()
                          if name == job.name)
            print(f"{job.name:14}" + ", ".join(
                f"{count} x status {status}" if status >= 0 else f"{count} x killed"
                for status, count in ends))
        print(", ".join(f"{name}: {count}" for name, count in self.counts.items()))
        failed = len(self.failures)
        print(f"command_pairs: {self.counts['rounds'] - failed} passed, {failed} failed, "
              "0 skipped")
        return failed == 0 and self.counts["rounds"] > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", type=os.path.realpath)
    parser.add_argument("preload", type=os.path.realpath)
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--triples", type=int, default=400)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", help="copy the folders of failed rounds to this folder")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="permxor-pairs.") as work:
        harness = Harness(arguments, Path(work).resolve())
        if not harness.preloads:
            print("skipped: command_pairs (the command does not take LD_PRELOAD)")
            print("command_pairs: 0 passed, 0 failed, 1 skipped")
            return 0
        print(f"seed {arguments.seed}; a command that runs alone takes "
              f"{1000 * min(alone.seconds for alone in harness.takes.values()):.1f} to "
              f"{1000 * max(alone.seconds for alone in harness.takes.values()):.1f} ms")
        harness.run()
        return 0 if harness.report() else 1


if __name__ == "__main__":
    sys.exit(main())
