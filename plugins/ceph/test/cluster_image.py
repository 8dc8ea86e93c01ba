# SPDX-License-Identifier: BSD-3-Clause
"""An RBD image whose data is in a pool with overwrites, compared with a model: a file of its
bytes.

Random writes are imported by rbd as a difference, so python3-rbd is not needed.
"""
import struct
import subprocess

from cluster_objects import UNIT, first_difference, generator
from cluster_state import APPLICATION, PGS, Wrong

SIZE = 24 << 20
POOL, IMAGE = "images", "images/image"


def rbd(*arguments, given=b""):
    found = subprocess.run(("rbd", "--no-progress", *arguments), input=given,
                           capture_output=True, check=False)
    if found.returncode:
        raise Wrong(f"rbd {' '.join(arguments)}: {found.stderr.decode()}")
    return found.stdout


def model_file(cluster):
    return cluster.folder / "image"


def make_image(cluster, data_pool):
    """Makes the image.  Its other objects are in a replicated pool, which still has a copy when
    two OSDs are down."""
    cluster.mon("osd pool create", pool=POOL, pg_num=PGS, pgp_num=PGS, size=3)
    cluster.mon("osd pool set", pool=POOL, var="min_size", val="1")
    cluster.mon("osd pool application enable", pool=POOL, app=APPLICATION)
    rbd("create", "--size", f"{SIZE}B", "--data-pool", data_pool, "--image-feature", "layering",
        IMAGE)
    model_file(cluster).write_bytes(bytes(SIZE))
    return f"an image of {SIZE} bytes"


def change_image(cluster, label, count):
    """Makes `count` writes of any place and length, or of whole units."""
    chance = generator(label, "image")
    model = bytearray(model_file(cluster).read_bytes())
    difference = b"rbd diff v1\n"
    for _ in range(int(count)):
        step = chance.choice((1, 512, UNIT))
        length = step * chance.randrange(1, 1 + 70000 // step)
        at = step * chance.randrange((SIZE - length) // step + 1)
        data = chance.randbytes(length)
        model[at:at + length] = data
        difference += struct.pack("<cQQ", b"w", at, length) + data
    rbd("import-diff", "-", IMAGE, given=difference + b"e")
    model_file(cluster).write_bytes(model)
    return f"{count} writes, {len(difference)} bytes"


def compare_image(cluster):
    expected = model_file(cluster).read_bytes()
    found = rbd("export", IMAGE, "-")
    if found != expected:
        raise Wrong(f"the image: {first_difference(found, expected)}")
    return f"{len(found)} bytes compared"
