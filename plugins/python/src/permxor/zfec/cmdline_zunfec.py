# SPDX-License-Identifier: BSD-3-Clause
"""The command zunfec, which restores a file from share files:
python -m permxor.zfec.cmdline_zunfec"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import ExitStack

from . import Error, __version__, filefec


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="zunfec", description="Restores a file from the share files that zfec wrote."
    )
    add = parser.add_argument
    add("-o", "--outputfile", metavar="OUTF", required=True,
        help='the file to write, or "-" for the standard output')
    add("sharefiles", metavar="SHAREFILE", nargs="*", help="the share files")
    add("-v", "--verbose", action="store_true", help="say what is done")
    add("-f", "--force", action="store_true", help="overwrite the file if it exists")
    add("-V", "--version", action="version", version=f"zunfec {__version__} (permxor)")
    return parser


def _decode(options: argparse.Namespace) -> None:
    with ExitStack() as stack:
        # In the order of their names: the first ones have the data itself, as far as they are
        # there.
        shares = [stack.enter_context(open(name, "rb")) for name in sorted(options.sharefiles)]
        if options.outputfile == "-":
            filefec.decode_from_files(sys.stdout.buffer, shares)
            return
        output = stack.enter_context(open(options.outputfile, "wb" if options.force else "xb"))
        try:
            filefec.decode_from_files(output, shares, options.verbose)
        except BaseException:
            os.remove(options.outputfile)
            raise


def main() -> int:
    """Returns 0, or 1 if there are too few arguments, 2 if the file exists already, 3 if the
    share files do not restore it, and 4 if a file cannot be read or written."""
    options = _parser().parse_args()
    if not options.sharefiles:
        print("zunfec: no share file is named", file=sys.stderr)
        return 1
    try:
        _decode(options)
    except FileExistsError:
        print(
            f"zunfec: {options.outputfile} exists already; --force overwrites it",
            file=sys.stderr,
        )
        return 2
    except Error as why:
        print(f"zunfec: {why}", file=sys.stderr)
        return 3
    except OSError as why:
        print(f"zunfec: {why}", file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
