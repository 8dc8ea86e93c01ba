# SPDX-License-Identifier: BSD-3-Clause
"""Pools, OSDs and placement groups of a test's cluster, over librados."""
import errno
import json
import socket
import time
from pathlib import Path

import rados

PATIENCE = 120  # seconds until a wait fails
PGS = 4
APPLICATION = "test"
NOBODY = 2**31 - 1  # in place of the OSD of a shard, if that is down


class Wrong(Exception):
    """Something is not as it must be."""


class Cluster:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.rados = rados.Rados(name="client.admin", conffile=str(self.folder / "ceph.conf"))

    def __enter__(self):
        self.rados.connect(timeout=60)
        return self

    def __exit__(self, *_):
        self.rados.shutdown()

    def pool(self, name):
        return self.rados.open_ioctx(name)

    def try_mon(self, prefix, **arguments):
        """Returns the errno and the message of a command to the monitor."""
        command = json.dumps({"prefix": prefix, **arguments})
        status, _, message = self.rados.mon_command(command, b"")
        return -status, message

    def mon(self, prefix, **arguments):
        command = json.dumps({"prefix": prefix, "format": "json", **arguments})
        return answer(prefix, self.rados.mon_command(command, b""))

    def mgr(self, prefix, **arguments):
        command = json.dumps({"prefix": prefix, "format": "json", **arguments})
        return answer(prefix, self.rados.mgr_command(command, b""))

    def pg(self, pgid):
        """Returns the primary's own view, because the manager's view is older, by up to its
        period."""
        # With an old map, another OSD would be asked.  An OSD that stops being the primary at
        # this moment never answers.
        self.rados.wait_for_latest_osdmap()
        self.rados.conf_set("rados_osd_op_timeout", "3")
        command = json.dumps({"prefix": "query", "pgid": pgid, "format": "json"})
        return answer(f"query of {pgid}", self.rados.pg_command(pgid, command, b""))

    def pgs(self, pools):
        """Returns the ids of the placement groups."""
        found = {p["pool_name"]: p for p in self.mon("osd dump")["pools"]}
        return [f"{found[pool]['pool']:d}.{pg:x}"
                for pool in pools for pg in range(found[pool]["pg_num"])]

    def all_pools(self):
        """Returns all pools except the manager's own."""
        dump = self.mon("osd dump")["pools"]
        return [p["pool_name"] for p in dump if APPLICATION in p["application_metadata"]]


def answer(what, result):
    status, text, message = result
    if status:
        raise Wrong(f"{what}: {message or errno.errorcode.get(-status, status)}")
    return json.loads(text) if text.strip() else None


def wait(what, done):
    """Waits until done() returns nothing that is left to wait for."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            left = done()
        except (Wrong, rados.Error) as error:
            left = error
        if not left:
            return
        if time.monotonic() > end:
            raise Wrong(f"waited {PATIENCE} s for {what}; left: {left}")
        time.sleep(0.2)


# ------------------------------------------------------------------ OSDs ----

def add_osd(cluster, osd, uuid):
    cluster.mon("osd new", uuid=uuid, id=int(osd))
    cluster.mon("osd crush add", id=int(osd), weight=1.0, args=["root=default", "host=h"])


def ask(osd, prefix):
    """Returns what the process with this OSD's admin socket answers.  The path of the socket is
    relative, because its length is limited."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(f"osd.{osd}.asok")
        command = json.dumps({"prefix": prefix, "format": "json"})
        connection.sendall(command.encode() + b"\0")
        with connection.makefile("rb") as answer:
            length = int.from_bytes(answer.read(4), "big")
            return json.loads(answer.read(length))


def state_of(osd):
    """Returns the state that the OSD reports.  It is "active" as soon as the OSD is up in the
    map."""
    try:
        return ask(osd, "status")["state"]
    except (OSError, ValueError):
        return "not there yet"


def wait_up(cluster, count):
    """Waits until the OSDs that were started are up; their number must be `count`.  The monitor
    is told that the others are down.  An OSD that is up in the map may still be its former
    process."""
    started = {int(file.suffixes[0][1:]) for file in cluster.folder.glob("osd.*.pid")}

    def difference():
        states = {osd: state_of(osd) for osd in started}
        up = {osd["osd"] for osd in cluster.mon("osd dump")["osds"] if osd["up"]}
        for osd in up - started:
            cluster.mon("osd down", ids=[str(osd)])
        active = all(state == "active" for state in states.values())
        return not (active and up == started) and f"up are {up}, started {states}"

    if len(started) != int(count):
        raise Wrong(f"started are {started}")
    wait(f"{count} OSDs to be up", difference)
    return f"{count} OSDs up"


# ----------------------------------------------------------------- pools ----

def make_pool(cluster, name, overwrites, *pairs):
    """Makes a pool with this profile.  It accepts writes with two OSDs down."""
    cluster.mon("osd erasure-code-profile set", name=name,
                profile=[*pairs, "crush-failure-domain=osd"])
    cluster.mon("osd pool create", pool=name, pool_type="erasure", pg_num=PGS, pgp_num=PGS,
                erasure_code_profile=name)
    cluster.mon("osd pool set", pool=name, var="min_size", val="4")
    if overwrites == "overwrites":
        cluster.mon("osd pool set", pool=name, var="allow_ec_overwrites", val="true")
    cluster.mon("osd pool application enable", pool=name, app=APPLICATION)
    return f"{name} made"


def shard(cluster, pool, name, osd):
    """Returns the placement group, with the number of the shard, that an OSD holds of an
    object."""
    found = cluster.mon("osd map", pool=pool, object=name)
    return f"{found['pgid']}s{found['acting'].index(int(osd))}"


# ------------------------------------------------------ placement groups ----

def wait_clean(cluster, *pools):
    """Waits until every shard of every object is where it belongs."""
    pgs = set(cluster.pgs(pools or cluster.all_pools()))
    epoch = cluster.mon("osd dump")["epoch"]
    count = len(pgs)

    def unclean():
        for pgid in sorted(pgs):
            found = cluster.pg(pgid)
            clean = found["state"].startswith("active+clean") and found["epoch"] >= epoch
            if not clean or NOBODY in found["acting"]:
                return f"{pgid} is {found['state']}"
            pgs.discard(pgid)

    wait("clean placement groups", unclean)
    return f"{count} placement groups clean"


def scrub(cluster, pools):
    """Returns the placement groups that were found inconsistent, and the number of all."""
    pgs = cluster.pgs(pools or cluster.all_pools())

    def stamp(pgid):
        return cluster.pg(pgid)["info"]["stats"]["last_deep_scrub_stamp"]

    left = {pgid: stamp(pgid) for pgid in pgs}
    bad = []

    def unscrubbed():
        for pgid, before in list(left.items()):
            found = cluster.pg(pgid)
            if found["info"]["stats"]["last_deep_scrub_stamp"] != before:
                del left[pgid]
                if found["info"]["stats"]["stat_sum"]["num_scrub_errors"]:
                    bad.append(pgid)
        return left

    for pgid in pgs:
        cluster.mgr("pg deep-scrub", pgid=pgid)
    wait("deep scrubs", unscrubbed)
    return bad, len(pgs)


def deep_scrub(cluster, *pools):
    bad, count = scrub(cluster, pools)
    if bad:
        raise Wrong(f"inconsistent: {' '.join(bad)}")
    return f"{count} placement groups deep-scrubbed, all consistent"


def inconsistent(cluster, pool, pgid):
    """Checks that exactly this placement group of the pool is found inconsistent."""
    bad, _ = scrub(cluster, [pool])
    if bad != [pgid]:
        raise Wrong(f"inconsistent: {bad}")
    return f"{pgid} found inconsistent"


def repair(cluster, pgid):
    """Repairs a placement group, and waits until none of the errors is left that a scrub
    found."""
    def damaged():
        return cluster.pg(pgid)["info"]["stats"]["stat_sum"]["num_scrub_errors"]

    cluster.mgr("pg repair", pgid=pgid)
    wait(f"the repair of {pgid}", damaged)
