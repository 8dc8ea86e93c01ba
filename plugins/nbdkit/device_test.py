# SPDX-License-Identifier: BSD-3-Clause
"""Tests arrays below filesystems, and with the checks of other programs.

    device_test.py PLUGIN COMMAND FOLDER

array_server.py explains the arguments.  KILLS=N kills the server N times under each filesystem, and
FILESYSTEMS="xfs" chooses some.
The path of a write is: the filesystem, a loop device, a file of nbdfuse, NBD, nbdkit, the array.
"""
import os
import random
import shutil
import signal
import subprocess
import sys
import time

from array_server import (CONTROL, FOLDER, MIB, RANDOM, SEED, URI, Server, blank, connect, create,
                          does, status, verified, wait_for)
from checks import check, finish, skip
from fs_model import Files

KILLS = int(os.environ.get("KILLS", 4))
FUSE, MOUNT = FOLDER / "fuse", FOLDER / "mount"
SIZE = 160 * MIB  # of each member

# How to make a filesystem, and how to check it without repairing anything.
FILESYSTEMS = {
    "ext4": (["mkfs.ext4", "-q"], ["e2fsck", "-fn"]),
    "xfs": (["mkfs.xfs", "-q"], ["xfs_repair", "-n"]),
    "btrfs": (["mkfs.btrfs", "-q"], ["btrfs", "check", "--readonly"]),
}
CHOSEN = os.environ.get("FILESYSTEMS", " ".join(FILESYSTEMS)).split()


def run(*words, **options):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=300,
                          **options)


def runs(title, *words, **options):
    done = run(*words, **options)
    check(title, done.returncode == 0, f"{words}: status {done.returncode}: {done.stdout[-2000:]}"
          f"{done.stderr[-2000:]}")
    return done.stdout


def missing(*programs):
    return next((program for program in programs if shutil.which(program) is None), None)


def unmounted(folder):
    """It may take a while until the last program or loop device has left.  Once it is gone, umount
    says that nothing is mounted there."""
    for _ in range(100):
        done = run("umount", folder)
        if done.returncode == 0 or "not mounted" in done.stderr:
            return True
        time.sleep(0.1)
    return False


class Device:
    """A loop device on an array that is served."""

    def __init__(self, paths):
        self.server = Server(paths)
        FUSE.mkdir(exist_ok=True)
        # It complains, and may even end by an assertion, when its server is gone.
        with (FOLDER / "fuse.log").open("w") as log:
            self.fuse = subprocess.Popen(["nbdfuse", str(FUSE / "disk"), URI], stderr=log)
        end = time.monotonic() + 60
        while not (FUSE / "disk").is_file() and time.monotonic() < end:
            time.sleep(0.02)
        self.loop = run("losetup", "--find", "--show", FUSE / "disk").stdout.strip()
        check("a loop device", self.loop != "", self.server.said())

    def mount(self, kind):
        MOUNT.mkdir(exist_ok=True)
        return runs(f"{kind} can be mounted", "mount", "-t", kind, self.loop, MOUNT)

    def unmount(self):
        check("the filesystem is unmounted", unmounted(MOUNT))

    def leave(self):
        """Takes everything away above the server."""
        run("losetup", "-d", self.loop)
        check("the loop device is gone", unmounted(FUSE))
        self.fuse.wait(timeout=60)


# -------------------------------------------------------------- filesystems --


def sound(title, kind, device, files):
    """What was promised is there, and the filesystem's own check finds nothing."""
    device.mount(kind)
    wrong = files.wrong(MOUNT)
    check(f"{title}: all promised files", wrong is None, wrong)
    files.tidy(MOUNT)
    device.unmount()
    runs(f"{title}: checked", *FILESYSTEMS[kind][1], device.loop)


def programs(files):
    return files.run(MOUNT, [random.Random(RANDOM.randrange(2**32)) for _ in range(3)])


def kill_under_load(kind, paths, files, device, crash):
    title = f"{kind}, kill {crash}"
    device.mount(kind)
    threads = programs(files)
    time.sleep(RANDOM.uniform(0.2, 1.5))
    files.end_promises()
    device.server.kill()
    for thread in threads:
        thread.join()
    device.unmount()
    device.leave()
    device = Device(paths)
    sound(title, kind, device, files)
    return device


def lose_under_load(kind, files, device, new):
    """A member fails, is replaced, and is rebuilt, while programs go on."""
    device.mount(kind)
    threads = programs(files)
    time.sleep(0.5)
    does(f"{kind}: a member fails", "fail", CONTROL, 1)
    time.sleep(0.5)
    does(f"{kind}: a new member", "replace", CONTROL, 1, new)
    wait_for("clean")
    time.sleep(0.5)
    files.stopped.set()
    for thread in threads:
        thread.join()
    device.unmount()
    sound(f"{kind}, rebuilt under load", kind, device, files)


def plant_rot(path, count):
    """Changes a byte in some of the blocks that are not zeros, between the tables at the
    beginning and the end.  Returns how many."""
    with path.open("r+b") as file:
        used = []
        for at in range(path.stat().st_size // 8, path.stat().st_size - 4 * MIB, 4096):
            file.seek(at)
            if any(file.read(4096)):
                used.append(at)
        chosen = RANDOM.sample(used, min(count, len(used)))
        for at in chosen:
            file.seek(at + 77)
            byte = file.read(1)
            file.seek(at + 77)
            file.write(bytes([byte[0] ^ 0x20]))
    return len(chosen)


def rot(kind, paths, files, device):
    """Rot in a member is found and healed while the filesystem is mounted."""
    device.leave()
    device.server.stop()
    planted = plant_rot(paths[2], 40)
    device = Device(paths)
    device.mount(kind)
    found = does(f"{kind}: a scrub", "scrub", "--repair", CONTROL)
    bad = int(found.split(" bad blocks")[0].split()[-1])
    check(f"{kind}: the scrub finds rot", 0 < bad <= planted, f"{planted} planted: {found}")
    found = does(f"{kind}: another scrub", "scrub", CONTROL)
    check(f"{kind}: nothing is left of it", " 0 bad blocks, 0 wrong" in found, found)
    device.unmount()
    sound(f"{kind}, after rot", kind, device, files)
    return device


def test_filesystem(kind):
    make, fsck = FILESYSTEMS[kind]
    lacking = missing(make[0], fsck[0])
    if lacking or f"\t{kind}\n" not in open("/proc/filesystems").read():
        skip(f"test_filesystem {kind}", f"needs {lacking or 'it in the kernel'}")
        return
    paths = create(5, "-m", 2, size=SIZE)
    device = Device(paths)
    runs(f"{kind} is made", *make, device.loop)
    files = Files()
    device.mount(kind)
    files.prepare(MOUNT)
    device.unmount()
    for crash in range(KILLS):
        device = kill_under_load(kind, paths, files, device, crash)
    paths[1], old = blank("new", SIZE), paths[1]
    old.unlink()
    lose_under_load(kind, files, device, paths[1])
    device = rot(kind, paths, files, device)
    device.leave()
    verified(device.server, paths)
    check(f"{kind}: the programs saw no odd error", not files.odd, files.odd[:3])
    print(f"device_test: {kind}: {KILLS} kills, {files.operations} operations on files, "
          f"{len(files.there)} promised at the end, {len(files.gone)} removed")


# ----------------------------------------------------------- other programs --


def test_blkverify():
    """qemu does each operation on a plain file, too, and compares what is read."""
    if missing("qemu-io"):
        skip("test_blkverify", "needs qemu-io")
        return
    paths = create(6, "-m", 3, size=32 * MIB)
    server = Server(paths)
    handle = connect()
    size = handle.get_size()
    handle.shutdown()
    raw = blank("raw", size)
    commands = []
    for i in range(600):
        length = RANDOM.randrange(1, 600) * 512
        at = RANDOM.randrange((size - length) // 512) * 512
        commands.append(RANDOM.choice((f"write -P {i % 255 + 1} {at} {length}",
                                       f"write -P 0 {at} {length}", f"read {at} {length}",
                                       f"read {at} {length}", "flush")))
    commands.append(f"read 0 {size // 512 * 512}")
    transfers = sum(command != "flush" for command in commands)
    begun = time.monotonic()
    done = run("qemu-io", "-f", "raw", f"blkverify:{raw}:{URI}", input="\n".join(commands) + "\n")
    check("blkverify", done.returncode == 0 and "mismatch" not in done.stdout + done.stderr and
          done.stdout.count("ops;") == transfers, done.stdout[-1000:] + done.stderr[-1000:])
    print(f"device_test: blkverify: {transfers} reads and writes, "
          f"{time.monotonic() - begun:.1f} s")
    verified(server, paths)


def test_fio():
    """fio writes with checksums and verifies them, while members fail and are rebuilt."""
    if missing("fio") or "nbd" not in run("fio", "--enghelp").stdout:
        skip("test_fio", "needs fio with its nbd engine")
        return
    paths = create(6, "-m", 2, size=64 * MIB)
    server = Server(paths)
    fio = subprocess.Popen(
        ["fio", "--name=verify", "--ioengine=nbd", f"--uri={URI}", "--rw=randwrite",
         "--bsrange=4k-64k", "--iodepth=16", "--size=160m", "--loops=2", "--verify=crc32c",
         "--verify_fatal=1", f"--randseed={SEED}"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    does("fio: a member fails", "fail", CONTROL, 0)
    does("fio: another one", "fail", CONTROL, 3)
    time.sleep(0.5)
    for member, name in ((0, "first"), (3, "second")):
        does(f"fio: the {name} new member", "replace", CONTROL, member, blank(name, 64 * MIB))
        while status()["members"][member]["state"] == "rebuilding":
            time.sleep(0.1)
    said = fio.communicate(timeout=600)[0]
    check("fio verifies", fio.returncode == 0 and "verify" in said, said[-2000:])
    wait_for("clean")
    verified(server, [FOLDER / "first", *paths[1:3], FOLDER / "second", *paths[4:]])


def take_away():
    """Leaves no mount behind, however the tests end."""
    unmounted(MOUNT)
    loops = run("losetup", "--list", "--noheadings", "--output", "NAME,BACK-FILE").stdout
    for line in loops.splitlines():
        if str(FUSE) in line:
            run("losetup", "-d", line.split()[0])
    unmounted(FUSE)


signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
print(f"device_test: PXR_SEED={SEED}")
try:
    for test, *words in ((test_blkverify,), (test_fio,),
                         *((test_filesystem, kind) for kind in CHOSEN)):
        begun = time.monotonic()
        test(*words)
        print(f"device_test: {test.__name__} {' '.join(words)}: {time.monotonic() - begun:.1f} s")
finally:
    take_away()
finish("device_test")
