# SPDX-License-Identifier: BSD-3-Clause
"""Pieces of HTML: tables, and heat maps, which are tables with colours."""
from html import escape
from typing import Iterable, Optional, Sequence

import style
from charts import ratio_text
from grid import Grid, View
from merge import Cell
from rows import size

__all__ = ["escape", "heat_table", "table"]


def _row(tag: str, fields: Iterable[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(field)}</{tag}>" for field in fields) + "</tr>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    body = "\n".join(_row("td", row) for row in rows)
    return (f'<div class="wide"><table><thead>{_row("th", head)}</thead><tbody>{body}</tbody>'
            "</table></div>")


def heat_cell(cell: Optional[Cell]) -> str:
    if cell is None:
        return "<td></td>"
    ratio = cell.ratio
    marks = " behind" if cell.behind else ""
    marks += " noisy" if cell.noisy else ""
    return (f'<td class="{style.heat_class(ratio.median)}{marks}" '
            f'title="{ratio.low:.3g}..{ratio.high:.3g}">{ratio_text(ratio.median)}</td>')


def heat_table(grid: Grid, view: View, peer: str) -> str:
    """Codes down, lengths across: the peer's time over the reference's."""
    rows = []
    for code in grid.codes:
        cells = [grid.cell(view, code, length, peer) for length in grid.lengths]
        if any(cells):
            rows.append(f"<tr><th>{code}</th>" + "".join(map(heat_cell, cells)) + "</tr>")
    head = "".join(f"<th>{size(length)}</th>" for length in grid.lengths)
    return (f'<table class="heat"><caption>{escape(peer)}</caption>'
            f"<thead><tr><th></th>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>")
