# SPDX-License-Identifier: BSD-3-Clause
#
# The documentation as a site, for Sphinx: `make site`, which sets the release, the Doxygen XML
# and perhaps source_url.  The sources are the pages as a repository browser shows them, in their
# places; this file brings them together.

import copy
import logging
import os
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

from sphinx import addnodes

sys.path.insert(0, str(Path(__file__).parent))
project = "permxor"
extensions = ["myst_parser", "breathe", "manual"]
source_suffix = {".md": "markdown"}
root_doc = "doc/index"
include_patterns = ["[A-Z]*.md", "doc/*.md", "examples/*.md", "plugins/*/*.md"]
exclude_patterns = [".*", "build*", "sub-builds"]
breathe_projects = {"permxor": os.environ["SITE_XML"]}
breathe_default_project = "permxor"
breathe_domain_by_extension = {"h": "c"}
breathe_show_define_initializer = True
breathe_show_enumvalue_initializer = True
myst_heading_anchors = 4
highlight_language = "none"

# As a page, its name in section 3 or 5, and what it is.
man_pages = [
    ("doc/api", "permxor", "erasure codes", "", 3),
    ("doc/api-raid", "permxor_raid", "RAID-5 and RAID-6 parity, and scans of buffers", "", 3),
    ("doc/api-hash", "permxor_hash", "linear hashes, which check parity", "", 3),
    ("doc/api-array", "permxor_array", "arrays with parity, and md's superblocks", "", 3),
    ("doc/format", "permxor_shard", "shard files and journals of permxor(1)", "", 5),
    ("doc/tune", "permxor_tune", "the tune file of permxor(1)", "", 5),
]
man_aliases = {"permxor_journal": ("permxor_shard", 5)}
man_make_section_directory = True

html_theme = "furo"
html_title = "permxor"
html_copy_source = False
html_show_copyright = False
pygments_dark_style = "github-dark"
# Furo's own dark colours are not to be had everywhere: Debian 12's package leaves them out where
# the reader's system asks for them.
html_theme_options = {
    "light_css_variables": {"color-api-name": "#0a4f8f"},
    "dark_css_variables": {
        "color-api-name": "#9ecbff",
        "color-foreground-primary": "#d5d8dc",
        "color-foreground-secondary": "#a3a8b0",
        "color-foreground-muted": "#8a9099",
        "color-foreground-border": "#5c626b",
        "color-background-primary": "#15181c",
        "color-background-secondary": "#1c2026",
        "color-background-hover": "#252a31",
        "color-background-hover--transparent": "#252a3100",
        "color-background-border": "#343a43",
        "color-background-item": "#454c56",
        "color-brand-primary": "#7fb2ff",
        "color-brand-content": "#7fb2ff",
        "color-highlighted-background": "#16406b",
        "color-highlight-on-target": "#3a3a12",
        "color-problematic": "#ff8f8f",
        "color-admonition-background": "#1a1d22",
        "color-card-background": "#1a1d22",
    }
}
html_static_path = ["static"]
html_css_files = ["site.css"]
# The way in: a redirection to root_doc.
html_extra_path = ["index.html"]

top = Path(__file__).resolve().parents[2]
# Where a reader sees the files of the repository, as https://HOST/OWNER/permxor/blob/BRANCH.
source_url = os.environ.get("SITE_SOURCE_URL", "").rstrip("/")
# Headers whose text is on a page of the site.
header_pages = {
    "include/permxor.h": "doc/api.md",
    "include/permxor_raid.h": "doc/api-raid.md",
    "include/permxor_hash.h": "doc/api-hash.md",
    "include/permxor_array.h": "doc/api-array.md",
    "include/permxor_array_md.h": "doc/api-array.md",
}
doxygen_names = {}
LINK = re.compile(r"(?<!!)\[([^][]*(?:\[[^][]*\][^][]*)*)\]\(([^)\s#:]+)(#[^)\s]*)?\)")


def split_parameters(folder):
    """Doxygen describes several parameters at once; Breathe takes them one by one."""
    for file in Path(folder).glob("*_8h.xml"):
        tree = ET.parse(file)
        for entries in tree.iter("parameterlist"):
            items = list(entries)
            entries[:] = []
            for item in items:
                for name in item.findall("parameternamelist/parametername"):
                    single = copy.deepcopy(item)
                    single.find("parameternamelist")[:] = [name]
                    entries.append(single)
        tree.write(file, encoding="utf-8", xml_declaration=True)


def names_of_ids(folder):
    """Doxygen's ids, and what C calls the things."""
    for file in Path(folder).glob("*.xml"):
        for entry in ET.parse(file).iter("memberdef"):
            yield entry.get("id"), entry.findtext("name")


def resolve_ids(app, env, node, content):
    """Doxygen's references in the pages of the API, which are nobody's labels: Breathe's labels
    stay within the blocks of reST."""
    name = doxygen_names.get(node["reftarget"])
    if node.get("refdomain") != "std" or name is None:
        return None
    domain = env.get_domain("c")
    return domain.resolve_xref(
        env, node["refdoc"], app.builder, "any", name, addnodes.pending_xref(), content
    )


def not_twice(record):
    """A function and a structure may have one name, which the domain of C does not know."""
    return "Duplicate C declaration" not in str(record.msg)


def resolve_links(source, folder):
    """What the links to other files than pages lead to: the page of a header; else the file or
    folder in the repository, where its address is known; else a copy of a file.  A folder is
    only named then."""

    def replace(match):
        text, target, _ = match.groups()
        path = os.path.normpath(os.path.join(folder, target))
        if path.startswith("..") or path.endswith(".md") or not (top / path).exists():
            return match[0]
        if path in header_pages:
            return f"[{text}]({os.path.relpath(header_pages[path], folder or '.')})"
        if source_url:
            return f"[{text}]({source_url}/{path})"
        return match[0] if (top / path).is_file() else text

    return LINK.sub(replace, source)


def resolve_links_in_manual(source, docname):
    """What the links to other files lead to: their manual pages, or their paths in the
    documentation."""
    manual = {f"{page}.md": f"**{name}**({section})" for page, name, _, _, section in man_pages}

    def replace(match):
        text, target, _ = match.groups()
        path = os.path.normpath(os.path.join(os.path.dirname(docname), target))
        path = header_pages.get(path, path)
        if path == f"{docname}.md":
            return text
        where = manual.get(path, path)
        return where if text in where else f"{text} ({where})"

    return LINK.sub(replace, source)


def toctrees(source):
    """The sections of the index with the pages that they list, as hidden toctrees."""
    for section in source.split("\n## ")[1:]:
        pages = re.findall(r"^- \[([^]]*)\]\(([^)#]*\.md)\)", section, re.M)
        caption = section.split("\n")[0]
        if pages:
            entries = [f"{title} <{page}>" for title, page in pages]
            yield "\n".join(
                ["```{toctree}", ":hidden:", f":caption: {caption}", "", *entries, "```", ""]
            )


def read(app, docname, text):
    if app.builder.name == "man":
        text[0] = "---\norphan: true\n---\n" + resolve_links_in_manual(text[0], docname)
        return
    source = resolve_links(text[0], os.path.dirname(docname))
    if docname == root_doc:
        source += "\n" + "\n".join(toctrees(source))
    text[0] = source


def leave_out(app):
    """Manual pages are made of some pages alone."""
    if app.builder.name == "man":
        pages = [page for page, *_ in man_pages]
        app.config.root_doc = pages[0]
        app.config.include_patterns = [f"{page}.md" for page in pages]


def setup(app):
    split_parameters(breathe_projects["permxor"])
    doxygen_names.update(names_of_ids(breathe_projects["permxor"]))
    logging.getLogger("sphinx.sphinx.domains.c").addFilter(not_twice)
    app.connect("missing-reference", resolve_ids)
    app.connect("source-read", read)
    app.connect("builder-inited", leave_out)
