# SPDX-License-Identifier: BSD-3-Clause
"""Colours and sizes.

matplotlib draws with sentinel colours that occur nowhere else; svg.py turns each into a
class, and the style sheet here gives the class its colour, in light and in dark pages.
"""
from typing import NamedTuple

# Okabe and Ito's palette, which colour-blind people can tell apart; black, which would
# vanish on a dark page, gives way to grey.  Markers differ, too.
LIGHT_SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#777777",
                "#8a7d00")
DARK_SERIES = ("#56b4e9", "#ff8c42", "#2ec99a", "#e7a3c6", "#f0b429", "#8fd0f7", "#a5a5a5",
               "#f0e442")
LIGHT_ROLES = {"ink": "#1d2430", "muted": "#5d6675", "grid": "#dde2e8", "paper": "#ffffff"}
DARK_ROLES = {"ink": "#e6e9ee", "muted": "#a3abb8", "grid": "#333b47", "paper": "#161b22"}

# Heat map: (class, least ratio, background and text when light, when dark).
# Blue where the reference is faster, orange where it is slower; the lightness rises with
# the distance from 1, so that it reads in grey, too.
HEAT = (
    ("h6", 4.0, "#08519c", "#ffffff", "#9ecae9", "#0b1a2b"),
    ("h5", 2.0, "#3d8bc4", "#06121f", "#5aa0d6", "#06121f"),
    ("h4", 1.5, "#86bbdf", "#06121f", "#2f74ad", "#ffffff"),
    ("h3", 1.15, "#c3dcef", "#06121f", "#1f4e79", "#ffffff"),
    ("h2", 1.0, "#edf3f9", "#06121f", "#1b2b3c", "#ffffff"),
    ("h1", 0.9, "#fbd9b5", "#2b1400", "#6b3a12", "#ffffff"),
    ("h0", 0.0, "#e07b24", "#1b0c00", "#f09a50", "#1b0c00"),
)

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
FONT_SIZE = "10"  # the commonest: stands once, at the <svg>
# Declarations that many lines have in common, as a class.
SHORTHANDS = {"fill:none;stroke-width:0.8": "thin", "fill:none;stroke-width:1.8": "line",
              "fill:none;stroke-width:0.8;stroke-linejoin:miter": "axis"}
PANEL_WIDTH = 360  # CSS pixels, as wide as a phone allows


class Look(NamedTuple):
    colour: str
    marker: str
    dash: str


def series(index: int) -> Look:
    count = len(LIGHT_SERIES)
    return Look(f"#0a0b{index % count:02x}", MARKERS[index % count],
                "-" if index < count else "--")


def role(name: str) -> str:
    return f"#0c0d{list(LIGHT_ROLES).index(name):02x}"


def heat_class(ratio: float) -> str:
    return next(entry[0] for entry in HEAT if ratio >= entry[1])


def heat_colours(ratio: float) -> tuple[str, str]:
    """Sentinels of a cell and of its text."""
    row = int(heat_class(ratio)[1:])
    return f"#0e0f{row:02x}", f"#0f0e{row:02x}"


def _table() -> dict[str, tuple[str, str, str]]:
    """Sentinel: class suffix, light colour, dark colour."""
    table = {series(i).colour: (str(i), light, dark)
             for i, (light, dark) in enumerate(zip(LIGHT_SERIES, DARK_SERIES))}
    for name, light in LIGHT_ROLES.items():
        table[role(name)] = (name, light, DARK_ROLES[name])
    for entry in HEAT:
        cell, text = heat_colours(entry[1])
        table[cell] = (entry[0], entry[2], entry[4])
        table[text] = (entry[0] + "t", entry[3], entry[5])
    return table


SENTINELS = _table()


def _rules(column: int) -> str:
    return "".join(f".f-{e[0]}{{fill:{e[column]}}}.k-{e[0]}{{stroke:{e[column]}}}"
                   for e in SENTINELS.values())


def svg_sheet() -> str:
    """The style sheet of the charts."""
    return (_rules(1) + "svg text{font-family:system-ui,'DejaVu Sans',sans-serif}"
            + "".join(f".{name}{{{rule}}}" for rule, name in SHORTHANDS.items()) +
            "@media (prefers-color-scheme:dark){" + _rules(2) + "}")


def heat_sheet() -> str:
    """The style sheet of the heat maps that are tables."""
    def rules(fill: int, text: int) -> str:
        return "".join(f".{e[0]}{{background:{e[fill]};color:{e[text]}}}" for e in HEAT)

    return rules(2, 3) + "@media (prefers-color-scheme:dark){" + rules(4, 5) + "}"


def role_sheet() -> str:
    def rules(roles: dict[str, str]) -> str:
        return ":root{" + "".join(f"--{name}:{value};" for name, value in roles.items()) + "}"

    return (rules(LIGHT_ROLES) + "@media (prefers-color-scheme:dark){" + rules(DARK_ROLES) +
            "}")


RC = {
    "svg.fonttype": "none",
    "svg.hashsalt": "permxor",
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlecolor": role("ink"),
    "axes.labelsize": 11,
    "axes.labelcolor": role("muted"),
    "axes.edgecolor": role("muted"),
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": "none",
    "figure.dpi": 72,  # so that a point is a CSS pixel
    "grid.color": role("grid"),
    "grid.linewidth": 0.8,
    "legend.frameon": False,
    "legend.labelcolor": role("ink"),
    "lines.linewidth": 1.8,
    "lines.markersize": 6,
    "text.color": role("ink"),
    "xtick.color": role("muted"),
    "xtick.labelsize": 10,
    "xtick.minor.bottom": False,
    "ytick.color": role("muted"),
    "ytick.labelsize": 10,
    "xtick.major.size": 0,  # the grid marks the places
    "ytick.major.size": 0,
    "xtick.major.pad": 6,
}
