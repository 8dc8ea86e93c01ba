# SPDX-License-Identifier: BSD-3-Clause
"""Files cut into share files, in the format of zfec.filefec.

A share file is a header and a block of each segment.  A segment is k * 4096 bytes of the file,
or what is left at its end, and easyfec.Encoder encodes it.  The header is a number in big-endian
bits, filled up with zeros at the right to whole bytes, and to at least two:

    m - 1      8 bits
    k - 1      as many bits as the numbers below m take
    padding    as many bits as the numbers below k take
    number     of the share, as many bits as the numbers below m take

The padding is how many zeros filled up the last segment.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, BinaryIO, Callable

from . import _fec, easyfec

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "CHUNKSIZE",
    "FORMAT_FORMAT",
    "RE_FORMAT",
    "CorruptedShareFilesError",
    "InsufficientShareFilesError",
    "decode_from_files",
    "encode_file",
    "encode_file_stringy",
    "encode_file_stringy_easyfec",
    "encode_to_files",
    "log_ceil",
    "pad_size",
]

# What is read of a share file at a time.
CHUNKSIZE = 4096

# FORMAT_FORMAT % (digits, digits) % (prefix, number, m, suffix) is the name of a share file.
# RE_FORMAT % (prefix, suffix) is a regular expression for such names.
FORMAT_FORMAT = "%%s.%%0%dd_%%0%dd%%s"
RE_FORMAT = "%s.[0-9]+_[0-9]+%s"

Consumer = Callable[["list[Any]", int], Any]


class InsufficientShareFilesError(_fec.Error):
    """There are kb share files, but k are needed."""

    def __init__(self, k: int, kb: int, *rest: Any) -> None:
        super().__init__(*rest)
        self.k = k
        self.kb = kb

    def __str__(self) -> str:
        return f"{self.k} share files are needed to restore the file, but there are {self.kb}"


class CorruptedShareFilesError(_fec.Error):
    """A share file is damaged, or share files do not belong together."""


# --------------------------------------------------------------- headers ----


def pad_size(n: int, k: int) -> int:
    """Returns the least number that makes a multiple of k when it is added to n."""
    return -n % k


def log_ceil(n: int, b: int) -> int:
    """Returns the least exponent with which b becomes n or more: so many digits to the base b hold
    the numbers below n."""
    exponent, power = 0, 1
    while power < n:
        exponent, power = exponent + 1, power * b
    return exponent


def _bits(count: int) -> int:
    """The bits that hold the numbers below count."""
    return log_ceil(count, 2)


def _build_header(m: int, k: int, pad: int, sh: int) -> bytes:
    """Returns the header of the share number sh."""
    if not (1 <= k <= m <= 256 and 0 <= pad < k and 0 <= sh < m):
        raise _fec.error(f"no share file can have m={m}, k={k}, padding {pad}, number {sh}")
    value, used = m - 1, 8
    for number, width in ((k - 1, _bits(m)), (pad, _bits(k)), (sh, _bits(m))):
        value, used = value << width | number, used + width
    size = max(2, (used + 7) // 8)
    return (value << (8 * size - used)).to_bytes(size, "big")


class _Bits:
    """Reads a file as bits, a byte at a time, so that no byte behind the header is read."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.value = self.left = 0

    def more(self) -> None:
        byte = self.file.read(1)
        if len(byte) != 1:
            raise _fec.error(f"{_name(self.file)} ends within its header", CorruptedShareFilesError)
        self.value, self.left = self.value << 8 | byte[0], self.left + 8

    def take(self, width: int) -> int:
        while self.left < width:
            self.more()
        self.left -= width
        taken, self.value = self.value >> self.left, self.value & (1 << self.left) - 1
        return taken


def _name(file: BinaryIO) -> str:
    return f"share file {getattr(file, 'name', file)!r}"


def _parse_header(inf: BinaryIO) -> tuple[int, int, int, int]:
    """Reads the header of a share file, and returns m, k, the padding and the number of the
    share."""
    bits = _Bits(inf)
    m = bits.take(8) + 1
    bits.more()
    k = bits.take(_bits(m)) + 1
    pad = bits.take(_bits(k))
    number = bits.take(_bits(m))
    if k > m or pad >= k or number >= m:
        raise _fec.error(
            f"{_name(inf)} has a header that no share file can have: m={m}, k={k},"
            f" padding {pad}, number {number}",
            CorruptedShareFilesError,
        )
    return m, k, pad, number


# -------------------------------------------------------------- encoding ----


def encode_file_stringy_easyfec(
    inf: BinaryIO, cb: Consumer, k: int, m: int, chunksize: int = 4096
) -> None:
    """Encodes a file, k * chunksize bytes at a time, and calls cb with the m blocks and the
    number of bytes that they were made of.  The blocks of the last bytes are smaller."""
    encoder = easyfec.Encoder(k, m)
    while True:
        data = inf.read(k * chunksize)
        if not data:
            return
        cb(encoder.encode(data), len(data))


def encode_file_stringy(
    inf: BinaryIO, cb: Consumer, k: int, m: int, chunksize: int = 4096
) -> None:
    """Encodes a file, k * chunksize bytes at a time, and calls cb with the m blocks and the
    number of bytes that they were made of.  Zeros fill up the blocks of the last bytes, which
    are fewer than k * chunksize and may be none."""
    encoder = _fec.Encoder(k, m)
    length = k * chunksize
    while length == k * chunksize:
        blocks = [inf.read(chunksize)]
        while len(blocks) < k and len(blocks[-1]) == chunksize:
            blocks.append(inf.read(chunksize))
        length = sum(len(block) for block in blocks)
        blocks += [b""] * (k - len(blocks))
        cb(encoder.encode([block.ljust(chunksize, b"\0") for block in blocks]), length)


encode_file = encode_file_stringy


def _files(
    stack: ExitStack, names: Sequence[str], overwrite: bool, verbose: bool
) -> list[BinaryIO]:
    """Opens new files, which are removed if something fails later."""
    files: list[BinaryIO] = []
    for name in names:
        if verbose:
            print(f"Creating share file {name!r}...")
        file = open(name, "wb" if overwrite else "xb")
        stack.callback(os.remove, name)
        stack.callback(file.close)
        files.append(file)
    return files


def _encode_to(files: list[BinaryIO], inf: BinaryIO, fsize: int, k: int, verbose: bool) -> None:
    m = len(files)
    for number, file in enumerate(files):
        file.write(_build_header(m, k, pad_size(fsize, k), number))
    read = 0

    def write(blocks: list[Any], length: int) -> None:
        nonlocal read
        read += length
        for file, block in zip(files, blocks):
            file.write(block)
        if verbose:
            print(f"{read} of {fsize} bytes...")

    encode_file_stringy_easyfec(inf, write, k, m, CHUNKSIZE)
    if read != fsize:
        raise OSError(f"the file has {read} bytes instead of {fsize}: did it change meanwhile?")


def encode_to_files(
    inf: BinaryIO,
    fsize: int,
    dirname: str,
    prefix: str,
    k: int,
    m: int,
    suffix: str = ".fec",
    overwrite: bool = False,
    verbose: bool = False,
) -> int:
    """Encodes a file of fsize bytes into m share files in the folder dirname.

    Returns 0.  If a file cannot be read or written, says why, removes the share files, and
    returns 1.  A share file that exists is such an error, unless overwrite is true.
    """
    digits = len(str(m))
    name = FORMAT_FORMAT % (digits, digits)
    names = [os.path.join(dirname, name % (prefix, i, m, suffix)) for i in range(m)]
    try:
        with ExitStack() as undo:
            files = _files(undo, names, overwrite, verbose)
            _encode_to(files, inf, fsize, k, verbose)
            for file in files:
                file.close()
            undo.pop_all()
    except OSError as why:
        print(f"The file cannot be encoded: {why}")
        return 1
    if verbose:
        print("Done!")
    return 0


# -------------------------------------------------------------- decoding ----


def _parse_headers(infiles: Sequence[BinaryIO]) -> tuple[int, int, int, dict[int, BinaryIO]]:
    """Returns m, k, the padding, and the first k files by the numbers of their shares."""
    if not infiles:
        raise _fec.error("there is no share file")
    first: tuple[int, int, int] = (0, 0, 0)
    shares: dict[int, BinaryIO] = {}
    for file in infiles:
        *shape, number = _parse_header(file)
        if not shares:
            first = (shape[0], shape[1], shape[2])
        if tuple(shape) != first:
            raise _fec.error(
                f"{_name(file)} says m={shape[0]}, k={shape[1]} and padding {shape[2]}, but"
                f" another share file says m={first[0]}, k={first[1]} and padding {first[2]}",
                CorruptedShareFilesError,
            )
        shares.setdefault(number, file)
        if len(shares) == first[1]:
            return (*first, shares)
    raise _fec.error("too few share files", InsufficientShareFilesError, first[1], len(shares))


def decode_from_files(outf: BinaryIO, infiles: Sequence[BinaryIO], verbose: bool = False) -> None:
    """Restores a file from the first k share files that have different numbers.

    Raises InsufficientShareFilesError if there are fewer, and CorruptedShareFilesError if they
    do not belong together.
    """
    _restore(outf, *_parse_headers(infiles), verbose)


def _restore(
    outf: BinaryIO, m: int, k: int, padding: int, shares: dict[int, BinaryIO], verbose: bool
) -> None:
    """Restores a file from k share files that have been read up to the ends of their headers."""
    decoder = easyfec.Decoder(k, m)
    numbers = list(shares)
    # One piece is held back, because only the last one has padding.
    held = b""
    written = 0
    while True:
        chunks = [file.read(CHUNKSIZE) for file in shares.values()]
        if len({len(chunk) for chunk in chunks}) > 1:
            raise _fec.error("the share files have different lengths", CorruptedShareFilesError)
        if not chunks[0]:
            break
        outf.write(held)
        written += len(held)
        if verbose:
            print(f"{written} bytes...")
        held = decoder.decode(chunks, numbers, 0)
    if padding > len(held):
        raise _fec.error(
            f"the share files say that {padding} bytes are padding, but they end before that",
            CorruptedShareFilesError,
        )
    outf.write(held[: len(held) - padding])
    if verbose:
        print("Done!")
