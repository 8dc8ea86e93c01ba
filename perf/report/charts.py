# SPDX-License-Identifier: BSD-3-Clause
"""What is drawn on one pair of axes, and figures of one or several of these."""
from statistics import median
from typing import Callable, Iterable, Optional, Sequence

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

import style
import svg
from merge import Cell
from rows import PeerSpeed, size

Drawing = Callable[[Axes], None]
TICKS = (1, 64, 512, 4096, 65536, 1 << 20, 8 << 20)
BIN = 64  # lengths that a step of the long sweep joins: the period of 64-byte vectors


# --------------------------------------------------------------------- figures --

def panel(draw: Drawing, prefix: str, label: str, height: int = 230,
          width: int = style.PANEL_WIDTH) -> str:
    """One pair of axes as an <svg> of a phone's width."""
    return sheet([draw], prefix, label, height=height, width=width)


def sheet(drawings: Sequence[Drawing], prefix: str, label: str, columns: int = 1,
          height: int = 230, legend: Sequence[Line2D] = (),
          legend_columns: int = 6, width: int = style.PANEL_WIDTH) -> str:
    """Several pairs of axes in one <svg>, with a common legend above."""
    rows = -(-len(drawings) // columns)
    top = 14 + 18 * -(-len(legend) // legend_columns) if legend else 0
    wide, high = width * columns, height * rows + top
    with matplotlib.rc_context(style.RC):
        figure = Figure(figsize=(wide / 72, high / 72), layout="constrained")
        figure.get_layout_engine().set(w_pad=4 / 72, h_pad=4 / 72,
                                       rect=(0, 0, 1, 1 - top / high))
        for i, draw in enumerate(drawings):
            draw(figure.add_subplot(rows, columns, i + 1))
        if legend:
            figure.legend(handles=list(legend), loc="upper center", ncol=legend_columns)
        return svg.render(figure, prefix, label)


def legend_panel(handles: Sequence[Line2D], prefix: str) -> str:
    """A legend alone, in three columns of a phone's width."""
    columns = 3
    with matplotlib.rc_context(style.RC):
        rows = -(-len(handles) // columns)
        figure = Figure(figsize=(style.PANEL_WIDTH / 72, (18 * rows + 8) / 72))
        figure.legend(handles=list(handles), loc="center left", ncol=columns,
                      borderaxespad=0, borderpad=0, handlelength=2.2, columnspacing=1.2)
        return svg.render(figure, prefix, "legend")


def line_handle(name: str, index: int) -> Line2D:
    look = style.series(index)
    return Line2D([], [], color=look.colour, marker=look.marker, linestyle=look.dash,
                  label=name)


def roof_handle() -> Line2D:
    return Line2D([], [], color=style.role("muted"), linestyle=":", label="roof")


# ------------------------------------------------------------------------ axes --

def _lengths(axes: Axes, label: bool = True) -> None:
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(FixedLocator(TICKS))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: size(int(x))))
    if label:
        axes.set_xlabel("bytes a shard")


def _from_zero(axes: Axes, ylabel: str) -> None:
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.set_ylabel(ylabel)


def _line(axes: Axes, cells: Sequence[Cell], index: int) -> None:
    """A subject over the lengths; noisy cells are hollow."""
    look = style.series(index)
    x = [cell.shape.len for cell in cells]
    y = [cell.gbs for cell in cells]
    axes.plot(x, y, color=look.colour, linestyle=look.dash, zorder=3)
    for noisy in (False, True):
        points = [(a, b) for a, b, cell in zip(x, y, cells) if cell.noisy == noisy]
        if points:
            axes.plot(*zip(*points), color=look.colour, linestyle="none", marker=look.marker,
                      markerfacecolor=style.role("paper") if noisy else look.colour,
                      zorder=4)


def throughput(title: str, by_subject: Sequence[tuple[int, Sequence[Cell]]]) -> Drawing:
    """Lines over the length, one per subject: (index of its look, cells)."""
    def draw(axes: Axes) -> None:
        for index, cells in by_subject:
            _line(axes, cells, index)
        roofs = [(c.shape.len, c.roof_gbs) for c in by_subject[0][1] if c.roof_gbs]
        top = max(axes.get_ylim()[1], max((r for _, r in roofs), default=0) * 1.04)
        if roofs:
            axes.plot(*zip(*roofs), color=style.role("muted"), linestyle=":", zorder=2)
        axes.set_title(title)
        _lengths(axes)
        axes.set_ylim(top=top)
        _from_zero(axes, "GB/s")
    return draw


def sets(title: str, by_set: Sequence[tuple[int, Sequence[Cell]]]) -> Drawing:
    """Kernel sets over the length, each with its roof as a dotted line."""
    def draw(axes: Axes) -> None:
        for index, cells in by_set:
            _line(axes, cells, index)
            roofs = [(c.shape.len, c.roof_gbs) for c in cells if c.roof_gbs]
            if roofs:
                axes.plot(*zip(*roofs), color=style.series(index).colour, linestyle=":",
                          linewidth=1.4)
        axes.set_title(title)
        _lengths(axes)
        _from_zero(axes, "GB/s")
    return draw


def over_rows(title: str, ylabel: str,
              by_series: Sequence[tuple[int, Sequence[int], Sequence[float]]]) -> Drawing:
    """Lines over the number of parity shards: (index of its look, these, values)."""
    def draw(axes: Axes) -> None:
        for index, x, y in by_series:
            look = style.series(index)
            axes.plot(x, y, color=look.colour, linestyle=look.dash, marker=look.marker,
                      zorder=3)
        axes.set_title(title)
        axes.set_xlabel("parity shards")
        axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
        _from_zero(axes, ylabel)
    return draw


def warm_cold(title: str, codes: Sequence[str],
              by_subject: Sequence[tuple[int, dict[str, tuple[float, float]]]]) -> Drawing:
    """Per code a line from cold (hollow) to warm (filled), one per subject."""
    def draw(axes: Axes) -> None:
        for row, (index, values) in enumerate(by_subject):
            look = style.series(index)
            for y, code in enumerate(codes):
                if code not in values:
                    continue
                warm, cold = values[code]
                at = y + 0.32 * (row - (len(by_subject) - 1) / 2)
                axes.plot([cold, warm], [at, at], color=look.colour, linewidth=2)
                axes.plot([cold], [at], color=look.colour, marker=look.marker,
                          markerfacecolor=style.role("paper"))
                axes.plot([warm], [at], color=look.colour, marker=look.marker)
        axes.set_title(title)
        axes.set_yticks(range(len(codes)), codes)
        axes.set_ylim(len(codes) - 0.5, -0.5)
        axes.set_xlim(left=0)
        axes.set_xlabel("GB/s")
    return draw


# ----------------------------------------------------------------------- sweep --

def _band(axes: Axes, x: Sequence[int], y: Sequence[float], index: int) -> None:
    """Many lengths: the median of neighbours as a line, least to greatest as a band."""
    look = style.series(index)
    groups = [(x[i], x[i:i + BIN][-1], y[i:i + BIN]) for i in range(0, len(x), BIN)]
    middle = [(a + b) / 2 for a, b, _ in groups]
    axes.fill_between(middle, [min(g) for _, _, g in groups], [max(g) for _, _, g in groups],
                      color=look.colour, alpha=0.25, linewidth=0)
    axes.plot(middle, [median(g) for _, _, g in groups], color=look.colour, linewidth=1.2)


def sweep(title: str, ylabel: str, lines: Iterable[tuple[int, Sequence[int], Sequence[float]]],
          banded: bool, parity: Optional[float] = None) -> Drawing:
    """Figures of many lengths on logarithmic figures, for cliffs are factors."""
    def draw(axes: Axes) -> None:
        for index, x, y in lines:
            if banded:
                _band(axes, x, y, index)
            else:
                axes.plot(x, y, color=style.series(index).colour, linewidth=1.1)
        if parity is not None:
            axes.axhline(parity, color=style.role("ink"), linewidth=1, linestyle=":")
        axes.set_title(title)
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 4, 8, 10]))
        axes.set_xlabel("bytes a shard")
        axes.set_ylabel(ylabel)
    return draw


# ----------------------------------------------------------------------- peers --

def peer_bars(title: str, bars: Sequence[tuple[int, str, float, float, float]]) -> Drawing:
    """(look, name, geometric mean, least, greatest) of ratios: bars with whiskers."""
    def draw(axes: Axes) -> None:
        for y, (index, _, mean, least, greatest) in enumerate(bars):
            axes.barh(y, mean - 1, left=1, height=0.6, color=style.series(index).colour)
            axes.plot([least, greatest], [y, y], color=style.role("ink"), linewidth=1,
                      marker="|", markersize=8)
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.axvline(1, color=style.role("ink"), linewidth=1.2)
        axes.set_yticks(range(len(bars)), [f"{bar[1]} {bar[2]:.2f}" for bar in bars])
        axes.set_ylim(max(len(bars), 4) - 0.4, -0.6)
        axes.grid(axis="y", visible=False)
        axes.set_title(title)
        axes.set_xlabel("time of the peer / time of ours")
    return draw


def speed_bars(title: str, speeds: Sequence[PeerSpeed], looks: dict[str, int]) -> Drawing:
    """GB/s by function, a bar for each peer that has it."""
    def draw(axes: Axes) -> None:
        functions = list(dict.fromkeys(speed.function for speed in speeds))
        height = 0.8 / len(looks)
        for speed in speeds:
            row = looks[speed.peer]
            y = functions.index(speed.function) + height * (row - (len(looks) - 1) / 2)
            axes.barh(y, speed.gbs, height=height, color=style.series(row).colour)
            axes.annotate(f"{speed.gbs:.1f}", (speed.gbs, y), (4, 0), va="center",
                          textcoords="offset points", fontsize=10)
        axes.set_yticks(range(len(functions)), functions)
        axes.set_ylim(len(functions) - 0.4, -0.6)
        axes.margins(x=0.12)
        axes.grid(axis="y", visible=False)
        axes.set_title(title)
        axes.set_xlabel("GB/s")
    return draw


def bandwidths(title: str, names: Sequence[str], levels: Sequence[str],
               values: dict[tuple[str, str], float]) -> Drawing:
    """GB/s of each way to move bytes, one mark for each level of the memory."""
    def draw(axes: Axes) -> None:
        for row, level in enumerate(levels):
            look = style.series(row)
            points = [(values[name, level], y) for y, name in enumerate(names)
                      if (name, level) in values]
            axes.plot(*zip(*points), color=look.colour, marker=look.marker, linestyle="none")
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_yticks(range(len(names)), names)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.set_title(title)
        axes.set_xlabel("GB/s")
    return draw


# -------------------------------------------------------------------- heat map --

def ratio_text(ratio: float) -> str:
    """Three digits at most: a cell of a phone's table is narrow."""
    if ratio >= 9950:
        return f"{ratio / 1000:.0f}k"
    if ratio >= 99.5:
        return f"{ratio:.0f}" if ratio < 1000 else f"{ratio / 1000:.1f}k"
    return f"{ratio:.1f}" if ratio >= 9.95 else f"{ratio:.2f}"


def heat(title: str, rows: Sequence[str], lengths: Sequence[int],
         cells: dict[tuple[str, int], Cell]) -> Drawing:
    """Ratios by code and length."""
    def draw(axes: Axes) -> None:
        for y, row in enumerate(rows):
            for x, length in enumerate(lengths):
                cell = cells.get((row, length))
                if cell is None:
                    continue
                fill, ink = style.heat_colours(cell.ratio.median)
                axes.barh(y, 1, left=x - 0.5, height=1, color=fill)
                axes.text(x, y, ratio_text(cell.ratio.median), ha="center", va="center",
                          fontsize=10, color=ink)
        axes.set_xticks(range(len(lengths)), [size(n) for n in lengths])
        axes.set_yticks(range(len(rows)), rows)
        axes.set_xlim(-0.5, len(lengths) - 0.5)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.tick_params(length=0)
        axes.grid(visible=False)
        axes.spines[:].set_visible(False)
        axes.set_title(title)
    return draw
