# SPDX-License-Identifier: BSD-3-Clause
"""For predict.py: from a kernel set's source, or from a library, to the machine code of an
inner loop, and the bytes of source that a turn of it takes."""
import functools
import re
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

from predict_cores import LATEST, SETS, vector_bytes
from predict_turns import Insn, turns

TOP = Path(__file__).resolve().parent.parent
LLVM_VERSIONS = [f"-{n}" for n in range(22, 14, -1)] + [""]

# compilers: the first that is installed is used; disassemble, simulate: options with which
# llvm-objdump and llvm-mca accept every instruction; lookup: look-ups and affine transforms;
# prefetch.
Arch = namedtuple("Arch", "triple compilers disassemble simulate lookup prefetch debian")
ARCHS = {
    "x86_64": Arch("x86_64-linux-gnu", ["x86_64-linux-gnu-gcc", "gcc"], [], [],
                   r"v?pshufb|vgf2p8affineqb", "prefetch", "amd64"),
    "aarch64": Arch("aarch64-linux-gnu", ["aarch64-linux-gnu-gcc"], ["--mattr=+all"],
                    ["--mattr=+sha3"], "tbl", "prf", "arm64"),
    "ppc64le": Arch("powerpc64le-linux-gnu", ["powerpc64le-linux-gnu-gcc"],
                    ["--mcpu=pwr10"], [], "vpermxor", "dcbt", "ppc64el"),
}

Loop = namedtuple("Loop", "insns source_bytes reloads")


class Unknown(Exception):
    """Something that cannot be predicted, with the reason."""


@functools.lru_cache(maxsize=None)
def llvm(name):
    """Returns the newest LLVM tool of this name."""
    for version in LLVM_VERSIONS:
        path = shutil.which(name + version)
        if path:
            return path
    sys.exit(f"predict: {name} is missing (Debian: llvm-19)")


def output(*command):
    """Returns what a command prints.  Raises Unknown with its first error line if it fails."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        lines = (done.stderr or done.stdout or "no output").strip().splitlines()
        error = next((line for line in lines if "error" in line), lines[0])
        raise Unknown(f"{Path(str(command[0])).name}: {error}")
    return done.stdout


# ------------------------------------------------------------ machine code --

def kernel_sets():
    """Returns {set: (architecture, compiler flags)} as configure knows them."""
    line = re.compile(r"^PXR_KERNEL_SET\(\[(\w+)\], \[(\w+)\], \[([^]]*)\]", re.M)
    return {name: (arch, flags.split())
            for lines in TOP.glob("arch/*/kernel_sets.m4")
            for arch, name, flags in line.findall(lines.read_text())}


def compiler(arch):
    for name in ARCHS[arch].compilers:
        if shutil.which(name):
            return name
    raise Unknown(f"no {ARCHS[arch].compilers[0]}")


@functools.lru_cache(maxsize=None)
def set_functions(name, variant, build):
    """Returns {function: [Insn]} of a set, compiled as for a shared library.  For a variant,
    for example "x2", blocks have that number of vectors."""
    if name not in kernel_sets():
        raise Unknown("not in any arch/*/kernel_sets.m4")
    arch, flags = kernel_sets()[name]
    source = TOP / "arch" / arch / f"kernel_{name}.c"
    unroll = [f"-DKERNEL_UNROLL={variant[1:]}"] if variant else []
    (build / "config.h").touch()  # without the assembly code: the C body
    for body in (TOP / "kernels").glob("*.inc.h.in"):
        (build / body.stem).write_text(output("awk", "-f", TOP / "kernels/unroll.awk", body))
    obj = build / f"kernel_{name}{variant}.o"
    output(compiler(arch), "-O2", "-std=gnu11", "-fPIC", *flags, *unroll, f"-I{build}",
           f"-I{TOP}/include", f"-I{TOP}/kernels", f"-I{TOP}/erasure_code", "-c", "-o", obj, source)
    return disassemble(arch, obj)


def library_functions(version, arch, build):
    """Returns the functions of an ISA-L, which is fetched into the build folder.  It is
    Debian's libisal2 or, for the latest version, the library in PyECLib's wheel."""
    library = fetched(version, arch, build)
    if isinstance(library, Unknown):
        raise library
    return file_functions(arch, library)


@functools.lru_cache(maxsize=None)
def fetched(version, arch, build):
    """Returns the library, or the reason why it cannot be fetched.  This is tried only once."""
    folder = build / f"isal-{version}-{arch}"
    if version == LATEST:
        pattern = "wheel/*.libs/libisal-*.so.2"
        fetch = ["perf/peers/isal_wheel.sh", arch, folder]
    else:
        pattern = f"usr/lib/{ARCHS[arch].triple}/libisal.so.2"
        fetch = ["tools/unpack_deb.sh", ARCHS[arch].debian, folder, "libisal2"]
    try:
        if not list(folder.glob(pattern)):
            output(TOP / fetch[0], *fetch[1:])
    except Unknown as why:
        return why
    return next(folder.glob(pattern), Unknown(f"no {pattern} in it"))


@functools.lru_cache(maxsize=None)
def file_functions(arch, file):
    """Returns the functions of a library or an object: those that its symbols export."""
    dynamic = [] if file.suffix == ".o" else ["-D"]
    exported = output(llvm("llvm-nm"), *dynamic, "-j", "-g", "--defined-only", file).split()
    return disassemble(arch, file, {name.partition("@")[0] for name in exported})


def disassemble(arch, obj, exported=None):
    """Returns {function: [Insn]}. exported: the only symbols that begin a function in a
    library, whose assembler may have left the labels of loops among the symbols."""
    found, insns = {}, []
    comment = re.compile(r"\s//.*" if arch == "aarch64" else r"\s#.*")
    for line in output(llvm("llvm-objdump"), "-d", "--no-show-raw-insn",
                       *ARCHS[arch].disassemble, obj).splitlines():
        label = re.match(r"[0-9a-f]+ <(.+)>:$", line)
        insn = re.match(r"\s*([0-9a-f]+):\s+(.+)$", line)
        if label and (exported is None or label[1] in exported):
            # gcc adds to the name of a function whose arguments it has changed.
            insns = found[re.sub(r"(\.(isra|constprop)\.\d+)+$", "", label[1])] = []
        elif insn:
            insns.append(Insn(int(insn[1], 16), comment.sub("", insn[2]).strip()))
    return found


# ------------------------------------------------------------------- loads --

def x86_load(text):
    memory = re.search(r"\((%\w+)?.*?\)(\{1to(\d+)\})?", text)
    registers = re.findall(r"%([xyz])mm", text)
    is_store = text.endswith(")") and "mov" in text
    if not memory or not registers or is_store:
        return 0, None
    size = 16 << "xyz".index(max(registers))
    broadcast = re.match(r"vp?broadcast(q|i128|i32x4|i64x2)", text)
    if broadcast:
        size = 8 if broadcast[1] == "q" else 16
    elif memory[3]:
        size //= int(memory[3])
    return size, memory[1]


def arm_load(text, sve_bytes):
    name, _, operands = text.partition("\t")
    base = re.search(r"\[(\w+)", operands)
    if not base or not name.startswith("ld") or not re.match(r"[qd]\d|z\d|\{ [vz]", operands):
        return 0, None
    if name.startswith("ld1rq"):
        size = 16
    elif re.match(r"(\{ )?z", operands):
        size = sve_bytes
    else:
        size = (8 if operands[0] == "d" else 16) * (2 if name == "ldp" else 1)
    return size, base[1]


def power_load(text):
    name, operands = re.match(r"(\S+)\s*(.*)", text).groups()
    if not re.match(r"lxv|lvx|plxv", name):
        return 0, None
    words = re.findall(r"\w+", operands)  # target, then base and index or offset(base)
    base = words[-1] if "(" in operands else words[1] if words[1] != "0" else words[2]
    return 32 if re.match(r"p?lxvp", name) else 16, base


def vector_load(core, text):
    """Returns the bytes that an instruction loads into vector registers, and the base register."""
    if core.arch == "x86_64":
        return x86_load(text)
    if core.arch == "aarch64":
        return arm_load(text, core.sve_bytes)
    return power_load(text)


def products_of(core, insns):
    """Counts look-ups and affine transforms."""
    lookup = re.compile(rf"(?:{ARCHS[core.arch].lookup})\b")
    return sum(bool(lookup.match(insn.text)) for insn in insns)


# Stores of vectors, except for spills to the stack.
STORE = {
    "x86_64": r"v?mov\S*\s+%[xyz]mm\d+, (?!.*%rsp).*\(",
    "aarch64": r"st\w+\s+(q|\{ )(?!.*\[sp)",
    "ppc64le": r"p?stxv(?!.*\(1\))",
}
STACK = {"%rsp", "sp", "1"}
CONSTANT = {"%rip"}


def measure(core, name, insns, rows):
    """
    Finds how many vectors of source a turn of a loop takes.

    The number of its products tells it,
        products = vectors * rows * lookups
    and the bytes that it loads, not counting spills and constants, must agree:
        loaded = vectors * vec_bytes + sources * rows * coef
    where sources, 1 or 2, are those taken together, each with `rows` coefficients.  A library
    may load a vector for each table of a coefficient, whatever the table's size.  Without
    general rows (Horner's rule) the look-ups decide, and a vector may be loaded twice, for P
    and for Q. Where there are no look-ups (libisal2 doubles in other ways), the loads decide.
    """
    work, vec_bytes = SETS[name], vector_bytes(core, name)
    loads = [vector_load(core, insn.text) for insn in insns]
    loaded = sum(size for size, base in loads if base not in STACK | CONSTANT)
    reloads = sum(size > 0 and base in STACK for size, base in loads)
    products = products_of(core, insns)
    if rows:
        vectors = products / (rows * work.lookups)
        tables = (loaded - vectors * vec_bytes) / rows
        loads_fit = any(tables in (size, 2 * size)
                        for size in (work.coef, work.lookups * vec_bytes))
    else:
        vectors = products / work.pq_lookups or loaded / vec_bytes
        loads_fit = vectors * vec_bytes <= loaded <= 2 * vectors * vec_bytes
    if vectors not in (1, 2, 3, 4, 8, 16) or not loads_fit:
        raise Unknown(f"cannot interpret a loop: {products} products, {loaded} bytes loaded")
    return Loop(insns, int(vectors) * vec_bytes, reloads)


def main_loop(core, name, insns, rows):
    """Returns the loop over the sources that looks up and takes most at once, and that has the
    prefetch if any loop has it.  A loop that stores vectors is none over the sources, but a
    block whose own loops are unrolled into it."""
    arch, best = ARCHS[core.arch], None
    for loop in turns(core.arch, insns):
        text = "\n".join(insn.text for insn in loop)
        loaded = sum(vector_load(core, insn.text)[0] for insn in loop)
        products = products_of(core, loop)
        if re.search(rf"^{STORE[core.arch]}", text, re.M) or not loaded:
            continue
        if rows and not products:
            continue
        rank = bool(re.search(rf"^{arch.prefetch}", text, re.M)), products, loaded
        if best is None or rank > best[0]:
            best = rank, loop
    if best is None:
        raise Unknown("found no loop")
    return measure(core, name, best[1], rows)
