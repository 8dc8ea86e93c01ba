# SPDX-License-Identifier: BSD-3-Clause
"""Compiles the C library into objects with a C compiler alone.

The sources are those that ../stage.sh has put into a folder.  It describes them.
"""

import os
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor
from glob import glob

FOLDERS = ("include", "kernels", "erasure_code", "raid", "hash")

# The names of the folders below arch/, and the macros by which a compiler is known to compile
# for them.  All others take the portable code.
ARCHITECTURES = {
    "x86_64": "defined(__x86_64__) && defined(__LP64__)",
    "aarch64": "defined(__aarch64__)",
    "ppc64le": "defined(__powerpc64__) && defined(__LITTLE_ENDIAN__) && defined(__linux__)",
    "riscv64": "defined(__riscv) && __riscv_xlen == 64 && defined(__linux__)",
    "s390x": "defined(__s390x__) && defined(__linux__)",
    "loongarch64": "defined(__loongarch_lp64) && defined(__linux__)",
}


def read(*path):
    with open(os.path.join(*path)) as file:
        return file.read()


def write(text, *path):
    with open(os.path.join(*path), "w") as file:
        file.write(text)


def compile_file(command, source, to):
    os.makedirs(os.path.dirname(to), exist_ok=True)
    command = [*command, "-c", source, "-o", to]
    print(shlex.join(command), flush=True)
    subprocess.run(command, check=True)
    return to


class KernelSet:
    """A line of kernel_sets.txt."""

    def __init__(self, line):
        self.arch, self.name, flags, variants = line.split("\t")
        self.flags = flags.split()
        self.rows = [self.name, *variants.split()]


def kernel_sets(top):
    return [KernelSet(line) for line in read(top, "kernel_sets.txt").splitlines()]


class Library:
    """The library in the folder `top`, compiled below the folder `build` by `compiler`, a list
    of words."""

    def __init__(self, top, build, compiler):
        self.top, self.build = os.path.abspath(top), build
        self.compiler = [*compiler, "-std=gnu11", "-fvisibility=hidden", f"-I{self.top}"]
        self.compiler += [f"-I{os.path.join(self.top, folder)}" for folder in FOLDERS]
        os.makedirs(build, exist_ok=True)
        self.arch = next((a for a, test in ARCHITECTURES.items() if self.is_for(test)), None)

    def is_for(self, test):
        source = os.path.join(self.build, "architecture.c")
        write(f"#if !({test})\n#error another one\n#endif\n", source)
        command = [*self.compiler, "-c", source, "-o", source + ".o"]
        return subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0

    def sets(self):
        """The kernel sets of the processor, or those that PERMXOR_KERNEL_SETS names."""
        known = kernel_sets(self.top)
        names = ["base", *(s.name for s in known)]
        asked = os.environ.get("PERMXOR_KERNEL_SETS", " ".join(names)).split()
        for name in asked:
            if name not in names:
                raise SystemExit(
                    f"PERMXOR_KERNEL_SETS: there is no kernel set {name}."
                    f" There are: {' '.join(names)}"
                )
        return [s for s in known if s.arch == self.arch and s.name in asked]

    def objects(self):
        """Compiles all files, as many at a time as there are processors.  A kernel set is left
        out if the compiler does not take it."""
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            base = pool.submit(self.compile, os.path.join("kernels", "kernel_base.c"), "base")
            sets = [
                (s, [(row, pool.submit(self.compile_row, s, row)) for row in s.rows])
                for s in self.sets()
            ]
            built = []
            for kernel_set, rows in sets:
                if all(made.result() for _, made in rows):
                    built += rows
                else:
                    print(f"permxor: the compiler does not build the kernel set {kernel_set.name}")
            names = " ".join(f"X({row})" for row, _ in built)
            flags = [f"-DPXR_KERNEL_SETS(X)={names}", *["-DPXR_ARCH_PORTABLE"] * (not self.arch)]
            others = [
                pool.submit(self.compile, file, file[: -len(".c")], flags)
                for file in self.common_files()
            ]
            return [made.result() for made in (base, *(made for _, made in built), *others)]

    def compile_row(self, kernel_set, row):
        """The object of a row of the registry, or None."""
        flags = [*kernel_set.flags, "-Werror=implicit-function-declaration"]
        if row != kernel_set.name:
            flags.append(f"-DKERNEL_UNROLL={row.rpartition('_x')[2]}")
        file = os.path.join("arch", self.arch, f"kernel_{kernel_set.name}.c")
        try:
            return self.compile(file, row, flags)
        except subprocess.CalledProcessError:
            return None

    def common_files(self):
        """All files but the kernel sets."""
        folders = [*FOLDERS, *([os.path.join("arch", self.arch)] if self.arch else [])]
        found = sorted(f for folder in folders for f in glob(os.path.join(self.top, folder, "*.c")))
        names = [os.path.relpath(file, self.top) for file in found]
        return [name for name in names if not os.path.basename(name).startswith("kernel_")]

    def compile(self, file, name, flags=()):
        to = os.path.join(self.build, "objects", name + ".o")
        return compile_file([*self.compiler, *flags], os.path.join(self.top, file), to)
