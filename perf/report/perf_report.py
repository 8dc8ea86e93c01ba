#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures a build on a grid of shapes and draws the figures into one HTML page.

OUT then holds report.html, the charts as files of their own, the merged tables
(summary.csv and others), the programs' own CSV files in raw/ and what they
printed in log/.  doc/perf-method.md says what the figures mean.
"""
import argparse
import sys
from pathlib import Path
from typing import Optional

sys.dont_write_bytecode = True  # the sources may be read-only

import merge  # noqa: E402
from rows import (MERGED, FormatError, PeerSpeed, Roof, read_grid, read_table)  # noqa: E402

def merge_raw(out: Path) -> None:
    """Merges raw/*.csv into the tables."""
    for name, raw in MERGED.items():
        files = sorted((out / "raw").glob(f"{raw}-*.csv"))
        cells = merge.merge(read_grid(path) for path in files)
        if cells:
            merge.write_cells(out / f"{name}.csv", cells)


def render(out: Path) -> None:
    """Makes the page and the charts from the merged tables."""
    import page  # here, so that other commands run without matplotlib and Jinja
    from grid import Grid
    from measure import Record

    data = [out / f"{name}.csv" for name in MERGED if (out / f"{name}.csv").exists()]
    tables = {path.stem: Grid(merge.read_cells(path)) for path in data}
    if not tables.get("summary", Grid([])).cells:
        raise FormatError(f"no summary.csv with cells in {out.name}")
    roofs, speeds = out / "raw/roofs.csv", out / "raw/snapraid.csv"
    drawn = page.files(tables)
    for name, svg in drawn.items():
        (out / f"{name}.svg").write_text(svg, encoding="utf-8")
    text = page.page(tables, read_table(speeds, PeerSpeed) if has_text(speeds) else [],
                     read_table(roofs, Roof) if has_text(roofs) else [],
                     Record.load_from(out / "run.json"), data, drawn)
    (out / "report.html").write_text(text, encoding="utf-8")
    print(f"{len(text.encode()) / 1e6:.2f} MB in report.html", flush=True)


def has_text(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def peer(text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    if not (name and equals and path):
        raise argparse.ArgumentTypeError("must have the form NAME=PATH")
    return name, str(Path(path).resolve())  # absolute, because the programs run in the build
                                            # folder


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--build", type=Path, metavar="DIR", help="measure the build in this folder"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for the report")
    parser.add_argument("--quick", action="store_true", help="few shapes, within 5 minutes")
    parser.add_argument("--passes", type=int, default=6, metavar="N",
                        help="number of passes; each is a process of its own [6]")
    parser.add_argument("--cpu", type=int, metavar="N", help="core to run on")
    parser.add_argument("--peer", type=peer, action="append", default=[], metavar="NAME=PATH",
                        help="a library to compare with; replaces a found library of this name")
    parser.add_argument("--render", type=Path, metavar="DIR",
                        help="draw the tables in this folder again; measure nothing")
    parser.add_argument("--agree", type=Path, nargs=2, metavar=("A.csv", "B.csv"),
                        help="compare two merged tables; exit status 1 if they disagree")
    return parser.parse_args()


def run(options: argparse.Namespace) -> int:
    if options.agree:
        return 0 if merge.agree(*options.agree) else 1
    if options.render:
        render(options.render)
        return 0
    if not options.build or not options.out or options.passes < 1:
        print("perf_report.py: --build DIR, --out DIR and at least one pass are needed",
              file=sys.stderr)
        return 2
    from measure import Plan, measure
    out: Path = options.out.resolve()
    complete = measure(Plan(options.build.resolve(), out, options.quick, options.passes,
                            options.cpu, dict(options.peer)))
    merge_raw(out)
    render(out)
    return 0 if complete else 1


def main() -> Optional[int]:
    try:
        return run(arguments())
    except (FormatError, OSError) as error:
        print(f"perf_report.py: {error}", file=sys.stderr)
    except ModuleNotFoundError as error:
        print(f"perf_report.py: {error.name} is missing (Debian: python3-{error.name})",
              file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
