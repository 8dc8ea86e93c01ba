# SPDX-License-Identifier: BSD-3-Clause
"""Writes images of the members of md arrays, from the documentation of md's formats and layouts.

It shares no code with array/, which reads them.  unit/md_array.sh compares both with md itself.
"""
import random
import struct

MAGIC = 0xA92B4EFC
FAULTY, SPARE = 0xFFFE, 0xFFFF
DOUBLE = bytes((x << 1 ^ (0x1D if x & 0x80 else 0)) & 0xFF for x in range(256))

# md's numbers and mdadm's names.
RAID5 = {0: "left-asymmetric", 1: "right-asymmetric", 2: "left-symmetric",
         3: "right-symmetric", 4: "parity-first", 5: "parity-last"}
RAID6 = {**RAID5, 8: "ddf-zero-restart", 9: "ddf-N-restart", 10: "ddf-N-continue",
         16: "left-asymmetric-6", 17: "right-asymmetric-6", 18: "left-symmetric-6",
         19: "right-symmetric-6", 20: "parity-first-6"}


def behind(member, count, n):
    """The next members after one, around."""
    return [(member + 1 + i) % n for i in range(count)]


def place_raid5(layout, n, row):
    """P's member, and the members of the data in the order of addresses."""
    p = {0: n - 1 - row % n, 1: row % n, 2: n - 1 - row % n, 3: row % n, 4: 0, 5: n - 1}[layout]
    if layout in (2, 3):
        return p, behind(p, n - 1, n)
    return p, [member for member in range(n) if member != p]


def place_raid6(layout, n, row):
    """P's and Q's members, and those of the data."""
    if layout >= 16:
        p, data = place_raid5(layout - 16, n - 1, row)
        return p, n - 1, data
    if layout in (4, 5):
        p = 0 if layout == 4 else n - 2
        return p, p + 1, [member for member in range(n) if member not in (p, p + 1)]
    if layout == 9:
        row += 1
    p = row % n if layout in (1, 3, 8) else n - 1 - row % n
    q = (p - 1) % n if layout == 10 else (p + 1) % n
    if layout in (2, 3):
        return p, q, behind(q, n - 2, n)
    if layout == 10:
        return p, q, behind(p, n - 2, n)
    return p, q, [member for member in range(n) if member not in (p, q)]


def xor(blocks):
    total = 0
    for block in blocks:
        total ^= int.from_bytes(block, "little")
    return total.to_bytes(len(blocks[0]), "little")


def horner(blocks):
    """The sum of 2^i times block i."""
    total = bytes(len(blocks[0]))
    for block in reversed(blocks):
        total = xor([total.translate(DOUBLE), block])
    return total


def q_of(layout, n, p, q, blocks):
    """Q of a row, given the block of each member that holds data."""
    zeros = bytes(len(next(iter(blocks.values()))))
    if layout in (8, 9, 10):
        return horner([blocks.get(member, zeros) for member in range(n)])
    return horner([blocks[member] for member in behind(q, n, n) if member not in (p, q)])


class Array:
    """The members of an array in memory, without superblocks."""

    def __init__(self, level, layout, n, chunk, rows, seed):
        self.level, self.layout, self.n, self.chunk = level, layout, n, chunk
        k = n - (2 if level == 6 else 1)
        self.contents = random.Random(seed).randbytes(k * chunk * rows)
        self.members = [bytearray() for _ in range(n)]
        for row in range(rows):
            blocks = [self.contents[(row * k + d) * chunk:][:chunk] for d in range(k)]
            for member, block in self.row(row, blocks).items():
                self.members[member] += block

    def row(self, row, data):
        if self.level == 6:
            p, q, places = place_raid6(self.layout, self.n, row)
        else:
            p, places = place_raid5(5 if self.level == 4 else self.layout, self.n, row)
        blocks = dict(zip(places, data))
        if self.level == 6:
            blocks[q] = q_of(self.layout, self.n, p, q, blocks)
        blocks[p] = xor(data)
        return blocks


def fold(total):
    return (total & 0xFFFFFFFF) + (total >> 32) & 0xFFFFFFFF


def superblock_1(array, minor, role, place, start, **changes):
    """Metadata 1.x.  `changes` overrides fields."""
    field = {"events": 100, "features": 0, "resync": 2**64 - 1, "uuid": b"u" * 16,
             "recovered": 0, "bad": None, "tail": 0, "device": role,
             "level": array.level, "roles": list(range(array.n)), **changes}
    block = bytearray(256 + 2 * 32)
    struct.pack_into("<IIII16s32s", block, 0, MAGIC, 1, field["features"], 0, field["uuid"],
                     b"host:array")
    struct.pack_into("<QiIQII", block, 64, 1700000000, field["level"], array.layout,
                     (len(array.members[0]) + field["tail"]) // 512, array.chunk // 512,
                     array.n)
    struct.pack_into("<QQQQI", block, 128, start // 512, len(array.members[0]) // 512,
                     place // 512, field["recovered"] // 512, field["device"])
    if field["bad"] is not None:
        struct.pack_into("<Hi", block, 186, 8, 16)
    struct.pack_into("<QQQII", block, 192, 1700000000, field["events"], field["resync"], 0, 32)
    roles = field["roles"] + [SPARE] * (32 - len(field["roles"]))
    struct.pack_into("<32H", block, 256, *roles)
    struct.pack_into("<I", block, 216, fold(sum(struct.unpack(f"<{len(block) // 4}I", block))))
    return block


def superblock_0(array, role, **changes):
    """Metadata 0.90, in little-endian order or, with big=True, in big-endian order."""
    field = {"events": 100, "clean": 1, "uuid": 77, "roles": list(range(array.n)),
             "device": role, "big": False, "tail": 0, **changes}
    order = ">" if field["big"] else "<"
    words = [0] * 1024
    words[0:3] = [MAGIC, 0, 90]
    words[5], words[6], words[7] = field["uuid"], 1700000000, array.level
    words[8], words[10] = (len(array.members[0]) + field["tail"]) // 1024, array.n
    words[13:16] = [field["uuid"]] * 3
    words[33] = field["clean"]
    words[40 if field["big"] else 39] = field["events"]
    words[64:66] = [array.layout, array.chunk]
    for number, place in enumerate(field["roles"]):
        state = 1 if place == FAULTY else 0 if place == SPARE else 6
        at = 128 + 32 * number
        words[at:at + 5] = [number, 0, 0, place & 0xFF, state]
    words[992:997] = [field["device"], 0, 0, role, 6]
    words[38] = fold(sum(words))
    return struct.pack(f"{order}1024I", *words)


def bad_blocks(ranges):
    """md's list of bad blocks, each of them as its first sector and the number of sectors."""
    entries = b"".join(struct.pack("<Q", first << 10 | count) for first, count in ranges)
    return entries.ljust(4096, b"\xff")


def image(array, metadata, role, **changes):
    """The bytes of the device that is this member."""
    data = bytes(array.members[role]) + b"t" * changes.get("tail", 0)
    if metadata == "0.90":
        data += bytes(-len(data) % 65536)
        return data + superblock_0(array, role, **changes) + bytes(65536 - 4096)
    minor = int(metadata[-1])
    if minor == 0:
        data += bytes(-len(data) % 4096)
        return data + superblock_1(array, 0, role, len(data), 0, **changes).ljust(8192, b"\0")
    place, start = (0 if minor == 1 else 4096), 65536 + 4096 * role
    head = bytes(place) + superblock_1(array, minor, role, place, start, **changes)
    if changes.get("bad") is not None:
        head = head.ljust(place + 16 * 512, b"\0") + bad_blocks(changes["bad"])
    return head.ljust(start, b"\0") + data
