# SPDX-License-Identifier: BSD-3-Clause
"""What the page shows: the cells of its charts, and its tables."""
from bisect import bisect_right
from typing import NamedTuple, Optional, Sequence, Union

from grid import Grid, View, cliffs, groups, in_order
from merge import Cell
from rows import PLAIN, Shape, size

HEAD = View("encode", "cauchy", "warm")  # the view that the files beside the page show
SWEEP_CODE = "10+4"
WARM_COLD_LENGTHS = (65536, 1 << 20)
# The levels of a heat map begin at these ratios, the lowest at 0.  It is blue where the
# reference is faster, and orange where it is slower.  The darkness rises with the distance from
# 1, so that it can be read in grey, too.
HEAT_LIMITS = (0.9, 1.0, 1.15, 1.5, 2.0, 4.0)
HEAT_COLOURS = ("#e07b24", "#fbd9b5", "#edf3f9", "#c3dcef", "#86bbdf", "#3d8bc4", "#08519c")


class Table(NamedTuple):
    """The page shows three digits of a number that is no whole one."""
    head: Sequence[str]
    rows: Sequence[Sequence[Union[str, int, float, None]]]


def operation_mode(shape: Shape) -> str:
    return f"{shape.operation}, {shape.mode}"


# -------------------------------------------------------------------------- ratios --

def ratio_text(ratio: float) -> str:
    """Returns at most three digits, because a cell of a heat map is narrow."""
    if ratio >= 9950:
        return f"{ratio / 1000:.0f}k"
    if ratio >= 99.5:
        return f"{ratio:.0f}" if ratio < 1000 else f"{ratio / 1000:.1f}k"
    return f"{ratio:.1f}" if ratio >= 9.95 else f"{ratio:.2f}"


def heat_level(ratio: float) -> int:
    return bisect_right(HEAT_LIMITS, ratio)


def heat_ink(level: int) -> str:
    """Returns an ink that can be read on the level's colour."""
    return "white" if level == len(HEAT_LIMITS) else "black"


def heat_rows(grid: Grid, view: View, peer: str) -> list[tuple[str, list[Optional[Cell]]]]:
    """Returns codes down, lengths across: the peer's time divided by the reference's."""
    found = [(code, [grid.cell(view, code, length, peer) for length in grid.lengths])
             for code in grid.codes]
    return [(code, cells) for code, cells in found if any(cells)]


def peers(grid: Grid) -> Table:
    return Table(["operation, mode", "peer", "geometric mean", "least", "greatest"],
                 [[group.name, group.peer, group.mean, group.least.ratio.median,
                   group.greatest.ratio.median] for group in groups(grid, operation_mode)])


# ---------------------------------------------------------------------- throughput --

def throughput(grid: Grid, view: View) -> Table:
    """Returns every median of a view, with one line per code and length."""
    rows = []
    for code in grid.codes:
        for length in grid.lengths:
            cells = [grid.cell(view, code, length, name) for name in grid.subjects]
            if any(cells):
                rows.append([code, size(length), *(cell and cell.gbs for cell in cells),
                             cells[0] and cells[0].roof])
    return Table(["code", "bytes", *grid.subjects, "nearest roof"], rows)


class WarmCold(NamedTuple):
    operation: str
    len: int
    code: str
    subject: str
    warm: float
    cold: float


def warm_cold(grid: Grid) -> list[WarmCold]:
    """Returns GB/s of the reference and the first peer, with Cauchy matrices."""
    found = []
    for operation in grid.operations:
        for length in WARM_COLD_LENGTHS:
            for code in grid.codes:
                for subject in grid.subjects[:2]:
                    warm, cold = (grid.cell(View(operation, HEAD.matrix, mode), code, length,
                                            subject) for mode in ("warm", "cold"))
                    if warm and cold:
                        found.append(WarmCold(operation, length, code, subject, warm.gbs,
                                              cold.gbs))
    return found


def kernel_sets(grid: Grid) -> Table:
    return Table(["shape", "set", "GB/s", "nearest roof", "roof GB/s", "share"],
                 [[str(c.shape), c.subject, c.gbs, c.roof, c.roof_gbs,
                   c.roof_gbs and f"{c.gbs / c.roof_gbs:.0%}"] for c in grid.cells])


# --------------------------------------------------------------------------- sweep --

def sweep_shown(grid: Grid) -> Grid:
    """Returns the one code that is drawn: the usual one, or one that there is."""
    code = SWEEP_CODE if SWEEP_CODE in grid.codes else grid.codes[-1]
    return grid.part(lambda shape: shape.code == code)


def sweep(grid: Grid) -> Table:
    rows = []
    for group in groups(grid, lambda shape: shape.code):
        least = sorted(group.cells, key=lambda cell: cell.ratio.median)[:20]
        rows += [[group.peer, group.name, c.shape.len, c.ratio.median,
                  f"{c.ratio.low:.3g}..{c.ratio.high:.3g}"] for c in least]
    return Table(["peer", "code", "bytes", "least ratios", "interval"], rows)


def cliff_text(grid: Grid) -> str:
    lines = []
    for subject in grid.subjects:
        found = cliffs([c for c in grid.cells if c.subject == subject])
        worst = min(found, key=lambda cliff: cliff.gbs / cliff.neighbours, default=None)
        lines.append(f"{subject}: {len(found)} lengths"
                     + (f", the worst is {worst.len} with {worst.gbs / worst.neighbours:.2f} "
                        "of what its neighbours reach" if worst else ""))
    return "; ".join(lines)


# ----------------------------------------------------------- tables without charts --

def subject_of_shape(shape: Shape) -> str:
    """Names what the cells of a line have in common, without the length and the matrix; for
    jerasure's techniques, without the size of packets."""
    layout = "" if shape.layout == PLAIN else shape.layout
    technique = "/".join(shape.matrix.split("/")[:2]) if "/" in shape.matrix else ""
    return " ".join(word for word in (shape.variant, shape.operation, shape.code, technique,
                                      layout, shape.mode) if word)


def overview(grid: Grid) -> Table:
    """Returns for each peer the means over the lengths, the least ratio and how many cells are
    behind."""
    rows = [[group.name, group.peer, group.mean, group.least.ratio.median,
             f"{group.least.shape.matrix} {size(group.least.shape.len)}",
             f"{len(group.behind)} of {len(group.cells)}"]
            for group in groups(grid, subject_of_shape)]
    return Table(["what", "peer", "geometric mean", "least", "at", "behind"], rows)


def every_cell(grid: Grid) -> Table:
    """Returns a line for each shape: ours in GB/s, then each peer's ratio."""
    rows = []
    for shape in in_order(cell.shape for cell in grid.cells):
        ours, *others = (grid.by_key.get((shape, name)) for name in grid.subjects)
        rows.append([str(shape), ours and ours.gbs, *(c and c.ratio.median for c in others)])
    return Table(["shape", f"{grid.reference}, GB/s", *grid.peers], rows)


def twins(placed: Grid, plain: Grid) -> Table:
    """Returns what the layout costs ours: its GB/s divided by that of the same shape on
    displaced shards."""
    rows = []
    for cell in placed.cells:
        twin = plain.by_key.get((cell.shape._replace(layout=PLAIN), cell.subject))
        if cell.subject == placed.reference and twin:
            rows.append([str(cell.shape), cell.gbs, twin.gbs, cell.gbs / twin.gbs])
    return Table(["shape", "GB/s", "displaced", "share"], sorted(rows, key=lambda row: row[-1]))
