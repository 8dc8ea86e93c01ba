# SPDX-License-Identifier: BSD-3-Clause
"""Joins the passes of whole processes into one table, and compares two such tables."""
from collections import defaultdict
from math import comb
from pathlib import Path
from statistics import median
from typing import Iterable, NamedTuple, Optional

from rows import FormatError, Row, Shape, Spread, read_table, write_table

CONFIDENCE = 0.95
# An interval wider than this share of its median makes a cell noisy.  A spread within a pass
# that does not move its median is no noise between passes.
WIDE = 0.10


class Cell(NamedTuple):
    """A shape and a subject over all passes."""
    shape: Shape
    subject: str
    passes: int
    gbs: float
    ratio: Spread
    noisy: bool
    roof: str
    roof_gbs: Optional[float]

    @property
    def behind(self) -> bool:
        """Whether the reference is slower than this subject, with confidence."""
        return self.ratio.high < 1


def coverage(count: int, rank: int) -> float:
    """Returns the probability that the rank-th least and rank-th greatest of count bound the
    median.

    Each independent value lies below the median of its distribution with probability 1/2, so
    the number of values below it is binomial.  The interval misses the median when fewer
    than rank values lie on one of the two sides (the sign test's interval).
    """
    return 1 - 2 * sum(comb(count, i) for i in range(rank)) / 2**count


def sign_test_rank(count: int) -> int:
    """Returns the greatest rank that still covers CONFIDENCE, or 1 where none does."""
    rank = 1
    while 2 * (rank + 1) <= count and coverage(count, rank + 1) >= CONFIDENCE:
        rank += 1
    return rank


def spread(values: Iterable[float]) -> Spread:
    ordered = sorted(values)
    rank = sign_test_rank(len(ordered))
    return Spread(median(ordered), ordered[rank - 1], ordered[-rank])


def too_wide(ratio: Spread) -> bool:
    return ratio.high - ratio.low > WIDE * ratio.median


def merge_cell(rows: list[Row]) -> Cell:
    """Returns one cell.  From a single pass it has the interval within its process."""
    first = rows[0]
    ratio = first.ratio if len(rows) == 1 else spread(row.ratio.median for row in rows)
    roofs = [row.roof_gbs for row in rows if row.roof_gbs is not None]
    noisy = too_wide(ratio) or (len(rows) == 1 and first.noisy)
    return Cell(first.shape, first.subject, len(rows), median(row.gbs for row in rows), ratio,
                noisy, first.roof, median(roofs) if roofs else None)


def merge(passes: Iterable[list[Row]]) -> list[Cell]:
    """Returns all cells, in the order of their first appearance."""
    groups: dict[tuple[Shape, str], list[Row]] = defaultdict(list)
    for rows in passes:
        seen = set()
        for row in rows:
            key = (row.shape, row.subject)
            if key in seen:  # a sweep measures its lowest lengths again, at full length
                groups[key][-1] = row
            else:
                groups[key].append(row)
            seen.add(key)
    return [merge_cell(rows) for rows in groups.values()]


# ------------------------------------------------------------------ the file --

def write_cells(path: Path, cells: Iterable[Cell]) -> None:
    write_table(path, Cell, cells)


def read_cells(path: Path) -> list[Cell]:
    return read_table(path, Cell)


# ------------------------------------------------------------ two runs agree --

class Difference(NamedTuple):
    shape: Shape
    subject: str
    a: Spread
    b: Spread

    @property
    def factor(self) -> float:
        """The factor between the medians, at least 1."""
        a, b = self.a.median, self.b.median
        return max(a / b, b / a)

    @property
    def overlap(self) -> bool:
        return self.a.low <= self.b.high and self.b.low <= self.a.high


def differences(a: list[Cell], b: list[Cell]) -> list[Difference]:
    """Returns the differences of the ratios that both tables have.  The reference's own ratios
    are 1 and left out."""
    reference = a[0].subject if a else ""
    others = {(cell.shape, cell.subject): cell for cell in b}
    return [Difference(cell.shape, cell.subject, cell.ratio,
                       others[cell.shape, cell.subject].ratio)
            for cell in a
            if cell.subject != reference and (cell.shape, cell.subject) in others]


def agree(path_a: Path, path_b: Path) -> bool:
    """Prints how well two runs agree.  Returns whether CONFIDENCE of the intervals overlap."""
    a, b = read_cells(path_a), read_cells(path_b)
    both = differences(a, b)
    if not both:
        raise FormatError(f"{path_a.name} and {path_b.name} have no cell in common")
    apart = sorted((d for d in both if not d.overlap), key=lambda d: -d.factor)
    share = 1 - len(apart) / len(both)
    worst = max(both, key=lambda d: d.factor)
    print(f"{len(both)} ratios in both runs; the intervals of {share:.1%} overlap")
    print(f"typical difference of the medians {median(d.factor for d in both) - 1:.2%}")
    print(f"worst: {worst.factor - 1:.1%}, {worst.subject} {worst.shape}")
    for d in apart:
        print(f"apart: {d.subject} {d.shape}: {d.a.median:.3f} ({d.a.low:.3f}..{d.a.high:.3f})"
              f" and {d.b.median:.3f} ({d.b.low:.3f}..{d.b.high:.3f})")
    return share >= CONFIDENCE
