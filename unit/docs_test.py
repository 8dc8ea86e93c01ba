# SPDX-License-Identifier: BSD-3-Clause
"""Checks the parts of the documentation that a program can check, on all pages:

- links to files and to headings of pages
- targets of make and options of the command
- excerpts of the examples and complete programs in C
- the sessions of the tutorials, by running them again
- the lines of commands: unit/doc_commands.sh runs them, or unit/doc_commands.txt says why not
- the table of hashes
- products such as `k*C` that Markdown takes for emphasis
- names of the sources: files, and macros, functions and types with a prefix of this project
- names of pages in comments of the sources
- the list of pages in the index and the list of functions on the pages of the API

    docs_test.py SOURCE COMPILER        run it in a build folder
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

from cli_hash import hash_of

TOP = Path(sys.argv[1]).resolve()
BUILD = Path.cwd()
COMPILER = shlex.split(sys.argv[2])
PAGES = sorted(
    page
    for pattern in ("[A-Z]*.md", "doc/*.md", "examples/*.md", "plugins/*/*.md")
    for page in TOP.glob(pattern)
)
LINK = re.compile(r"\[(?:[^][]|\[[^][]*\])*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.*)$", re.M)
FENCE = re.compile(r"^```(\S*)\n(.*?)^```$", re.M | re.S)
INDENTED = re.compile(r"(?<=\n\n)(    .*\n+)+")
# Blocks of these languages have other checks, or are the site's.
NO_COMMANDS = ("c", "console", "go", "java", "rust", "xml", "{eval-rst}")
# The id of a set, which is random.
SET = re.compile(r"\b[0-9a-f]{32}\b")


def prose(text):
    """The page without its blocks of code."""
    return INDENTED.sub("\n", FENCE.sub("", text))


def blocks(text):
    """The blocks of code of a page, each with its language."""
    yield from FENCE.findall(text)
    for block in INDENTED.finditer(FENCE.sub("", text)):
        yield "", block[0]


def code(text):
    """All code of a page: the lines of blocks, with continued lines joined, and code spans."""
    for _, block in blocks(text):
        yield from re.sub(r"(\\|&&)\n\s*", r"\1 ", block).splitlines()
    for span in re.findall(r"`([^`]+)`", prose(text)):
        yield re.sub(r"\s+", " ", span)


def command_lines(text):
    """Those of the blocks of a page, without the blocks that are known to be text."""
    for language, block in blocks(text):
        if language in NO_COMMANDS:
            continue
        block = re.sub(r"\s*\\\n\s*", " ", re.sub(r"&&\n\s*", "&& ", block))
        lines = [re.sub(r"(^|\s+)# .*$", "", line).strip() for line in block.splitlines()]
        lines = [line for line in lines if line]
        if lines and lines[0] in OTHERS["blocks without commands"]:
            yield lines[0]
        else:
            yield from lines


def lines_run():
    """What unit/doc_commands.sh runs."""
    script = (TOP / "unit" / "doc_commands.sh").read_text()
    for body in re.findall(r"^ *doc[^\n]* << 'END'\n(.*?)^END$", script, re.M | re.S):
        yield from body.splitlines()


def lines_not_run():
    """The sections of unit/doc_commands.txt."""
    found = {}
    for line in (TOP / "unit" / "doc_commands.txt").read_text().splitlines():
        if line.startswith("== "):
            section = found.setdefault(line[3:], [])
        elif line and not line.startswith("# "):
            section.append(line)
    return found


def anchors(text):
    """The ids of the headings, as repository browsers and the site make them."""
    found = set()
    for heading in HEADING.findall(FENCE.sub("", text)):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        count = sum(1 for other in found if re.fullmatch(re.escape(slug) + r"(-\d+)?", other))
        found.add(f"{slug}-{count}" if slug in found else slug)
    return found


def commands(text):
    """The commands in the code of a page, each as words."""
    for line in code(text):
        for command in re.split(r"&&|\|\||[;|]|\$\(|\)", re.sub(r"\s#.*", "", line)):
            words = command.split()
            yield words[1:] if words[:1] in (["$"], ["sudo"]) else words


def makefiles(path):
    """The text of a makefile, and the texts of the makefiles that it includes."""
    text = (TOP / path).read_text()
    yield text
    for included in re.findall(r"^include (\S+)", text, re.M):
        yield from makefiles(included)


# Each check has the arguments page and text, and yields messages about errors.


def links(page, text):
    for target in LINK.findall(prose(text)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            yield f"{target} does not exist"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
            yield f"{target}: no such heading"


def targets_of_make(_, text):
    for words in commands(text):
        words = [word for word in words if not re.fullmatch(r"[A-Z_]+=.*", word)]
        if words[:1] != ["make"]:
            continue
        for before, word in zip(words, words[1:]):
            if re.fullmatch(r"[a-z][a-z-]*", word) and before not in ("-C", "--directory"):
                if word not in TARGETS:
                    yield f"make {word}: no such target"


def options_of_the_command(_, text):
    for words in commands(text):
        words = words[words[:1] == ["permxor"] :]
        if not words or words[0] not in HELP:
            continue
        for word in words[1:]:
            option = re.match(r"--[a-z-]+|-[a-zA-Z]", word)
            if option and not re.search(
                rf"(?m)(^|[\s,]){re.escape(option[0])}(?![\w-])", HELP[words[0]]
            ):
                yield f"permxor {words[0]} {word}: no such option"


def excerpts_of_examples(_, text):
    excerpt = re.compile(r"^<!-- from (\S+) -->\n+```\S*\n(.*?)^```$", re.M | re.S)
    for file, body in excerpt.findall(text):
        whole = (TOP / file).read_text()
        if not any(textwrap.indent(body, " " * depth) in whole for depth in range(0, 20, 4)):
            yield f"{file} does not contain this excerpt:\n{body}"


def complete_programs(_, text):
    for language, body in FENCE.findall(text):
        if language == "c" and "int main(" in body:
            done = subprocess.run(
                [*COMPILER, "-x", "c", "-std=c99", "-Wall", "-Wextra", "-Werror"]
                + ["-fsyntax-only", f"-I{TOP}/include", "-"],
                input=body, capture_output=True, text=True,
            )
            if done.returncode != 0:
                yield done.stderr


def sessions(_, text):
    """Runs the commands after `$` in sessions, one after the other in an empty folder."""
    session = "".join(body for language, body in FENCE.findall(text) if language == "console")
    status = 0  # for `echo $?`
    with tempfile.TemporaryDirectory() as folder:
        for step, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", session, re.M):
            done = subprocess.run(
                ["sh", "-c", f"(exit {status})\n{step}"], cwd=folder, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=ENVIRONMENT,
            )
            status = done.returncode
            printed = done.stdout.replace(os.path.realpath(folder), "/home/me")
            if SET.sub("ID", expected) != SET.sub("ID", printed):
                yield f"$ {step}\nprints\n{printed}instead of\n{expected}"
                return


def hashes(_, text):
    """The table of keys and of hashes of the bytes 0 to 255."""
    for key, value in re.findall(r"^\| `([0-9a-f]{8,})` \| `([0-9a-f]{8,})` \|$", text, re.M):
        right = hash_of(bytes(range(256)), bytes.fromhex(key)).hex()
        if value != right:
            yield f"with the key {key} the hash is {right}, not {value}"


def products(_, text):
    """Of two stars between letters, in a paragraph or a cell, Markdown makes emphasis."""
    for part in re.split(r"\n\n|\|", prose(text)):
        stars = re.findall(r"[\w)]\*[\w(]", re.sub(r"`[^`]*`", "", part))
        if len(stars) > 1:
            yield f"emphasis between {stars[0]} and {stars[1]}"


def names_of_the_sources(page, text):
    """What a page calls by a name of this project must be in the sources."""
    if page.name in OLD_NAMES:
        return
    spans = " ".join(re.findall(r"`([^`]+)`", prose(text)))
    for name in sorted(set(re.findall(OWN_NAME, spans)) - NAMES):
        yield f"{name} is nowhere in the sources"
    for file in sorted(set(re.findall(OWN_FILE, prose(text)))):
        if not any((TOP / path).exists() for path in (file, f"{file}.in", f"include/{file}")):
            yield f"there is no file {file}"


def pages_in_the_sources(page, _):
    """The pages that comments of the sources name must be there."""
    if page != INDEX:
        return
    for folder in FOLDERS:
        for file in sorted((TOP / folder).rglob("*")):
            if file.suffix in (".c", ".h", ".in", ".inc", ".m4", ".py", ".sh"):
                for name in re.findall(r"(?<![\w/.])doc/[\w-]+\.md\b", file.read_text()):
                    if not (TOP / name).exists():
                        yield f"{file.relative_to(TOP)} names {name}, which does not exist"


def commands_are_run(page, text):
    """Each line of commands is in one of the two lists, and each of their lines on a page."""
    listed = [*RUN, *(line for lines in OTHERS.values() for line in lines)]
    for line in command_lines(text):
        if line not in listed:
            yield f"neither in unit/doc_commands.sh nor in unit/doc_commands.txt: {line}"
    if page != INDEX:
        return
    known = {line for other in PAGES for line in command_lines(other.read_text())}
    for line in listed:
        if line not in known:
            yield f"on no page, but in unit/doc_commands.sh or unit/doc_commands.txt: {line}"
    for line in set(listed):
        if listed.count(line) > max(1, RUN.count(line)):
            yield f"more than once in unit/doc_commands.*: {line}"
    for section in OTHERS:
        for target in re.findall(r"make ([a-z][a-z-]*)", section):
            if target not in TARGETS:
                yield f"unit/doc_commands.txt: make {target}: no such target"


def quick_start(page, _):
    """What unit/doc_commands.sh runs with the command that is not installed."""
    if page != INDEX:
        return
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["sh", TOP / "unit" / "doc_commands.sh", "command"], cwd=folder, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=ENVIRONMENT,
        )
        if done.returncode != 0:
            yield done.stdout


def in_the_index(page, _):
    if page != INDEX and page not in INDEXED:
        yield "doc/index.md does not list this page"


def functions_of_the_api(page, text):
    """The pages of the API must describe all functions of the library."""
    if page.name == "api.md":
        text += (page.parent / "api-raid.md").read_text()
        text += (page.parent / "api-hash.md").read_text()
        text += (page.parent / "api-array.md").read_text()
        names = (TOP / "erasure_code" / "permxor.sym").read_text().split()
        for function in names + (TOP / "array" / "permxor_array.sym").read_text().split():
            if f"doxygenfunction:: {function}\n" not in text:
                yield f"{function} is missing"


INDEX = TOP / "doc" / "index.md"
INDEXED = {
    (INDEX.parent / target.partition("#")[0]).resolve()
    for target in LINK.findall(INDEX.read_text())
}
# These pages have names that the interface had earlier.
OLD_NAMES = ("CHANGES.md", "moving.md")
OWN_NAME = re.compile(r"(?<!\$\()\b(?:pxr|pxa|pxk|PXR|PXA|KERNEL|VERBS|PERMXOR)_\w*\w\b(?!\*|\.)")
FOLDERS = ("array arch debian erasure_code examples freestanding gf_complete hash include"
           " jerasure kernels m4 packaging perf plugins raid tools unit").split()
OWN_FILE = re.compile(
    rf"(?<![\w./-])(?:{'|'.join(FOLDERS)})/[\w./-]+\.(?:asm|awk|cc?|h|in|m4|py|sh|spec|txt)\b")
NAMES = {
    name
    for folder in FOLDERS
    for file in (TOP / folder).rglob("*")
    if file.suffix in (".am", ".c", ".cc", ".go", ".h", ".in", ".m4", ".py", ".sh")
    for name in re.findall(OWN_NAME, file.read_text())
}
# The targets that automake makes, the command, and a target of ISA-L's makefile.
TARGETS = set("all check clean dist distcheck install install-strip uninstall".split())
TARGETS |= {"permxor", "perfs"}
for makefile in makefiles("Makefile.am"):
    for line in re.findall(r"^([\w -]+):(?!=)", makefile, re.M):
        TARGETS.update(line.split())
RUN = list(lines_run())
OTHERS = lines_not_run()
CHECKS = [links, targets_of_make, excerpts_of_examples, complete_programs, products]
CHECKS += [in_the_index, functions_of_the_api, names_of_the_sources, pages_in_the_sources]
CHECKS += [commands_are_run, hashes]
HELP = {}
ENVIRONMENT = {**os.environ, "PATH": f"{BUILD}:{os.environ['PATH']}", "PERMXOR_TUNE": ""}
skipped = 0
if (BUILD / "permxor").exists():
    for sub in "encode decode verify repair hash info bench tune".split():
        HELP[sub] = subprocess.run(
            [BUILD / "permxor", "help", sub], capture_output=True, text=True, check=True
        ).stdout
    CHECKS += [options_of_the_command, sessions, quick_start]
else:
    skipped = 3
    print("skipped: options of the command (this build has no command)")
    print("skipped: sessions (this build has no command)")
    print("skipped: the quick start of the command (this build has no command)")

passed = failed = 0
for check in CHECKS:
    wrong = [(page, what) for page in PAGES for what in check(page, page.read_text())]
    for page, what in wrong:
        print(f"FAILED: {check.__name__}: {page.relative_to(TOP)}: {what}")
    failed += len(wrong)
    passed += not wrong
print(f"docs_test: {passed} passed, {failed} failed, {skipped} skipped")
sys.exit(failed > 0)
