# SPDX-License-Identifier: BSD-3-Clause
"""What Ceph's own ways to look at data move between machines, and what deep scrub finds."""
import time

from cluster_objects import model_folder
from cluster_state import ask, scrub


def sent(cluster):
    """Returns the bytes that the messengers of all OSDs have sent since they started."""
    total = 0
    for file in cluster.folder.glob("osd.*.pid"):
        counters = ask(int(file.suffixes[0][1:]), "perf dump")
        total += sum(values["msgr_send_bytes"] for name, values in counters.items()
                     if name.startswith("AsyncMessenger::Worker"))
    return total


def cost(cluster, what):
    """Returns the bytes that the OSDs send while a call runs, and those that they send while
    nothing happens for the same time: heartbeats and reports."""
    began, before = time.monotonic(), sent(cluster)
    result = what()
    spent, moved = time.monotonic() - began, sent(cluster) - before
    before = sent(cluster)
    time.sleep(spent)
    return result, f"sent by the OSDs: {moved} bytes in {spent:.1f} s; idle in the same time:" \
                   f" {sent(cluster) - before}"


def cost_of_scrubbing(cluster, *pools):
    (bad, count), words = cost(cluster, lambda: scrub(cluster, pools))
    return f"deep scrub of {count} placement groups, {len(bad)} inconsistent: {words}"


def cost_of_reading(cluster, *pools):
    def read_all():
        total = 0
        for pool in pools:
            with cluster.pool(pool) as ioctx:
                for file in model_folder(cluster, pool).iterdir():
                    total += len(ioctx.read(file.name, file.stat().st_size + 1))
        return total

    total, words = cost(cluster, read_all)
    return f"{total} bytes of objects read by a client: {words}"


def found_by_scrub(cluster, *pools):
    """Tells in which pools deep scrub finds an inconsistent placement group."""
    found = {pool: bool(scrub(cluster, [pool])[0]) for pool in pools}
    return "deep scrub finds the damage in: {}; it does not find it in: {}".format(
        *(" ".join(pool for pool in pools if found[pool] == wanted) or "none"
          for wanted in (True, False)))


def largest(cluster, pool):
    """Returns the name of the largest object."""
    return max(model_folder(cluster, pool).iterdir(), key=lambda f: f.stat().st_size).name
