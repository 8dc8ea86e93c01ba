# SPDX-License-Identifier: BSD-3-Clause
#
# Manual pages, for Sphinx's builder `man`: pages that read well at 80 columns, and for each
# function a page that leads to the one with its description.
#
# conf.py sets man_pages, and man_aliases: further names of pages, NAME: (PAGE, SECTION).

import re
import textwrap
from pathlib import Path

from docutils import nodes
from sphinx import addnodes

WIDTH = 69  # columns for text, behind the margin of 7
INDENT = 4
GAP = 2  # columns between those of a table
STRONG = (nodes.strong, nodes.literal, addnodes.literal_strong)
EMPHASIZED = (nodes.emphasis, nodes.reference, addnodes.literal_emphasis)
# Nodes that are lines of their own.  Doxygen has them within paragraphs, too.
BLOCKS = (nodes.literal_block, nodes.bullet_list, nodes.enumerated_list, nodes.field_list)
SILENT = (nodes.section, nodes.title, nodes.rubric, nodes.target, nodes.comment, addnodes.index)


def escaped(text):
    for character, name in (("\\", "e"), ("-", "-"), ("'", "(aq"), ("`", "(ga"), ("^", "(ha")):
        text = text.replace(character, "\\" + name)
    return text.replace("~", "\\(ti")


def line(text):
    """Text that stands in a line of its own, where a dot at its beginning is no request."""
    return "\\&" + text if text.startswith((".", "_", "=")) else text


def inline(node):
    if isinstance(node, nodes.Text):
        return escaped(re.sub(r"\s+", " ", node.astext()))
    text = "".join(inline(child) for child in node.children)
    if isinstance(node, STRONG):
        return f"\\fB{text}\\fP"
    if isinstance(node, EMPHASIZED):
        return f"\\fI{text}\\fP"
    return text


def inlines(children):
    return line("".join(inline(child) for child in children).strip())


# A part of a page is a list of lines that ends with the margin with which it began.  Each
# function below returns parts.


def joined(parts):
    """The lines of several parts, with gaps between them."""
    lines = []
    for part in parts:
        lines += [".PP", *part] if lines and not part[0].startswith(".TP") else part
    return lines


def indented(lines, depth=INDENT):
    return [f".RS {depth}", *lines, ".RE"]


def item(tag, parts, depth=INDENT):
    lines = [f".TP {depth}", tag, *(parts[0] if parts else [])]
    return lines + indented([".PP", *joined(parts[1:])], depth) if parts[1:] else lines


def paragraph(node):
    """Doxygen has other blocks within paragraphs."""
    text = []
    for child in [*node.children, None]:
        if child is not None and not isinstance(child, BLOCKS):
            text.append(child)
            continue
        if inlines(text):
            yield [inlines(text)]
        text = []
        if child is not None:
            yield from block(child)


def preformatted(node):
    lines = escaped(node.astext().rstrip()).split("\n")
    yield indented([".nf", *map(line, lines), ".fi"])


def bullets(node):
    for entry in node:
        yield item("\\(bu", blocks(entry), 2)


def enumeration(node):
    for number, entry in enumerate(node, node.get("start", 1)):
        yield item(f"{number}.", blocks(entry))


def column_widths(cells):
    """No word is broken.  What else there is of room, narrow columns take first."""
    columns = list(zip(*cells))
    longest = [max(map(len, column)) for column in columns]
    widths = [max(len(word) for word in " ".join([*column, "-"]).split()) for column in columns]
    room = WIDTH - GAP * (len(columns) - 1) - sum(widths)
    order = sorted(range(len(columns)), key=lambda number: longest[number])
    for done, number in enumerate(order):
        more = min(longest[number] - widths[number], room // (len(columns) - done))
        widths[number] += more
        room -= more
    return widths


def table(node):
    """Cells are not adjusted: a column may be as narrow as a word, of which groff 1.23 warns."""
    rows = [list(row.findall(nodes.entry)) for row in node.findall(nodes.row)]
    widths = column_widths([[entry.astext() for entry in row] for row in rows])
    lines = [".TS", "nokeep;"]
    for style, end in (("lb", ""), ("l", ".")):
        lines.append(f" {GAP} ".join(f"{style}w({width}n)" for width in widths) + end)
    for row in rows:
        cells = []
        for entry, width in zip(row, widths):
            text = inlines(entry[0].children) if len(entry) else ""
            cells.append(f"T{{\n.na\n{text}\nT}}" if len(entry.astext()) > width else text)
        lines.append("\t".join(cells))
        if row is rows[0]:
            lines.append("_")
    yield [*lines, ".TE"]


def field(node):
    """The parameters or the return values of a function, each NAME -- TEXT."""
    name, body = node.children
    entries = list(body.findall(nodes.paragraph))
    width = 2 + max(len(entry[0].astext()) for entry in entries)
    lines = []
    for entry in entries:
        text = line(inlines(entry.children[1:]).lstrip(" \\-"))
        lines += item(inline(entry[0]), [[text]], min(width, 15))
    yield [inline(name) + ":", *indented([".PD 0", *lines, ".PD"])]


def description(node):
    """A declaration with its text: of a function, a type, a macro, or a part of a type."""
    heading, content = node.children
    text = re.sub(r"\s+", " ", heading.astext()).strip()
    if node["objtype"] == "group":
        yield from blocks(content)
        return
    if node["objtype"] in ("enumerator", "var", "member"):
        yield item(f"\\fB{escaped(text.removeprefix('enumerator '))}\\fP", blocks(content))
        return
    # Lines are broken between parameters alone.
    text = re.sub(r"(?<!,) ", "\0", text + ";" * (node["objtype"] == "function"))
    lines = textwrap.wrap(text, WIDTH, subsequent_indent=" " * 2 * INDENT)
    lines = [f"\\fB{escaped(part.replace(chr(0), ' '))}\\fP" for part in lines]
    yield [".nf", *lines, ".fi", *indented(joined(blocks(content)))]


WRITERS = {
    nodes.paragraph: paragraph,
    nodes.literal_block: preformatted,
    nodes.bullet_list: bullets,
    nodes.enumerated_list: enumeration,
    nodes.table: table,
    nodes.field: field,
    addnodes.desc: description,
}


def block(node):
    for kind, write in WRITERS.items():
        if isinstance(node, kind):
            return list(write(node))
    return [] if isinstance(node, SILENT) else blocks(node)


def blocks(node):
    return [part for child in node.children for part in block(child)]


def headed(node, level):
    """The lines of a section, with the sections in it."""
    title = inlines(node[0].children)
    lines = [f".SH {title.upper()}" if level == 1 else f".SS {title}", *joined(blocks(node))]
    for child in node.children:
        if isinstance(child, nodes.section):
            lines += headed(child, level + 1)
    return lines


def page(document, config):
    settings = document.settings
    title, number = settings.title, settings.section
    others = [f"\\fB{name}\\fP({of})" for _, name, _, _, of in config.man_pages if name != title]
    lines = [
        "'\\\" t",
        f'.TH {title.upper()} {number} "" "permxor {config.release}" "permxor"',
        ".nh",
        ".ad l",
        ".SH NAME",
        f"{title} \\- {settings.subtitle}",
    ]
    top = next(iter(document.findall(nodes.section)))
    for heading, wanted in (("SYNOPSIS", True), ("DESCRIPTION", False)):
        parts = [
            part
            for child in top.children
            if isinstance(child, nodes.literal_block) is wanted
            for part in block(child)
        ]
        lines += [f".SH {heading}", *joined(parts)] if parts else []
    for child in top.children:
        if isinstance(child, nodes.section):
            lines += headed(child, 1)
    return [
        *lines,
        ".SH SEE ALSO",
        ", ".join(["\\fBpermxor\\fP(1)", *others]),
        ".PP",
        "Pages whose paths begin with doc/ are in the folder for documentation, usually",
        "/usr/share/doc/permxor or /usr/local/share/doc/permxor.",
    ]


class Translator(nodes.NodeVisitor):
    def __init__(self, document, builder):
        super().__init__(document)
        self.config = builder.config

    def visit_document(self, node):
        self.lines = page(node, self.config)
        raise nodes.SkipNode

    def astext(self):
        return "\n".join(self.lines) + "\n"


def write_aliases(app, exception):
    if app.builder.name != "man" or exception:
        return
    aliases = dict(app.config.man_aliases)
    for document, name, _, _, number in app.config.man_pages:
        for declaration in app.env.get_doctree(document).findall(addnodes.desc):
            if declaration["objtype"] == "function":
                function = next(declaration.findall(addnodes.desc_name)).astext()
                aliases[function] = (name, number)
    for name, (target, number) in aliases.items():
        folder = f"man{number}"
        file = Path(app.outdir, folder, f"{name}.{number}")
        file.write_text(f".so {folder}/{target}.{number}\n")


def setup(app):
    app.add_config_value("man_aliases", {}, "")
    app.set_translator("man", Translator)
    app.connect("build-finished", write_aliases)
