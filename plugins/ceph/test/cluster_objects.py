# SPDX-License-Identifier: BSD-3-Clause
"""Objects of the pools of a test, compared with a model: a file with what each object must
hold.

The model of object NAME of POOL is the file CLUSTER/model/POOL/NAME.  It is written when the
cluster has acknowledged its contents.
"""
import os
import random
import time

import rados
from cluster_state import NOBODY, Wrong

SIZES = (1, 31, 4095, 4097, 65536, 1000003, 4194304, 20000001)
# A stripe of the pools has 4 data chunks of one UNIT each.  Overwrites favour their edges.
UNIT, STRIPE = 4096, 16384
SEED = os.environ.get("PXR_SEED", "1")


def model_folder(cluster, pool):
    folder = cluster.folder / "model" / pool
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def generator(*what):
    return random.Random(" ".join((SEED, *what)))


def await_all(completions):
    for what, completion in completions:
        completion.wait_for_complete_and_cb()
        if completion.get_return_value() < 0:
            raise Wrong(f"{what}: error {completion.get_return_value()}")


def write_whole(ioctx, contents):
    return [(f"write of {name}", ioctx.aio_write_full(name, data))
            for name, data in contents.items()]


def write(cluster, label, *pools):
    """Writes whole objects of many sizes."""
    count = total = 0
    for pool in pools:
        folder = model_folder(cluster, pool)
        chance = generator(label, pool)
        contents = {f"{label}.{size}": chance.randbytes(size) for size in SIZES}
        with cluster.pool(pool) as ioctx:
            await_all(write_whole(ioctx, contents))
        for name, data in contents.items():
            (folder / name).write_bytes(data)
        count += len(contents)
        total += sum(map(len, contents.values()))
    return f"{count} objects, {total} bytes written"


# --------------------------------------------------------------- compare ----

def first_difference(found, expected):
    if len(found) != len(expected):
        return f"{len(found)} bytes instead of {len(expected)}"
    at = next(i for i, (a, b) in enumerate(zip(found, expected)) if a != b)
    return f"differs from byte {at} of {len(expected)} on"


def data_shards(cluster, pool):
    """Returns the numbers of the data shards.  lrc puts them first in each local group, which
    has l shards and a parity."""
    profile = cluster.mon("osd erasure-code-profile get", name=pool)
    data, parities = int(profile["k"]), int(profile["m"])
    if profile["plugin"] != "lrc":
        return range(data)
    local = int(profile["l"])
    groups = (data + parities) // local
    return [group * (local + 1) + i for group in range(groups) for i in range(data // groups)]


def lacking_data(cluster, pool, names):
    """Returns how many of the objects have data on an OSD that is down."""
    shards = data_shards(cluster, pool)
    maps = (cluster.mon("osd map", pool=pool, object=name)["acting"] for name in names)
    return sum(any(acting[i] == NOBODY for i in shards) for acting in maps)


def compare(cluster, down, *pools):
    """Compares every object of the pools.  With OSDs down, some objects of each pool must need
    decoding."""
    count = total = decoded = 0
    pools = pools or [p for p in cluster.all_pools() if (cluster.folder / "model" / p).exists()]
    for pool in pools:
        files = {file.name: file for file in model_folder(cluster, pool).iterdir()}
        with cluster.pool(pool) as ioctx:
            names = {found.key for found in ioctx.list_objects()}
            if names != set(files):
                raise Wrong(f"{pool}: missing {set(files) - names}, new {names - set(files)}")
            for name, file in files.items():
                expected = file.read_bytes()
                found = ioctx.read(name, len(expected) + 1)
                if found != expected:
                    raise Wrong(f"{name} of {pool}: {first_difference(found, expected)}")
                count += 1
                total += len(expected)
        lacking = lacking_data(cluster, pool, files)
        if (lacking != 0) != (down != "0"):
            raise Wrong(f"{pool}: {lacking} objects lack data with {down} OSDs down")
        decoded += lacking
    return f"{len(pools)} pools, {count} objects, {total} bytes compared, {decoded} decoded"


# ------------------------------------------------------------ overwrites ----

class Changing:
    """Six objects of a pool with overwrites, and models that get the same random changes."""

    def __init__(self, cluster, label, pool):
        self.chance = generator(label, pool)
        self.folder = model_folder(cluster, pool)
        self.ioctx = cluster.pool(pool)
        self.models = {f"changed.{i}": bytearray() for i in range(6)}
        for name, model in self.models.items():
            if (self.folder / name).exists():
                model += (self.folder / name).read_bytes()
            else:
                model += self.chance.randbytes(self.chance.randrange(20 * STRIPE))
        await_all(write_whole(self.ioctx, {n: bytes(m) for n, m in self.models.items()}))

    def position(self, end):
        """Returns a position up to the end, often within a byte of the edge of a unit or a
        stripe."""
        at = self.chance.randrange(end + 1)
        step = self.chance.choice((1, UNIT, STRIPE))
        return max(0, at - at % step + (self.chance.choice((-1, 0, 1)) if step > 1 else 0))

    def length(self):
        return self.chance.choice((1, self.chance.randrange(1, 64), UNIT, STRIPE,
                                   self.position(4 * STRIPE) + 1))

    def put(self, op, model, at):
        data = self.chance.randbytes(self.length())
        op.write(data, at)
        model.extend(bytes(max(0, at - len(model))))
        model[at:at + len(data)] = data

    def append(self, op, model, _):
        self.put(op, model, len(model))

    def truncate(self, op, model, at):
        op.truncate(at)
        model.extend(bytes(max(0, at - len(model))))
        del model[at:]

    def change(self, name, model):
        kind = self.chance.choice((self.put,) * 6 + (self.append, self.truncate))
        at = self.position(len(model))
        with rados.WriteOpCtx() as op:
            kind(op, model, at)
            completion = self.ioctx.operate_aio_write_op(op, name)
        return f"{kind.__name__} of {name} at {at}", completion

    def begin_round(self):
        """Begins a change of each object.  The models already have the changes."""
        return [self.change(name, model) for name, model in self.models.items()]

    def save(self):
        for name, model in self.models.items():
            (self.folder / name).write_bytes(model)


def overwrite(cluster, label, rounds, *pools):
    changes = 0
    for pool in pools:
        changing = Changing(cluster, label, pool)
        for _ in range(int(rounds)):
            begun = changing.begin_round()
            await_all(begun)
            changes += len(begun)
        changing.save()
    return f"{changes} changes in {len(pools)} pools"


def tell(file, text):
    """Replaces the file.  Another process that reads it sees all of the text or none of it."""
    new = file.with_suffix(".new")
    new.write_text(text)
    new.replace(file)


def stream(cluster, changing, *pools):
    """Writes new objects to the pools and changes objects of another pool, until the file
    CLUSTER/enough exists.

    The file CLUSTER/acknowledged has the number of writes acknowledged so far.
    """
    changing = Changing(cluster, "stream", changing)
    chance = generator("stream")
    ioctxs = {pool: cluster.pool(pool) for pool in pools}
    count = total = 0
    longest = 0.0
    while not (cluster.folder / "enough").exists():
        began = time.monotonic()
        name = f"stream.{count}"
        new = {pool: chance.randbytes(chance.choice((1, 5000, 70000, 300000)))
               for pool in pools}
        begun = changing.begin_round()
        for pool, data in new.items():
            begun += write_whole(ioctxs[pool], {name: data})
        await_all(begun)
        for pool, data in new.items():
            (model_folder(cluster, pool) / name).write_bytes(data)
            total += len(data)
        count += len(begun)
        longest = max(longest, time.monotonic() - began)
        tell(cluster.folder / "acknowledged", str(count))
    changing.save()
    return f"{count} writes acknowledged, the slowest in {longest:.1f} s; {total} bytes are new"
