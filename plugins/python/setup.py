# SPDX-License-Identifier: BSD-3-Clause
"""Builds the extension.  It looks for the library in this order:

PERMXOR_BUILD=FOLDER   a folder in which permxor was built: its objects go into the wheel,
                       which then needs no library
PERMXOR_PREFIX=FOLDER  where permxor was installed (the --prefix of its configure)
pkg-config permxor
"""

import importlib.metadata
import os
import re
import shlex
import subprocess
import sysconfig
from glob import glob

import nanobind
from setuptools import Extension, setup


def from_build(folder):
    """The arguments of the compiler and the linker for the objects of a build folder.  Their
    names are hidden, so another copy of the library in the process remains a separate copy."""
    objects = os.path.abspath(os.path.join(folder, ".libs", "libpxr_core.a"))
    if not os.path.exists(objects):
        raise SystemExit(f"PERMXOR_BUILD={folder}: {objects} is missing; run make there first")
    with open(os.path.join(folder, "Makefile")) as makefile:
        source = re.search(r"^abs_top_srcdir = (.*)$", makefile.read(), re.MULTILINE).group(1)
    return {
        "include_dirs": [os.path.join(source, "include")],
        "extra_objects": [objects],
        "extra_link_args": ["-Wl,--exclude-libs,ALL", "-pthread"],
        "depends": [objects],
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
            "Set PERMXOR_BUILD, PERMXOR_PREFIX or PKG_CONFIG_PATH (see README.md)."
        ) from None
    if prefix:
        libdir = os.path.dirname(os.path.dirname(found[0]))
        words["extra_link_args"].append(f"-Wl,-rpath,{libdir}")
    return words


def library():
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


def first_comment(path):
    with open(path) as source:
        return re.search(r"/\*.*?\*/", source.read(), re.DOTALL).group(0) + "\n"


def collect_licences():
    """The licences of what is compiled into the extension require that the wheel has their
    notices: those of the library, of nanobind, and of robin_map, whose notice is in its
    header."""
    ours = next(path for path in ("LICENSE", "../../LICENSE") if os.path.exists(path))
    with open(ours) as licence:
        notices = {"permxor": licence.read()}
    # Debian's package has its licence in a place of its own.
    licence = importlib.metadata.distribution("nanobind").read_text("licenses/LICENSE")
    notices.update({"nanobind": licence} if licence else {})
    notices["robin_map"] = first_comment(os.path.join(robin_map_include(), "tsl", "robin_map.h"))
    os.makedirs("licenses", exist_ok=True)
    for name, notice in notices.items():
        with open(os.path.join("licenses", name + ".txt"), "w") as file:
            file.write(notice)


def extension():
    words = library()
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
    # Leave out debugging information, of which the objects of a build have much.
    words["extra_link_args"].append("-Wl,-s")
    # An interpreter without the lock would bring it back for a module that does not declare
    # that it needs no lock.
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        words["define_macros"] = [("NB_FREE_THREADED", None)]
    words["depends"] = [*words.get("depends", []), *glob("ext/*.h")]
    return Extension(
        "permxor._core",
        [*nanobind_sources(), *sorted(glob("ext/*.cpp"))],
        language="c++",
        **words,
    )


collect_licences()
setup(ext_modules=[extension()])
