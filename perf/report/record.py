#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Puts a finished run of perf_report.py into the record of this CPU model.

    record.py RUN RECORDS [--note TEXT]

RECORDS (doc/perf-report) has a folder FAMILY-MODEL for each CPU on which the grid ran.  The
folder of RUN's CPU is replaced, and no other is changed.  Of the sweep, which has a line for
every length, only means and extremes are kept.
"""
import argparse
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True

import merge  # noqa: E402
from grid import Grid, groups  # noqa: E402
from measure import Record  # noqa: E402
from rows import MERGED, RAW, FormatError, Spread, write_table  # noqa: E402

KEPT = (*(f"{name}.csv" for name in MERGED if name != "sweep"), *RAW, "*.svg")
SWEEP = "sweep-means.csv"


class SweepMean(NamedTuple):
    """A peer over all lengths of a code."""
    code: str
    subject: str
    lengths: int
    behind: int
    mean: float
    least: Spread
    least_len: int


def sweep_means(cells: list[merge.Cell]) -> list[SweepMean]:
    return [SweepMean(group.name, group.peer, len(group.cells), len(group.behind), group.mean,
                      group.least.ratio, group.least.shape.len)
            for group in groups(Grid(cells), lambda shape: shape.code)]


def put(run: Path, records: Path, note: str) -> Path:
    """Puts a run in its place.  Returns the folder that now holds it."""
    record = Record.load_from(run / "run.json")
    if not record.machine or not (run / "summary.csv").exists():
        raise FormatError(f"{run}: not a finished run")
    if record.quick:
        raise FormatError(
            f"{run}: a short run cannot be recorded; use make perf-report for a full run"
        )
    folder = records / record.machine["family-model"]
    old = Record.load_from(folder / "run.json")
    record.note = note or record.note or old.note
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    for pattern in KEPT:
        for path in sorted(run.glob(pattern)):
            shutil.copyfile(path, folder / path.name)
    if (run / "sweep.csv").exists():
        write_table(folder / SWEEP, SweepMean, sweep_means(merge.read_cells(run / "sweep.csv")))
    record.save(folder / "run.json")
    return folder


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("run", type=Path, help="the folder that perf_report.py wrote")
    parser.add_argument("records", type=Path, help="doc/perf-report")
    parser.add_argument("--note", default="",
                        help="facts about the machine that it does not report itself; an "
                        "earlier note stays unless you give a new one")
    options = parser.parse_args()
    try:
        print(f"recorded: {put(options.run, options.records, options.note)}")
    except (FormatError, OSError) as error:
        print(f"record.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
