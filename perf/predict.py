#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Predicts the speed of the kernel sets on cores that are not at hand.

Each set is compiled with the compiler of its architecture; in the general rows of
m = 2, 3, 4 and in P+Q the inner loop of the main block is found and llvm-mca
simulates it.  The bytes of source of a turn over its cycles stand in a Markdown
table, beside the limit that the core's units set and the loops of ISA-L's libraries.
A second table has whole blocks of codes whose structure is made use of, beside those
of their matrices.  The loops, the blocks and llvm-mca's answers lie in FOLDER.  What is
left out is named on standard error.  doc/predicted.md says what the figures are worth.
"""
import argparse
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # the sources may be read-only
from predict_blocks import MatrixPass, StructuredPass, block  # noqa: E402
from predict_cores import (CODES, CORES, LATEST, PEERS, STRUCTURED, general_rows,  # noqa: E402
                           limit)
from predict_loops import (ARCHS, Unknown, compiler, file_functions,  # noqa: E402
                           library_functions, llvm, main_loop, output, set_functions)

ITERATIONS = 1000  # iterations of a loop
BLOCKS = 100  # blocks, one behind the other


def attempt(what, action):
    """Returns what the action returns, or None where that is unknown, and then says why."""
    try:
        return action()
    except Unknown as why:
        print(f"skipped: {what} ({why})", file=sys.stderr)
        return None


def simulate(core, loop, stem, build, iterations=ITERATIONS):
    """Returns the cycles of a turn: those of a simulation of many turns, and those that the
    units alone would take."""
    text = ["loop:"] + [re.sub(r"0x[0-9a-f]+ <.*>", "loop", insn.text) for insn in loop.insns]
    source = build / f"{stem}.s"
    source.write_text("\n".join(text) + "\n")
    arch = ARCHS[core.arch]
    report = output(llvm("llvm-mca"), f"--mtriple={arch.triple}", f"--mcpu={core.mcpu}",
                    *arch.simulate, f"--iterations={iterations}", source)
    source.with_suffix(".mca").write_text(report)
    cycles = float(re.search(r"Total Cycles:\s+(\d+)", report)[1]) / iterations
    return cycles, float(re.search(r"Block RThroughput:\s+([\d.]+)", report)[1])


def our_function(code):
    """The name of the pass that runs a code, without flags, and from the first source on."""
    return "upwards_dot_pq_0" if code == "P+Q" else f"upwards_dot_general_{general_rows(code)}"


def peer_function(peer, code):
    if code == "P+Q":
        return f"pq_gen_{peer.pq}"
    return f"gf_{general_rows(code)}vect_dot_prod_{peer.set}"


def insns_of(found, function):
    if function not in found:
        raise Unknown(f"no {function}")
    return found[function]


def file_stem(core, title, code):
    return re.sub(r"\W+", "_", f"{core.mcpu} {title} {code}")


def cell(core, source, title, code, found, build):
    """Returns how fast one code is on the core, as text. source: the set whose limit the row
    has, the set to which the function belongs, and the function."""
    limits, name, function = source
    loop = main_loop(core, name, insns_of(found, function),
                     0 if code == "P+Q" else general_rows(code))
    cycles, units = simulate(core, loop, file_stem(core, title, code), build)
    speed, most = loop.source_bytes / cycles, limit(core, limits, code)
    text = f"{speed:.1f} of {most:.1f}, {100 * speed / most:.0f} %"
    if cycles > 1.1 * units and speed < 0.95 * most:
        text += f" (units {loop.source_bytes / units:.1f})"
    return text + (f" ({loop.reloads} reloads)" if loop.reloads else "")


def passes_cost(core, name, title, code, jobs, found, build):
    """Returns the cycles that a byte of source takes in all of these passes, once by simulation
    and once by the units alone; and the reloads in their blocks."""
    cycles, units, reloads = 0, 0, 0
    for job in jobs:
        one = block(core, name, insns_of(found, job.function), job)
        stem = file_stem(core, title, f"{code} {job.function}")
        took, least = simulate(core, one, stem, build, BLOCKS)
        cycles += took / one.source_bytes
        units += least / one.source_bytes
        reloads += one.reloads
    return cycles, units, reloads


def structured_cell(core, name, title, code, found, build):
    """Returns the gain of one code by its structure, as text."""
    shape = STRUCTURED[code]
    rows = sum(shape.passes)
    matrix, matrix_units, _ = passes_cost(
        core, name, title, code, [MatrixPass(shape.k, n) for n in shape.passes], found, build)
    own, own_units, reloads = passes_cost(
        core, name, title, code,
        [StructuredPass(shape.k, rows, shape.levels, shape.cosets)], found, build)
    gain, by_units = matrix / own, matrix_units / own_units
    text = f"{1 / matrix:.1f} to {1 / own:.1f}, {gain:.2f}"
    if not 0.9 < gain / by_units < 1.1:
        text += f" (units {by_units:.2f})"
    return text + (f" ({reloads} reloads)" if reloads else "")


def table_row(core_name, title, codes, cell_of):
    """Returns a row of a table, and how many of its cells, cell_of(code), are predicted."""
    cells = [attempt(f"{core_name}, {title}, {code}", lambda code=code: cell_of(code))
             for code in codes]
    return (f"| {core_name} | {title} | " + " | ".join(cell or "-" for cell in cells) + " |",
            sum(cell is not None for cell in cells))


def our_sets(core_name, name, variants, build):
    """Yields (title, its functions) for a set and its variants."""
    for variant in ["", *variants]:
        title = f"{name}_{variant}" if variant else name
        found = attempt(f"{core_name}, {title}", lambda: set_functions(name, variant, build))
        if found:
            yield title, found


def peer_sets(core_name, name, files, build):
    """Yields (peer, title, its functions) for the libraries of ISA-L that stand beside a set."""
    arch = CORES[core_name].arch
    for peer in PEERS:
        if peer.set != name or core_name not in (peer.cores or CORES):
            continue
        sources = [(f"ISA-L {peer.version} {name}",
                    lambda: library_functions(peer.version, arch, build))]
        if peer.version == LATEST:
            sources += [(f"{file.name} {name}", lambda file=file: file_functions(arch, file))
                        for file in files]
        for title, functions in sources:
            found = attempt(f"{core_name}, {title}", functions)
            if found:
                yield peer, title, found


def core_rows(core_name, variants, files, build):
    """Yields the rows of the first table for a core, as table_row gives them."""
    core = CORES[core_name]
    for name in core.units:
        for title, found in our_sets(core_name, name, variants, build):
            yield table_row(core_name, title, CODES, lambda code: cell(
                core, (name, name, our_function(code)), title, code, found, build))
        for peer, title, found in peer_sets(core_name, name, files, build):
            yield table_row(core_name, title, CODES, lambda code: cell(
                core, (name, peer.pq if code == "P+Q" else name, peer_function(peer, code)),
                title, code, found, build))


def structured_rows(core_name, variants, build):
    """Yields the rows of the second table for a core."""
    core = CORES[core_name]
    for name in core.units:
        for title, found in our_sets(core_name, name, variants, build):
            yield table_row(core_name, title, STRUCTURED, lambda code: structured_cell(
                core, name, title, code, found, build))


def versions(cores):
    """Returns the versions of what predicted and of what compiled."""
    mca = output(llvm("llvm-mca"), "--version").splitlines()
    found = [next(line.strip() for line in mca if "version" in line)]
    for arch in sorted({CORES[name].arch for name in cores}):
        try:
            found.append(output(compiler(arch), "--version").splitlines()[0])
        except Unknown:
            pass
    return "; ".join(found)


def table(heads, rows_of_cores):
    """Prints a table.  Returns how many of its cells are predicted."""
    print("| core | set | " + " | ".join(heads) + " |")
    print("|---|---|" + "---|" * len(heads))
    total = 0
    for rows in rows_of_cores:
        for line, predicted in rows:
            print(line, flush=True)
            total += predicted
    return total


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--build", type=Path, default=Path("predict"), metavar="FOLDER",
                           help="folder for all files that are made [predict]")
    arguments.add_argument("--variant", action="append", default=[], choices=["x1", "x2", "x4"],
                           help="also predict the variants of the sets that have this name")
    arguments.add_argument("--isal", action="append", default=[], metavar="FILE", type=Path,
                           help="also predict the loops of this library or object (.o), if its "
                           f"functions have the names of ISA-L {LATEST}")
    arguments.add_argument("cores", nargs="*", metavar="CORE",
                           help="a core, by llvm-mca's name for it [all]")
    given = arguments.parse_args()
    known = [core.mcpu for core in CORES.values()]
    if not set(given.cores) <= set(known):
        arguments.error("unknown core; the known cores are " + " ".join(known))
    cores = [name for name in CORES if CORES[name].mcpu in (given.cores or known)]
    given.build.mkdir(parents=True, exist_ok=True)
    build = given.build.resolve()
    print(f"Predicted bytes of source a cycle, by {versions(cores)}\n")
    total = table(CODES, (core_rows(name, given.variant, given.isal, build) for name in cores))
    print("\nThe same of whole blocks: by the matrix to by structure, and how many times\n")
    total += table([f"{code}: {1 << shape.levels} x {shape.cosets}"
                    for code, shape in STRUCTURED.items()],
                   (structured_rows(name, given.variant, build) for name in cores))
    if total == 0:
        sys.exit("predict.py: nothing could be predicted")


if __name__ == "__main__":
    main()
