#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws how many times as fast as each peer the library is: the picture of README.md.

    speed.py RECORDS --into FILE      draw it
    speed.py RECORDS --check FILE     exit status 1 where the picture has other figures

The figures are those of the short table of ranges.py: for each peer the range, over all CPUs on
record, of the geometric mean of the ratios.  The picture also holds them as text, in its
description.  --check compares this text and the labels, and needs no matplotlib.
"""
import argparse
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import NamedTuple, Sequence

sys.dont_write_bytecode = True

import ranges  # noqa: E402
from rows import FormatError  # noqa: E402

TITLES = {"encode, in cache": "encode in cache", "from memory": "encode from memory",
          "update": "update in cache"}  # of the columns of the short table
DESCRIPTION = "{http://purl.org/dc/elements/1.1/}description"
TEXT = "{http://www.w3.org/2000/svg}text"


class Line(NamedTuple):
    """The means against one peer, by title, with a value for every CPU that has it."""
    name: str
    means: dict[str, list[float]]


def lines_of(cpus: Sequence[ranges.Cpu]) -> list[Line]:
    lines = []
    for peer in ranges.peers_of(cpus):
        count = sum(bool(ranges.against(cpu, peer).cells) for cpu in cpus)
        means = {TITLES[wanted]: ranges.short_means(cpus, peer, wanted)
                 for wanted in ranges.SHORT}
        lines.append(Line(f"{peer} ({count} CPU{'s' if count != 1 else ''})",
                          {title: found for title, found in means.items() if found}))
    return lines


def labels(lines: Sequence[Line]) -> Counter[str]:
    """The texts of the picture that are figures, or say what they are of."""
    return Counter([line.name for line in lines] + [
        ranges.span(means) for line in lines for means in line.means.values()])


def description(lines: Sequence[Line]) -> str:
    return "How many times as fast as others permxor is: " + "; ".join(
        f"{line.name}: " + ", ".join(f"{title} {ranges.span(means)}"
                                     for title, means in line.means.items())
        for line in lines)


def draw(lines: Sequence[Line]) -> str:
    import charts  # here, so that --check runs without matplotlib

    rows = {line.name: {title: charts.Span(min(means), max(means), ranges.span(means))
                        for title, means in line.means.items()} for line in lines}
    return charts.spans(rows, list(TITLES.values()), description(lines))


def differences(path: Path, lines: Sequence[Line]) -> list[str]:
    """What the picture has, or lacks, that is not so in the records."""
    root = ET.parse(path).getroot()
    described = "".join(element.text or "" for element in root.iter(DESCRIPTION))
    found = Counter("".join(element.itertext()).strip() for element in root.iter(TEXT))
    wrong = [f"no label {label!r}" for label in (labels(lines) - found)]
    if described != description(lines):
        wrong.append(f"it is described as {described!r}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("records", type=Path, help="doc/perf-report")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--into", type=Path, metavar="FILE")
    what.add_argument("--check", type=Path, metavar="FILE")
    options = parser.parse_args()
    try:
        lines = lines_of(ranges.read_cpus(options.records))
        if options.into:
            options.into.write_text(draw(lines), encoding="utf-8")
            return 0
        wrong = differences(options.check, lines)
    except (FormatError, OSError, ET.ParseError) as error:
        print(f"speed.py: {error}", file=sys.stderr)
        return 2
    for text in wrong:
        print(f"speed.py: {options.check.name}: {text}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
