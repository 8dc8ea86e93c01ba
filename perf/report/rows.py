# SPDX-License-Identifier: BSD-3-Clause
"""The CSV files of ec_perf, roofline and snapraid.py as Python values."""
import csv
import os
import subprocess
import sys
import tempfile
from math import inf
from pathlib import Path
from typing import Iterable, Iterator, NamedTuple, Optional, Sequence, get_type_hints

# The merged tables.  The passes of a table are in raw/, in files that begin with its second name.
MERGED = {"summary": "grid", "sweep": "sweep", "sets": "sets", "short": "short",
          "forced": "forced", "raid": "raid", "codes": "codes", "dropins": "dropins"}
RAW = ("raw/roofs.csv", "raw/snapraid.csv")  # what is there beside them


class FormatError(Exception):
    """A file is not as it should be. The text says which line, and why."""


class Shape(NamedTuple):
    """What is measured, independent of the library."""
    operation: str
    variant: str
    matrix: str
    k: int
    m: int
    mode: str
    len: int
    layout: str = "displaced"

    @property
    def code(self) -> str:
        """The code; for RAID the data blocks, where there are any."""
        if self.matrix:
            return f"{self.k}+{self.m}"
        return f"{self.k} disks" if self.k else ""

    def __str__(self) -> str:
        layout = "" if self.layout == PLAIN else self.layout
        words = [self.operation, self.variant, self.code, self.matrix, layout, self.mode,
                 size(self.len)]
        return " ".join(word for word in words if word)


class Spread(NamedTuple):
    """A median and its interval."""
    median: float
    low: float
    high: float


class Row(NamedTuple):
    """One line of ec_perf: a shape, a subject, and the figures of one process."""
    shape: Shape
    subject: str
    gbs: float
    ratio: Spread
    noisy: bool
    roof: str
    roof_gbs: Optional[float]


class Roof(NamedTuple):
    """One line of roofline: a rate, the size of a cache, a bandwidth."""
    kind: str
    name: str
    level: str
    streams: str
    value: float
    unit: str


class PeerSpeed(NamedTuple):
    """One line of snapraid.py."""
    peer: str
    function: str
    gbs: float


DISPATCHED = "dispatched"  # the functions that choose a kernel set themselves
PLAIN = "displaced"  # the default placement of shards; tables of 0.1 have no such column


def size(count: int) -> str:
    """Returns 4096 as 4K, in the units that ec_perf takes."""
    for unit, name in ((1 << 20, "M"), (1 << 10, "K")):
        if count >= unit and count % unit == 0:
            return f"{count // unit}{name}"
    return str(count)


def number(value: float) -> str:
    """Returns at least three digits."""
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def span(values: Sequence[float]) -> str:
    least, most = number(min(values)), number(max(values))
    return least if least == most else f"{least} to {most}"


# ------------------------------------------------------------------------- files --
# The head of a file names the fields of a class.  A ratio with its interval takes three columns,
# and a shape those of its own fields.

def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError("not a whole number") from None


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ValueError("not a number") from None
    if not 0 < value < inf:
        raise ValueError("not above zero")
    return value


def _flag(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError("neither 0 nor 1")
    return text == "1"


READERS = {str: str, int: _whole, float: _positive, bool: _flag,
           Optional[float]: lambda text: _positive(text) if text else None}


def columns(kind: type) -> dict[str, type]:
    """Returns the columns of a class, and what they hold."""
    found: dict[str, type] = {}
    for name, of in get_type_hints(kind).items():
        if of is Spread:
            found |= {f"{name}{end}": float for end in ("", "_low", "_high")}
        else:
            found |= columns(of) if of is Shape else {name: of}
    return found


def _built(kind: type, values: Iterator) -> tuple:
    return kind(*(_built(of, values) if of in (Shape, Spread) else next(values)
                  for of in get_type_hints(kind).values()))


def _values(place: str, wanted: dict[str, type], fields: dict[str, str]) -> Iterator:
    """Yields the values of a line.  A variant is named only if a library does not choose it."""
    for name, of in wanted.items():
        text = fields.get(name, PLAIN)
        try:
            yield READERS[of]("" if (name, text) == ("variant", DISPATCHED) else text)
        except ValueError as error:
            raise FormatError(f"{place}: {name}: {error}: {text!r}") from None


def read_table(path: Path, kind: type) -> list:
    """Returns the lines of a CSV file as values of the class.  It may have more columns."""
    wanted = columns(kind)
    with path.open(newline="", encoding="utf-8") as stream:
        reader = csv.reader(stream)
        head = next(reader, None)
        if head is None:
            raise FormatError(f"{path.name}: empty")
        missing = [name for name in wanted if name not in head and name != "layout"]
        if missing:
            raise FormatError(f"{path.name}: no column {', '.join(missing)}")
        lines = []
        for fields in reader:
            place = f"{path.name}:{reader.line_num}"
            if len(fields) != len(head):
                raise FormatError(f"{place}: {len(fields)} fields, the head has {len(head)}")
            lines.append(_built(kind, _values(place, wanted, dict(zip(head, fields)))))
    return lines


def _texts(value: object) -> list[str]:
    if isinstance(value, tuple):
        return [text for part in value for text in _texts(part)]
    if value is None:
        return [""]
    return [f"{value:.4g}" if isinstance(value, float) else
            str(int(value) if isinstance(value, bool) else value)]


def write_table(path: Path, kind: type, lines: Iterable[tuple]) -> None:
    """Writes values of the class in the form that read_table reads, with four digits."""
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(columns(kind))
        writer.writerows(map(_texts, lines))


def read_grid(path: Path) -> list[Row]:
    """Reads the file that ec_perf --csv writes."""
    return read_table(path, Row)


def ec_perf(program: Path, *words: object, **environment: str) -> tuple[list[Row], str]:
    """Runs ec_perf with these words.  Returns its rows, and what it prints.  Exits if it fails."""
    with tempfile.NamedTemporaryFile(suffix=".csv") as file:
        done = subprocess.run([program, "--csv", file.name, *map(str, words)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env=os.environ | environment, check=False)
        rows = read_grid(Path(file.name)) if done.returncode == 0 else []
    if not rows:
        sys.exit(f"{done.stdout}{program}: nothing was measured")
    return rows, done.stdout
