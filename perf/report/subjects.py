# SPDX-License-Identifier: BSD-3-Clause
"""What is measured: this build's library, its kernel sets, and the peers that are installed."""
import ctypes
import platform
import re
import subprocess
from pathlib import Path
from typing import Optional

LIBRARY = "perf/.libs/permxor.so"
# What make perf-peers may have built.
ADAPTERS = ("isal-2.32", "isal-sid", "jerasure", "klauspost", "klauspost-1.14",
            "rusty_erasure", "zfec")
NEWEST_ISAL = "isal-2.32"
# Our drop-in libraries, and the libraries of the system that they replace.
DROPINS = {"libJerasure": ".libs/libJerasure.so.2",
           "libgf_complete": ".libs/libgf_complete.so.1"}
PACKAGES = ("libisal2", "libjerasure2", "libgf-complete1", "snapraid")


def said(*command: str) -> str:
    """Returns what a command prints, or "" if it fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True,
                              check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def machine_of(path: Path) -> bytes:
    """Returns the class, the byte order and the processor of an ELF file."""
    with path.open("rb") as file:
        head = file.read(20)
    return head[:6] + head[18:]


def is_another_isal(path: Path, library: Path) -> bool:
    """Returns whether the library is for the same machine, and is not this project's drop-in
    library under ISA-L's name."""
    try:
        return (machine_of(path) == machine_of(library)
                and b"PERMXOR_KERNELS" not in path.read_bytes())
    except OSError:
        return False


def linked(name: str, library: Path) -> Optional[str]:
    """Returns where the dynamic linker finds another project's library of this name."""
    found = (line.split("=>")[1].strip() for line in said("/sbin/ldconfig", "-p").splitlines()
             if line.strip().startswith(f"{name} "))
    return next((path for path in found if is_another_isal(Path(path), library)), None)


def is_isal(name: str) -> bool:
    """Returns whether this is an ISA-L of any version, judged by its name."""
    return name == "isal" or name.startswith("isal-")


def rank(name: str) -> tuple[bool, bool, bool, str]:
    """Orders the newest ISA-L first, then the others, with the installed one last."""
    return name != NEWEST_ISAL, not is_isal(name), name == "isal", name


def find_peers(build: Path, given: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Returns the peers by name, beginning with those given, and why the others are missing."""
    found, missing = {}, {}
    isal = given.get("isal") or linked("libisal.so.2", build / LIBRARY)
    if isal is None:
        missing["isal"] = "no libisal2 is installed"
    else:
        found["isal"] = isal
    built = {path.stem: f"perf/peers/{path.name}"
             for path in sorted((build / "perf/peers").glob("*.so"))}
    found |= built | {name: path for name, path in given.items()
                      if name != "isal" and name not in DROPINS}
    missing |= {name: "make perf-peers has not built it here" for name in ADAPTERS
                if name not in found}
    return {name: found[name] for name in sorted(found, key=rank)}, missing


def find_originals(build: Path, given: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Returns by name the libraries with which our drop-in libraries are compared, and why
    others are missing."""
    found, missing = {}, {}
    for name, ours in DROPINS.items():
        path = given.get(name) or linked(Path(ours).name, build / LIBRARY)
        if path is None:
            missing[name] = f"no {Path(ours).name} is installed"
        elif not (build / ours).exists():
            missing[name] = "this build has no library in its place"
        else:
            found[name] = path
    return found, missing


class KernelInfo(ctypes.Structure):
    """struct pxr_kernel_info of permxor.h."""
    _fields_ = [("name", ctypes.c_char_p), ("needs", ctypes.c_char_p),
                ("usable", ctypes.c_int), ("selected", ctypes.c_int)]


def usable_sets(library: Path) -> list[str]:
    """Returns the kernel sets that run here, best first."""
    info = KernelInfo()
    ask = ctypes.CDLL(str(library.resolve())).pxr_kernel_info
    names = []
    row = 0
    while ask(row, ctypes.byref(info), ctypes.c_size_t(ctypes.sizeof(info))) == 0:
        if info.usable:
            names.append(info.name.decode())
        row += 1
    return names


SUBJECT = re.compile(r"(\S+): (/.*) \((says version .*|does not tell its version.*)\)")


def told(log: str) -> dict[str, str]:
    """Returns the file and the version of each subject, by name, from the first lines of
    ec_perf."""
    found = {}
    for line in log.split("\n\n")[0].splitlines():
        match = SUBJECT.match(line)
        if match:
            name, path, says = match.groups()
            found[name] = f"{Path(path).name}, {says}"
    return found


def remark(path: str) -> str:
    """Returns the file, and the version of the package that it is from."""
    owner = said("dpkg-query", "-S", str(Path(path).resolve())).partition(":")[0]
    version = package_version(owner) if owner else ""
    return ", ".join([str(path), *([f"Debian {version}"] if version else [])])


def isal_remark(path: str) -> str:
    """Returns which ISA-L it is, with what a reader must know to judge a ratio to it."""
    gfni = platform.machine() not in ("x86_64", "AMD64") or hasattr(
        ctypes.CDLL(str(Path(path).resolve())), "ec_encode_data_avx512_gfni")
    return remark(path) if gfni else f"{remark(path)}, without GFNI code"


def package_version(package: str) -> str:
    return said("dpkg-query", "-W", "-f", "${Version}", package)


def versions(build: Path) -> dict[str, str]:
    """Returns the versions of this library, and of the peers that are Debian's packages."""
    library = ctypes.CDLL(str((build / LIBRARY).resolve()))
    library.pxr_version.restype = ctypes.c_char_p
    found = {"permxor": library.pxr_version().decode()}
    for path in sorted((build / "perf/peers").glob("*.version")):
        found[path.stem] = path.read_text(encoding="utf-8").strip()
    for package in PACKAGES:
        version = package_version(package)
        if version:
            found[package] = f"Debian {version}"
    return found
