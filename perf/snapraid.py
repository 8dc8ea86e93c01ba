#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""SnapRAID's own speed test beside the same work done by this library.

`snapraid -T` and `ec_perf` take turns on one core.  The medians of the rounds stand side by
side, in GB/s of the data that the parity protects (k*len).  For SnapRAID each function's
fastest variant counts, whichever it would choose itself. doc/perf-peers.md says what is the
same in both, and what is not.
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # the sources may be read-only
sys.path.insert(0, str(Path(__file__).resolve().parent / "report"))

from rows import FormatError, PeerSpeed, ec_perf, write_table  # noqa: E402
from subjects import package_version  # noqa: E402

# For each function of SnapRAID, the operation that does the same here.
RAID = {"gen1": "gen_p", "gen2": "gen_pq", "rec1": "rec_d_q"}
CODES = {"genz": ("encode", "vand", 3)}  # operation, matrix, m
CODES |= {f"gen{m}": ("encode", "cauchy", m) for m in (3, 4, 5, 6)}
CODES |= {f"rec{m}": ("decode", "cauchy", m) for m in (2, 3, 4, 5, 6)}
DISKS, LENGTH = 8, 256 * 1024  # what SnapRAID's test works on
FUNCTIONS = ["gen1", "gen2", "genz", "gen3", "gen4", "gen5", "gen6",
             "rec1", "rec2", "rec3", "rec4", "rec5", "rec6"]


class Unknown(Exception):
    """A program printed something that this program cannot read."""


def output(*command, cpu):
    """Returns the standard output of a command that runs on that core."""
    return subprocess.run([str(word) for word in command], check=True, text=True,
                          stdout=subprocess.PIPE,
                          preexec_fn=lambda: os.sched_setaffinity(0, {cpu})).stdout


def fields(line, first, width):
    """Splits a line of a table into its columns, the first of which has another width."""
    rest = line[first:]
    return [line[:first].strip()] + [rest[i:i + width].strip()
                                     for i in range(0, len(rest), width)]


# ------------------------------------------------------------------ theirs ----

def snapraid_version(program, cpu):
    """Returns the version.  Builds from a package may not know their own."""
    said = re.search(r"v(\S+)", output(program, "--version", cpu=cpu))
    if said is None:
        raise Unknown(f"{program} --version prints no version")
    return said[1] if said[1] != "none" else package_version("snapraid") or "of unknown version"


def recovery_blocks(version):
    """Returns how many blocks a recovery protects for each block that it is counted as, or None
    where that is not known.

    Version 12 counts a recovery as a single block, however many disks there are.  Version 14
    counts all blocks: recovering one block includes generating anew, but would take less time
    than generating does if the printed figure were that of a single block.
    """
    return {"12": DISKS, "14": 1, "15": 1}.get(version.split(".")[0])


def numbers(version):
    """Returns 14.9-1 as (14, 9), so that versions can be compared."""
    return [int(number) for number in re.findall(r"\d+", version.split("-")[0])]


def newest(build, cpu):
    """Returns the installed program, or the one that perf/peers/build.sh has made if that is
    newer."""
    found = [program for program in ("snapraid", str(build / "perf/peers/snapraid-sid"))
             if shutil.which(program)]
    return max(found, default=None,
               key=lambda program: numbers(snapraid_version(program, cpu)))


def speed_test(program, cpu):
    """Returns what `snapraid -T` prints.  It measures elapsed time."""
    before = os.times()
    text = output(program, "-T", cpu=cpu)
    after = os.times()
    used = (after.children_user + after.children_system
            - before.children_user - before.children_system)
    share = used / (after.elapsed - before.elapsed)
    if share < 0.95:
        print(f"noisy: SnapRAID had {100 * share:.0f} % of the core, so its figures are too low")
    return text


def snapraid_rates(text, blocks):
    """Returns {function: (GB/s, variant)} of k*len, from MB/s of 1e6 bytes."""
    if f"using {DISKS} data buffers of {LENGTH} bytes" not in text:
        raise Unknown(f"snapraid -T did not measure {DISKS} disks of {LENGTH} bytes")
    rates, head = {}, []
    for line in text.splitlines():
        columns = fields(line, 8, 8)
        if "best" in columns[1:2]:
            head = columns
        elif columns[0] in FUNCTIONS:
            scale = 1 if columns[0].startswith("gen") else blocks
            timed = [(1e-3 * int(rate) * scale, name)
                     for name, rate in zip(head[2:], columns[2:]) if rate and scale]
            if timed:
                rates[columns[0]] = max(timed)
    return rates


# -------------------------------------------------------------------- ours ----

def our_rates(options):
    """Returns {function: (GB/s, kernel set)}: the RAID functions with the best set of each, and
    the codes with the set that the library chooses, as ""."""
    def timed(*words):
        return ec_perf(options.build / "perf/ec_perf", "-k", DISKS, "--len", LENGTH,
                       "--cpu", options.cpu, *words)[0]

    raid = timed("--op", ",".join(RAID.values()), f"{options.build}/perf/.libs/permxor.so@all")
    rates = {}
    for function, operation in RAID.items():
        sets = [(row.gbs, row.subject) for row in raid if row.shape.operation == operation]
        if not sets:
            raise Unknown(f"ec_perf did not time {operation}")
        rates[function] = max(sets)
    for function, (operation, matrix, m) in CODES.items():
        row, = timed("-m", m, "--matrix", matrix, "--op", operation, options.library)
        rates[function] = row.gbs, ""
    return rates


# ------------------------------------------------------------------ rounds ----

def measure(options, blocks, theirs, ours):
    """Does one round.  The program that begins changes from round to round."""
    def their_turn():
        theirs.append(snapraid_rates(speed_test(options.snapraid, options.cpu), blocks))

    def our_turn():
        ours.append(our_rates(options))

    turns = [their_turn, our_turn]
    for turn in turns if len(theirs) % 2 == 0 else turns[::-1]:
        turn()


def median(rounds, function):
    """Returns the median GB/s and what ran there, or None where it was not timed.

    Each round takes its own fastest variant.  Where these differ, all are named.
    """
    if any(function not in rates for rates in rounds):
        return None
    names = dict.fromkeys(rates[function][1] for rates in rounds)
    return statistics.median(rates[function][0] for rates in rounds), "/".join(names)


def print_table(theirs, ours):
    print(f"{'function':<9}{'SnapRAID':>10} {'variant':<9}{'permxor':>10} {'set':<16}"
          f"{'speed-up':>9}")
    for function in FUNCTIONS:
        their, our = median(theirs, function), median(ours, function)
        if their is None:
            print(f"skipped: {function} (SnapRAID does not time it, or this script does not "
                  "know how SnapRAID counts its bytes)")
            continue
        print(f"{function:<9}{their[0]:>10.2f} {their[1]:<9}{our[0]:>10.2f} {our[1]:<16}"
              f"{our[0] / their[0]:>9.2f}")


def write_csv(path, theirs, ours):
    write_table(path, PeerSpeed, [
        PeerSpeed(peer, function, found[0])
        for peer, rounds in (("snapraid", theirs), ("permxor", ours))
        for function in FUNCTIONS if (found := median(rounds, function))])


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=Path("."),
                        help="folder of this project's build [.]")
    parser.add_argument("--library", type=Path,
                        help="the library to time [.libs/libisal.so.2 of the build]")
    parser.add_argument("--snapraid", help="the program [the newer one of the installed program "
                        "and the program of make perf-peers]")
    parser.add_argument(
        "--rounds", type=int, default=3, help="number of rounds; each takes a minute [3]"
    )
    parser.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)),
                        help="the core to work on [the last one allowed]")
    parser.add_argument("--csv", type=Path, help="write peer,function,gbs to this file")
    options = parser.parse_args()
    if options.cpu not in os.sched_getaffinity(0):
        parser.error(f"--cpu: core {options.cpu} is not allowed here")
    if options.library is None:
        options.library = options.build / ".libs/libisal.so.2"
    return options


def main():
    options = read_options()
    options.build = options.build.resolve()
    options.snapraid = options.snapraid or newest(options.build, options.cpu)
    if options.snapraid is None or shutil.which(options.snapraid) is None:
        print("skipped: snapraid (it is not installed)")
        return 0
    version = snapraid_version(options.snapraid, options.cpu)
    theirs, ours = [], []
    for _ in range(options.rounds):
        measure(options, recovery_blocks(version), theirs, ours)
    print(f"SnapRAID {version}, {options.rounds} rounds, GB/s of k*len on core {options.cpu}")
    print_table(theirs, ours)
    if options.csv:
        write_csv(options.csv, theirs, ours)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Unknown, FormatError, OSError, ValueError, subprocess.SubprocessError) as error:
        sys.exit(f"snapraid.py: {error}")
