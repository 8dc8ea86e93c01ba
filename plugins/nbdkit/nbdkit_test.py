# SPDX-License-Identifier: BSD-3-Clause
"""Tests the plugin with nbdkit: what nbdcopy reads has to be what the array holds.

    nbdkit_test.py PLUGIN COMMAND FOLDER

COMMAND is permxor, which makes shards.  PXR_SEED=N repeats a run.
"""
import itertools
import os
import random
import subprocess
import sys
from pathlib import Path

import md_images as md
from checks import check, finish, skip

PLUGIN, COMMAND, FOLDER = sys.argv[1], sys.argv[2], Path(sys.argv[3])
SEED = int(os.environ.get("PXR_SEED", random.randrange(2**32)))
RANDOM = random.Random(SEED)
METADATA = ["0.90", "1.0", "1.1", "1.2"]


def nbdkit(*arguments, run):
    words = ["nbdkit", "-U", "-", PLUGIN, *map(str, arguments), "--run", run]
    return subprocess.run(words, capture_output=True, text=True, timeout=120)


def copied(*arguments):
    """What nbdcopy reads, or the messages as a text."""
    out = FOLDER / "copy"
    out.unlink(missing_ok=True)
    done = nbdkit(*arguments, run=f'nbdcopy "$uri" {out}')
    return out.read_bytes() if done.returncode == 0 else done.stderr


def reads(name, want, *arguments):
    got = copied(*arguments)
    check(name, got == want, got if isinstance(got, str) else f"{len(got)} other bytes")


def refuses(name, message, *arguments):
    done = nbdkit(*arguments, run="true")
    check(name, done.returncode != 0 and message in done.stderr,
          f"status {done.returncode}: {done.stderr}")


def warns(name, message, *arguments):
    done = nbdkit(*arguments, run="true")
    check(name, done.returncode == 0 and message in done.stderr,
          f"status {done.returncode}: {done.stderr}")


def write(name, data):
    path = FOLDER / name
    path.write_bytes(data)
    return path


def members(array, metadata, **changes):
    return [write(f"member{role}", md.image(array, metadata, role, **changes))
            for role in range(array.n)]


def without(paths, lost):
    """The members that are left, in another order."""
    left = [path for role, path in enumerate(paths) if role not in lost]
    RANDOM.shuffle(left)
    return left


# ------------------------------------------------------------------- md ----


def test_layouts():
    shapes = [(4, 0, "parity-last")]
    shapes += [(5, number, name) for number, name in md.RAID5.items()]
    shapes += [(6, number, name) for number, name in md.RAID6.items()]
    for index, (level, layout, name) in enumerate(shapes):
        metadata = METADATA[index % 4]
        array = md.Array(level, layout, 5, 4096 << index % 3, 7, SEED + index)
        paths = members(array, metadata)
        title = f"RAID-{level} {name} {metadata}"
        reads(f"{title} whole", array.contents, *without(paths, ()))
        reads(f"{title} verified", array.contents, "check=verify", *without(paths, ()))
        for count in range(1, 2 if level < 6 else 3):
            lost = RANDOM.sample(range(5), count)
            reads(f"{title} without {lost}", array.contents, *without(paths, lost))


def test_losses():
    for metadata in METADATA:
        array = md.Array(6, 2, 6, 8192, 12, SEED)
        paths = members(array, metadata)
        for count in (1, 2):
            for lost in itertools.combinations(range(6), count):
                if metadata == "1.2" or RANDOM.randrange(4) == 0:
                    reads(f"{metadata} without {lost}", array.contents, *without(paths, lost))


def test_big_endian():
    array = md.Array(5, 2, 3, 4096, 5, SEED)
    reads("big-endian 0.90", array.contents, *members(array, "0.90", big=True)[1:])


def test_tail():
    """A member's size that is no multiple of the chunk: the rest holds no blocks."""
    array = md.Array(6, 2, 5, 16384, 5, SEED)
    for metadata in METADATA:
        for tail in (1024, 15360):
            paths = members(array, metadata, tail=tail)
            reads(f"{metadata} with a tail of {tail}", array.contents, "check=verify", *paths)
            reads(f"{metadata} with a tail of {tail} without two", array.contents,
                  *without(paths, (1, 3)))


def test_rot():
    array = md.Array(6, 2, 5, 65536, 4, SEED)
    paths = members(array, "1.2")
    rotten = bytearray(paths[2].read_bytes())
    for at in (90000, 150000, 200000):
        rotten[at] ^= 0x40
    paths[2].write_bytes(rotten)
    check("rot is read by default", copied(*paths) != array.contents)
    message = copied("check=verify", *paths)
    check("rot fails with check=verify",
          isinstance(message, str) and f"{paths[2]}: it holds a wrong block" in message, message)
    reads("rot is corrected", array.contents, "check=correct", *paths)
    message = copied("check=correct", *paths[1:])
    check("rot that cannot be located fails",
          isinstance(message, str) and "row " in message, message)


def test_unchecked():
    array = md.Array(6, 2, 5, 65536, 4, SEED)
    paths = members(array, "1.2")
    cannot = "check={} {} nothing"
    for check_name, verb, most in (("verify", "compares", 1), ("correct", "corrects", 0)):
        for missing in range(3):
            left = [f"check={check_name}", *paths[missing:]]
            done = nbdkit(*left, run=f'nbdcopy "$uri" {FOLDER / "copy"}')
            check(f"{check_name} without {missing}: the warning at start",
                  (cannot.format(check_name, verb) in done.stderr) == (missing > most),
                  done.stderr)
            check(f"{check_name} without {missing}: the message once",
                  done.stderr.count("were not checked") == (missing == 2), done.stderr)


def test_cut_image():
    array = md.Array(5, 2, 4, 4096, 30, SEED)
    paths = members(array, "1.2")
    paths[1].write_bytes(paths[1].read_bytes()[:100000])
    reads("a member that is cut off", array.contents, *paths)


def test_refused_arrays():
    array = md.Array(6, 2, 5, 4096, 5, SEED)
    other = md.Array(5, 2, 3, 4096, 5, SEED)
    paths = members(array, "1.2")
    refuses("three missing", "3 of 5 members are missing", *paths[:2])
    foreign = write("foreign", md.image(other, "1.2", 0, uuid=b"x" * 16))
    refuses("another array", "belong to different arrays", *paths, foreign)
    refuses("twice the same", "both claim to be member 1", *paths, paths[1])
    empty = write("empty", bytes(1 << 20))
    refuses("no superblock", "no member has a superblock of md", empty)
    done = nbdkit(empty, *paths, run="true")
    check("one without a superblock is left out",
          done.returncode == 0 and f"{empty}: not used: it has no superblock" in done.stderr,
          done.stderr)
    for name, message, changes in (
        ("RAID-1", "of level 1", {"level": 1}),
        ("a reshape", "a reshape of the array is in progress", {"features": 4}),
        ("an unknown feature", "features of md that are not known", {"features": 1 << 20}),
        ("a journal", "the array has a journal", {"features": 512}),
    ):
        refuses(name, message, *members(array, "1.2", **changes))
    reads("a journal by force", array.contents, "force=true", *paths)


def test_unclean():
    array = md.Array(6, 2, 5, 4096, 5, SEED)
    paths = members(array, "1.2", resync=0)
    reads("unclean and whole", array.contents, *paths)
    warns("unclean and whole", "parity may be wrong where", *paths)
    reads("unclean and verified", array.contents, "check=verify", *paths)
    refuses("unclean and corrected", "check=correct would take", "check=correct", *paths)
    reads("unclean and corrected by force", array.contents, "check=correct", "force=true", *paths)
    refuses("unclean and degraded", "was not stopped cleanly", *paths[1:])
    reads("unclean and degraded by force", array.contents, "force=true", *paths[1:])
    for name, message, changes, cut in (
        ("rebuilt", "the first 8192 of its 20480 bytes", {"features": 2, "recovered": 8192}, None),
        ("cut off", "the first 4096 of its 20480 bytes", {}, 65536 + 3 * 4096 + 4096),
        ("with bad blocks", "md has a list of bad blocks", {"features": 8, "bad": [(160, 1)]},
         None),
    ):
        for resync in (0, 2**64 - 1):
            part = md.image(array, "1.2", 3, resync=resync, **changes)[:cut]
            paths = [*members(array, "1.2", resync=resync)[:3], write("part", part),
                     FOLDER / "member4"]
            warns(f"a member {name} is named", f"{paths[3]}: incomplete: {message}",
                  "force=true", *paths)
            if resync == 0:
                refuses(f"unclean and {name}", "members are missing or incomplete", *paths)
            else:
                reads(f"clean and {name}", array.contents, *paths)


def test_stale():
    array = md.Array(6, 2, 5, 4096, 5, SEED)
    paths = members(array, "1.2")
    old = md.Array(6, 2, 5, 4096, 5, SEED + 1)
    write("member3", md.image(old, "1.2", 3, events=90))
    reads("a stale member is not used", array.contents, *paths)
    done = nbdkit(*paths, run="true")
    check("a stale member is named", f"{paths[3]}: not used: it is stale" in done.stderr,
          done.stderr)


# ---------------------------------------------------------------- plain ----


def product(a, b):
    total = 0
    for bit in range(8):
        total ^= (a if b >> bit & 1 else 0) << bit
    for bit in range(14, 7, -1):
        total ^= 0x11D << bit - 8 if total >> bit & 1 else 0
    return total


def cauchy_set(k, m, chunk, rows):
    """A set of ISA-L's Cauchy code with parity on the last members."""
    inverse = {a: b for a in range(1, 256) for b in range(1, 256) if product(a, b) == 1}
    contents = RANDOM.randbytes(k * chunk * rows)
    parts = [bytearray() for _ in range(k + m)]
    for row in range(rows):
        data = [contents[(row * k + d) * chunk:][:chunk] for d in range(k)]
        for r in range(m):
            tables = [bytes(product(inverse[(k + r) ^ d], x) for x in range(256))
                      for d in range(k)]
            data.append(md.xor([data[d].translate(tables[d]) for d in range(k)]))
        for part, block in zip(parts, data):
            part += block
    return contents, parts


def test_plain():
    contents, parts = cauchy_set(5, 3, 4096, 3)
    paths = [write(f"part{i}", b"head" * 25 + part) for i, part in enumerate(parts)]
    words = ["m=3", "k=5", "chunk=4K", "offset=100"]
    reads("5+3 whole", contents, *words, *paths)
    for lost in itertools.combinations(range(8), 3):
        if RANDOM.randrange(6) == 0:
            left = ["missing" if i in lost else path for i, path in enumerate(paths)]
            reads(f"5+3 without {lost}", contents, *words, *left)
    refuses("5+3 without 4", "4 of 8 members are missing", *words, *["missing"] * 4, *paths[4:])
    reads("5+3 in part", contents[:5 * 4096], *words, "size=4K", *paths)
    plain_sizes(contents, [f"{word}" for word in words], paths)
    array = md.Array(6, 0, 5, 4096, 6, SEED)
    paths = members(array, "1.1")
    start = [65536 + 4096 * role for role in range(5)]
    bare = [write(f"bare{role}", path.read_bytes()[start[role]:])
            for role, path in enumerate(paths)]
    reads("RAID-6 by its geometry", array.contents, "level=6", "layout=left-asymmetric",
          "chunk=4096", "missing", bare[1], bare[2], "missing", bare[4])


def plain_sizes(contents, words, paths):
    """Members of different sizes: 5+3 of 100 + 3 * 4096 bytes."""
    short = write("short", paths[2].read_bytes()[:100 + 4096])
    mixed = [*paths[:2], short, *paths[3:]]
    for path, size in ((short, 4096), (paths[3], 3 * 4096)):
        warns("members of different sizes", f"warning: {path}: it has {size} bytes", *words, *mixed)
    reads("the smallest member counts", contents[:5 * 4096], *words, *mixed)
    reads("size counts", contents, *words, "size=12K", *mixed)
    done = nbdkit(*words, *paths, run="true")
    check("no warning about equal sizes", done.returncode == 0 and "bytes" not in done.stderr,
          done.stderr)
    shorts = [write(f"short{i}", short.read_bytes()) for i in range(3)]
    left = [*shorts, "missing", *paths[4:]]
    refuses("size that too few members reach", "only 4 members have that many bytes", *words,
            "size=12K", *left)
    tails = [write(f"tail{i}", path.read_bytes() + b"t" * 4095) for i, path in enumerate(paths)]
    reads("a tail behind the last chunk", contents, *words, "missing", *tails[1:])


# --------------------------------------------------------------- shards ----


def encode(name, data, *options):
    file = write(name, data)
    folder = FOLDER / f"{name}.shards"
    folder.mkdir()
    subprocess.run([COMMAND, "encode", "-o", folder, *options, file], check=True,
                   capture_output=True)
    return folder, sorted(folder.glob("*.pxr"))


def test_shards():
    data = RANDOM.randbytes(1_000_003)
    codes = {"bytes": ["-k", "4", "-m", "2"],
             "words": ["-k", "3", "-m", "2", "--matrix", "jerasure_van", "--w", "16"],
             "packets": ["-k", "4", "-m", "2", "--matrix", "jerasure_cauchy_good"]}
    for name, options in codes.items():
        folder, shards = encode(name, data, "--cell", "16K", *options)
        reads(f"shards of {name}", data, folder)
        reads(f"shards of {name} by their names", data, *shards[2:])
        for lost in RANDOM.sample(shards, 2):
            lost.unlink()
        reads(f"shards of {name} without two", data, folder)


def test_damaged_shards():
    data = RANDOM.randbytes(500_000)
    folder, shards = encode("damaged", data, "-k", "3", "-m", "2", "--cell", "4K")
    for index, shard in enumerate(shards[:4]):
        damaged = bytearray(shard.read_bytes())
        damaged[512 + 4112 * 5 * index + 2000] ^= 1  # another stripe of each shard
        shard.write_bytes(damaged)
    reads("damaged cells", data, folder)
    done = nbdkit(folder, run='nbdcopy "$uri" null: && nbdcopy "$uri" null:')
    for index, shard in enumerate(shards):
        check(f"damage of shard {index} is told once",
              done.stderr.count(f"{shard}: ") == (index < 3), done.stderr)
    for shard in shards[:3]:
        damaged = bytearray(shard.read_bytes())
        damaged[512 + 4112 * 30 + 20] ^= 1  # the same stripe of three
        shard.write_bytes(damaged)
    message = copied(folder)
    check("too many damaged cells",
          isinstance(message, str) and "stripe 30 has 2 intact cells" in message, message)
    for shard in shards[:3]:
        shard.unlink()
    refuses("too few shards", "2 of 5 shards are there, but 3 are needed", folder)
    other, _ = encode("other", data[:1000], "-k", "2", "-m", "1")
    refuses("two sets", "cannot be opened", folder, other)
    reads("an empty file", b"", encode("nothing", b"", "-k", "2", "-m", "1")[0])


# --------------------------------------------------------------- nbdkit ----


def test_settings():
    array = md.Array(5, 2, 3, 4096, 5, SEED)
    path = members(array, "1.2")[0]
    shards, _ = encode("settings", b"data", "-k", "2", "-m", "1")
    many = [write(f"many{i}", bytes(8192)) for i in range(12)]
    link = FOLDER / "link"
    link.symlink_to(many[0])
    for message, *words in (
        ("no member is given",),
        ("no such setting", "speed=9", path),
        ("level=7: the levels are", "level=7", path),
        ("layout=left: no layout", "m=1", "layout=left", path),
        ("matrix=fine: no matrix", "m=1", "matrix=fine", path),
        ("check=maybe: it must be none", "check=maybe", path),
        ("chunk is missing", "m=1", path, path),
        ("needs m or level", "chunk=4K", path),
        ("leave them out", "level=5", "m=1", "chunk=4K", path, path),
        ("leave them out", "m=1", "chunk=4K", "force=true", path, path),
        ("set is for shards", "set=ab", path),
        ("force is for arrays of md", "force=true", shards),
        ("k=3 and m=1 need 4 members, but there are 2", "k=3", "m=1", "chunk=4K", path, path),
        ("there are 1 members; with m=1", "m=1", "chunk=4K", path),
        ("k=0: it must be from 1 to 63", "k=0", path),
        ("chunk=0: a chunk has", "chunk=0", path),
        ("chunk=2G: it must be at most", "chunk=2G", path),
        ("chunk=65536: a member has only 8192 bytes", "m=1", "chunk=64K", *many),
        ("a member has only 0 bytes", "m=1", "chunk=4K", "offset=8K", *many),
        ("a member has only 100 bytes", "m=1", "chunk=4K", "size=100", *many),
        ("it ends before offset", "m=1", "chunk=4K", "offset=1G", path, path),
        ("/nowhere: No such file", "/nowhere"),
        ("/dev/null: it is neither a file", "/dev/null"),
        ("not MDS", "m=5", "matrix=isal_vand", "chunk=4K", *many),
        (f"members 0 and 2 are the same: {many[0]} and {link}", "m=1", "chunk=4K", many[0], many[1],
         link),
        (": it is a folder", "m=1", "chunk=4K", FOLDER, path),
    ):
        refuses(f"refused: {message}", message, *words)


def test_facts():
    array = md.Array(5, 2, 3, 4096, 5, SEED)
    paths = members(array, "1.2")
    dump = subprocess.run(["nbdkit", PLUGIN, "--dump-plugin"], capture_output=True, text=True)
    for line in ("name=permxor", "max_thread_model=parallel", "magic_config_key=member",
                 "permxor_layout_2=left-symmetric"):
        check(f"dump-plugin {line}", line in dump.stdout.splitlines(), dump.stdout)
    help_text = subprocess.run(["nbdkit", PLUGIN, "--help"], capture_output=True, text=True)
    check("help", "check=<none|verify|correct>" in help_text.stdout, help_text.stdout)
    facts = nbdkit(*paths, run='nbdinfo "$uri"').stdout
    for line in (f"export-size: {len(array.contents)}", "is_read_only: true",
                 "can_multi_conn: true", "block_size_preferred: 4096"):
        check(f"nbdinfo {line}", line in facts, facts)


CLIENT = """
import random, sys, threading
import nbd
data, seed = open(sys.argv[1], "rb").read(), int(sys.argv[3])
wrong = []
def client(number):
    chance, handle = random.Random(seed + number), nbd.NBD()
    handle.connect_uri(sys.argv[2])
    for _ in range(200):
        at = chance.randrange(len(data))
        size = 1 + chance.randrange(min(len(data) - at, 100000))
        if handle.pread(size, at) != data[at:at + size]:
            wrong.append((number, at, size))
    handle.shutdown()
threads = [threading.Thread(target=client, args=[i]) for i in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
sys.exit(f"wrong: {wrong}" if wrong else 0)
"""


def test_clients():
    pythons = [python for python in (sys.executable, "/usr/bin/python3") if subprocess.run(
        [python, "-c", "import nbd"], capture_output=True, check=False).returncode == 0]
    if not pythons:
        skip("four clients", "needs python3-libnbd")
        return
    client = write("client.py", CLIENT.encode())
    array = md.Array(6, 2, 6, 16384, 20, SEED)
    want = write("want", array.contents)
    paths = members(array, "1.2")
    for words in (["check=none", *paths[2:]], ["check=correct", *paths[1:]]):
        done = nbdkit(*words, run=f'{pythons[0]} {client} {want} "$uri" {SEED}')
        check(f"four clients {words[0]}", done.returncode == 0, done.stderr)
    folder, shards = encode("clients", array.contents, "-k", "4", "-m", "2", "--cell", "16K")
    damaged = bytearray(shards[1].read_bytes())
    damaged[len(damaged) // 2] ^= 1
    shards[1].write_bytes(damaged)
    shards[3].unlink()
    done = nbdkit(folder, run=f'{pythons[0]} {client} {want} "$uri" {SEED}')
    check("four clients of shards", done.returncode == 0, done.stderr)
    check("four clients: the damage is told once", done.stderr.count(f"{shards[1]}: ") == 1,
          done.stderr)


print(f"nbdkit_test: PXR_SEED={SEED}")
for test in (test_layouts, test_losses, test_big_endian, test_tail, test_rot, test_unchecked,
             test_cut_image, test_refused_arrays, test_unclean, test_stale, test_plain, test_shards,
             test_damaged_shards, test_settings, test_facts, test_clients):
    test()
finish("nbdkit_test")
