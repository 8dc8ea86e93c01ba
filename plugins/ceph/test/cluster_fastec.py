# SPDX-License-Identifier: BSD-3-Clause
"""Pools with allow_ec_optimizations, which write and read pieces of chunks, and change parity
by the difference."""
from cluster_objects import Changing, await_all, generator, model_folder
from cluster_state import Wrong, make_pool

IN_FLIGHT = 24  # changes of a pool at a time, several of each object


def make_fast_pool(cluster, name, delta, *pairs):
    """Makes a pool that writes parity by the difference where this reads less (delta 0), or
    wherever it can (delta 2).  The pool keeps the setting with which it was made."""
    cluster.mon("config set", who="osd", name="ec_pdw_write_mode", value=delta)
    make_pool(cluster, name, "overwrites", *pairs)
    cluster.mon("osd pool set", pool=name, var="allow_ec_optimizations", val="true")
    return f"{name} made"


def overwrite_fast(cluster, label, rounds, *pools):
    """Changes objects: ten rounds without waiting for the previous change of an object, then
    ten with one change of each object at a time, and so on.  An OSD changes parity by the
    difference only in the second kind of round.  In the first kind, it encodes anew what is
    still in its cache."""
    changing = {pool: Changing(cluster, label, pool) for pool in pools}
    begun = {pool: [] for pool in pools}
    changes = 0
    for number in range(int(rounds)):
        left = IN_FLIGHT if number % 20 < 10 else 0
        for pool in pools:
            begun[pool] += changing[pool].begin_round()
            changes += len(changing[pool].models)
        for pool in pools:
            done = max(0, len(begun[pool]) - left)
            await_all(begun[pool][:done])
            del begun[pool][:done]
    for pool in pools:
        await_all(begun[pool])
        changing[pool].save()
    return f"{changes} changes in {len(pools)} pools"


def compare_ranges(cluster, label, count, *pools):
    """Reads ranges of any place and length, and compares them with the models."""
    total = 0
    for pool in pools:
        chance = generator(label, "ranges", pool)
        files = model_folder(cluster, pool).iterdir()
        models = {file.name: file.read_bytes() for file in files}
        with cluster.pool(pool) as ioctx:
            for _ in range(int(count)):
                name = chance.choice(sorted(models))
                at = chance.randrange(len(models[name]) + 1)
                length = chance.randrange(1, chance.choice((2, 64, 5000, 40000)))
                expected = models[name][at:at + length]
                if ioctx.read(name, length, at) != expected:
                    raise Wrong(f"{name} of {pool}: {length} bytes from {at} on differ")
                total += len(expected)
    return f"{count} ranges in each of {len(pools)} pools, {total} bytes compared"


def remove_pool(cluster, name):
    cluster.mon("osd pool delete", pool=name, pool2=name, yes_i_really_really_mean_it=True)
    return f"{name} removed"
