# SPDX-License-Identifier: BSD-3-Clause
"""The charts: a function draws one figure with matplotlib and returns it as SVG."""
import io
from math import log2, nan
from statistics import median
from typing import Iterable, Mapping, Optional, Sequence

import matplotlib
import matplotlib.style
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

import views
from grid import Grid, View, groups, in_order
from merge import Cell
from rows import PeerSpeed, Roof, size, span

matplotlib.style.use(["default", "tableau-colorblind10"])
matplotlib.rcParams.update({
    "font.sans-serif": ["DejaVu Sans"],  # the font of the text, which decides its assumed width
    "svg.fonttype": "none",  # text stays text, which is small and can be searched
    "svg.hashsalt": "permxor",  # the same figures give the same bytes
    "axes.axisbelow": True, "axes.grid": True, "axes.spines.right": False,
    "axes.spines.top": False, "axes.titlelocation": "left", "axes.titlesize": "medium",
    "axes.titleweight": "bold", "figure.constrained_layout.use": True, "grid.alpha": 0.5,
    "legend.frameon": False, "lines.markersize": 5})

MARKERS = "os^DvPX*<>h"  # one more than there are colours, so that there are many pairs
TICKS = (1, 64, 512, 4096, 65536, 1 << 20, 8 << 20)
BIN = 64  # lengths joined in a step of the long sweep: the period of 64-byte vectors
SHORT = 256  # lengths up to which the sweep shows each one
WIDTH = 4.2  # of a panel, in inches


# --------------------------------------------------------------------- figures --

def panels(count: int, columns: int = 3, height: float = 3) -> tuple[Figure, list[Axes]]:
    """Returns a figure with `count` pairs of axes, each `height` inches high."""
    columns = min(columns, count)
    rows = -(-count // columns)
    figure = Figure(figsize=(WIDTH * columns, height * rows))
    return figure, [figure.add_subplot(rows, columns, i + 1) for i in range(count)]


def svg(figure: Figure, description: Optional[str] = None) -> str:
    """Returns the figure as SVG. The labels of all panels make up one legend above them."""
    found: dict[str, object] = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            found.setdefault(label, handle)
    if found:
        figure.legend(found.values(), found.keys(), loc="lower left", bbox_to_anchor=(0, 1),
                      ncol=2 * round(figure.get_figwidth() / WIDTH))
    stream = io.StringIO()
    figure.savefig(stream, format="svg", bbox_inches="tight",
                   metadata={"Date": None, "Description": description})
    return stream.getvalue()


def look(index: int) -> dict[str, str]:
    """Returns how the marks of a subject look, which is the same in all panels."""
    return {"color": f"C{index}", "marker": MARKERS[index % len(MARKERS)]}


def from_zero(axes: Axes, label: str) -> None:
    axes.set_ylim(bottom=0)
    axes.set_ylabel(label)


def _factors(axis: Axis) -> None:
    """Labels a logarithmic axis with plain numbers."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_locator(NullLocator())


def _names(axes: Axes, names: Sequence[str]) -> None:
    """Makes a line for each name, the first one on top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)


# ------------------------------------------------------------------ throughput --

def _line(axes: Axes, index: int, name: str, cells: Sequence[Cell]) -> None:
    """Draws a subject over the lengths. Noisy cells are hollow, and its roof is dotted."""
    axes.plot([c.shape.len for c in cells], [c.gbs for c in cells], label=name, **look(index))
    noisy = [(c.shape.len, c.gbs) for c in cells if c.noisy]
    if noisy:
        axes.plot(*zip(*noisy), linestyle="none", markerfacecolor="white", **look(index))
    roofs = [(c.shape.len, c.roof_gbs) for c in cells if c.roof_gbs]
    if roofs:
        axes.plot(*zip(*roofs), color=f"C{index}", linestyle=":", label="roof")


def throughput(grid: Grid, shown: Iterable[View]) -> str:
    """Draws GB/s over the shard length, with a panel for each view and code, and a line for
    each subject."""
    pairs = [(view, code) for view in shown for code in grid.codes
             if any(grid.line(view, code, name) for name in grid.subjects)]
    figure, found = panels(len(pairs))
    for axes, (view, code) in zip(found, pairs):
        for index, name in enumerate(grid.subjects):
            cells = grid.line(view, code, name)
            if cells:
                _line(axes, index, name, cells)
        axes.set_title(f"{code}, {view}")
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_locator(FixedLocator(TICKS))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: size(int(x))))
        axes.set_xlabel("bytes a shard")
        from_zero(axes, "GB/s")
    return svg(figure)


def warm_cold(grid: Grid) -> str:
    """Draws for each code and subject a line from cold (hollow) to warm (filled)."""
    cases = views.warm_cold(grid)
    titles = in_order((case.operation, case.len) for case in cases)
    figure, found = panels(len(titles), 2, 0.8 + 0.3 * len(grid.codes))
    for axes, (operation, length) in zip(found, titles):
        for case in cases:
            if (case.operation, case.len) != (operation, length):
                continue
            index = grid.subjects.index(case.subject)
            at = grid.codes.index(case.code) + (0.16 if index else -0.16)
            axes.plot([case.warm, case.cold], [at, at], label=case.subject, **look(index))
            axes.plot(case.cold, at, markerfacecolor="white", **look(index))
        axes.set_title(f"{operation}, shards of {size(length)}")
        _names(axes, grid.codes)
        axes.set_xlim(left=0)
        axes.set_xlabel("GB/s")
    return svg(figure)


# ----------------------------------------------------------------------- sweep --

def _band(axes: Axes, index: int, name: str, points: Sequence[tuple[int, float]],
          step: int) -> None:
    """Draws the median of every `step` neighbours as a line, and the least to the greatest as a
    band."""
    joined = [points[i:i + step] for i in range(0, len(points), step)]
    x = [(group[0][0] + group[-1][0]) / 2 for group in joined]
    y = [[value for _, value in group] for group in joined]
    axes.fill_between(x, [min(group) for group in y], [max(group) for group in y],
                      color=f"C{index}", alpha=0.25, linewidth=0)
    axes.plot(x, [median(group) for group in y], color=f"C{index}", linewidth=1.1, label=name)


def sweep(grid: Grid) -> str:
    """Draws all lengths in bands, and each of the short ones: GB/s, and the ratios to the
    reference."""
    wanted = [(label, value, last, step)
              for label, value in (("GB/s", lambda cell: cell.gbs),
                                   ("time / ours", lambda cell: cell.ratio.median))
              for last, step in ((max(grid.lengths), BIN), (SHORT, 1))
              if min(grid.lengths) <= last]
    figure, found = panels(len(wanted), 2)
    for axes, (label, value, last, step) in zip(found, wanted):
        for index, name in enumerate(grid.subjects):
            points = sorted((cell.shape.len, value(cell)) for cell in grid.cells
                            if cell.subject == name and cell.shape.len <= last)
            _band(axes, index, name, points, step)
        steps = f", in steps of {step}" if step > 1 else ""
        axes.set_title(f"{label}, 1 to {last} bytes{steps}")
        axes.set_yscale("log")  # because cliffs are factors
        _factors(axes.yaxis)
        axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 4, 8, 10]))
        axes.set_xlabel("bytes a shard")
        axes.set_ylabel(label)
    return svg(figure)


# --------------------------------------------------------------- bars and marks --

def _ratios(axes: Axes, title: str, names: Sequence[str], ours: str) -> None:
    """Dresses a panel of ratios, with a line for each name."""
    axes.set_xscale("log", base=2)
    _factors(axes.xaxis)
    axes.axvline(1, color="black")
    _names(axes, names)
    axes.grid(axis="y", visible=False)
    axes.set_title(title)
    axes.set_xlabel(f"time of the peer / time of {ours}")


def peers(grid: Grid) -> str:
    """Draws geometric means of the ratios as bars, and the least to the greatest as whiskers."""
    bars = groups(grid, views.operation_mode)
    titles = in_order(bar.name for bar in bars)
    figure, found = panels(len(titles), 2, 0.8 + 0.22 * len(grid.peers))
    for axes, title in zip(found, titles):
        here = [bar for bar in bars if bar.name == title]
        for y, bar in enumerate(here):
            axes.barh(y, bar.mean - 1, left=1, height=0.6,
                      color=f"C{grid.subjects.index(bar.peer)}")
            axes.plot([bar.least.ratio.median, bar.greatest.ratio.median], [y, y], "k|-",
                      linewidth=1)
        _ratios(axes, title, [f"{bar.peer} {bar.mean:.2f}" for bar in here], "ours")
    return svg(figure)


def spans(rows: Mapping[str, Mapping[str, Sequence[float]]], description: str) -> str:
    """Bars from the least to the greatest ratio, labelled: a line for each row, a panel for each
    title."""
    titles = in_order(title for row in rows.values() for title in row)
    figure, found = panels(len(titles), len(titles), 0.8 + 0.24 * len(rows))
    figure.set_figwidth(10)
    most = max(max(values) for row in rows.values() for values in row.values())
    for axes, title in zip(found, titles):
        for y, row in enumerate(rows.values()):
            if title in row:
                end = max(row[title])
                axes.plot([min(row[title]), end], [y, y], "C0|-", linewidth=6,
                          markersize=10, markeredgewidth=2, solid_capstyle="butt")
                axes.annotate(span(row[title]), (end, y), xytext=(8, 0),
                              textcoords="offset points", va="center", fontsize="small")
        _ratios(axes, title, list(rows) if axes is found[0] else [""] * len(rows), "permxor")
        axes.xaxis.set_major_locator(FixedLocator([1 << i for i in range(int(log2(most)) + 1)]))
        axes.set_xlim(0.7, 5 * most)  # beside the last bar there is its label
    return svg(figure, description)


def raid(speeds: Sequence[PeerSpeed]) -> str:
    """Draws GB/s by function, with a bar for each program that has it."""
    functions, programs = (in_order(getattr(speed, name) for speed in speeds)
                           for name in ("function", "peer"))
    figure, (axes,) = panels(1, height=0.8 + 0.4 * len(functions))
    height = 0.8 / len(programs)
    for index, program in enumerate(programs):
        here = [speed for speed in speeds if speed.peer == program]
        at = [functions.index(speed.function) + height * (index - (len(programs) - 1) / 2)
              for speed in here]
        axes.bar_label(axes.barh(at, [speed.gbs for speed in here], height, label=program),
                       fmt="%.1f", padding=3)
    _names(axes, functions)
    axes.margins(x=0.12)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("GB/s")
    return svg(figure)


def bandwidths(roofs: Iterable[Roof]) -> str:
    """Draws GB/s of each way to move bytes, with the best number of streams, by level of
    memory."""
    best: dict[str, dict[str, float]] = {}
    for roof in roofs:
        level = best.setdefault(roof.level, {})
        level[roof.name] = max(level.get(roof.name, 0), roof.value)
    names = in_order(name for level in best.values() for name in level)
    figure, (axes,) = panels(1, height=0.8 + 0.3 * len(names))
    for index, (name, values) in enumerate(best.items()):
        axes.plot(values.values(), [names.index(way) for way in values], linestyle="none",
                  label=name, **look(index))
    axes.set_xscale("log", base=2)
    _factors(axes.xaxis)
    _names(axes, names)
    axes.set_xlabel("GB/s")
    return svg(figure)


# ------------------------------------------------------------------- heat maps --

def heat(grid: Grid, peer: str) -> str:
    """Draws encoding against one peer, by code, matrix and length, warm and cold."""
    operation = views.HEAD.operation
    modes = [mode for mode in grid.modes if grid.against(peer, operation, mode)]
    figure, found = panels(len(modes), 2, 0.8 + 0.4 * len(grid.codes))
    for axes, mode in zip(found, modes):
        cells = {(f"{c.shape.code} {c.shape.matrix}", c.shape.len): c.ratio.median
                 for c in grid.against(peer, operation, mode)}
        names = {name for name, _ in cells}
        rows = [row for code in grid.codes for matrix in grid.matrices
                if (row := f"{code} {matrix}") in names]
        axes.pcolormesh([[views.heat_level(cells[row, n]) if (row, n) in cells else nan
                          for n in grid.lengths] for row in rows],
                        cmap=ListedColormap(views.HEAT_COLOURS), vmin=-0.5,
                        vmax=len(views.HEAT_COLOURS) - 0.5)
        for (row, length), ratio in cells.items():
            axes.text(grid.lengths.index(length) + 0.5, rows.index(row) + 0.5,
                      views.ratio_text(ratio), ha="center", va="center", fontsize="small",
                      color=views.heat_ink(views.heat_level(ratio)))
        axes.set_xticks([x + 0.5 for x in range(len(grid.lengths))], map(size, grid.lengths))
        axes.set_yticks([y + 0.5 for y in range(len(rows))], rows)
        axes.tick_params(labelsize="small")
        axes.invert_yaxis()
        axes.grid(visible=False)
        axes.set_title(f"{operation}, {mode}: {peer}'s time / ours")
    return svg(figure)
