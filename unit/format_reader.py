#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Restores a file from its shards: a reader that was written from doc/format.md alone.

    format_reader.py OUTPUT SHARD...

It shares no code with the command.  So if the two agree, they do what the document says.  It is
slow, and reads whole shards into memory.  It prints the file's attributes in the headers.  It
needs the module xxhash.
"""

import collections
import hashlib
import struct
import sys
from decimal import Decimal

import xxhash
from format_codes import Refused, code_of, is_code, require, unit_of

HEADER, CHECK = 512, 16
MAGIC = b"\x89PXR\r\n\x1a\n"
SHA256, STATUS, SPARSE = 1, 2, 4
UNITS = 1


# ----------------------------------------------------------------- header --

Header = collections.namedtuple(
    "Header",
    "version id k m matrix index cell length name known mode seconds nanoseconds disks hash"
    " w packetsize",
)


def canonical_backwards(digest):
    """The digest with its bytes in the order in which the format stores checksums."""
    return digest[::-1]


def check_attributes(header, block):
    """Checks the file's attributes, which version 2 has."""
    require(block[303] == 0 and not any(block[368:496]), "bytes that should be zero")
    require(header.known <= SHA256 + STATUS + SPARSE, "an attribute that is not defined")
    require(header.mode < 1 << 12 and header.nanoseconds < 10**9, "mode or time out of range")
    require(header.disks <= header.k + header.m, "more folders than shards")
    if not header.known & STATUS:
        require(header.mode == header.seconds == header.nanoseconds == 0,
                "a mode or a time although the header says that it has none")
    if not header.known & SHA256:
        require(not any(header.hash), "a hash although the header says that it has none")


def check_code(header, flags):
    require(bool(flags & UNITS) == bool(header.w), "the flag for units does not agree with w")
    require(is_code(header.matrix, header.w, header.packetsize), "there is no such code")
    require(header.cell % unit_of(header.w, header.packetsize) == 0,
            "the cell size is no multiple of the unit")


def parse_header(block):
    """The header in 512 bytes, checked in the order that the document asks for, or Refused."""
    require(len(block) == HEADER and block[:8] == MAGIC, "the magic number is missing")
    check = canonical_backwards(xxhash.xxh3_128(block[:496], seed=0).digest())
    require(check == block[496:], "the checksum is wrong")
    version, flags = struct.unpack_from("<II", block, 8)
    require(version in (1, 2), "unknown version")
    require(flags <= (UNITS if version == 2 else 0), "unknown flags")
    k, m, matrix, index, cell, name, length = struct.unpack_from("<HHHHIIQ", block, 32)
    attributes = struct.unpack_from("<IIqII32sII", block, 304)
    require(1 <= k and 1 <= m and k + m <= 256, "k or m out of range")
    require(index < k + m, "index out of range")
    require(64 <= cell <= 1 << 26 and cell % 64 == 0, "cell size out of range")
    require(name <= 247 and length <= 1 << 62, "name or file too long")
    require(0 not in block[56 : 56 + name] and not any(block[56 + name : 303]), "bad name")
    header = Header(version, block[16:32], k, m, matrix, index, cell, length,
                    block[56 : 56 + name], *attributes)
    if version == 1:
        require(not any(block[303:496]), "bytes that should be zero")
    else:
        check_attributes(header, block)
    check_code(header, flags)
    return header


# ----------------------------------------------------------------- shards --


def stripes_of(header):
    return -(-header.length // (header.k * header.cell))


def cell_length(header, stripe):
    stripe_size = header.k * header.cell
    rest = min(stripe_size, header.length - stripe * stripe_size)
    unit = unit_of(header.w, header.packetsize)
    return -(-rest // (header.k * unit)) * unit


def read_cell(header, index, content, stripe):
    """The cell of a shard, or None where it is not intact."""
    offset = HEADER + stripe * (CHECK + header.cell)
    length = cell_length(header, stripe)
    record = content[offset : offset + CHECK + length]
    if len(record) < CHECK + length:
        return None
    place = header.id + struct.pack("<QI", stripe, index)
    seed = xxhash.xxh3_64(place, seed=0).intdigest()
    cell = record[CHECK:]
    check = canonical_backwards(xxhash.xxh3_128(cell, seed=seed).digest())
    return cell if check == record[:CHECK] else None


def header_of(content):
    """The header if it is valid, else the trailer if it is valid, else None."""
    for block in (content[:HEADER], content[-HEADER:]):
        try:
            return parse_header(block)
        except Refused:
            pass
    return None


def believed(headers):
    """The header of most shards.  Copies of a shard count once."""
    require(headers, "no shard has a header")
    require(len({header.id for header in headers}) == 1, "shards of several sets")
    votes = collections.Counter(h._replace(index=0) for h in set(headers)).most_common(2)
    require(len(votes) == 1 or votes[0][1] > votes[1][1], "the headers contradict each other")
    return votes[0][0]


def prove(header, content):
    """The number of the shard to which a cell of this file belongs, or None."""
    for stripe in range(stripes_of(header)):
        for index in range(header.k + header.m):
            if read_cell(header, index, content, stripe) is not None:
                return index
    return None


def gather(contents):
    """The header of the set, and a pair of index and bytes for each of its shards."""
    found = [(header_of(content), content) for content in contents]
    common = believed([header for header, _ in found if header])
    shards = []
    for header, content in found:
        if header is None:
            index = prove(common, content)
        else:
            index = header.index if header._replace(index=0) == common else None
        if index is not None:
            shards.append((index, content))
    return common, shards


# ---------------------------------------------------------------- restore --


def intact_cells(header, shards, stripe):
    """At most k intact cells by index, where data cells are preferred."""
    cells = {}
    for index, content in sorted(shards, key=lambda shard: shard[0]):
        if index not in cells and len(cells) < header.k:
            cell = read_cell(header, index, content, stripe)
            if cell is not None:
                cells[index] = cell
    return cells


def restore(contents):
    """The header of the set, and the file."""
    header, shards = gather(contents)
    code = code_of(header.k, header.m, header.matrix, header.w, header.packetsize)
    data = bytearray()
    for stripe in range(stripes_of(header)):
        cells = intact_cells(header, shards, stripe)
        if len(cells) < header.k:
            raise Refused(f"stripe {stripe} has {len(cells)} intact cells of {header.k}")
        size = min(header.k * header.cell, header.length - len(data))
        if not all(i in cells for i in range(header.k)):
            cells = dict(enumerate(code.restore(cells)))
        data += b"".join(cells[i] for i in range(header.k))[:size]
    if header.known & SHA256:
        require(hashlib.sha256(data).digest() == header.hash, "the file has another SHA-256")
    return header, data


def describe(header):
    """Prints the values that a test compares, and '-' for unknown values."""
    status = header.known & STATUS
    print("version", header.version)
    print("name", header.name.decode(errors="replace"))
    print("sha256", header.hash.hex() if header.known & SHA256 else "-")
    print("mode", f"{header.mode:o}" if status else "-")
    time = Decimal(header.seconds) + Decimal(header.nanoseconds) / 10**9
    print("time", f"{time:.9f}" if status else "-")
    print("sparse", "yes" if header.known & SPARSE else "no")
    print("disks", header.disks or "-")


def main():
    contents = []
    for path in sys.argv[2:]:
        with open(path, "rb") as file:
            contents.append(file.read())
    try:
        header, data = restore(contents)
    except Refused as why:
        sys.exit(f"format_reader.py: {why}")
    with open(sys.argv[1], "wb") as file:
        file.write(data)
    describe(header)


if __name__ == "__main__":
    main()
