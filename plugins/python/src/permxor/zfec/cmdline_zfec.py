# SPDX-License-Identifier: BSD-3-Clause
"""The command zfec, which encodes a file into share files: python -m permxor.zfec.cmdline_zfec"""

from __future__ import annotations

import argparse
import io
import os
import sys
from typing import Any, BinaryIO, Union

from . import __version__, filefec

DEFAULT_K = 3
DEFAULT_M = 8


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="zfec", description="Encodes a file into share files, of which any K restore it."
    )
    add = parser.add_argument
    add("inputfile", metavar="INF", help='the file, or "-" for the standard input')
    add("-d", "--output-dir", metavar="D", default=".", help="the folder for the share files")
    add("-p", "--prefix", metavar="P", help="what their names begin with (the name of the file)")
    add("-s", "--suffix", metavar="S", default=".fec", help="what their names end with (.fec)")
    add("-m", "--totalshares", metavar="M", type=int, default=DEFAULT_M, help="their number (8)")
    add("-k", "--requiredshares", metavar="K", type=int, default=DEFAULT_K,
        help="how many of them restore the file (3)")
    add("-f", "--force", action="store_true", help="overwrite share files that exist")
    loud = parser.add_mutually_exclusive_group()
    loud.add_argument("-v", "--verbose", action="store_true", help="say what is done")
    loud.add_argument("-q", "--quiet", action="store_true",
                      help="give no warning about K and M that make little sense")
    add("-V", "--version", action="version", version=f"zfec {__version__} (permxor)")
    return parser


def _wrong_numbers(k: int, m: int) -> Union[str, None]:
    if not 1 <= m <= 256:
        return f"totalshares is {m}, but it must be from 1 to 256"
    if not 1 <= k <= m:
        return f"requiredshares is {k}, but it must be from 1 to totalshares, {m}"
    return None


def _warn(k: int, m: int) -> None:
    if k == 1:
        print("warning: requiredshares is 1, so each share file is a copy of the file")
    if k == m:
        print("warning: requiredshares equals totalshares, so no share file may be lost")


def _open(name: str) -> BinaryIO:
    if name != "-":
        return open(name, "rb")
    given: Any = sys.stdin
    if given is None:
        raise OSError("the standard input is closed")
    stream: BinaryIO = getattr(given, "buffer", given)
    return stream


def _with_size(file: BinaryIO) -> tuple[BinaryIO, int]:
    """The file and its length.  A pipe has no length, so it is read as a whole."""
    try:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        return file, size
    except OSError:
        content = file.read()
        return io.BytesIO(content), len(content)


def main() -> int:
    options = _parser().parse_args()
    k, m = options.requiredshares, options.totalshares
    wrong = _wrong_numbers(k, m)
    if wrong:
        print(f"zfec: {wrong}", file=sys.stderr)
        return 1
    if not options.quiet:
        _warn(k, m)
    try:
        with _open(options.inputfile) as given:
            name = getattr(given, "name", "<stdin>")
            prefix = options.prefix
            if prefix is None:
                prefix = "" if name == "<stdin>" else str(name)
            file, size = _with_size(given)
            return filefec.encode_to_files(
                file, size, options.output_dir, prefix, k, m,
                options.suffix, options.force, options.verbose,
            )
    except OSError as why:
        print(f"zfec: {why}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
