# SPDX-License-Identifier: BSD-3-Clause
"""What blocks of an array may hold, while clients write and the server is killed.

Each write of a block has a version, and the block's bytes say which block and version they are.
A client has blocks of its own, but they share rows with those of others.
"""
import struct
import threading

import nbd

BLOCK = 4096


def contents(block, version):
    """Version 0 is what was never written."""
    if version == 0:
        return bytes(BLOCK)
    return struct.pack("<QQ", block + 1, version) * (BLOCK // 16)


class Model:
    def __init__(self, blocks):
        self.floor = [0] * blocks  # what survives a crash: this version, or a later one
        self.answered = [0] * blocks
        self.issued = [0] * blocks
        self.wrong = []
        self.writes = 0
        self.lock = threading.Lock()

    def promise(self, block, version):
        self.floor[block] = max(self.floor[block], version)

    def read_back(self, data):
        """Compares what is read after a crash.  It is what the blocks have from then on."""
        for block in range(len(self.floor)):
            got = data[block * BLOCK:(block + 1) * BLOCK]
            version = struct.unpack("<QQ", got[:16])[1]
            if got != contents(block, version):
                self.wrong.append(f"block {block} is torn, or another block")
            elif not self.floor[block] <= version <= self.issued[block]:
                self.wrong.append(f"block {block} has version {version}, not from "
                                  f"{self.floor[block]} to {self.issued[block]}")
            self.floor[block] = self.answered[block] = version


def write_run(model, handle, start, count, fua):
    for block in range(start, start + count):
        model.issued[block] += 1
    versions = [model.issued[block] for block in range(start, start + count)]
    data = b"".join(contents(start + i, version) for i, version in enumerate(versions))
    handle.pwrite(data, start * BLOCK, nbd.CMD_FLAG_FUA if fua else 0)
    for i, version in enumerate(versions):
        model.answered[start + i] = version
        if fua:
            model.promise(start + i, version)
    with model.lock:
        model.writes += count


def flush(model, handle):
    """It covers all clients, because the server says that it has multi-conn."""
    answered = list(model.answered)
    handle.flush()
    for block, version in enumerate(answered):
        model.promise(block, version)


def read_run(model, handle, start, count):
    want = b"".join(contents(block, model.answered[block])
                    for block in range(start, start + count))
    if handle.pread(count * BLOCK, start * BLOCK) != want:
        model.wrong.append(f"blocks {start} to {start + count - 1} are not what was written")


def client(model, uri, ranges, chance):
    """Uses its own runs of blocks until the server is gone."""
    handle = nbd.NBD()
    try:
        handle.connect_uri(uri)
        while True:
            begin, end = chance.choice(ranges)
            start = chance.randrange(begin, end)
            count = 1 + chance.randrange(min(end - start, 24))
            what = chance.randrange(10)
            if what < 6:
                write_run(model, handle, start, count, chance.randrange(4) == 0)
            elif what < 7:
                flush(model, handle)
            else:
                read_run(model, handle, start, count)
    except nbd.Error:
        pass
