# SPDX-License-Identifier: BSD-3-Clause
"""The command zunfec, which restores a file from share files:
python -m permxor.zfec.cmdline_zunfec"""

from __future__ import annotations

import argparse
import os
import shutil
import stat
import sys
import tempfile
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, BinaryIO

from . import Error, __version__, filefec

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


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


def _kind(name: str) -> int:
    """The kind of file that this is, as stat has it, or 0 if there is none."""
    try:
        return stat.S_IFMT(os.stat(name).st_mode)
    except FileNotFoundError:
        return 0


@contextmanager
def _replaced(name: str) -> Iterator[BinaryIO]:
    """A file whose contents become those of the file `name` at the end.  If something fails, that
    file stays as it was.  Devices and pipes are written where they are."""
    if _kind(name) not in (0, stat.S_IFREG):
        with open(name, "wb") as device:
            yield device
        return
    target = os.path.realpath(name)
    with ExitStack() as undo:
        try:
            # This takes the name, and gives a new file the permissions that the user asks for.
            open(target, "xb").close()
            undo.callback(os.remove, target)
        except FileExistsError:
            pass
        descriptor, temporary = tempfile.mkstemp(prefix=".zunfec-", dir=os.path.dirname(target))
        undo.callback(os.remove, temporary)
        with open(descriptor, "wb") as file:
            shutil.copymode(target, temporary)
            yield file
        os.replace(temporary, target)
        undo.pop_all()


def _check_output(name: str, force: bool, shares: Sequence[BinaryIO]) -> None:
    """Raises an OSError if this file may not be written."""
    if not os.path.lexists(name):
        return
    if _kind(name):
        there = os.stat(name)
        if any(os.path.samestat(there, os.fstat(share.fileno())) for share in shares):
            raise OSError(f"{name} is one of the share files")
    if not force:
        raise FileExistsError


def _decode(options: argparse.Namespace) -> None:
    with ExitStack() as stack:
        # In the order of their names: the first ones have the data itself, as far as they are
        # there.
        shares = [stack.enter_context(open(name, "rb")) for name in sorted(options.sharefiles)]
        if options.outputfile == "-":
            if sys.stdout is None:
                raise OSError("the standard output is closed")
            filefec.decode_from_files(sys.stdout.buffer, shares)
            return
        _check_output(options.outputfile, options.force, shares)
        parsed = filefec._parse_headers(shares)
        with _replaced(options.outputfile) as output:
            filefec._restore(output, *parsed, options.verbose)


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
