# SPDX-License-Identifier: BSD-3-Clause
"""Encoder and Decoder for one piece of data, which they cut into blocks, as zfec.easyfec has
them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _fec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._core import Shard, Shards

__all__ = ["Decoder", "Encoder", "div_ceil"]


def div_ceil(n: int, d: int) -> int:
    """Returns n / d, rounded up."""
    return -(-n // d)


class Encoder:
    """Cuts data into k blocks, and encodes them into m."""

    def __init__(self, k: int, m: int) -> None:
        self.fec = _fec.Encoder(k, m)

    def encode(self, data: Shard) -> list[Any]:
        """Returns m blocks as bytes.  Zeros fill up the last primary blocks, where k does not
        divide the length of the data."""
        k = self.fec.k
        view = memoryview(data).cast("B")  # type: ignore[arg-type]
        size = div_ceil(len(view), k)
        blocks = [bytes(view[i * size : (i + 1) * size]).ljust(size, b"\0") for i in range(k)]
        return self.fec.encode(blocks)


class Decoder:
    """Restores the data of an Encoder from any k of the m blocks."""

    def __init__(self, k: int, m: int) -> None:
        self.fec = _fec.Decoder(k, m)

    def decode(self, blocks: Shards, sharenums: Sequence[int], padlen: int) -> bytes:
        """Returns the data.  padlen is how many zeros filled up the blocks: k times the length
        of a block, less the length of the data."""
        data = b"".join(self.fec.decode(blocks, sharenums))
        if not 0 <= padlen <= len(data):
            raise _fec.error(f"padlen is {padlen}, but the blocks have {len(data)} bytes")
        return data[: len(data) - padlen]
