# SPDX-License-Identifier: BSD-3-Clause
"""The CSV files of ec_perf, roofline and snapraid.py as Python values."""
import csv
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Optional


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


@dataclass(frozen=True)
class Row:
    """One line of ec_perf: a shape, a subject, and the figures of one process."""
    shape: Shape
    subject: str
    gbs: float
    ratio: float
    ratio_low: float
    ratio_high: float
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


GRID_COLUMNS = ("operation", "variant", "matrix", "k", "m", "mode", "len", "subject", "gbs",
                "ratio", "ratio_low", "ratio_high", "noisy", "roof", "roof_gbs")
FLAGS = {"1": True, "0": False}
DISPATCHED = "dispatched"  # the functions that choose a kernel set themselves
PLAIN = "displaced"  # the default placement of shards; tables of 0.1 have no such column


def size(count: int) -> str:
    """Returns 4096 as 4K, in the units that ec_perf takes."""
    for unit, name in ((1 << 20, "M"), (1 << 10, "K")):
        if count >= unit and count % unit == 0:
            return f"{count // unit}{name}"
    return str(count)


class Line:
    """One line of a CSV file: fields by name, and errors with file and line."""

    def __init__(self, place: str, fields: dict[str, str]):
        self.place = place
        self.fields = fields

    def _wrong(self, name: str, why: str) -> FormatError:
        return FormatError(f"{self.place}: {name}: {why}: {self.fields[name]!r}")

    def text(self, name: str) -> str:
        return self.fields[name]

    def whole(self, name: str) -> int:
        try:
            return int(self.fields[name])
        except ValueError:
            raise self._wrong(name, "not a whole number") from None

    def positive(self, name: str) -> float:
        try:
            value = float(self.fields[name])
        except ValueError:
            raise self._wrong(name, "not a number") from None
        if not 0 < value < float("inf"):
            raise self._wrong(name, "not above zero")
        return value

    def optional(self, name: str) -> Optional[float]:
        return self.positive(name) if self.fields[name] else None

    def flag(self, name: str) -> bool:
        if self.fields[name] not in FLAGS:
            raise self._wrong(name, "neither 0 nor 1")
        return FLAGS[self.fields[name]]

    def _variant(self) -> str:
        variant = self.text("variant")
        return "" if variant == DISPATCHED else variant

    def shape(self) -> Shape:
        return Shape(self.text("operation"), self._variant(), self.text("matrix"),
                     self.whole("k"), self.whole("m"), self.text("mode"), self.whole("len"),
                     self.fields.get("layout", PLAIN))

    def row(self, shape: Shape) -> "Row":
        return Row(shape, self.text("subject"), self.positive("gbs"), self.positive("ratio"),
                   self.positive("ratio_low"), self.positive("ratio_high"),
                   self.flag("noisy"), self.text("roof"), self.optional("roof_gbs"))


def read_lines(path: Path, needed: tuple[str, ...]) -> list[Line]:
    """Returns the lines of a CSV file with a head, which must name the needed columns."""
    with path.open(newline="", encoding="utf-8") as stream:
        reader = csv.reader(stream)
        head = next(reader, None)
        if head is None:
            raise FormatError(f"{path.name}: empty")
        missing = [name for name in needed if name not in head]
        if missing:
            raise FormatError(f"{path.name}: no column {', '.join(missing)}")
        lines = []
        for fields in reader:
            place = f"{path.name}:{reader.line_num}"
            if len(fields) != len(head):
                raise FormatError(f"{place}: {len(fields)} fields, the head has {len(head)}")
            lines.append(Line(place, dict(zip(head, fields))))
    return lines


def read_grid(path: Path) -> list[Row]:
    """Reads the file that ec_perf --csv writes."""
    return [line.row(line.shape()) for line in read_lines(path, GRID_COLUMNS)]


def read_roofs(path: Path) -> list[Roof]:
    """Reads the file that roofline --csv writes."""
    return [Roof(line.text("kind"), line.text("name"), line.text("level"),
                 line.text("streams"), line.positive("value"), line.text("unit"))
            for line in read_lines(path, Roof._fields)]


def read_speeds(path: Path) -> list[PeerSpeed]:
    """Reads the file that snapraid.py writes."""
    return [PeerSpeed(line.text("peer"), line.text("function"), line.positive("gbs"))
            for line in read_lines(path, PeerSpeed._fields)]
