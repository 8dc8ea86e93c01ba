# SPDX-License-Identifier: BSD-3-Clause
"""Tests arrays that are written, with nbdkit: what clients read has to be what was written.

    array_test.py PLUGIN COMMAND FOLDER

array_server.py explains the arguments and the environment.
"""
import os
import random
import re
import signal
import subprocess
import threading
import time

import array_model as am
import nbd
from array_server import (COMMAND, CONTROL, EFFORT, FOLDER, MIB, PLUGIN, RANDOM, SEED, SOCKET, URI,
                          Server, blank, connect, create, does, permxor, refuses, status, verified,
                          wait_for)
from checks import check, finish, skip


def wait_for_spare(member, path):
    """Waits until a spare is a member, and its rebuild has ended."""
    end = time.monotonic() + 120
    while status()["members"][member]["file"] != str(path) and time.monotonic() < end:
        time.sleep(0.05)
    wait_for("clean")


# -------------------------------------------------------------- one client --


def forget(want, shape, begin, end):
    """A trim makes zeros of the rows that it covers: a block at the same offset of each chunk."""
    chunk, stripe = shape["chunk"], shape["chunk"] * shape["data"]
    for first in range(begin // stripe * stripe, end, stripe):
        for row in range(first, first + chunk, 4096):
            if row >= begin and row + stripe - chunk + 4096 <= end:
                for at in range(row, row + stripe, chunk):
                    want[at:at + 4096] = bytes(4096)


def use_at_random(handle, want, count):
    """Any bytes, whatever blocks they touch, against a copy in memory."""
    shape = status()
    for _ in range(count):
        at = RANDOM.randrange(len(want))
        size = 1 + RANDOM.randrange(min(len(want) - at, RANDOM.choice((100, 5000, 300000))))
        fua = RANDOM.choice((0, 0, nbd.CMD_FLAG_FUA))
        what = RANDOM.randrange(10)
        if what < 4:
            data = RANDOM.randbytes(size)
            handle.pwrite(data, at, fua)
            want[at:at + size] = data
        elif what < 5:
            handle.zero(size, at, fua)
            want[at:at + size] = bytes(size)
        elif what < 6:
            handle.trim(size, at, fua)
            forget(want, shape, at, at + size)
        elif what < 7:
            handle.flush()
        elif handle.pread(size, at) != want[at:at + size]:
            return f"{size} bytes at {at} are wrong"
    return None


def same(handle, want):
    step = 4 * MIB
    return all(handle.pread(min(step, len(want) - at), at) == want[at:at + step]
               for at in range(0, len(want), step))


def test_bytes():
    for k, m, chunk in ((2, 1, "4K"), (4, 2, "16K"), (3, 3, "64K")):
        paths = create(k + m, "-m", m, "--chunk", chunk)
        title = f"{k}+{m}"
        server = Server(paths)
        handle = connect()
        want = bytearray(handle.get_size())
        wrong = use_at_random(handle, want, 150)
        check(f"{title} in use", wrong is None, wrong)
        for member in RANDOM.sample(range(k + m), m):
            does(f"{title}: a member fails", "fail", CONTROL, member)
            wrong = use_at_random(handle, want, 60)
            check(f"{title} without {member}", wrong is None, wrong)
        refuses(f"{title}: no more can be missing", 4, "cannot work without", "fail", CONTROL,
                next(m["member"] for m in status()["members"] if m["state"] == "in-sync"))
        check(f"{title} whole", same(handle, want))
        handle.shutdown()
        server.stop()
        server = Server(paths)
        handle = connect()
        check(f"{title} after a stop", same(handle, want), server.said())
        handle.shutdown()
        verified(server, paths, True)


def test_facts():
    paths = create(5, "-m", 2, "--name", "facts", size=200 * MIB)
    server = Server(paths)
    handle = connect()
    check("it can be written", not handle.is_read_only() and handle.can_flush())
    check("it has FUA, trim, zero and multi-conn",
          handle.can_fua() and handle.can_trim() and handle.can_zero() and handle.can_multi_conn())
    entries = []
    handle.pwrite(b"x", handle.get_size() - 1)
    handle.block_status(handle.get_size(), 0, lambda *words: entries.extend(words[2]) or 0)
    check("holes are told", len(entries) >= 4 and entries[1] == 3 and entries[-1] == 0, entries)
    facts = status()
    check("the status", facts["name"] == "facts" and facts["state"] == "clean" and
          facts["bytes"] == handle.get_size(), facts)
    check("the cache", facts["cache"]["bytes"] == 16 * MIB, facts)
    metrics = does("metrics", "status", "--metrics", CONTROL)
    check("metrics", "permxor_array_failed{array=" in metrics and
          metrics.count("permxor_array_member_in_sync{") == 5 and
          "permxor_array_cache_hits_total{" in metrics, metrics)
    text = does("status", "status", CONTROL)
    check("the text", "facts: clean" in text and "cache: 0 MiB in use" in text, text)
    done = permxor("create", "-m", 1, "--force", *paths)
    check("members in use are refused", done.returncode == 5 and "another program uses it" in
          done.stderr, done.stderr)
    handle.shutdown()
    server.stop()


def test_io():
    """Members that are used by threads and by io_uring have the same contents."""
    paths = create(5, "-m", 2, "--chunk", "16K")
    want = None
    for io in ("threads", "uring", "auto"):
        server = Server(paths, f"io={io}")
        if server.process.poll() is not None:
            check("io=uring says why it is refused", io == "uring" and "io_uring" in server.said(),
                  server.said())
            skip("io=uring", server.said().strip())
            continue
        used = status()["io"]
        check(f"the status has {io}", used == io or io == "auto", used)
        check("the text has it, too", f"io: {used}\n" in does("status", "status", CONTROL))
        handle = connect()
        if want is None:
            want = bytearray(handle.get_size())
        wrong = use_at_random(handle, want, 100)
        check(f"io={io} in use", wrong is None, wrong)
        does("a member fails", "fail", CONTROL, 2)
        wrong = use_at_random(handle, want, 50)
        check(f"io={io} without a member", wrong is None, wrong)
        does("re-add", "re-add", CONTROL, 2, paths[2])
        wait_for("clean")
        check(f"io={io} whole", same(handle, want))
        handle.shutdown()
        verified(server, paths)


def test_settings():
    paths = create(3, "-m", 1)
    only = "control, spare, io and cache are for arrays with write=true"
    for message, *words in (
        ("write=true serves it", *paths),
        ("leave the other settings out", "write=true", "k=2", *paths),
        (only, "control=c", *paths),
        (only, "io=threads", *paths),
        ("io=both: it must be auto, threads or uring", "write=true", "io=both", *paths),
        (only, f"spare={paths[0]}", *paths[1:]),
        (only, "cache=0", *paths),
        ("it must be at most half of the memory", "write=true", "cache=1E", *paths),
        ("no device has a readable superblock", "write=true", blank("nothing")),
        ("1 members are current and in sync, but 2 are needed", "write=true", paths[0]),
        ("it exists and is not a socket", "write=true", f"control={paths[0]}", *paths),
    ):
        done = subprocess.run(["nbdkit", "-U", "-", PLUGIN, *map(str, words), "--run", "true"],
                              capture_output=True, text=True, timeout=120)
        check(f"refused: {message}", done.returncode != 0 and message in done.stderr,
              f"status {done.returncode}: {done.stderr}")


# ------------------------------------------------------------------ control --


def test_members():
    paths = create(6, "-m", 2)
    server = Server(paths)
    handle = connect()
    want = bytearray(handle.get_size())
    use_at_random(handle, want, 60)
    refuses("a member that is there is not replaced", 2, "has not failed", "replace", CONTROL, 1,
            blank("spare"))
    does("fail", "fail", CONTROL, 1)
    does("fail", "fail", CONTROL, 4)
    use_at_random(handle, want, 30)
    does("re-add", "re-add", CONTROL, 4, paths[4])
    refuses("a used file needs --force", 5, "use --force", "replace", CONTROL, 1, paths[1])
    refuses("a small file", 2, "too small", "replace", CONTROL, 1, blank("small", MIB))
    wrong = use_at_random(handle, want, 30)
    check("in use while a member is rebuilt", wrong is None, wrong)
    deadline = time.monotonic() + 60
    while status()["members"][4]["state"] != "in-sync" and time.monotonic() < deadline:
        time.sleep(0.05)
    does("replace", "replace", CONTROL, 1, FOLDER / "spare")
    wait_for("clean")
    check("all is there", same(handle, want))
    handle.shutdown()
    server.stop()
    server = Server([paths[0], FOLDER / "spare", paths[3], paths[4]])
    handle = connect()
    check("the rebuilt members are as good as the others", same(handle, want), server.said())
    handle.shutdown()
    verified(server, [paths[0], FOLDER / "spare", paths[3], paths[4]], True)


def test_spares():
    """A spare takes the place of a member that fails, also after a crash and at a start."""
    paths = create(5, "-m", 2)
    spare = f"spare={blank('spare0')}"
    server = Server(paths, spare)
    handle = connect()
    want = bytearray(handle.get_size())
    use_at_random(handle, want, 60)
    check("a spare stands by", status()["spares"] == [str(FOLDER / "spare0")], status())
    does("a member fails", "fail", CONTROL, 3)
    wrong = use_at_random(handle, want, 60)
    check("in use while the spare is rebuilt", wrong is None, wrong)
    handle.flush()
    wait_for_spare(3, FOLDER / "spare0")
    does("the failed disk is removed", "remove", CONTROL, paths[3])
    check("the spare is a member", status()["members"][3]["file"] == str(FOLDER / "spare0") and
          not status()["spares"] and not status()["not_used"], status())
    handle.shutdown()
    server.kill()
    # The command line still names the spare as a spare, and the member that has failed.
    server = Server(paths, spare, f"spare={blank('spare1')}")
    handle = connect()
    check("all is there after a crash", same(handle, want), server.said())
    check("the former spare is found", status()["state"] == "clean" and
          status()["spares"] == [str(FOLDER / "spare1")] and
          status()["not_used"] == [str(paths[3])], status())
    handle.shutdown()
    server.stop()
    server = Server([paths[0], paths[1], paths[4]], spare, f"spare={FOLDER / 'spare1'}")
    wait_for("clean")
    handle = connect()
    check("a missing member was rebuilt at the start", same(handle, want), server.said())
    handle.shutdown()
    verified(server, [paths[0], paths[1], paths[4], FOLDER / "spare0", FOLDER / "spare1"])


def test_serve():
    """permxor array serve is nbdkit with the right settings."""
    paths = create(4, "-m", 1)
    words = ["array", "serve", "--foreground", "--socket", SOCKET, "--control", CONTROL,
             "--plugin", PLUGIN, "--spare", blank("stand-by")]
    data = RANDOM.randbytes(100000)
    for read_only in (False, True):
        SOCKET.unlink(missing_ok=True)
        more = ["--read-only"] if read_only else []
        process = subprocess.Popen(list(map(str, [COMMAND, *words, *more, *paths])),
                                   stderr=subprocess.PIPE)
        while not SOCKET.exists() and process.poll() is None:
            time.sleep(0.01)
        check("the server runs", process.poll() is None)
        handle = connect()
        check("who may write", handle.is_read_only() == read_only)
        if not read_only:
            handle.pwrite(data, 12345)
        check("what was written is read", handle.pread(len(data), 12345) == data)
        check("the control socket and the spare", len(status()["spares"]) == 1)
        handle.shutdown()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=120)
        check("the server ends well", process.returncode == 0, process.returncode)
    done = permxor("serve", "--plugin", FOLDER / "nothing.so", "--socket", SOCKET, *paths)
    check("a plugin that is not there", done.returncode == 3 and
          "name its file with --plugin" in done.stderr, done.stderr)
    done = permxor("serve", "--plugin", PLUGIN, "--socket", SOCKET, paths[0])
    check("too few members", done.returncode == 1 and "3 are needed" in done.stderr, done.stderr)
    check("assemble says the same", "a start would find all members in sync" in
          does("assemble", "assemble", *paths))


def test_run():
    """With --run, nbdkit runs a command in one process, and serves in another until it ends."""
    paths = create(3, "-m", 1)
    words = ["nbdkit", "-U", "-", PLUGIN, "write=true", f"control={CONTROL}", *paths, "--run",
             f"{COMMAND} array status {CONTROL}"]
    with subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, text=True,
                          start_new_session=True) as process:
        try:
            said, _ = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said = "it hangs"
    check("a command of --run", process.returncode == 0 and "clean" in said, said)


def test_scrub():
    paths = create(5, "-m", 2)
    server = Server(paths)
    handle = connect()
    data = RANDOM.randbytes(4 * MIB)
    handle.pwrite(data, 0)
    handle.shutdown()
    server.stop()
    with paths[2].open("r+b") as file:
        held = file.read()
        for at in range(MIB, MIB + 40960, 8192):
            file.seek(at)
            file.write(bytes(byte ^ 1 for byte in held[at:at + 1]))
    done = permxor("verify", *paths)
    check("verify finds rot", done.returncode == 1 and "5 wrong checksums" in done.stdout and
          "member 2: 5 bad blocks" in done.stdout, done.stdout + done.stderr)
    server = Server(paths)
    refuses("verify refuses members in use", 5, "another program uses it", "verify", *paths)
    done = permxor("scrub", CONTROL)
    bad = int(done.stdout.split(" bad blocks")[0].split()[-1])
    check("a scrub finds rot", bad == 5 and done.returncode == 1, done.stdout)
    found = does("scrub --repair", "scrub", "--repair", CONTROL)
    check("a scrub repairs rot", " 0 repaired" not in found, found)
    found = does("scrub again", "scrub", CONTROL)
    check("a repair heals", " 0 bad blocks, 0 wrong" in found, found)
    handle = connect()
    check("all is there after the repair", handle.pread(len(data), 0) == data)
    handle.pwrite(data[:100000], MIB)
    handle.flush()
    handle.shutdown()
    check("verify finds nothing after it", "no damage" in verified(server, paths))
    with paths[1].open("r+b") as file:
        file.seek(16384 + 4096)  # a slot of the region map: other members have it
        file.write(bytes(4096))
    check("a lost slot of the map is no damage", "no damage" in does("verify", "verify", *paths))
    server = Server(paths)
    handle = connect()
    handle.pwrite(data[:100000], MIB)
    handle.flush()
    server.kill()
    refuses("verify refuses an array that was not stopped", 5, "not stopped cleanly", "verify",
            *paths)


def test_garbage():
    """Whatever is sent to the control socket, the server goes on."""
    import socket
    paths = create(3, "-m", 1)
    server = Server(paths)
    lines = [b"", b"\n", b"\0\n", b"status", b"status \n", b"fail\n", b"fail x\n", b"fail 64\n",
             b"replace 0\n", b"re-add 0 x\n", b"scrub 1\n", b" \n", b"x" * 10000 + b"\n",
             b"add\n", b"add x\n", b"add-force 1\n", b"remove\n", b"remove x\n", b"remove 99\n",
             b"remove 1 /x\n", b"limits\n", b"limits 1 2\n", b"limits 1 2 3 4\n",
             b"limits 1 2 -3\n", b"limits 1  3\n", b"limits 2 1 0\n", b"limits 0 1048577 0\n",
             b"limits 0 0 9999999999\n"]
    lines += [RANDOM.randbytes(RANDOM.randrange(1, 6000)) + b"\n" for _ in range(50)]
    for line in lines:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(CONTROL))
            try:
                client.sendall(line)
                client.shutdown(socket.SHUT_WR)
                answer = client.recv(1000)
            except OSError:
                answer = b""
            check(f"no such request: {line[:20]!r}", answer == b"" or answer[:6] == b"error ",
                  answer)
    check("all members are there", status()["state"] == "clean")
    silent = socket.socket(socket.AF_UNIX)
    silent.connect(str(CONTROL))
    silent.sendall(b"stat")
    server.stop()


# --------------------------------------------------------------- behind NBD --


class Export:
    """nbdkit, which serves a member."""

    def __init__(self, name, *words):
        self.socket = FOLDER / f"export-{name}"
        self.socket.unlink(missing_ok=True)
        self.uri = f"nbd+unix:///?socket={self.socket}"
        self.process = subprocess.Popen(["nbdkit", "-f", "-U", self.socket, *map(str, words)])
        while not self.socket.exists() and self.process.poll() is None:
            time.sleep(0.01)

    def send(self, number):
        self.process.send_signal(number)

    def end(self):
        self.process.kill()
        self.process.wait()


def lacks_libnbd(what):
    lacks = "has no libnbd" in permxor("examine", "nbd+unix:///?socket=/").stderr
    if lacks:
        skip(what, "needs configure --with-libnbd")
    return lacks


def test_exports():
    """Members behind NBD: servers that lack FUA, zeros or long requests, die, or say nothing."""
    if lacks_libnbd("members behind NBD"):
        return
    refuses("a server that is not there", 3, "No such file or directory", "examine",
            f"nbd+unix:///?socket={FOLDER}/no-socket")
    exports = [
        Export("plain", "file", blank("export0")),
        Export("fua", "--filter=fua", "file", blank("export1")),
        Export("zero", "--filter=nozero", "file", blank("export2")),
        Export("short", "--filter=nozero", "--filter=blocksize-policy", "file", blank("export3"),
               "blocksize-minimum=512", "blocksize-maximum=64K", "blocksize-preferred=4K",
               "blocksize-error-policy=error"),
        Export("memory", "memory", "8M"),
        Export("memory2", "memory", "8M"),
    ]
    try:
        use_exports(exports)
    finally:
        for export in exports:
            export.end()


def use_exports(exports):
    uris = [export.uri for export in exports]
    read_only = Export("readonly", "-r", "memory", "8M")
    refuses("an export that cannot be written", 5, "cannot be written", "create", "-m", 1,
            uris[0], uris[1], read_only.uri)
    read_only.end()
    refuses("one export twice", 5, "given twice", "create", "-m", 1, uris[0], uris[1], uris[1])
    does("create", "create", "-m", 2, "--chunk", "16K", *uris[:5])
    check("assemble", "all members in sync" in does("assemble", "assemble", *uris[:5]))
    server = Server(uris[:5])
    handle = connect()
    want = bytearray(handle.get_size())
    wrong = use_at_random(handle, want, 100)
    check("members behind NBD", wrong is None, wrong)
    killer = threading.Timer(0.2, exports[4].end)
    killer.start()
    wrong = use_at_random(handle, want, 200)
    check("a server of a member is killed", wrong is None, wrong)
    killer.join()
    handle.pwrite(bytes(want), 0)
    handle.flush()
    check("its member has failed", status()["members"][4]["state"] == "failed", status())
    does("replace", "replace", CONTROL, 4, uris[5])
    wait_for("clean")
    refuses("an export that is in use", 5, "has opened it already", "add", "--force", CONTROL,
            uris[0])
    refuses("its other name", 5, "in use, by another path", "add", "--force", CONTROL,
            uris[0].replace("socket=/", "socket=//"))
    begun = time.monotonic()
    exports[1].send(signal.SIGSTOP)
    handle.pwrite(bytes(want), 0)
    handle.flush()
    took = time.monotonic() - begun
    check("a server that says nothing does not hang the array", took < 60, took)
    check("its member has failed, too", status()["members"][1]["state"] == "failed", status())
    does("remove", "remove", CONTROL, uris[1])
    exports[1].end()
    exports[1] = Export("fua", "--filter=fua", "file", FOLDER / "export1")
    does("re-add", "re-add", CONTROL, 1, uris[1])
    wait_for("clean")
    check("all is there", same(handle, want))
    handle.shutdown()
    verified(server, [*uris[:4], uris[5]])


def test_long_zeros():
    """A server may write zeros as slowly as data, and must not be given up meanwhile.  So no
    command for zeros is longer than one with data."""
    if lacks_libnbd("commands for zeros"):
        return
    logs = [FOLDER / f"export{i}.log" for i in range(2)]
    exports = [Export(f"log{i}", "--filter=log", "file", blank(f"export{i}", 2048 * MIB),
                      f"logfile={log}") for i, log in enumerate(logs)]
    does("create", "create", "-m", 1, *(export.uri for export in exports))
    for export, log in zip(exports, logs):
        export.end()
        lengths = [int(length, 16) for length in
                   re.findall(r"\bZero id=\d+ .*\bcount=0x([0-9a-f]+)", log.read_text())]
        check("zeros in short commands", sum(lengths) > 8 * MIB >= max(lengths), lengths)


# ------------------------------------------------------------------ crashes --


def run_clients(server, model, seconds):
    """Four clients with every fourth run of 16 blocks each."""
    threads = []
    for number in range(4):
        ranges = [(begin, min(begin + 16, len(model.floor)))
                  for begin in range(16 * number, len(model.floor), 64)]
        words = [model, URI, ranges, random.Random(RANDOM.randrange(2**32))]
        threads.append(threading.Thread(target=am.client, args=words))
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    server.kill()
    for thread in threads:
        thread.join()


def test_crashes():
    """Kills the server while it writes.  In some rounds, members do not come back after it."""
    for k, m in ((4, 2), (3, 1), (2, 3)):
        paths = create(k + m, "-m", m, "--chunk", "16K", size=4 * MIB)
        server = Server(paths)
        handle = connect()
        blocks = handle.get_size() // am.BLOCK
        handle.shutdown()
        model = am.Model(blocks)
        left, spares, sound = list(paths), 0, set(map(str, paths))
        for crash in range(max(1, 8 * EFFORT // 100)):
            run_clients(server, model, RANDOM.uniform(0.1, 0.7))
            # A member that is being rebuilt, or was missing, cannot stand in for another one.
            spare = [path for path in left if len(sound - {str(path)}) >= k]
            if RANDOM.randrange(2) and spare:
                left.remove(RANDOM.choice(spare))
            RANDOM.shuffle(left)
            server = Server(left)
            check(f"{k}+{m}: assembled after crash {crash}", server.process.poll() is None,
                  server.said())
            handle = connect()
            model.read_back(handle.pread(blocks * am.BLOCK, 0))
            handle.shutdown()
            check(f"{k}+{m}: crash {crash}", not model.wrong, model.wrong[:5])
            model.wrong.clear()
            facts = status()["members"]
            sound = {member["file"] for member in facts if member["state"] == "in-sync"}
            for member in facts:
                if member["state"] == "failed" and RANDOM.randrange(2):
                    new = blank(f"new{spares}", 4 * MIB)
                    spares += 1
                    does("a new member", "replace", CONTROL, member["member"], new)
                    left.append(new)
                    break
        check(f"{k}+{m}: there were writes", model.writes > 0)
        while status()["state"] == "rebuilding":
            time.sleep(0.05)
        clean = status()["state"] == "clean"
        verified(server, left, not clean)


print(f"array_test: PXR_SEED={SEED}")
for test in (test_bytes, test_facts, test_io, test_settings, test_members, test_spares, test_serve,
             test_run, test_scrub, test_garbage, test_exports, test_long_zeros, test_crashes):
    begun = time.monotonic()
    test()
    print(f"array_test: {test.__name__}: {time.monotonic() - begun:.1f} s")
finish("array_test")
