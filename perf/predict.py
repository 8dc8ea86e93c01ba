#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Predicts the speed of the kernel sets on cores that are not at hand.

Each set is compiled with the compiler of its architecture; in the general rows of
m = 2, 3, 4 and in P+Q the inner loop of the main block is found and llvm-mca
simulates it.  The bytes of source of a turn over its cycles stand in a Markdown
table, beside the limit that the core's units set and the loops of ISA-L's libraries.
The loops and llvm-mca's answers lie in FOLDER.  What is left out is named on standard
error.  doc/predicted.md says what the figures are worth.
"""
import argparse
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # the sources may be read-only
from predict_cores import CODES, CORES, LATEST, PEERS, general_rows, limit  # noqa: E402
from predict_loops import (ARCHS, Unknown, compiler, file_functions,  # noqa: E402
                           library_functions, llvm, main_loop, output, set_functions)

ITERATIONS = 1000


def skipped(what, why):
    print(f"skipped: {what} ({why})", file=sys.stderr)


def simulate(core, loop, stem, build):
    """Cycles a turn: simulated over many, and what the units alone would take."""
    text = ["loop:"] + [re.sub(r"0x[0-9a-f]+ <.*>", "loop", insn.text) for insn in loop.insns]
    source = build / f"{stem}.s"
    source.write_text("\n".join(text) + "\n")
    arch = ARCHS[core.arch]
    report = output(llvm("llvm-mca"), f"--mtriple={arch.triple}", f"--mcpu={core.mcpu}",
                    *arch.simulate, f"--iterations={ITERATIONS}", source)
    source.with_suffix(".mca").write_text(report)
    cycles = float(re.search(r"Total Cycles:\s+(\d+)", report)[1]) / ITERATIONS
    return cycles, float(re.search(r"Block RThroughput:\s+([\d.]+)", report)[1])


def our_function(code):
    """The function that runs a code."""
    return "dot_pq_0" if code == "P+Q" else f"dot_general_{general_rows(code)}"


def peer_function(peer, code):
    if code == "P+Q":
        return f"pq_gen_{peer.pq}"
    return f"gf_{general_rows(code)}vect_dot_prod_{peer.set}"


def cell(core, limits, name, title, code, insns, build):
    """What one code takes of the core, as text."""
    loop = main_loop(core, name, insns, 0 if code == "P+Q" else general_rows(code))
    stem = re.sub(r"\W+", "_", f"{core.mcpu} {title} {code}")
    cycles, units = simulate(core, loop, stem, build)
    speed, most = loop.source_bytes / cycles, limit(core, limits, code)
    text = f"{speed:.1f} of {most:.1f}, {100 * speed / most:.0f} %"
    if cycles > 1.1 * units and speed < 0.95 * most:
        text += f" (units {loop.source_bytes / units:.1f})"
    return text + (f" ({loop.reloads} reloads)" if loop.reloads else "")


def table_row(core_name, title, found, source_of, build):
    """A row of the table, and how many of its cells are predicted.  source_of(code): the
    set whose limit is the row's, the set that the function answers to, and the function."""
    core, cells, predicted = CORES[core_name], [], 0
    for code in CODES:
        limits, name, function = source_of(code)
        try:
            if function not in found:
                raise Unknown(f"no {function}")
            cells.append(cell(core, limits, name, title, code, found[function], build))
            predicted += 1
        except Unknown as why:
            skipped(f"{core_name}, {title}, {code}", why)
            cells.append("-")
    return f"| {core_name} | {title} | " + " | ".join(cells) + " |", predicted


def peers_of(core_name, name, files):
    """(peer, title, what gives its functions) for each that stands beside a set."""
    arch = CORES[core_name].arch
    for peer in PEERS:
        if peer.set != name or core_name not in (peer.cores or CORES):
            continue
        yield (peer, f"ISA-L {peer.version} {name}",
               lambda build, of=peer.version: library_functions(of, arch, build))
        for file in files if peer.version == LATEST else []:
            yield peer, f"{file.name} {name}", lambda _, of=file: file_functions(arch, of)


def core_rows(core_name, variants, files, build):
    """The table's rows of a core, as table_row gives them."""
    for name in CORES[core_name].units:
        for stem in [name] + [f"{name}_{variant}" for variant in variants]:
            try:
                found = set_functions(name, stem, build)
                yield table_row(core_name, stem, found,
                                lambda code: (name, name, our_function(code)), build)
            except Unknown as why:
                skipped(f"{core_name}, {stem}", why)
        for peer, title, functions in peers_of(core_name, name, files):
            try:
                yield table_row(
                    core_name, title, functions(build),
                    lambda code: (name, peer.pq if code == "P+Q" else name,
                                  peer_function(peer, code)), build)
            except Unknown as why:
                skipped(f"{core_name}, {title}", why)


def versions(cores):
    """What predicted, and what compiled."""
    mca = output(llvm("llvm-mca"), "--version").splitlines()
    found = [next(line.strip() for line in mca if "version" in line)]
    for arch in sorted({CORES[name].arch for name in cores}):
        try:
            found.append(output(compiler(arch), "--version").splitlines()[0])
        except Unknown:
            pass
    return "; ".join(found)


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--build", type=Path, default=Path("predict"), metavar="FOLDER",
                           help="where everything that is made goes [predict]")
    arguments.add_argument("--variant", action="append", default=[], metavar="x4",
                           help="also the sets' variants of this name")
    arguments.add_argument("--isal", action="append", default=[], metavar="FILE", type=Path,
                           help="also the loops of this library, or object (.o), whose functions "
                           f"are called as those of ISA-L {LATEST}")
    arguments.add_argument("cores", nargs="*", metavar="CORE",
                           help="by llvm-mca's name [all]")
    given = arguments.parse_args()
    known = [core.mcpu for core in CORES.values()]
    if not set(given.cores) <= set(known):
        arguments.error("cores: " + " ".join(known))
    cores = [name for name in CORES if CORES[name].mcpu in (given.cores or known)]
    given.build.mkdir(parents=True, exist_ok=True)
    print(f"Predicted bytes of source a cycle, by {versions(cores)}\n")
    print("| core | set | " + " | ".join(CODES) + " |")
    print("|---|---|" + "---|" * len(CODES))
    total = 0
    for name in cores:
        for line, predicted in core_rows(name, given.variant, given.isal, given.build.resolve()):
            print(line, flush=True)
            total += predicted
    if total == 0:
        sys.exit("predict.py: nothing could be predicted")


if __name__ == "__main__":
    main()
