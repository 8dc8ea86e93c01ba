# SPDX-License-Identifier: BSD-3-Clause
"""Erasure codes over GF(2^8), byte-compatible with ISA-L and others, and RAID parity.

    import permxor
    code = permxor.Code(10, 4)
    parity = code.encode(data)                  # 10 buffers -> 4 bytearrays
    shards = code.reconstruct([*data, *parity]) # None where a shard is lost

permxor.zfec has the Encoder and Decoder of zfec, and permxor.raid has RAID-5 and RAID-6.

The CPU decides which kernel set is used when the module is imported. The environment
variable PERMXOR_KERNELS and kernel_select() select another one.
"""

from __future__ import annotations

from typing import NamedTuple

from . import _core
from ._core import Code, Hash, kernel_reason, kernel_select
from ._errors import (
    AmbiguousError,
    Error,
    InvalidError,
    NotMDSError,
    SingularError,
    TooFewError,
    UnprovenError,
    UnusableError,
)

__all__ = [
    "AmbiguousError",
    "Code",
    "Error",
    "Hash",
    "InvalidError",
    "Kernel",
    "NotMDSError",
    "SingularError",
    "TooFewError",
    "UnprovenError",
    "UnusableError",
    "kernel_reason",
    "kernel_select",
    "kernels",
]

__version__ = _core.version()


class Kernel(NamedTuple):
    """A kernel set: its name, the CPU features that it needs, whether this CPU has them, and
    whether calls use the set."""

    name: str
    needs: str
    usable: bool
    selected: bool


def kernels() -> list[Kernel]:
    """Returns the kernel sets of this library, best first."""
    return [Kernel(*row) for row in _core.kernels()]
