# SPDX-License-Identifier: BSD-3-Clause
"""Compiles the C library into objects with a C compiler alone, as configure and make do.

What belongs to the library is read from the files that configure and make also come from: the
lists of files and flags from the Makemodule.am, and the kernel sets from
arch/*/kernel_sets.m4.  A kernel set is built if the compiler takes its flags and its verbs.
"""

import os
import re
import shlex
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from glob import glob

# The folders of the library.  The Makemodule.am of each lists its files.
FOLDERS = ("kernels", "erasure_code", "raid", "hash")

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


# ------------------------------------------------------------- makefiles ----


def add_variables(text, true, variables):
    """Adds the variables that a makefile of automake sets.  `true` has the names of the
    conditionals that hold."""
    holds = []
    for line in text.replace("\\\n", " ").splitlines():
        words = line.split()
        if words[:1] == ["if"]:
            holds.append(words[1] in true)
        elif words[:1] == ["else"]:
            holds[-1] = not holds[-1]
        elif words[:1] == ["endif"]:
            holds.pop()
        elif all(holds):
            setting = re.match(r"(\w+) *(\+?)=(.*)", line)
            if setting:
                name, adds, value = setting.groups()
                variables[name] = (variables.get(name, "") if adds else "") + " " + value.strip()


def words_of(name, variables):
    """The value of a variable, as the words of a shell.  A name that has no value is empty."""
    text = variables.get(name, "")
    while "$(" in text:
        text = re.sub(r"\$\((\w+)\)", lambda found: variables.get(found[1], ""), text)
    return shlex.split(text)


# ----------------------------------------------------------- kernel sets ----


def arguments_of(macro, text):
    """Yields the arguments of each call of a macro of m4."""
    for call in re.finditer(rf"^{macro}\(", text, re.M):
        arguments, depth, begin = [], 0, 0
        for position in range(call.end(), len(text)):
            character = text[position]
            if character == ")" and depth == 0:
                break
            if character == "[":
                begin = begin if depth else position + 1
                depth += 1
            elif character == "]":
                depth -= 1
                if depth == 0:
                    arguments.append(text[begin:position])
        yield [argument.replace("@<:@", "[").replace("@:>@", "]") for argument in arguments]


class KernelSet:
    """A call of PXR_KERNEL_SET, which m4/permxor.m4 explains."""

    def __init__(self, arch, name, flags, header, program, variants=""):
        self.arch, self.name, self.header, self.program = arch, name, header, program
        self.flags = flags.split()
        self.rows = [name, *variants.split()]

    def test(self, top):
        source = os.path.join(top, "arch", self.arch, f"kernel_{self.name}.c")
        return f'#include <{self.header}>\n#include "{source}"\nint main(void) {{ {self.program} }}'


def kernel_sets(top, arch):
    text = read(top, "arch", arch, "kernel_sets.m4")
    return [KernelSet(*arguments) for arguments in arguments_of("PXR_KERNEL_SET", text)]


def check_names(top, names):
    """Ends with an error if a name is that of no kernel set, of any processor."""
    known = ["base", *(s.name for arch in ARCHITECTURES for s in kernel_sets(top, arch))]
    for name in names:
        if name not in known:
            raise SystemExit(
                f"PERMXOR_KERNEL_SETS: there is no kernel set {name}. There are: {' '.join(known)}"
            )


# --------------------------------------------------------------- library ----


def compile_file(command, source, to):
    os.makedirs(os.path.dirname(to), exist_ok=True)
    command = [*command, "-c", source, "-o", to]
    print(shlex.join(command), flush=True)
    subprocess.run(command, check=True)
    return to


def unrolled(top, folder):
    """Writes the bodies of kernels whose lines are repeated.  An sdist has them already."""
    for template in glob(os.path.join(top, "kernels", "*.inc.h.in")):
        name = os.path.basename(template)[: -len(".in")]
        ready = os.path.join(top, "unrolled", name)
        if os.path.exists(ready):
            shutil.copy(ready, folder)
            continue
        program = os.path.join(top, "kernels", "unroll.awk")
        with open(os.path.join(folder, name), "w") as output:
            subprocess.run(["awk", "-f", program, template], stdout=output, check=True)


class Library:
    """The library in the sources `top`, compiled below the folder `build` by `compiler`, a list
    of words."""

    def __init__(self, top, build, compiler):
        self.top, self.build, self.compiler = os.path.abspath(top), build, compiler
        self.generated = os.path.join(build, "generated")
        os.makedirs(self.generated, exist_ok=True)
        self.arch = next((a for a, test in ARCHITECTURES.items() if self.is_for(test)), None)
        self.sets = [s for s in self.known_sets() if self.takes(s)]

    def compiles(self, name, text, flags=()):
        """Whether the compiler takes this program.  What it says about it is of no interest."""
        folder = os.path.join(self.build, "tests")
        os.makedirs(folder, exist_ok=True)
        source = os.path.join(folder, name + ".c")
        write(text + "\n", source)
        command = [*self.compiler, *flags, "-c", source, "-o", source + ".o"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        write(f"{shlex.join(command)}\n{done.stdout.decode(errors='replace')}", source + ".log")
        return done.returncode == 0

    def is_for(self, test):
        return self.compiles("architecture", f"#if !({test})\n#error another one\n#endif")

    def has(self, function, header):
        return self.compiles(
            function,
            f"#define _GNU_SOURCE\n#include <{header}>\nvoid *f(void) {{ return {function}; }}",
        )

    def known_sets(self):
        """The kernel sets of the processor, or those that PERMXOR_KERNEL_SETS names."""
        known = kernel_sets(self.top, self.arch) if self.arch else []
        asked = os.environ.get("PERMXOR_KERNEL_SETS")
        if asked is None:
            return known
        check_names(self.top, asked.split())
        return [s for s in known if s.name in asked.split()]

    def takes(self, kernel_set):
        """Whether the compiler builds a kernel set.  Empty files stand in for the bodies."""
        empty = os.path.join(self.build, "tests", "empty")
        os.makedirs(empty, exist_ok=True)
        for name in ("config.h", "kernel_set.inc.h"):
            write("", empty, name)
        folders = (empty, os.path.join(self.top, "include"), os.path.join(self.top, "kernels"))
        flags = ["-std=gnu11", "-Werror=implicit-function-declaration"]
        flags += [*(f"-I{folder}" for folder in folders), *kernel_set.flags]
        takes = self.compiles(kernel_set.name, kernel_set.test(self.top), flags)
        if not takes:
            print(f"permxor: the compiler does not build the kernel set {kernel_set.name}")
        return takes

    def config(self):
        """The text of config.h."""
        names = ["_GNU_SOURCE", *(f"PXR_HAVE_{s.name.upper()}" for s in self.sets)]
        names += ["HAVE_SECURE_GETENV"] * self.has("secure_getenv", "stdlib.h")
        names += ["HAVE_ISSETUGID"] * self.has("issetugid", "unistd.h")
        names += ["PXR_ARCH_PORTABLE"] * (not self.arch)
        rows = " ".join(f"X({row})" for s in self.sets for row in s.rows)
        return "".join(f"#define {n} 1\n" for n in names) + f"#define PXR_KERNEL_SETS(X) {rows}\n"

    def variables(self):
        """The variables of the makefiles, with what configure would put in."""
        true = {f"HAVE_{s.name.upper()}" for s in self.sets}
        true.add(f"ARCH_{self.arch}".upper())
        known = {"top_srcdir": shlex.quote(self.top), "sysconfdir": "/usr/local/etc"}
        known.update((f"PXR_{s.name.upper()}_CFLAGS", " ".join(s.flags)) for s in self.sets)
        folders = [*FOLDERS, *([f"arch/{self.arch}"] if self.arch else [])]
        add_variables(read(self.top, "Makefile.am"), true, known)
        for folder in folders:
            add_variables(read(self.top, folder, "Makemodule.am"), true, known)
        return known

    def compile_part(self, name, variables):
        """Yields a source file, its object, and its flags, for all files of a library of libtool
        and of the libraries in it."""
        own = f"{name}_CPPFLAGS" if f"{name}_CPPFLAGS" in variables else "AM_CPPFLAGS"
        flags = [f"-I{self.generated}", *words_of(own, variables)]
        flags += words_of(f"{name}_CFLAGS", variables)
        for file in words_of(f"{name}_SOURCES", variables):
            if file.endswith(".c"):
                yield file, os.path.join(self.build, name, file[:-1] + "o"), flags
        for part in words_of(f"{name}_LIBADD", variables):
            yield from self.compile_part(part.replace(".", "_"), variables)

    def objects(self):
        """Compiles all files, as many at a time as there are processors."""
        write(self.config(), self.generated, "config.h")
        unrolled(self.top, self.generated)
        jobs = list(self.compile_part("libpxr_core_la", self.variables()))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(self.compile_one, jobs))

    def compile_one(self, job):
        source, to, flags = job
        return compile_file([*self.compiler, *flags], os.path.join(self.top, source), to)


def copy_sources(top, folder):
    """Copies what this module needs of the sources, for an sdist."""
    patterns = ["LICENSE", "Makefile.am", "include/permxor*.h"]
    for part in (*FOLDERS, "arch/*"):
        patterns += [f"{part}/*.{kind}" for kind in ("c", "h", "in", "awk", "am", "m4")]
    for pattern in patterns:
        for file in glob(os.path.join(top, pattern)):
            to = os.path.join(folder, os.path.relpath(file, top))
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copy(file, to)
    os.makedirs(os.path.join(folder, "unrolled"))
    unrolled(top, os.path.join(folder, "unrolled"))
