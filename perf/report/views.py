# SPDX-License-Identifier: BSD-3-Clause
"""The charts of a report: which cells go where, and what each says in a table."""
from typing import NamedTuple, Optional, Sequence

import charts
from grid import Grid, View, cliffs, geometric_mean, groups, in_order
from html_text import escape, heat_table, table
from merge import Cell
from rows import PLAIN, PeerSpeed, Roof, Shape, size

HEAD = View("encode", "cauchy", "warm")  # what the files beside the page show
SWEEP_CODE = "10+4"
WARM_COLD_LENGTHS = (65536, 1 << 20)


class Chart(NamedTuple):
    """A chart of the page; `classes` say for which choice it is shown."""
    classes: str
    svgs: list[str]
    table: str


def number(value: float) -> str:
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def gbs_table(grid: Grid, view: View) -> str:
    """Every median of a view: one line per code and length."""
    rows = []
    for code in grid.codes:
        for length in grid.lengths:
            cells = [grid.cell(view, code, length, name) for name in grid.subjects]
            if any(cells):
                roof = cells[0].roof if cells[0] else ""
                rows.append([code, size(length),
                             *(number(c.gbs) if c else "" for c in cells), roof])
    return table(["code", "bytes", *grid.subjects, "nearest roof"], rows)


def throughput(grid: Grid) -> list[Chart]:
    found = []
    for view in grid.views:
        svgs = []
        for code in grid.codes:
            lines = subject_lines(grid, view, code)
            if lines:
                svgs.append(charts.panel(charts.throughput(code, lines),
                                         f"t{len(found)}-{code.replace('+', '-')}",
                                         f"GB/s by shard length, {code}, {view}"))
        found.append(Chart(view.classes, svgs, gbs_table(grid, view)))
    return found


def subject_lines(grid: Grid, view: View, code: str) -> list[tuple[int, list[Cell]]]:
    lines = [(i, grid.line(view, code, name)) for i, name in enumerate(grid.subjects)]
    return [(i, cells) for i, cells in lines if cells]


def throughput_file(grid: Grid) -> str:
    drawings = [charts.throughput(f"{code}, {HEAD}", lines) for code in grid.codes
                if (lines := subject_lines(grid, HEAD, code))]
    return charts.sheet(drawings, "throughput", f"GB/s by shard length, {HEAD}", columns=2,
                        legend=subject_handles(grid)) if drawings else ""


def subject_handles(grid: Grid) -> list:
    handles = [charts.line_handle(name, i) for i, name in enumerate(grid.subjects)]
    if any(cell.roof_gbs for cell in grid.cells):
        handles.append(charts.roof_handle())
    return handles


# ---------------------------------------------------------------------- heat maps --

def heat_maps(grid: Grid) -> list[Chart]:
    """One table for each peer and view: a heat map that is its own table."""
    return [Chart(view.classes, [], heat_table(grid, view, peer))
            for view in grid.views for peer in grid.peers
            if any(grid.line(view, code, peer) for code in grid.codes)]


def heat_file(grid: Grid, peer: str) -> str:
    """Encoding against one peer: both matrices, warm and cold."""
    drawings = []
    for mode in grid.modes:
        rows = [f"{code} {matrix}" for code in grid.codes for matrix in grid.matrices]
        cells = {(f"{c.shape.code} {c.shape.matrix}", c.shape.len): c
                 for c in grid.against(peer, HEAD.operation, mode)}
        rows = [row for row in rows if any((row, n) in cells for n in grid.lengths)]
        if rows:
            drawings.append(charts.heat(f"encode, {mode}: {peer}'s time / ours", rows,
                                        grid.lengths, cells))
    return charts.sheet(drawings, f"heat-{peer}", f"ratios against {peer}", columns=2,
                        height=400, width=420) if drawings else ""


# ------------------------------------------------------------------ warm and cold --

def warm_cold(grid: Grid) -> Chart:
    svgs, rows = [], []
    for operation in grid.operations:
        for length in WARM_COLD_LENGTHS:
            drawn = warm_cold_lines(grid, operation, length)
            if not drawn:
                continue
            title = f"{operation}, shards of {size(length)}"
            svgs.append(charts.panel(charts.warm_cold(title, grid.codes, drawn),
                                     f"w{len(svgs)}", f"warm and cold: {title}",
                                     height=76 + 28 * len(grid.codes)))
            rows += [[operation, size(length), code, grid.subjects[i], number(values[code][0]),
                      number(values[code][1])]
                     for i, values in drawn for code in grid.codes if code in values]
    return Chart("", svgs, table(["operation", "bytes", "code", "subject", "warm GB/s",
                                  "cold GB/s"], rows))


def warm_cold_lines(grid: Grid, operation: str, length: int
                    ) -> list[tuple[int, dict[str, tuple[float, float]]]]:
    """Of the reference and the first peer, with Cauchy matrices."""
    drawn = []
    for index, subject in enumerate(grid.subjects[:2]):
        values = {}
        for code in grid.codes:
            warm, cold = (grid.cell(View(operation, HEAD.matrix, mode), code, length, subject)
                          for mode in ("warm", "cold"))
            if warm and cold:
                values[code] = (warm.gbs, cold.gbs)
        if values:
            drawn.append((index, values))
    return drawn


# -------------------------------------------------------------------------- sweep --

def sweep_drawings(grid: Grid, short: int = 256) -> list[charts.Drawing]:
    """All lengths in bands and the short ones each: GB/s of both, and their ratio."""
    speeds, ratios = [], []
    for index, subject in enumerate(grid.subjects):
        cells = sorted((c for c in grid.cells if c.subject == subject),
                       key=lambda cell: cell.shape.len)
        lengths = [c.shape.len for c in cells]
        speeds.append((index, lengths, [c.gbs for c in cells]))
        if index > 0:
            ratios.append((index, lengths, [c.ratio.median for c in cells]))
    ends = [(max(grid.lengths), True), (short, False)]
    drawings = []
    for lines, what, parity in ((speeds, "GB/s", None), (ratios, "time / ours", 1.0)):
        for last, banded in ends:
            cut = [(i, [n for n in x if n <= last], [v for n, v in zip(x, y) if n <= last])
                   for i, x, y in lines]
            steps = f", in steps of {charts.BIN}" if banded else ""
            title = f"{what}, 1 to {last} bytes{steps}"
            drawings.append(charts.sweep(title, what, cut, banded, parity))
    return drawings


def sweep_shown(grid: Grid) -> Grid:
    """The one code that is drawn: the usual one, or what there is."""
    code = SWEEP_CODE if SWEEP_CODE in grid.codes else grid.codes[-1]
    return grid.part(lambda shape: shape.code == code)


def sweep(grid: Grid) -> Chart:
    shown = sweep_shown(grid)
    svgs = [charts.panel(draw, f"s{i}", "length sweep") for i, draw in
            enumerate(sweep_drawings(shown))]
    rows = []
    for group in groups(grid, lambda shape: shape.code):
        least = sorted(group.cells, key=lambda cell: cell.ratio.median)[:20]
        rows += [[group.peer, group.name, str(c.shape.len), number(c.ratio.median),
                  f"{c.ratio.low:.3g}..{c.ratio.high:.3g}"] for c in least]
    return Chart("", svgs, cliff_text(shown) +
                 table(["peer", "code", "bytes", "least ratios", "interval"], rows))


# ------------------------------------------------------------ tables without charts --

def subject_of_shape(shape: Shape) -> str:
    """What cells of a table have in common, but for the length and the matrix."""
    layout = "" if shape.layout == PLAIN else shape.layout
    return " ".join(word for word in (shape.variant, shape.operation, shape.code, layout,
                                      shape.mode) if word)


def overview(grid: Grid) -> str:
    """Means over the lengths, the least ratio and how many cells are behind: for each peer."""
    rows = [[group.name, group.peer, number(group.mean), number(group.least.ratio.median),
             f"{group.least.shape.matrix} {size(group.least.shape.len)}",
             f"{len(group.behind)} of {len(group.cells)}"]
            for group in groups(grid, subject_of_shape)]
    return table(["what", "peer", "geometric mean", "least", "at", "behind"], rows)


def every_cell(grid: Grid) -> str:
    """A line for each shape: ours in GB/s, then each peer's ratio."""
    shapes = in_order(cell.shape for cell in grid.cells)
    rows = []
    for shape in shapes:
        cells = [grid.by_key.get((shape, name)) for name in grid.subjects]
        ours, others = cells[0], cells[1:]
        rows.append([str(shape), number(ours.gbs) if ours else "",
                     *(number(c.ratio.median) if c else "" for c in others)])
    return table(["shape", f"{grid.reference}, GB/s", *grid.peers], rows)


def twins(placed: Grid, plain: Grid) -> str:
    """What the layout costs ours: GB/s of that of the same shape on displaced shards."""
    rows = []
    for cell in placed.cells:
        twin = plain.by_key.get((cell.shape._replace(layout=PLAIN), cell.subject))
        if cell.subject == placed.reference and twin:
            rows.append([str(cell.shape), number(cell.gbs), number(twin.gbs),
                         number(cell.gbs / twin.gbs)])
    return table(["shape", "GB/s", "displaced", "share"],
                 sorted(rows, key=lambda row: float(row[-1])))


def cliff_text(grid: Grid) -> str:
    lines = []
    for subject in grid.subjects:
        found = cliffs([c for c in grid.cells if c.subject == subject])
        worst = min(found, key=lambda cliff: cliff.gbs / cliff.neighbours, default=None)
        lines.append(f"{subject}: {len(found)} lengths"
                     + (f", the worst is {worst.len} with {worst.gbs / worst.neighbours:.2f} "
                        "of what its neighbours reach" if worst else ""))
    return ("<p>Cliffs, lengths below 0.8 of what the 32 lengths around reach: "
            f"{escape('; '.join(lines))}.</p>")


# -------------------------------------------------------------- sets, peers, RAID --

def set_drawings(grid: Grid) -> list[charts.Drawing]:
    return [charts.sets(f"{code}, {view}", lines) for view in grid.views
            for code in grid.codes if (lines := subject_lines(grid, view, code))]


def kernel_sets(grid: Grid) -> Chart:
    svgs = [charts.panel(draw, f"k{i}", "kernel sets against their roofs", height=300)
            for i, draw in enumerate(set_drawings(grid))]
    rows = [[str(c.shape), c.subject, number(c.gbs), c.roof,
             number(c.roof_gbs) if c.roof_gbs else "",
             f"{c.gbs / c.roof_gbs:.0%}" if c.roof_gbs else ""] for c in grid.cells]
    return Chart("", svgs, table(["shape", "set", "GB/s", "nearest roof", "roof GB/s", "share"],
                                 rows))


def peer_drawings(grid: Grid) -> tuple[list[charts.Drawing], list[list[str]]]:
    drawings, rows = [], []
    for operation in grid.operations:
        for mode in grid.modes:
            bars = []
            for index, peer in enumerate(grid.peers, 1):
                cells = grid.against(peer, operation, mode)
                if cells:
                    ratios = [cell.ratio.median for cell in cells]
                    bars.append((index, peer, geometric_mean(cells), min(ratios), max(ratios)))
            if bars:
                drawings.append(charts.peer_bars(f"{operation}, {mode}", bars))
            rows += [[operation, mode, name, *map(number, figures)]
                     for _, name, *figures in bars]
    return drawings, rows


def peers(grid: Grid) -> Chart:
    drawings, rows = peer_drawings(grid)
    svgs = [charts.panel(draw, f"p{i}", "ratios against the peers", height=190)
            for i, draw in enumerate(drawings)]
    return Chart("", svgs, table(["operation", "mode", "peer", "geometric mean", "least",
                                  "greatest"], rows))


def speed_looks(speeds: Sequence[PeerSpeed]) -> dict[str, int]:
    return {peer: i for i, peer in enumerate(dict.fromkeys(s.peer for s in speeds))}


def raid(speeds: Sequence[PeerSpeed]) -> Chart:
    functions = {speed.function for speed in speeds}
    draw = charts.speed_bars("Generating and recovering", speeds, speed_looks(speeds))
    return Chart("", [charts.panel(draw, "r0", "RAID functions of other programs",
                                   height=80 + 36 * len(functions))],
                 table(["peer", "function", "GB/s"],
                       [[s.peer, s.function, number(s.gbs)] for s in speeds]))


def roof_levels(roofs: Sequence[Roof]) -> list[str]:
    return in_order(roof.level for roof in roofs if roof.kind == "bandwidth")


def bandwidths(roofs: Sequence[Roof]) -> Chart:
    """The bandwidths as a chart, of any number of streams the best; the table has all."""
    best: dict[tuple[str, str], float] = {}
    for roof in roofs:
        if roof.kind == "bandwidth":
            key = (roof.name, roof.level)
            best[key] = max(best.get(key, 0), roof.value)
    names = in_order(name for name, _ in best)
    draw = charts.bandwidths("Bandwidths", names, roof_levels(roofs), best)
    svgs = [charts.panel(draw, "b0", "bandwidths", height=80 + 26 * len(names))] if best else []
    return Chart("", svgs, table(Roof._fields, [[*roof[:4], number(roof.value), roof.unit]
                                                for roof in roofs]))


# -------------------------------------------------------------------------- files --

def files(grid: Grid, sweep_grid: Optional[Grid],
          sets_grid: Optional[Grid]) -> dict[str, str]:
    """The main charts, each to stand alone."""
    found = {"throughput": throughput_file(grid),
             "peers": charts.sheet(peer_drawings(grid)[0], "peers", "ratios against the peers",
                                   columns=2, height=190) if grid.peers else ""}
    found |= {f"heat-{peer}": heat_file(grid, peer) for peer in grid.peers}
    if sweep_grid:
        found["sweep"] = charts.sheet(sweep_drawings(sweep_shown(sweep_grid)), "sweep",
                                      "length sweep", columns=2,
                                      legend=subject_handles(sweep_grid))
    if sets_grid:
        found["sets"] = charts.sheet(set_drawings(sets_grid), "sets",
                                     "kernel sets against their roofs", columns=2, height=320,
                                     legend=subject_handles(sets_grid), legend_columns=5)
    return {name: svg for name, svg in found.items() if svg}
