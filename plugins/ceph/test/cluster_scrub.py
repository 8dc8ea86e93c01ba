# SPDX-License-Identifier: BSD-3-Clause
"""What Ceph's own ways to look at data move between machines, and what deep scrub finds."""
import time
from pathlib import Path

from cluster_objects import model_folder
from cluster_state import ask, repair, scrub, wait


def counted(cluster):
    """Returns the bytes that the messengers of all OSDs have sent, and those that the OSDs have
    read from their disks, since they started."""
    sent = read = 0
    for file in cluster.folder.glob("osd.*.pid"):
        counters = ask(int(file.suffixes[0][1:]), "perf dump")
        sent += sum(values["msgr_send_bytes"] for name, values in counters.items()
                    if name.startswith("AsyncMessenger::Worker"))
        lines = Path(f"/proc/{file.read_text().strip()}/io").read_text().splitlines()
        read += int(dict(line.split(": ") for line in lines)["read_bytes"])
    return sent, read


def cost(cluster, what):
    """Counts while a call runs, and then while nothing happens for the same time: heartbeats
    and reports."""
    began, before = time.monotonic(), counted(cluster)
    result = what()
    spent, after = time.monotonic() - began, counted(cluster)
    time.sleep(spent)
    idle = counted(cluster)[0] - after[0]
    return result, f"{after[0] - before[0]} bytes sent by the OSDs in {spent:.1f} s, of which" \
                   f" {idle} as without it; {after[1] - before[1]} bytes read from their disks"


def stamps(cluster, pgs):
    """Returns when each placement group was deep-scrubbed.  The manager knows this.  It is not
    asked of the OSDs, because their answers would be counted."""
    found = cluster.mgr("pg dump", dumpcontents=["pgs"])["pg_stats"]
    return {pg["pgid"]: pg["last_deep_scrub_stamp"] for pg in found if pg["pgid"] in pgs}


def cost_of_scrubbing(cluster, *pools):
    pgs = set(cluster.pgs(pools))
    before = stamps(cluster, pgs)

    def unscrubbed():
        now = stamps(cluster, pgs)
        return [pgid for pgid in pgs if now[pgid] == before[pgid]]

    def scrub_all():
        for pgid in pgs:
            cluster.mgr("pg deep-scrub", pgid=pgid)
        wait("deep scrubs", unscrubbed)

    _, words = cost(cluster, scrub_all)
    return f"deep scrub of {len(pgs)} placement groups: {words}"


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


def repair_all(cluster, *pools):
    """Repairs what a deep scrub finds in the pools."""
    bad, _ = scrub(cluster, pools)
    for pgid in bad:
        repair(cluster, pgid)
    return f"{len(bad)} placement groups repaired"


def largest(cluster, pool):
    """Returns the name of the largest object."""
    return max(model_folder(cluster, pool).iterdir(), key=lambda f: f.stat().st_size).name
