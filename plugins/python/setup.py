# SPDX-License-Identifier: BSD-3-Clause
"""Builds the extension.  One of these is the library in it:

PERMXOR_BUILD=FOLDER    the objects of a folder in which permxor was built
PERMXOR_PREFIX=FOLDER   libpermxor.so where it was installed (the --prefix of its configure)
PERMXOR_PKG_CONFIG=1    libpermxor.so where pkg-config finds it
otherwise               the library's sources, which library.py compiles
"""

import functools
import importlib.metadata
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from glob import glob

import nanobind
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import library  # noqa: E402

# From this version on, one wheel is for all versions of Python.  nanobind needs what the stable
# interface has since then.  A Python without the lock has no stable interface yet.
STABLE = (3, 12)
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
USES_STABLE = sys.version_info >= STABLE and not FREE_THREADED

COMPILES_LIBRARY = not any(
    os.environ.get(f"PERMXOR_{place}") for place in ("BUILD", "PREFIX", "PKG_CONFIG")
)


@functools.lru_cache
def sources():
    """The folder of the library's sources, or None.  An sdist has it, and in the repository
    stage.sh makes it."""
    ready = os.path.join(HERE, "library")
    script = os.path.join(HERE, os.pardir, "stage.sh")
    if os.path.exists(ready):
        return ready
    if not os.path.exists(script):
        return None
    made = os.path.join(HERE, "build", "sources")
    shutil.rmtree(made, ignore_errors=True)
    subprocess.run(["sh", script, made], check=True)
    return made


def from_build(folder):
    """The arguments of the compiler and the linker for the objects of a build folder."""
    objects = os.path.abspath(os.path.join(folder, ".libs", "libpxr_core.a"))
    if not os.path.exists(objects):
        raise SystemExit(f"PERMXOR_BUILD={folder}: {objects} is missing; run make there first")
    makefile = library.read(folder, "Makefile")
    source = re.search(r"^abs_top_srcdir = (.*)$", makefile, re.MULTILINE).group(1)
    return {
        "include_dirs": [os.path.join(source, "include")],
        "extra_objects": [objects],
        "extra_link_args": ["-pthread"],
    }


def pkg_config(option):
    return shlex.split(subprocess.check_output(["pkg-config", option, "permxor"], text=True))


def from_installation(prefix=None):
    """The same for an installed libpermxor.so.  Where a prefix is given, the module looks for
    the library there."""
    if prefix:
        found = glob(os.path.join(prefix, "lib*", "**", "permxor.pc"), recursive=True)
        if not found:
            raise SystemExit(f"PERMXOR_PREFIX={prefix} has no permxor.pc below lib*")
        os.environ["PKG_CONFIG_PATH"] = os.path.dirname(found[0])
    try:
        words = {
            "extra_compile_args": pkg_config("--cflags"),
            "extra_link_args": pkg_config("--libs"),
        }
    except (OSError, subprocess.CalledProcessError) as why:
        raise SystemExit(
            f"permxor is not found: {why}\n"
            "Set PERMXOR_PREFIX or PKG_CONFIG_PATH, or do not set PERMXOR_PKG_CONFIG"
            " (see README.md)."
        ) from None
    if prefix:
        libdir = os.path.dirname(os.path.dirname(found[0]))
        words["extra_link_args"].append(f"-Wl,-rpath,{libdir}")
    return words


def from_sources():
    """The same for the sources, whose objects BuildExt makes."""
    if not sources():
        raise SystemExit(
            f"The library's sources are not there: neither {HERE}/library, as in an sdist, nor"
            f" {os.path.dirname(HERE)}/stage.sh, as in the repository.\n"
            "Set PERMXOR_BUILD, PERMXOR_PREFIX or PERMXOR_PKG_CONFIG (see README.md)."
        )
    return {
        "include_dirs": [os.path.join(sources(), "include")],
        "extra_link_args": ["-pthread"],
    }


def c_compiler():
    """The command for the library's files.  The level is that of configure, which all
    measurements are of, and not that of Python."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC")
    flags = os.environ.get("CFLAGS", "")
    return [*shlex.split(command), "-fPIC", "-O2", "-g0", *shlex.split(flags)]


def library_words():
    if COMPILES_LIBRARY:
        return from_sources()
    if os.environ.get("PERMXOR_BUILD"):
        return from_build(os.environ["PERMXOR_BUILD"])
    return from_installation(os.environ.get("PERMXOR_PREFIX"))


# The folder of nanobind's headers and sources.  (In Debian's package, source_dir() is another.)
NANOBIND = os.path.dirname(nanobind.include_dir())


def nanobind_sources():
    """Without nb_combined.cpp, which has all of them and does not compile in Debian 13's 2.5."""
    found = glob(os.path.join(NANOBIND, "src", "*.cpp"))
    return sorted(path for path in found if not path.endswith("nb_combined.cpp"))


def robin_map_include():
    """nanobind's own copy.  Debian has a package of it instead."""
    ours = os.path.join(NANOBIND, "ext", "robin_map", "include")
    return ours if os.path.exists(ours) else "/usr/include"


def collect_licences():
    """The licences of what is compiled into the extension require that the wheel has their
    notices: those of the library, of nanobind, and of robin_map, whose notice is in its
    header."""
    ours = next(
        path
        for path in ("LICENSE", "library/LICENSE", "../../LICENSE")
        if os.path.exists(os.path.join(HERE, path))
    )
    header = library.read(robin_map_include(), "tsl", "robin_map.h")
    notices = {
        "permxor": library.read(HERE, ours),
        "robin_map": re.search(r"/\*.*?\*/", header, re.DOTALL).group(0) + "\n",
    }
    # Debian's package of nanobind has its licence in a place of its own.
    licence = importlib.metadata.distribution("nanobind").read_text("licenses/LICENSE")
    notices.update({"nanobind": licence} if licence else {})
    os.makedirs(os.path.join(HERE, "licenses"), exist_ok=True)
    for name, notice in notices.items():
        library.write(notice, HERE, "licenses", name + ".txt")


def extension():
    words = library_words()
    words["include_dirs"] = [
        nanobind.include_dir(),
        robin_map_include(),
        *words.get("include_dirs", []),
    ]
    words["extra_compile_args"] = [
        "-std=c++17",
        "-fvisibility=hidden",
        "-fno-strict-aliasing",
        *words.get("extra_compile_args", []),
    ]
    # Leave out debugging information, of which the objects have much.
    words["extra_link_args"].append("-Wl,-s")
    if USES_STABLE:
        words["py_limited_api"] = True
        words["define_macros"] = [("Py_LIMITED_API", "0x{:02x}{:02x}0000".format(*STABLE))]
    # An interpreter without the lock would bring it back for a module that does not declare
    # that it needs no lock.
    if FREE_THREADED:
        words["define_macros"] = [("NB_FREE_THREADED", None)]
    return Extension(
        "permxor._core",
        sorted(glob("ext/*.cpp")),
        depends=[*words.get("extra_objects", []), *glob("ext/*.h")],
        language="c++",
        **words,
    )


class BuildExt(build_ext):
    """Adds what is not of this folder: nanobind, and the library."""

    def build_extension(self, ext):
        # An extension that was built here before may have another library in it, or an older one.
        self.force = True
        ext.sources += nanobind_sources()
        if COMPILES_LIBRARY:
            # The same for all versions of Python, so that a cache of a compiler has its objects.
            folder = os.path.join("build", "library")
            ext.extra_objects = library.Library(sources(), folder, c_compiler()).objects()
        ext.extra_objects.append(self.plain_call())
        # Another copy of the library in the process remains a separate copy.
        exports = os.path.join(self.build_temp, "exports.map")
        os.makedirs(self.build_temp, exist_ok=True)
        library.write("{ global: PyInit__core; local: *; };\n", exports)
        ext.extra_link_args.append(f"-Wl,--version-script={exports}")
        super().build_extension(ext)

    def plain_call(self):
        """Compiles the file that must have no tables for unwinding (see its header)."""
        flags = ["-fvisibility=hidden", "-fno-exceptions"]
        flags += ["-fno-unwind-tables", "-fno-asynchronous-unwind-tables"]
        to = os.path.join(self.build_temp, "ext", "plain_call.o")
        return library.compile_file(
            [*c_compiler(), *flags], os.path.join("ext", "plain_call.c"), to
        )


class Sdist(sdist):
    """Puts the library's sources into the archive."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        if not sources():
            raise SystemExit("An sdist is made in the repository, or in an sdist.")
        shutil.copytree(sources(), os.path.join(base_dir, "library"))


collect_licences()
setup(
    ext_modules=[extension()],
    cmdclass={"build_ext": BuildExt, "sdist": Sdist},
    options={"bdist_wheel": {"py_limited_api": "cp{}{}".format(*STABLE)}} if USES_STABLE else {},
)
