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
NOBODY = 2**31 - 1  # in the place of a shard whose OSD is down


class Wrong(Exception):
    """What was found is not what has to be."""


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
        """The errno and the message of a command to the monitor."""
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
        """The primary's own view: the manager's is old by up to its period."""
        # With an old map another OSD would be asked; one that stops being the primary just
        # then never answers.
        self.rados.wait_for_latest_osdmap()
        self.rados.conf_set("rados_osd_op_timeout", "3")
        command = json.dumps({"prefix": "query", "pgid": pgid, "format": "json"})
        return answer(f"query of {pgid}", self.rados.pg_command(pgid, command, b""))

    def pgs(self, pools):
        """The ids of the placement groups."""
        found = {p["pool_name"]: p for p in self.mon("osd dump")["pools"]}
        return [f"{found[pool]['pool']:d}.{pg:x}"
                for pool in pools for pg in range(found[pool]["pg_num"])]

    def all_pools(self):
        """All but the manager's own."""
        dump = self.mon("osd dump")["pools"]
        return [p["pool_name"] for p in dump if APPLICATION in p["application_metadata"]]


def answer(what, result):
    status, text, message = result
    if status:
        raise Wrong(f"{what}: {message or errno.errorcode.get(-status, status)}")
    return json.loads(text) if text.strip() else None


def wait(what, done):
    """Until done() has nothing left to wait for."""
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


def state_of(osd):
    """What the process that has this OSD's admin socket says of itself: "active" from when it
    is up in the map.  The socket's path is relative, for its length."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(f"osd.{osd}.asok")
            connection.sendall(b'{"prefix": "status", "format": "json"}\0')
            with connection.makefile("rb") as answer:
                length = int.from_bytes(answer.read(4), "big")
                return json.loads(answer.read(length))["state"]
    except (OSError, ValueError):
        return "not there yet"


def wait_up(cluster, count):
    """The OSDs that were started are up, so many of them; the others are told down.  That
    the map has an OSD up may be its former process."""
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
    """A pool of the profile; it accepts writes with two OSDs down."""
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
    """The placement group, with the shard, that an OSD holds of an object."""
    found = cluster.mon("osd map", pool=pool, object=name)
    return f"{found['pgid']}s{found['acting'].index(int(osd))}"


# ------------------------------------------------------ placement groups ----

def wait_clean(cluster, *pools):
    """Every shard of every object is where it belongs."""
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
    """Those that were found inconsistent, of how many."""
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
    """Exactly this placement group of the pool is found to be."""
    bad, _ = scrub(cluster, [pool])
    if bad != [pgid]:
        raise Wrong(f"inconsistent: {bad}")
    return f"{pgid} found inconsistent"


def repair(cluster, pgid):
    """Until no error is left of those that a scrub found."""
    def damaged():
        return cluster.pg(pgid)["info"]["stats"]["stat_sum"]["num_scrub_errors"]

    cluster.mgr("pg repair", pgid=pgid)
    wait(f"the repair of {pgid}", damaged)
