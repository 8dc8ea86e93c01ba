# SPDX-License-Identifier: BSD-3-Clause
"""Makes matplotlib's SVG small, fit to stand beside others in one page, and themeable."""
import io
import re
import xml.etree.ElementTree as ET

from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

import style

SVG = "http://www.w3.org/2000/svg"
XLINK = "{http://www.w3.org/1999/xlink}href"
NUMBER = re.compile(r"-?\d+\.\d+")
REFERENCE = re.compile(r"url\(#([^)]+)\)")
# What a browser does without being told.
DEFAULTS = {"stroke-linejoin: round", "stroke-linecap: butt", "stroke-linecap: square",
            "text-anchor: start"}


def _short(match: re.Match) -> str:
    text = f"{float(match[0]):.1f}"
    return text[:-2] if text.endswith(".0") else text


def _trim(element: ET.Element) -> None:
    for name in ("d", "x", "y", "transform"):
        if name in element.attrib:
            element.attrib[name] = NUMBER.sub(_short, element.attrib[name])
    if "d" in element.attrib:
        element.attrib["d"] = re.sub(r"\s*([A-Za-z]|\s)\s*", r"\1", element.attrib["d"])
    if element.get("transform", "").startswith(("rotate(-0 ", "rotate(0 ")):
        del element.attrib["transform"]
    element.attrib.pop("clip-path", None)  # nothing that is drawn leaves its axes


def _font(declaration: str, element: ET.Element) -> None:
    """`font: [bold] 10px 'DejaVu Sans'...` as attributes; the family is the sheet's."""
    size = re.search(r"([\d.]+)px", declaration)[1]
    if size != style.FONT_SIZE:
        element.set("font-size", size)
    if re.search(r"\b(bold|700)\b", declaration):
        element.set("font-weight", "bold")


def _restyle(element: ET.Element) -> None:
    """Sentinel colours become classes, the rest of the style stays."""
    classes, kept = [], []
    for declaration in filter(None, map(str.strip, element.attrib.pop("style", "").split(";"))):
        name, value = (part.strip() for part in declaration.split(":", 1))
        colour = value.lower()
        if name in ("fill", "stroke") and colour in style.SENTINELS:
            classes.append(("f-" if name == "fill" else "k-") + style.SENTINELS[colour][0])
        elif name == "font":
            _font(value, element)
        elif name == "text-anchor" and value != "start":
            element.set(name, value)
        elif declaration not in DEFAULTS:
            kept.append(f"{name}:{value}")
    rest = ";".join(kept)
    if rest in style.SHORTHANDS:
        classes.append(style.SHORTHANDS[rest])
    elif rest:
        element.set("style", rest)
    if classes:
        element.set("class", " ".join(classes))


def _referenced(root: ET.Element) -> set[str]:
    used = set()
    for element in root.iter():
        used.update(REFERENCE.findall(" ".join(element.attrib.values())))
        if XLINK in element.attrib:
            used.add(element.attrib[XLINK][1:])
    return used


def _rename(root: ET.Element, prefix: str) -> None:
    """Identifiers that no other chart of the page has; those that nobody uses go."""
    names = {}
    used = _referenced(root)
    for element in root.iter():
        name = element.attrib.pop("id", None)
        if name in used:
            names[name] = f"{prefix}-{len(names)}"
            element.set("id", names[name])
    for element in root.iter():
        if XLINK in element.attrib:
            element.set("href", "#" + names[element.attrib.pop(XLINK)[1:]])
        for name, value in element.attrib.items():
            element.set(name, REFERENCE.sub(lambda m: f"url(#{names[m[1]]})", value))


def _flatten(element: ET.Element) -> None:
    """Groups without attributes, and paths that draw nothing, disappear."""
    children = []
    for child in list(element):
        _flatten(child)
        plain = child.tag == f"{{{SVG}}}g" and not child.attrib
        empty = (child.tag == f"{{{SVG}}}path" and "id" not in child.attrib
                 and child.get("style") == "fill:none" and "class" not in child.attrib)
        empty = empty or (child.tag == f"{{{SVG}}}defs" and len(child) == 0)
        children += list(child) if plain else [] if empty else [child]
    for child in list(element):
        element.remove(child)
    element.extend(children)


def _clean(root: ET.Element, prefix: str) -> None:
    for metadata in root.findall(f"{{{SVG}}}metadata"):
        root.remove(metadata)
    for definitions in list(root.iter(f"{{{SVG}}}defs")):
        for tag in ("style", "clipPath"):
            for useless in definitions.findall(f"{{{SVG}}}{tag}"):
                definitions.remove(useless)
    for element in root.iter():
        if element.tag != f"{{{SVG}}}svg":
            _restyle(element)
            _trim(element)
        element.tail = None
        if element.text is not None and not element.text.strip():
            element.text = None
    _rename(root, prefix)
    _flatten(root)


def render(figure: Figure, prefix: str, label: str) -> str:
    """The figure as an <svg> element; `label` is what it says to who cannot see it."""
    FigureCanvasSVG(figure)
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None,
                                                   "Format": None, "Type": None})
    ET.register_namespace("", SVG)
    root = ET.fromstring(stream.getvalue())
    width, height = (round(float(number)) for number in root.get("viewBox").split()[2:])
    root.attrib.clear()
    _clean(root, prefix)
    root.attrib.update({"viewBox": f"0 0 {width} {height}", "width": str(width),
                        "height": str(height), "font-size": style.FONT_SIZE,
                        "role": "img", "aria-label": label})
    return ET.tostring(root, encoding="unicode")


def standalone(svg: str) -> str:
    """A file of its own: with its colours, and a background."""
    head, rest = svg.split(">", 1)
    return (f"{head}><style>{style.svg_sheet()}</style>"
            f'<rect class="f-paper" width="100%" height="100%"/>{rest}\n')
