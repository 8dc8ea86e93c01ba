#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests whether ec_perf measures what it says.  `make perf-self-test` runs it in a build folder.

- LIBRARY is measured under two names.  The ratio has to be 1.00 to within 1 %, and its interval
  has to be narrow.
- SLOWED does 5 % more work than LIBRARY.  The interval of the ratio has to be above 1.  The test
  also tries 2 % more work, and reports the result.  SLOWED does the additional work in a separate
  call.  With short shards this call costs more than its share, so the shards are long here.
- A machine that this test loads has to be reported as noisy, and a quiet machine as quiet.

This program judges times, so `make check` does not run it.  If other programs load the machine,
the tests that need a quiet machine are skipped by name.
"""
import argparse
import os
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True  # the sources may be read-only
sys.path.insert(0, str(Path(__file__).resolve().parent / "report"))

from machine import describe  # noqa: E402
from rows import ec_perf  # noqa: E402

TOO_NOISY = "skipped"  # what is said of rows that tell nothing


class Test:
    def __init__(self, options):
        self.options = options
        self.allowed = sorted(os.sched_getaffinity(0))
        self.core = self.allowed[-1]
        self.counts = Counter()

    def judge(self, word, text):
        self.counts[word] += 1
        print(f"{word}: {text}", flush=True)

    def measure(self, subject, *words, **environment):
        """Runs ec_perf.  Returns the subject's rows, and the verdict on the machine."""
        rows, said = ec_perf(self.options.ec_perf, "--cpu", self.core, *words, **environment)
        rows = [row for row in rows if row.subject == subject]
        if not rows:
            sys.exit(f"{said}self_test.py: ec_perf did not measure {subject}")
        verdict = re.search(r"^machine: [qN].*", said, re.M)
        return rows, verdict[0] if verdict else "no verdict"

    def few(self):
        """Returns the verdict after a short measurement."""
        library = self.options.library
        return self.measure("two", "--len", "4K,16K,64K,256K", f"one={library}",
                            f"two={library}")[1]


def text_of(row):
    return (f"{row.shape}: {'{:.4f} [{:.4f}, {:.4f}]'.format(*row.ratio)}"
            f"{', noisy' if row.noisy else ''}")


# --------------------------------------------------------------------- figures --

# The limit is 1 %, because the coding tables of the two are at different addresses.  That alone
# made a difference of 0.6 % with a stripe that just exceeds L1 (4+2 of 16 KiB, with one file and
# with a copy of it).  A wide interval can contain 1 by chance, and noisy rows tell nothing.
def test_same(test):
    library = test.options.library
    for k, m in (("10", "4"), ("4", "2")):
        rows, _ = test.measure("two", "-k", k, "-m", m, "--len", "1K,16K,64K",
                               "--op", "encode,update", f"one={library}", f"two={library}")
        for row in rows:
            same = 0.99 < row.ratio.median < 1.01 and row.ratio.high - row.ratio.low <= 0.02
            test.judge(TOO_NOISY if row.noisy else "passed" if same else "FAILED",
                       f"same library: {text_of(row)}")
        exactly = sum(row.ratio.low <= 1 <= row.ratio.high for row in rows)
        print(f"same library: {exactly} of these intervals contain 1 itself (aim 96 %)")


def test_slowed(test):
    for percent in (5, 2):
        rows, _ = test.measure("slowed", "--len", "64K,256K,1M",
                               f"one={test.options.library}", f"slowed={test.options.slowed}",
                               PERF_SLOWED_LIBRARY=test.options.library,
                               PERF_SLOWED_PERCENT=str(percent))
        for row in rows:
            text = f"slowed by {percent} %: {text_of(row)}"
            if percent != 5:
                print(f"{'detected' if row.ratio.low > 1 else 'not detected'}: {text}")
            else:
                test.judge("passed" if row.ratio.low > 1 else TOO_NOISY if row.noisy
                           else "FAILED", text)


# --------------------------------------------------------------------- machine --

def busy_seconds():
    """How long all cores have worked.  noise.c counts the same kinds of work."""
    fields = Path("/proc/stat").read_text().split("\n")[0].split()
    return sum(int(fields[i]) for i in (1, 2, 3, 6, 7)) / os.sysconf("SC_CLK_TCK")


def expect(test, what, pattern):
    verdict = test.few()
    test.judge("passed" if re.match(f"machine: {pattern}", verdict) else "FAILED",
               f"{what}: {verdict}")


def test_quiet(test):
    before = busy_seconds()
    time.sleep(2)
    others = (busy_seconds() - before) / 2
    if others > 0.3:
        test.judge("skipped", f"quiet machine (other programs use {others:.2f} cores)")
    else:
        expect(test, "quiet machine", "quiet")


def test_loaded(test, what, cores, command, pattern):
    """Expects that verdict while the command runs on each of the cores."""
    if not cores:
        test.judge("skipped", f"{what} (there is only one core)")
        return
    started = [subprocess.Popen(command, stderr=subprocess.DEVNULL,
                                preexec_fn=lambda core=core: os.sched_setaffinity(0, {core}))
               for core in cores]
    try:
        expect(test, what, pattern)
    finally:
        for process in started:
            process.kill()
            process.wait()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("ec_perf", "library", "slowed"):
        parser.add_argument(name, metavar=name.upper())
    test = Test(parser.parse_args())
    print(f"{describe()['processor']}; core {test.core}; load average "
          f"{os.getloadavg()[0]:.2f}")
    test_same(test)
    test_slowed(test)
    test_quiet(test)
    test_loaded(test, "spinner on the same core", [test.core],
                ["sh", "-c", "while :; do :; done"], "NOISY.* preempted")
    # Each of these goes through 64 MiB again and again.
    test_loaded(test, "memory walkers on the other cores", test.allowed[:-1],
                ["dd", "if=/dev/zero", "of=/dev/null", "bs=64M"], "NOISY.* busy neighbours")
    counts = test.counts
    print(f"self_test: {counts['passed']} passed, {counts['FAILED']} failed, "
          f"{counts['skipped']} skipped")
    return 1 if counts["FAILED"] else 0


if __name__ == "__main__":
    sys.exit(main())
