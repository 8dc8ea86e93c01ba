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

import sys

from ._fec import Decoder, Encoder, Error

# The release of zfec that this module takes the place of.  Programs compare this with what they
# need.
__version__ = "1.6.0.0"

# After what they take from here.
from . import _fec, cmdline_zfec, cmdline_zunfec, easyfec, filefec  # noqa: E402

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


def stand_in() -> None:
    """Makes `import zfec` give this module from now on, in this process.

    Raises Error if the program has imported zfec itself already, because modules that did so
    would keep it.
    """
    this = sys.modules[__name__]
    if sys.modules.get("zfec", this) is not this:
        raise Error("zfec has been imported already: call stand_in() before that")
    sys.modules["zfec"] = this
    for module in (_fec, cmdline_zfec, cmdline_zunfec, easyfec, filefec):
        sys.modules["zfec." + module.__name__.rpartition(".")[2]] = module
