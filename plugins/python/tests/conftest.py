# SPDX-License-Identifier: BSD-3-Clause
import os
import random
import subprocess
import sys

import pytest
from hypothesis import settings

settings.register_profile("permxor", deadline=None, max_examples=100)
settings.load_profile("permxor")


@pytest.fixture
def rng(request):
    """Random numbers that are the same in every run of a test."""
    return random.Random(request.node.nodeid)


@pytest.fixture
def child():
    """Runs Python code in a process of its own, whose status must be 0."""
    # wheels.sh gives the words of a command where an emulator runs the interpreter.
    interpreter = os.environ.get("PERMXOR_INTERPRETER", "").split() or [sys.executable]

    def run(code, **environment):
        done = subprocess.run(
            [*interpreter, "-X", "faulthandler", "-c", code],
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    return run


def pytest_terminal_summary(terminalreporter):
    """Prints the names of the tests that were left out, and the closing line of
    unit/sums.sh."""
    stats = terminalreporter.stats
    for report in stats.get("skipped", []):
        why = report.longrepr[2].replace("Skipped: ", "", 1)
        terminalreporter.write_line(f"skipped: {report.nodeid} ({why})")
    counts = [
        sum(len(stats.get(key, [])) for key in keys)
        for keys in (("passed",), ("failed", "error"), ("skipped",))
    ]
    terminalreporter.write_line("pytest: {} passed, {} failed, {} skipped".format(*counts))
