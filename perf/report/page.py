# SPDX-License-Identifier: BSD-3-Clause
"""The HTML page. It is one file that fetches nothing and contains no program."""
import base64
import gzip
from pathlib import Path
from typing import Sequence, Union

from jinja2 import Environment, FileSystemLoader, StrictUndefined

import charts
import views
from grid import Grid, Verdict, groups, verdict
from measure import Record
from merge import coverage, sign_test_rank
from rows import PLAIN, PeerSpeed, Roof, number, size


def compared(tables: dict[str, Grid]) -> dict[str, Grid]:
    """The tables that have peers in them, without the thousands of lines of the sweep."""
    named = {"Displaced shards": tables["summary"].plain,
             "Shards as programs have them": tables["summary"].placed,
             "Short calls": tables.get("short"),
             "One instruction set on both sides": tables.get("forced"),
             "RAID": tables.get("raid"), "jerasure's codes": tables.get("codes"),
             "Drop-in libraries": tables.get("dropins")}
    return {name: grid for name, grid in named.items() if grid and grid.cells}


def confidence(found: Verdict) -> str:
    if max(found.passes) <= 1:
        return "one pass: intervals are those within its process"
    counts = sorted(found.passes, key=found.passes.get, reverse=True)
    usual, others = counts[0], sorted(counts[1:])
    cover = (f"intervals of the sign test cover {coverage(usual, sign_test_rank(usual)):.1%}"
             if usual > 1 else "intervals are those within its process")
    rest = "".join(f"; {found.passes[count]} cells have {count}" for count in others)
    most = " in most cells" if others else ""
    return f"{usual} passes of whole processes{most}, {cover}{rest}"


def files(tables: dict[str, Grid]) -> dict[str, str]:
    """Returns the main charts, which stand in the page and also in files of their own."""
    grid = tables["summary"].plain
    found = {}
    if views.HEAD in grid.views:
        found["throughput"] = charts.throughput(grid, [views.HEAD])
    if grid.peers:
        found["peers"] = charts.peers(grid)
    found |= {f"heat-{peer}": charts.heat(grid, peer) for peer in grid.peers
              if grid.against(peer, views.HEAD.operation)}
    if "sweep" in tables:
        found["sweep"] = charts.sweep(views.sweep_shown(tables["sweep"]))
    if "sets" in tables:
        found["sets"] = charts.throughput(tables["sets"], tables["sets"].views)
    return found


def field(value: Union[str, int, float, None]) -> str:
    """Returns the text of a table's field."""
    if value is None:
        return ""
    return number(value) if isinstance(value, float) else str(value)


def image(svg: str) -> str:
    """Returns a chart within the page, where its identifiers cannot collide with those of
    another."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def packed(path: Path) -> str:
    """Returns a file within the page. It has no time stamp, so that the result is always the
    same."""
    content = base64.b64encode(gzip.compress(path.read_bytes(), 9, mtime=0)).decode()
    return f"data:application/gzip;base64,{content}"


def page(tables: dict[str, Grid], speeds: Sequence[PeerSpeed], roofs: Sequence[Roof],
         record: Record, data: Sequence[Path], drawn: dict[str, str]) -> str:
    """Returns the page. `drawn` is the result of files(); the reader can save `data` from the
    page."""
    grid = tables["summary"].plain
    bandwidths = [roof for roof in roofs if roof.kind == "bandwidth"]
    choices = sorted(grid.views, key=lambda view: view != views.HEAD)
    drawn = drawn | {str(view): charts.throughput(grid, [view]) for view in choices
                     if view != views.HEAD}
    if views.warm_cold(grid):
        drawn["warm-cold"] = charts.warm_cold(grid)
    if speeds:
        drawn["raid"] = charts.raid(speeds)
    if bandwidths:
        drawn["bandwidths"] = charts.bandwidths(bandwidths)
    environment = Environment(loader=FileSystemLoader(Path(__file__).resolve().parent),
                              autoescape=True, undefined=StrictUndefined, trim_blocks=True,
                              lstrip_blocks=True, keep_trailing_newline=True)
    environment.filters |= {"field": field, "image": image, "packed": packed, "size": size}
    lengths = groups(tables.get("sweep", Grid([])), lambda shape: shape.code)
    found = verdict(grid)
    return environment.get_template("page.html.j2").render(
        tables=tables, grid=grid, choices=choices, compared=compared(tables), record=record,
        speeds=speeds, roofs=roofs, data=data, drawn=drawn, views=views, verdict=found,
        confidence=confidence(found), lengths=[group for group in lengths if group.behind],
        plain=PLAIN, bin=charts.BIN)
