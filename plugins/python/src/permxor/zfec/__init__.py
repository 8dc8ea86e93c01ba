# SPDX-License-Identifier: BSD-3-Clause
"""A module in place of zfec: its classes, functions and commands, with the same bytes.

A program that uses zfec changes one line:

    from permxor import zfec            # import zfec

Where the program cannot be changed, this makes every later `import zfec` of the process, also
one of a library, give this module:

    import permxor.zfec
    permxor.zfec.stand_in()

As in zfec, m is the number of all blocks, at most 256, of which any k suffice.

Every error is an Error of this module.  If zfec itself is loaded, too, the error is also an
Error of zfec's.  So a program that takes only the classes from here still catches it.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from . import easyfec, filefec
from ._fec import Decoder, Encoder, Error

if TYPE_CHECKING:
    from . import cmdline_zfec, cmdline_zunfec

# The release of zfec that this module takes the place of.  Programs compare this with what they
# need.
__version__ = "1.6.0.0"

__all__ = [
    "Decoder",
    "Encoder",
    "Error",
    "cmdline_zfec",
    "cmdline_zunfec",
    "easyfec",
    "filefec",
    "stand_in",
]


_COMMANDS = ("cmdline_zfec", "cmdline_zunfec")


def __getattr__(name: str) -> Any:
    """Imports a command when a program asks for it.  Otherwise `python -m` would find it imported
    already, and would warn that it runs a second time."""
    if name in _COMMANDS:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def stand_in() -> None:
    """Makes `import zfec` give this module from now on, in this process.

    Raises Error if the program has imported zfec itself already, because modules that did so
    would keep it.
    """
    this = sys.modules[__name__]
    if sys.modules.get("zfec", this) is not this:
        raise Error("zfec has been imported already: call stand_in() before that")
    sys.modules["zfec"] = this
    for name in ("_fec", "easyfec", "filefec", *_COMMANDS):
        sys.modules["zfec." + name] = importlib.import_module(f"{__name__}.{name}")
