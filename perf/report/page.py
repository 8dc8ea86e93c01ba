# SPDX-License-Identifier: BSD-3-Clause
"""The HTML page: one file, nothing fetched, no program in it."""
import base64
import gzip
from pathlib import Path
from typing import NamedTuple, Optional, Sequence

import charts
import style
import views
from grid import Grid, PeerVerdict, Verdict, groups, verdict
from html_text import escape, table
from measure import Record
from merge import Cell, coverage, sign_test_rank
from rows import PLAIN, PeerSpeed, Roof
from views import Chart

class Tables(NamedTuple):
    """The merged tables of a run; what was not measured is None."""
    summary: Grid
    sweep: Optional[Grid] = None
    sets: Optional[Grid] = None
    short: Optional[Grid] = None
    forced: Optional[Grid] = None
    raid: Optional[Grid] = None

    def compared(self) -> list[tuple[str, Grid]]:
        """Those with peers in them, but for the thousands of the sweep."""
        named = [("Displaced shards", self.summary.plain),
                 ("Shards as programs have them", self.summary.placed),
                 ("Short calls", self.short),
                 ("One instruction set on both sides", self.forced), ("RAID", self.raid)]
        return [(name, grid) for name, grid in named if grid and grid.cells]


SHEET = Path(__file__).resolve().parent / "page.css"


def choices(grid: Grid, group: str) -> tuple[str, str]:
    """Radio buttons for the dimensions of a view, and the rules that make them choose."""
    buttons, rules = [], []
    for dimension, names in (("operation", grid.operations), ("matrix", grid.matrices),
                             ("mode", grid.modes)):
        if dimension == "matrix" and "cauchy" in names:
            names = sorted(names)
        for i, name in enumerate(names):
            ident = f"{group}-{name}"
            checked = " checked" if i == 0 else ""
            last = ' class="last"' if i == len(names) - 1 else ""
            buttons.append(f'<input type="radio" name="{group}-{dimension}" id="{ident}"'
                           f'{checked}><label for="{ident}"{last}>{escape(name)}</label>')
            rules.append(f"#{ident}:checked~.views>:not(.{name})")
    return "".join(buttons), ",".join(rules) + "{display:none}"


def details(content: str, summary: str = "as a table", state: str = "") -> str:
    return f"<details{state}><summary>{summary}</summary>{content}</details>"


def chart(drawn: Chart) -> str:
    panels = "".join(f"<figure>{svg}</figure>" for svg in drawn.svgs)
    return f'<div class="panels">{panels}</div>{details(drawn.table)}'


def section(title: str, text: str, content: str, legend: str = "") -> str:
    above = f'<div class="legend">{legend}</div>' if legend else ""
    return f"<section><h2>{title}</h2><p>{text}</p>{above}{content}</section>"


# ------------------------------------------------------------------------ verdict --

def peer_line(peer: PeerVerdict, version: str) -> str:
    least = peer.least
    means = ", ".join(f"{name} {mean:.2f}" for name, mean in peer.means.items())
    about = f" ({escape(version)})" if version else ""
    return (f"<li><b>{escape(peer.peer)}</b>{about}: least ratio {least.ratio.median:.2f} "
            f"({least.ratio.low:.2f}..{least.ratio.high:.2f}) at {escape(str(least.shape))}; "
            f"geometric means {escape(means)}; behind it in {len(peer.behind)} of {peer.cells} "
            f"cells, {peer.noisy} noisy.</li>")


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


def behind_line(grid: Grid, cell: Cell) -> str:
    ours = grid.by_key[cell.shape, grid.reference]
    ratio = cell.ratio
    return (f"<li>{escape(cell.subject)}, {escape(str(cell.shape))}: {ratio.median:.3f} "
            f"({ratio.low:.3f}..{ratio.high:.3f}); it {cell.gbs:.3g}, ours {ours.gbs:.3g} GB/s"
            f"{', noisy' if cell.noisy else ''}</li>")


def behind_list(name: str, grid: Grid) -> str:
    """Those of a table, the worst first."""
    found = sorted((cell for cell in grid.cells if cell.behind),
                   key=lambda cell: cell.ratio.median)
    lines = "".join(behind_line(grid, cell) for cell in found)
    return details(f"<ul>{lines}</ul>", f"{name}: {len(found)}", " open") if found else ""


def behind_lengths(sweep: Grid) -> str:
    """Lengths of the sweep: how many, and the worst."""
    found = [group for group in groups(sweep, lambda shape: shape.code) if group.behind]
    lines = "".join(f"<li>{escape(group.peer)}, {group.name}: {len(group.behind)} of "
                    f"{len(group.cells)} lengths, {group.least.ratio.median:.3f} at "
                    f"{group.least.shape.len}</li>" for group in found)
    return details(f"<ul>{lines}</ul>", "Every length, one pass", " open") if lines else ""


def behind_section(tables: Tables) -> str:
    """What a reader must know before any figure that is good."""
    lists = [behind_list(*named) for named in tables.compared()]
    count = sum(cell.behind for _, grid in tables.compared() for cell in grid.cells)
    lists.append(behind_lengths(tables.sweep) if tables.sweep else "")
    text = (f'<p class="bad">Behind a peer: {count} cells.</p>' if count else
            '<p class="good">Behind a peer: no cell.</p>')
    return ("<section><h2>Behind a peer</h2>" + text + "".join(lists)
            + "<p>A ratio is the peer's time over ours in the same round: above 1, ours is "
              "faster. A cell counts as behind when its whole interval lies below 1.</p>"
              "</section>")


def verdict_section(grid: Grid, record: Record) -> str:
    found = verdict(grid)
    peers = [peer_line(peer, record.versions.get(peer.peer, "")) for peer in found.peers]
    state = "quiet" if found.quiet and not record.disturbed else "NOISY"
    lines = [f"Machine: {state}; {found.noisy} of {found.cells} ratios are noisy.",
             confidence(found).capitalize() + "."]
    lines += [f"Disturbed: {what}." for what in record.disturbed]
    lines += [f"Missing: {name} ({why})." for name, why in record.missing.items()]
    lines += [f"Not complete: {what}." for what in (*record.failed, *record.cut)]
    return ("<section><h2>Verdict</h2>"
            + f"<ul>{''.join(peers)}</ul>"
            + "".join(f"<p>{escape(line)}</p>" for line in lines)
            + "<p>GB/s are 1e9 bytes of source data a second (k*len; update: len), one "
              "thread.</p></section>")


# ----------------------------------------------------------------------- sections --

def throughput_section(grid: Grid) -> str:
    buttons, rule = choices(grid, "t")
    body = "".join(f'<div class="{c.classes}">{chart(c)}</div>' for c in views.throughput(grid))
    return section("Throughput by shard length",
                   "One panel per code. Hollow marks are noisy; the dotted line is the nearest "
                   "roof of ours.",
                   f'<style>{rule}</style>{buttons}<div class="views">{body}</div>',
                   charts.legend_panel(views.subject_handles(grid), "tl"))


def heat_section(grid: Grid) -> str:
    buttons, rule = choices(grid, "h")
    maps = "".join(f'<div class="map {c.classes}">{c.table}</div>'
                   for c in views.heat_maps(grid))
    keys = "".join(f'<span class="{entry[0]}">{"&ge; " if entry[1] else "&lt; "}'
                   f'{entry[1] or style.HEAT[-2][1]:g}</span>' for entry in style.HEAT)
    return section("Ratios against each peer",
                   "Code down, bytes a shard across; the peer's time over ours. "
                   "Framed: behind. In italics: noisy. The interval shows on pointing.",
                   f'<style>{rule}</style>{buttons}<div class="keys">{keys}</div>'
                   f'<div class="views panels">{maps}</div>')


def other_sections(tables: Tables) -> list[str]:
    """Tables of what has no chart."""
    text = {"Shards as programs have them":
            "Encoding. contiguous: one allocation split into whole pages, data then parity; "
            "aligned: each on a page boundary, a page between; off1, off16: so many bytes "
            "behind a 64-byte boundary.",
            "Short calls": "1 to 1024 bytes a shard, Cauchy matrix, warm.",
            "One instruction set on both sides":
            "Our kernel set of that name against ISA-L's functions with that suffix: what "
            "CPUs without the better sets are like.",
            "RAID": "ISA-L's functions for RAID; blocks of 4 KiB to 1 MiB."}
    found = []
    for name, grid in tables.compared():
        if name not in text:
            continue
        content = views.overview(grid) + details(views.every_cell(grid), "every cell")
        if grid.cells[0].shape.layout != PLAIN:
            content += details(views.twins(grid, tables.summary.plain),
                               "beside displaced shards, ours")
        found.append(section(name, text[name], content))
    return found


def plain_sections(grid: Grid, sweep: Optional[Grid], sets: Optional[Grid],
                   speeds: list[PeerSpeed]) -> list[str]:
    pair = handles(grid.subjects[:2])
    found = [section("Peers", "Geometric means over all codes and lengths; the line reaches "
                     "from the least to the greatest ratio.", chart(views.peers(grid))),
             section("Warm and cold", "Filled: one stripe in the caches. Hollow: a walk over "
                     "a set that no cache holds. Cauchy matrices.",
                     chart(views.warm_cold(grid)),
                     charts.legend_panel(pair, "wl"))]
    if sweep:
        found.append(section(
            "Every length", f"Encoding {views.sweep_shown(sweep).codes[0]}, Cauchy matrix, "
            f"warm. Bands reach from the least to the greatest of {charts.BIN} neighbouring "
            "lengths.",
            chart(views.sweep(sweep)),
            charts.legend_panel(handles(sweep.subjects), "sl")))
    if sets:
        found.append(section("Kernel sets against their roofs", "Encoding, warm. Dotted in "
                             "the same colour: the set's nearest roof.",
                             chart(views.kernel_sets(sets)),
                             charts.legend_panel(handles(sets.subjects), "kl")))
    if speeds:
        found.append(section("RAID functions", "SnapRAID's own speed test beside the same "
                             "work done here: gen generates, rec recovers.",
                             chart(views.raid(speeds)),
                             charts.legend_panel(handles(list(views.speed_looks(speeds))),
                                                 "rl")))
    return found


def handles(names: Sequence[str]) -> list:
    return [charts.line_handle(name, i) for i, name in enumerate(names)]


def roof_section(roofs: list[Roof]) -> str:
    levels = views.roof_levels(roofs)
    return section("Roofs of this machine", "As perf/roofline measured them before the passes.",
                   chart(views.bandwidths(roofs)),
                   charts.legend_panel(handles(levels), "bl") if levels else "")


def download(path: Path) -> str:
    """A file within the page; without a time stamp, so that it is the same every time."""
    packed = base64.b64encode(gzip.compress(path.read_bytes(), 9, mtime=0)).decode()
    return (f'<a download="{path.name}.gz" href="data:application/gzip;base64,{packed}">'
            f"{path.name}.gz</a>")


def run_section(record: Record, files: list[Path]) -> str:
    machine = table(["", ""], [[name, value] for name, value in
                               (record.machine | record.versions).items()])
    commit = f", commit {escape(record.commit)}" if record.commit else ""
    state = (f"<p>{escape(record.date)}{commit}; {record.seconds / 60:.0f} minutes; processes "
             f"that wanted to run before each pass: {escape(', '.join(record.load))}.</p>")
    commands = "\n".join(escape(command) for command in record.commands)
    links = ", ".join(download(path) for path in files)
    return ("<section><h2>Machine and run</h2>" + machine + state
            + "<p>Commands, in the build folder; OUT is the report's. The method is in "
              f"doc/perf-method.md.</p><pre>{commands}</pre><p>Data: {links}</p></section>")


def page(tables: Tables, speeds: list[PeerSpeed],
         roofs: list[Roof], record: Record, files: list[Path]) -> str:
    kind = "short run" if record.quick else "full run"
    sheet = (style.role_sheet() + style.svg_sheet() + style.heat_sheet()
             + SHEET.read_text(encoding="utf-8"))
    grid = tables.summary.plain
    sections = [behind_section(tables), verdict_section(grid, record), heat_section(grid),
                throughput_section(grid), *other_sections(tables),
                *plain_sections(grid, tables.sweep, tables.sets, speeds),
                *([roof_section(roofs)] if roofs else []), run_section(record, files)]
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<meta name="color-scheme" content="light dark">'
            f"<title>permxor: measured</title><style>{sheet}</style></head>\n<body>"
            f"<h1>permxor, measured</h1><p>{kind}, {escape(record.date)}, "
            f"{escape(record.machine.get('processor', 'unknown processor'))}</p>\n"
            + "\n".join(sections) + "\n</body></html>\n")
