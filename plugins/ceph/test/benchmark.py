# SPDX-License-Identifier: BSD-3-Clause
"""Runs ceph_erasure_code_benchmark with the original plugins, with ours, and with a plugin that
codes nothing.  benchmark.sh runs this program in a chroot.

    benchmark.py ORIGINAL OURS IDLE REPETITIONS [WORD...]    three folders of plugins

Words choose the codes whose line has one of them: cauchy_good, w=16, isa.

A figure is the bytes of objects coded per second of processor time (user and system, as the
kernel counts them), in GB of 10^9.  The time of a run of a single round is subtracted.  Every
repetition runs the three plugins one after another, and a ratio is taken within a repetition.
The output has medians.  For the ratio it also has the interval that holds the true median with
95 % or more, which is bounded by two of the sorted ratios.

The idle plugin's time is what Ceph's buffers, the benchmark and our adapter take.  "Coding" is
the ratio after this time is subtracted from both.  The original's own adapter cannot be timed
alone, so the time that it takes beyond ours counts as its coding.
"""
import math
import os
import statistics
import subprocess
import sys

SIZE = 1 << 20
SECONDS = 0.25  # of a run
# Plugin, technique, w, and the codes.
TECHNIQUES = (
    "isa reed_sol_van 8 10+4 8+3 4+2",
    "isa cauchy 8 10+4 8+3 4+2",
    "jerasure reed_sol_van 8 10+4 8+3 4+2",
    "jerasure reed_sol_van 16 10+4",
    "jerasure reed_sol_van 32 10+4",
    "jerasure reed_sol_r6_op 8 8+2 4+2",
    "jerasure cauchy_good 8 10+4 8+3 4+2",
    "jerasure cauchy_orig 8 10+4",
    "jerasure cauchy_orig 4 10+4",
    "jerasure liberation 7 6+2 4+2",
    "jerasure blaum_roth 6 6+2 4+2",
    "jerasure liber8tion 8 8+2 4+2",
)


class Case:
    def __init__(self, plugin, technique, w, code, workload):
        k, m = code.split("+")
        self.title = f"{plugin} {technique} | {code} | {w} | {workload}"
        self.options = ["-p", plugin, "-s", str(SIZE), "-w", workload]
        for pair in (f"k={k}", f"m={m}", f"technique={technique}", f"w={w}"):
            self.options += ["-P", pair]
        if workload == "decode":
            for lost in range(int(m)):
                self.options += ["--erased", str(lost)]

    def cpu_seconds(self, folder, rounds):
        """Returns the processor time of the whole process.  The plugin is loaded from
        `folder`."""
        process = subprocess.Popen(
            ["ceph_erasure_code_benchmark", "--no-mon-config", "-c", "/dev/null",
             "--erasure_code_dir", folder, *self.options, "-i", str(rounds)],
            stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{self.title}, {folder}: status {process.returncode}")
        return usage.ru_utime + usage.ru_stime


class Subject:
    """A case with the plugins of one folder.  Its samples are seconds per round."""

    def __init__(self, case, folder):
        self.case = case
        self.folder = folder
        self.start = statistics.median(case.cpu_seconds(folder, 1) for _ in range(5))
        few = 100
        took = max(case.cpu_seconds(folder, few) - self.start, 0.001)
        self.rounds = max(few, round(few * SECONDS / took))
        self.samples = []

    def sample(self):
        took = self.case.cpu_seconds(self.folder, self.rounds) - self.start
        self.samples.append(took / self.rounds)

    def speed(self):
        return SIZE / statistics.median(self.samples) / 1e9


def interval(samples):
    """Returns the interval of the median, without an assumption about how the samples spread.
    The chance that fewer than `low` of n samples lie below the true median is the chance of
    fewer than `low` heads in n tosses of a coin."""
    n = len(samples)
    low, tail = 0, 0.5 ** n
    while tail + math.comb(n, low + 1) * 0.5 ** n <= 0.025:
        low += 1
        tail += math.comb(n, low) * 0.5 ** n
    ordered = sorted(samples)
    return ordered[low], ordered[n - 1 - low]


def row(case, original, ours, idle):
    ratios = [a / b for a, b in zip(original.samples, ours.samples)]
    low, high = interval(ratios)
    coding = [statistics.median(s.samples) - statistics.median(idle.samples)
              for s in (original, ours)]
    return (f"| {case.title} | {original.speed():.1f} | {ours.speed():.1f} "
            f"| {statistics.median(ratios):.2f} | {low:.2f} to {high:.2f} "
            f"| {statistics.median(idle.samples) * 1e6:.1f} of "
            f"{statistics.median(ours.samples) * 1e6:.1f} us | {coding[0] / coding[1]:.2f} |")


def chosen(words):
    """The codes whose line has one of the words, or all."""
    for line in TECHNIQUES:
        plugin, technique, w, *codes = line.split()
        text = f"{plugin} {technique} w={w}"
        if not words or any(word in text.split() for word in words):
            yield from ((plugin, technique, w, code) for code in codes)


def main(*arguments):
    *folders, repetitions = arguments[:4]
    print("| technique | k+m | w | | original GB/s | ours GB/s | ratio | 95 % | idle | coding |")
    print("|---|---|---|---|--:|--:|--:|---|---|--:|")
    for code in chosen(arguments[4:]):
        for workload in ("encode", "decode"):
            case = Case(*code, workload)
            subjects = [Subject(case, folder) for folder in folders]
            for _ in range(int(repetitions)):
                for subject in subjects:
                    subject.sample()
            print(row(case, *subjects), flush=True)


main(*sys.argv[1:])
