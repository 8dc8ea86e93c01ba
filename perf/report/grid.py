# SPDX-License-Identifier: BSD-3-Clause
"""A merged table with its dimensions, and what it shows at a glance."""
import statistics
from collections import Counter
from statistics import median
from typing import Callable, Iterable, NamedTuple, Optional, Sequence

from merge import Cell
from rows import PLAIN, Shape

QUIET = 0.1  # a machine is quiet if at most this share of the cells is noisy, as in noise.h


def in_order(values: Iterable) -> list:
    return list(dict.fromkeys(values))


class View(NamedTuple):
    """One choice of what the page can show."""
    operation: str
    matrix: str
    mode: str

    def __str__(self) -> str:
        return ", ".join(self)


class Grid:
    def __init__(self, cells: Sequence[Cell]):
        self.cells = list(cells)
        self.by_key = {(cell.shape, cell.subject): cell for cell in cells}
        self.subjects = in_order(cell.subject for cell in cells)
        self.reference = self.subjects[0] if self.subjects else ""
        self.peers = self.subjects[1:]
        shapes = in_order(cell.shape for cell in cells)
        self.operations = in_order(shape.operation for shape in shapes)
        self.matrices = in_order(shape.matrix for shape in shapes)
        self.modes = in_order(shape.mode for shape in shapes)
        self.codes = in_order(shape.code for shape in sorted(shapes, key=lambda s: (s.k, s.m)))
        self.lengths = sorted({shape.len for shape in shapes})
        self.views = in_order(View(s.operation, s.matrix, s.mode) for s in shapes)

    def part(self, wanted: Callable[[Shape], bool]) -> "Grid":
        return Grid([cell for cell in self.cells if wanted(cell.shape)])

    @property
    def plain(self) -> "Grid":
        """The cells that the charts show: those of shards that do not compete for cache sets."""
        return self.part(lambda shape: shape.layout == PLAIN)

    @property
    def placed(self) -> "Grid":
        """The cells of shards that lie as programs have them."""
        return self.part(lambda shape: shape.layout != PLAIN)

    @property
    def behind(self) -> list[Cell]:
        return behind(self.cells)

    @property
    def ratios(self) -> list[Cell]:
        """The cells of the peers.  The reference's own ratios are 1."""
        return [cell for cell in self.cells if cell.subject != self.reference]

    def cell(self, view: View, code: str, length: int, subject: str) -> Optional[Cell]:
        k, m = map(int, code.split("+"))
        shape = Shape(view.operation, "", view.matrix, k, m, view.mode, length)
        return self.by_key.get((shape, subject))

    def line(self, view: View, code: str, subject: str) -> list[Cell]:
        """Returns a subject's cells over the lengths."""
        cells = (self.cell(view, code, length, subject) for length in self.lengths)
        return [cell for cell in cells if cell is not None]

    def against(self, peer: str, operation: Optional[str] = None,
                mode: Optional[str] = None) -> list[Cell]:
        """Returns the ratios against a peer, all of them or those of one operation or mode."""
        return [cell for cell in self.cells
                if cell.subject == peer
                and operation in (None, cell.shape.operation)
                and mode in (None, cell.shape.mode)]


def behind(cells: Iterable[Cell]) -> list[Cell]:
    """Returns the cells that are behind, the worst first."""
    return sorted((cell for cell in cells if cell.behind), key=lambda cell: cell.ratio.median)


def geometric_mean(cells: Iterable[Cell]) -> float:
    return statistics.geometric_mean(cell.ratio.median for cell in cells)


class Group(NamedTuple):
    """Cells against one peer that have something in common."""
    name: str
    peer: str
    cells: list[Cell]

    @property
    def least(self) -> Cell:
        return min(self.cells, key=lambda cell: cell.ratio.median)

    @property
    def greatest(self) -> Cell:
        return max(self.cells, key=lambda cell: cell.ratio.median)

    @property
    def behind(self) -> list[Cell]:
        return behind(self.cells)

    @property
    def noisy(self) -> int:
        return sum(cell.noisy for cell in self.cells)

    @property
    def mean(self) -> float:
        return geometric_mean(self.cells)


def groups(grid: Grid, name: Callable[[Shape], str]) -> list[Group]:
    """Returns the ratios grouped by peer and by the name that the function gives to their
    shapes."""
    found: dict[tuple[str, str], list[Cell]] = {}
    for cell in grid.ratios:
        found.setdefault((name(cell.shape), cell.subject), []).append(cell)
    return [Group(*key, cells) for key, cells in found.items()]


class Verdict(NamedTuple):
    peers: list[Group]
    operations: list[Group]
    ratios: Group
    passes: dict[int, int]  # number of passes: how many cells have it

    @property
    def quiet(self) -> bool:
        return self.ratios.noisy <= QUIET * len(self.ratios.cells)


def verdict(grid: Grid) -> Verdict:
    counts = Counter(cell.passes for cell in grid.cells) or {0: 0}
    return Verdict(groups(grid, lambda shape: ""), groups(grid, lambda shape: shape.operation),
                   Group("", "", grid.ratios), dict(counts))


# ----------------------------------------------------------------------- cliffs --

class Cliff(NamedTuple):
    len: int
    gbs: float
    neighbours: float  # median of the neighbouring lengths


def cliffs(cells: Sequence[Cell], share: float = 0.8, reach: int = 16) -> list[Cliff]:
    """Returns the lengths where a subject falls below a share of what its neighbours reach.

    The throughput of short lengths is proportional to the length. So the time of a call is
    compared: the neighbours' median time with this length's.
    """
    ordered = sorted(cells, key=lambda cell: cell.shape.len)
    found = []
    for i, cell in enumerate(ordered):
        around = ordered[max(0, i - reach):i + reach + 1]
        typical = cell.shape.len / median(c.shape.len / c.gbs for c in around)
        if cell.gbs < share * typical:
            found.append(Cliff(cell.shape.len, cell.gbs, typical))
    return found
