# SPDX-License-Identifier: BSD-3-Clause
"""What is measured: this build's library, its kernel sets, and the peers that are here."""
import ctypes
import subprocess
from pathlib import Path
from typing import Optional

LIBRARY = ".libs/libpermxor.so"
ADAPTERS = ("jerasure", "klauspost", "klauspost-1.14", "zfec")  # what make perf-peers may have built
PACKAGES = ("libisal2", "libjerasure2", "libgf-complete1", "snapraid")


def debian_isal() -> Optional[str]:
    """Where the dynamic linker finds libisal.so.2."""
    try:
        listing = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True,
                                 check=False).stdout
    except OSError:
        return None
    found = (line.split("=>")[1].strip() for line in listing.splitlines()
             if line.strip().startswith("libisal.so.2 "))
    return next(found, None)


def find_peers(build: Path, given: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Peers by name, those given first of all; and why the others are missing."""
    found, missing = {}, {}
    isal = given.get("isal") or debian_isal()
    if isal is None:
        missing["isal"] = "libisal2 is not installed"
    else:
        found["isal"] = isal
    built = {path.stem: f"perf/peers/{path.name}"
             for path in sorted((build / "perf/peers").glob("*.so"))}
    found |= built | {name: path for name, path in given.items() if name != "isal"}
    missing |= {name: "make perf-peers has not built it here" for name in ADAPTERS
                if name not in found}
    return found, missing


class KernelInfo(ctypes.Structure):
    """struct pxr_kernel_info of permxor.h."""
    _fields_ = [("name", ctypes.c_char_p), ("needs", ctypes.c_char_p),
                ("usable", ctypes.c_int), ("selected", ctypes.c_int)]


def usable_sets(library: Path) -> list[str]:
    """The kernel sets that run here, best first."""
    info = KernelInfo()
    ask = ctypes.CDLL(str(library.resolve())).pxr_kernel_info
    names = []
    row = 0
    while ask(row, ctypes.byref(info)) == 0:
        if info.usable:
            names.append(info.name.decode())
        row += 1
    return names


def versions(build: Path) -> dict[str, str]:
    """Of this library, and of the peers that are Debian's packages."""
    library = ctypes.CDLL(str((build / LIBRARY).resolve()))
    library.pxr_version.restype = ctypes.c_char_p
    found = {"permxor": library.pxr_version().decode()}
    for package in PACKAGES:
        try:
            asked = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package],
                                   capture_output=True, text=True, check=False)
        except OSError:
            break
        if asked.returncode == 0 and asked.stdout:
            found[package] = f"Debian {asked.stdout}"
    return found
