#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What holds over all CPUs on record, as Markdown, and as the picture of README.md.

    ranges.py RECORDS                     print all tables
    ranges.py RECORDS --into FILE...      write them between their marks there
    ranges.py RECORDS --check FILE...     exit status 1 where a file has others

A file has what this program prints between lines `<!-- ranges: NAME -->` and
`<!-- end of ranges -->`.  NAME is one of TABLES.  No figure stands there without its CPU.

A FILE.svg is the picture of the short table, and is drawn as a whole.  It also holds its figures
as text, in its description.  --check compares this text and the labels, and needs no matplotlib.
"""
import argparse
import re
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import Callable, Iterable, NamedTuple, Optional, Sequence

sys.dont_write_bytecode = True

import merge  # noqa: E402
from grid import Grid, Group, behind, groups  # noqa: E402
from measure import Record  # noqa: E402
from record import SWEEP, SweepMean  # noqa: E402
from rows import MERGED, PLAIN, FormatError, Shape, number, read_table, span  # noqa: E402
from subjects import rank  # noqa: E402

MARK = re.compile(r"(<!-- ranges: ([a-z-]+) -->\n).*?(<!-- end of ranges -->)", re.S)
MOST_CELLS = 10  # the most cells behind that are listed for each CPU
# What the short table and its picture show: the headings of the table, and the titles of the
# picture.
SHORT = {"encode, warm": "encode, in cache", "encode, cold": "from memory",
         "update, warm": "update"}
TITLES = {"encode, warm": "encode in cache", "encode, cold": "encode from memory",
          "update, warm": "update in cache"}
DESCRIPTION = "{http://purl.org/dc/elements/1.1/}description"
TEXT = "{http://www.w3.org/2000/svg}text"


class Cpu(NamedTuple):
    """One folder of the record."""
    name: str
    folder: Path
    record: Record
    tables: dict[str, Grid]
    sweep: list[SweepMean]


def read_cpu(folder: Path) -> Cpu:
    tables = {name: Grid(merge.read_cells(folder / f"{name}.csv")) for name in MERGED
              if name not in ("sweep", "sets") and (folder / f"{name}.csv").exists()}
    sweep = read_table(folder / SWEEP, SweepMean) if (folder / SWEEP).exists() else []
    return Cpu(folder.name, folder, Record.load_from(folder / "run.json"), tables, sweep)


def read_cpus(records: Path) -> list[Cpu]:
    def order(folder: Path) -> list[tuple[int, str]]:
        return [(int(part) if part.isdigit() else 0, part) for part in folder.name.split("-")]

    found = [read_cpu(folder) for folder in sorted(
        (path.parent for path in records.glob("*/run.json")), key=order)]
    if not found:
        raise FormatError(f"{records}: no record of any CPU")
    return found


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


# -------------------------------------------------------------------- what is told --

def what(shape: Shape) -> str:
    """Names the line of the tables that joins all codes, matrices and lengths of an operation."""
    name = shape.operation
    if "/" in shape.matrix:
        name += " " + shape.matrix.partition("/")[0]
    elif shape.matrix and shape.variant:
        name += f", both {shape.variant}"
    elif shape.matrix and shape.layout != PLAIN:
        name += f", {shape.layout}"
    return f"{name}, {shape.mode}"


def kind(table_name: str, shape: Shape) -> str:
    """The same across tables, because short calls and drop-in libraries have the usual
    operations."""
    return what(shape) + {"short": ", 1 to 1024 bytes",
                          "dropins": ", drop-in"}.get(table_name, "")


def all_groups(cpu: Cpu) -> list[Group]:
    found = []
    for name, grid in cpu.tables.items():
        found += groups(grid, lambda shape, name=name: kind(name, shape))
    return found


def against(cpu: Cpu, peer: str) -> Group:
    """Returns every ratio of that peer, from all tables."""
    return Group("", peer, [cell for grid in cpu.tables.values() for cell in grid.against(peer)])


def peers_of(cpus: Sequence[Cpu]) -> list[str]:
    names = {peer for cpu in cpus for grid in cpu.tables.values() for peer in grid.peers}
    return sorted(names, key=rank)


def in_words(cpu: Cpu) -> str:
    """Names the machine as its operator does, or as it names itself."""
    return cpu.record.note or cpu.record.machine.get("processor", "")


def passes(cpu: Cpu) -> str:
    found = {cell.passes for grid in cpu.tables.values() for cell in grid.cells}
    return f"{min(found)} to {max(found)}" if len(found) > 1 else str(max(found))


# -------------------------------------------------------------------------- tables --

def cpus_table(cpus: Sequence[Cpu]) -> str:
    """Which machines were measured, and when."""
    def row(cpu: Cpu) -> list[str]:
        about = cpu.record.machine
        return [f"[{cpu.name}](perf-report/{cpu.name})", in_words(cpu),
                about.get("features", ""), about.get("caches", ""), passes(cpu),
                cpu.record.date.split(" ")[0], cpu.record.commit or "not written down"]

    return table(["CPU", "what it is", "features", "caches", "passes", "date", "commit"],
                 map(row, cpus))


def versions_table(cpus: Sequence[Cpu]) -> str:
    """The versions of the peers."""
    rows = [[peer, *(cpu.record.versions.get(peer, "not measured") for cpu in cpus)]
            for peer in peers_of(cpus)]
    return table(["peer", *(cpu.name for cpu in cpus)], rows)


def behind_table(cpus: Sequence[Cpu]) -> str:
    """How many cells are behind, with peers in rows and CPUs in columns."""
    def count(cpu: Cpu, peer: str) -> str:
        found = against(cpu, peer)
        if not found.cells:
            return "not measured"
        return (f"{len(found.behind)} of {len(found.cells)}, least "
                f"{number(found.least.ratio.median)}")

    return table(["cells behind", *(cpu.name for cpu in cpus)],
                 [[peer, *(count(cpu, peer) for cpu in cpus)] for peer in peers_of(cpus)])


def lowest_table(cpus: Sequence[Cpu]) -> str:
    """The worst cells of each CPU, whichever peer they are behind."""
    rows = []
    for cpu in cpus:
        cells = behind(cell for grid in cpu.tables.values() for cell in grid.cells)
        rows += [[cpu.name, cell.subject, str(cell.shape),
                  f"{number(cell.ratio.median)} ({number(cell.ratio.low)}.."
                  f"{number(cell.ratio.high)})"] for cell in cells[:MOST_CELLS]]
    return table(["CPU", "peer", "cell", "ratio"], rows)


def mean_text(group: Optional[Group]) -> str:
    """The geometric mean, the least ratio, and how many cells are behind."""
    if group is None:
        return "-"
    some = f", **{len(group.behind)} behind**" if group.behind else ""
    return (f"{number(group.mean)}, least {number(group.least.ratio.median)} of "
            f"{len(group.cells)}{some}")


def means_table(cpus: Sequence[Cpu]) -> str:
    """Geometric means by peer and operation, with CPUs in columns; those with cells behind come
    first."""
    found: dict[tuple[str, str], dict[str, Group]] = {}
    for cpu in cpus:
        for group in all_groups(cpu):
            found.setdefault((group.peer, group.name), {})[cpu.name] = group

    def order(key: tuple[str, str]) -> tuple:
        return not any(group.behind for group in found[key].values()), rank(key[0])

    return table(["against", "what", *(cpu.name for cpu in cpus)],
                 [[*key, *(mean_text(found[key].get(cpu.name)) for cpu in cpus)]
                  for key in sorted(found, key=order)])


def sweep_table(cpus: Sequence[Cpu]) -> str:
    """The results over every length from 1 to 4096."""
    rows = [[mean.subject, mean.code, cpu.name, number(mean.mean),
             f"{number(mean.least.median)} at {mean.least_len}", f"{mean.behind} of {mean.lengths}"]
            for cpu in cpus for mean in cpu.sweep]
    if not rows:
        return "No CPU on record has the sweep.\n"
    rows.sort(key=lambda row: (row[5].startswith("0 "), rank(row[0])))
    return table(["against", "code", "CPU", "geometric mean", "least", "lengths behind"], rows)


def charts_list(cpus: Sequence[Cpu]) -> str:
    """The charts of each CPU, with the heat map of the newest ISA-L first."""
    def link(cpu: Cpu, path: Path) -> str:
        return f"[{path.stem}](perf-report/{cpu.name}/{path.name})"

    def order(path: Path) -> tuple:
        heat = path.stem.startswith("heat-")
        return not heat, rank(path.stem[5:] if heat else path.stem)

    return "".join(f"- {cpu.name}: " + ", ".join(
        link(cpu, path) for path in sorted(cpu.folder.glob("*.svg"), key=order)) + "\n"
        for cpu in cpus)


def short_means(cpus: Sequence[Cpu]) -> dict[str, dict[str, list[float]]]:
    """By peer and kind, one of SHORT: the geometric mean on each CPU that has such cells."""
    found = {peer: {kind: [] for kind in SHORT} for peer in peers_of(cpus)}
    for cpu in cpus:
        for group in all_groups(cpu):
            if group.name in SHORT:
                found[group.peer][group.name].append(group.mean)
    return found


def short_table(cpus: Sequence[Cpu]) -> str:
    """For a page that has room for one line per peer: ranges over the CPUs that have it."""
    rows = []
    for peer, means in short_means(cpus).items():
        cells = {cpu.name: against(cpu, peer) for cpu in cpus}
        counts = ", ".join(f"{len(some.behind)} of {len(some.cells)} on {name}"
                           for name, some in cells.items() if some.cells)
        rows.append([peer, *(span(of) if of else "-" for of in means.values()), counts])
    return table(["against", *SHORT.values(), "cells behind, on the CPU"], rows)


TABLES: dict[str, Callable[[Sequence[Cpu]], str]] = {
    "cpus": cpus_table, "versions": versions_table, "behind": behind_table,
    "lowest": lowest_table, "means": means_table, "sweep": sweep_table,
    "charts": charts_list, "short": short_table,
}


# ------------------------------------------------------------------------- picture --

def lines_of(cpus: Sequence[Cpu]) -> dict[str, dict[str, list[float]]]:
    """The lines of the picture: what its panels show against a peer, by title."""
    found = {}
    for peer, means in short_means(cpus).items():
        count = sum(bool(against(cpu, peer).cells) for cpu in cpus)
        found[f"{peer} ({count} CPU{'s' if count != 1 else ''})"] = {
            TITLES[kind]: values for kind, values in means.items() if values}
    return found


def description(cpus: Sequence[Cpu]) -> str:
    return "How many times as fast as others permxor is: " + "; ".join(
        f"{name}: " + ", ".join(f"{title} {span(values)}" for title, values in means.items())
        for name, means in lines_of(cpus).items())


def draw(cpus: Sequence[Cpu]) -> str:
    import charts  # here, so that other commands run without matplotlib

    return charts.spans(lines_of(cpus), description(cpus))


def is_drawn(path: Path, cpus: Sequence[Cpu]) -> bool:
    """Returns whether the picture has this description, and the labels of all lines and bars."""
    try:
        root = ET.parse(path).getroot()
    except ET.ParseError as error:
        raise FormatError(f"{path.name}: {error}") from None
    lines = lines_of(cpus)
    labels = Counter([*lines, *(span(values) for means in lines.values()
                                for values in means.values())])
    found = Counter("".join(element.itertext()).strip() for element in root.iter(TEXT))
    return root.findtext(f".//{DESCRIPTION}") == description(cpus) and not labels - found


# --------------------------------------------------------------------------- files --

def filled(path: Path, cpus: Sequence[Cpu]) -> str:
    """Returns the text with its tables brought up to date.  Nothing else in it changes."""
    def replace(match: re.Match) -> str:
        if match[2] not in TABLES:
            raise FormatError(f"{path.name}: there is no table called {match[2]}")
        return match[1] + TABLES[match[2]](cpus) + match[3]

    return MARK.sub(replace, path.read_text(encoding="utf-8"))


def agrees(path: Path, cpus: Sequence[Cpu]) -> bool:
    if path.suffix == ".svg":
        return is_drawn(path, cpus)
    return filled(path, cpus) == path.read_text(encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("records", type=Path, help="doc/perf-report")
    parser.add_argument("--into", type=Path, nargs="+", default=[], metavar="FILE")
    parser.add_argument("--check", type=Path, nargs="+", default=[], metavar="FILE")
    options = parser.parse_args()
    try:
        return run(options)
    except (FormatError, OSError) as error:
        print(f"ranges.py: {error}", file=sys.stderr)
        return 2


def run(options: argparse.Namespace) -> int:
    cpus = read_cpus(options.records)
    for path in options.into:
        text = draw(cpus) if path.suffix == ".svg" else filled(path, cpus)
        path.write_text(text, encoding="utf-8")
    wrong = [path.name for path in options.check if not agrees(path, cpus)]
    for name in wrong:
        print(f"ranges.py: {name} has other figures than the records")
    if not options.into + options.check:
        for name, make in TABLES.items():
            print(f"<!-- ranges: {name} -->\n{make(cpus)}<!-- end of ranges -->\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
