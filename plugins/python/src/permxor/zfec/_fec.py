# SPDX-License-Identifier: BSD-3-Clause
"""The classes Encoder and Decoder, and the errors of all modules here.

The matrix.  Block number i is the value at point x_i of the polynomial p of degree below k
whose values at x_0..x_(k-1) are the data.  The points are x_0 = 0, x_i = 2^(i-1).  So the
row of block i holds the Lagrange polynomials of the first k points,

    L_j(x) = product over l < k, l != j of (x - x_l) / (x_j - x_l),

at x = x_i.  The points are distinct, so any k values determine p.  Every such code is
therefore MDS, and the library need not prove it again.
"""

from __future__ import annotations

import itertools
import operator
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Optional

from .. import _errors
from .._core import Code

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .._core import Shards

__all__ = ["Decoder", "Encoder", "Error"]


class Error(_errors.Error):
    """The class of all errors but TypeError and MemoryError."""


# The classes that _both() has made.
_JOINT: dict[tuple[type[Exception], type[Exception]], type[Error]] = {}


def _both(ours: type[Error], theirs: type[Exception]) -> type[Error]:
    """A class of errors that those who know only one of the two catch."""
    if (ours, theirs) not in _JOINT:
        names = {"__doc__": ours.__doc__, "__module__": ours.__module__}
        # Another thread may have made one meanwhile.
        _JOINT.setdefault((ours, theirs), type(ours.__name__, (ours, theirs), names))
    return _JOINT[ours, theirs]


def error(text: str, kind: type[Error] = Error, *arguments: Any) -> Error:
    """An error to raise.  If the program has zfec loaded, too, it is also an Error of zfec's."""
    theirs = getattr(sys.modules.get("zfec"), "Error", kind)
    if not issubclass(kind, theirs) and not issubclass(theirs, Error):
        kind = _both(kind, theirs)
    return kind(*arguments, text)


def _powers() -> list[int]:
    """Returns 2^0..2^254 in GF(2^8), polynomial 0x11d."""
    powers = [1]
    while len(powers) < 255:
        double = powers[-1] << 1
        powers.append(double ^ 0x11D if double & 0x100 else double)
    return powers


_POWER = _powers()
_LOG = {power: exponent for exponent, power in enumerate(_POWER)}


@lru_cache(maxsize=64)
def _rows(k: int, m: int) -> bytes:
    """Returns the rows of blocks k..m-1, one behind the other."""
    points = [0, *_POWER][:m]
    first = points[:k]

    def log_of_distances(x: int) -> int:
        """The logarithm of the product of x - y over all y != x of the first points."""
        return sum(_LOG[x ^ y] for y in first if y != x)

    below = [log_of_distances(y) for y in first]
    rows = bytearray()
    for x in points[k:]:
        # The numerator of L_j has all distances of x except x - x_j.  Divide it by the constant
        # denominator.
        above = log_of_distances(x)
        rows += bytes(_POWER[(above - _LOG[x ^ y] - b) % 255] for y, b in zip(first, below))
    return bytes(rows)


@lru_cache(maxsize=64)
def _code(k: int, m: int) -> Optional[Code]:
    """Returns the code of k of m blocks, or None where there is no parity."""
    return Code(k, m - k, rows=_rows(k, m), assume_mds=True) if k < m else None


def _translated(method: Callable[..., list[Any]], *arguments: Any) -> list[Any]:
    """Calls a method of Code, with its errors as those of this module."""
    try:
        return method(*arguments)
    except _errors.Error as why:
        raise error(f"Precondition violation: {why}") from None


def _sequence(value: Any, which: str) -> tuple[Any, ...]:
    try:
        return tuple(value)
    except TypeError:
        raise TypeError(f"{which} argument was not a sequence.") from None


def _block_numbers(value: Any, m: int) -> tuple[int, ...]:
    numbers = _sequence(value, "Second")
    for number in numbers:
        if not isinstance(number, int):
            raise error("Precondition violation: second argument is required to contain int.")
        if not 0 <= number < m:
            raise error(
                "Precondition violation: block nums can't be less than zero or greater than "
                f"{m - 1}.  {number}"
            )
    return numbers


def _length(block: Any) -> int:
    view = memoryview(block)
    if not view.c_contiguous:
        raise BufferError("a block is not contiguous")
    return view.nbytes


class _Shape:
    """k and m, and the code that both classes use."""

    def __init__(self, k: int, m: int) -> None:
        k, m = operator.index(k), operator.index(m)
        for name, value in (("first", k), ("second", m)):
            if value < 1:
                raise error(
                    f"Precondition violation: {name} argument is required to be greater than "
                    f"or equal to 1, but it was {value}"
                )
        if m > 256:
            raise error(
                "Precondition violation: second argument is required to be less than or equal "
                f"to 256, but it was {m}"
            )
        if k > m:
            raise error(
                "Precondition violation: first argument is required to be less than or equal "
                f"to the second argument, but they were {k} and {m} respectively"
            )
        self._k = k
        self._m = m
        self._code = _code(k, m)

    @property
    def k(self) -> int:
        """The number of blocks that suffice."""
        return self._k

    @property
    def m(self) -> int:
        """The number of all blocks."""
        return self._m

    def _blocks(self, value: Any) -> tuple[Any, ...]:
        blocks = _sequence(value, "First")
        if len(blocks) != self._k:
            raise error(
                "Precondition violation: Wrong length -- first argument is required to contain "
                f"exactly k blocks.  len(first): {len(blocks)}, k: {self._k}"
            )
        return blocks

    def _all(self, known: dict[int, Any], want: Sequence[int]) -> list[Any]:
        """Returns m entries: the blocks that are known or wanted, and None for the others.  A
        wanted block that is known is the object that was given."""
        code = self._code
        if code is None:
            if len({_length(block) for block in known.values()}) > 1:
                raise error("Precondition violation: blocks are of unequal length.")
            return [known[number] for number in range(self._m)]
        blocks = [known.get(number) for number in range(self._m)]
        return _translated(code.reconstruct, blocks, want, bytes)


class Encoder(_Shape):
    """Encodes k blocks into m, as zfec.Encoder(k, m) does."""

    def encode(
        self, inblocks: Shards, desired_blocks_nums: Optional[Sequence[int]] = None
    ) -> list[Any]:
        """Returns the blocks with the desired numbers, in that order, or all m blocks by
        default.

        inblocks: the k primary blocks, of one length.  Those of them that are desired are
        returned as the objects given, and the others as bytes.

        Raises Error for a wrong number of blocks, unequal lengths and block numbers
        out of range, and TypeError for an object that is no buffer.
        """
        blocks = self._blocks(inblocks)
        if desired_blocks_nums is None and self._code:
            return [*blocks, *_translated(self._code.encode, blocks, bytes)]
        if desired_blocks_nums is None:
            return self._all(dict(enumerate(blocks)), ())
        desired = _block_numbers(desired_blocks_nums, self._m)
        want = tuple({number for number in desired if number >= self._k})
        known = self._all(dict(enumerate(blocks)), want)
        return [known[number] for number in desired]


class Decoder(_Shape):
    """Decodes any k of m blocks, as zfec.Decoder(k, m) does."""

    def decode(self, blocks: Shards, blocknums: Sequence[int]) -> list[Any]:
        """Returns the k primary blocks, in order.  Those that were given are the objects given,
        and the others are bytes.

        blocks: k of the m blocks, of one length, in any order.  blocknums: their numbers.
        Neither is changed.

        Raises Error for a wrong number of blocks or numbers, unequal lengths and
        block numbers that are out of range or come twice, and TypeError for an object that
        is no buffer.
        """
        given = self._blocks(blocks)
        numbers = _block_numbers(blocknums, self._m)
        if len(numbers) != self._k:
            raise error(
                "Precondition violation: Wrong length -- blocknums is required to contain "
                f"exactly k blocks.  len(blocknums): {len(numbers)}, k: {self._k}"
            )
        known = dict(zip(numbers, given))
        if len(known) != self._k:
            raise error("Precondition violation: a block number comes twice.")
        want = [number for number in range(self._k) if number not in known]
        return self._all(known, want)[: self._k]


def test_from_agl() -> bool:
    """Whether a small code restores its blocks from any k of them.  zfec has a function of this
    name for its suite."""
    k, m = 3, 5
    primary = [bytes([number + 1]) * 8 for number in range(k)]
    blocks = Encoder(k, m).encode(primary)
    decode = Decoder(k, m).decode
    return all(
        decode([blocks[number] for number in chosen], chosen) == primary
        for chosen in itertools.permutations(range(m), k)
    )
