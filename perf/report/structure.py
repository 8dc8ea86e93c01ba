#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws, over the number of parity shards, what structured encoding takes and gains.

    structure.py --build FOLDER --into doc/structured [--peer LIBRARY] [--cpu N]

The figures are the products for each source byte, as the library counts them
(perf/products), and GB/s of source data in cache (ec_perf).  They are those of the Cauchy
matrix, and of the same matrix with its sources in reverse order, which has no structure.  A
peer, an ISA-L, can stand beside them.  FAMILY-MODEL.csv has the figures of this CPU model,
and FAMILY-MODEL.svg has the picture.
"""
import argparse
import csv
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True

from matplotlib.ticker import MaxNLocator  # noqa: E402

import charts  # noqa: E402
from machine import describe  # noqa: E402
from rows import ec_perf, write_table  # noqa: E402

# Sources, and the parity shards of each point.
CURVES = ((12, tuple(range(1, 17))), (32, (1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 32)))
SHARD = 16384
STRUCTURE, MATRIX, PEER = "structure", "matrix", "ISA-L"


class Point(NamedTuple):
    k: int
    m: int
    series: str
    products: float
    gbs: float


def products_of(build: Path, k: int, most: int) -> dict[int, float]:
    done = subprocess.run([build / "perf/products", str(k), str(most), "--up-to"], check=True,
                          capture_output=True, text=True)
    return {int(row["m"]): float(row["products"])
            for row in csv.DictReader(done.stdout.splitlines())}


def speeds_of(build: Path, k: int, m: int, options: argparse.Namespace) -> dict[str, float]:
    """Returns GB/s by series."""
    subjects = [f"own={build}/.libs/libisal.so.2",
                *([f"peer={options.peer}"] if options.peer else [])]
    rows, _ = ec_perf(build / "perf/ec_perf", *subjects, "--matrix", "cauchy,reversed", "-k", k,
                      "-m", m, "--len", SHARD,
                      *(["--cpu", options.cpu] if options.cpu else []))
    names = {("own", "cauchy"): STRUCTURE, ("own", "reversed"): MATRIX,
             ("peer", "cauchy"): PEER}
    return {names[key]: row.gbs for row in rows
            if (key := (row.subject, row.shape.matrix)) in names}


def measure(options: argparse.Namespace) -> list[Point]:
    points = []
    for k, rows in CURVES:
        products = products_of(options.build, k, max(rows))
        for m in rows:
            for series, gbs in speeds_of(options.build, k, m, options).items():
                points.append(Point(k, m, series, products[m] if series == STRUCTURE else m,
                                    gbs))
    return points


def draw(points: list[Point]) -> str:
    shown = [(quantity, label, k) for quantity, label in (("products", "products a byte"),
                                                          ("gbs", "GB/s")) for k, _ in CURVES]
    figure, panels = charts.panels(len(shown), 2)
    for axes, (quantity, label, k) in zip(panels, shown):
        for index, name in enumerate((STRUCTURE, MATRIX, PEER)):
            line = [point for point in points if (point.k, point.series) == (k, name)]
            if line and (quantity, name) != ("products", PEER):
                axes.plot([point.m for point in line],
                          [getattr(point, quantity) for point in line], label=name,
                          **charts.look(index))
        axes.set_title(f"{label}, {k} sources")
        axes.set_xlabel("parity shards")
        axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
        charts.from_zero(axes, label)
    return charts.svg(figure)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--peer", help="an ISA-L library to compare with")
    parser.add_argument("--cpu", help="core to run on")
    options = parser.parse_args()
    points = measure(options)
    options.into.mkdir(parents=True, exist_ok=True)
    path = options.into / describe()["family-model"]
    write_table(path.with_suffix(".csv"), Point, points)
    path.with_suffix(".svg").write_text(draw(points), encoding="utf-8")
    print(f"drawn: {path}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
