# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of arrays that nbdkit serves have in common.

Their arguments are PLUGIN COMMAND FOLDER.  COMMAND is permxor.  PXR_SEED=N repeats a run, as far
as threads can be repeated, and PXR_EFFORT=N does N % of the crashes.
"""
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbd
from checks import check

PLUGIN, COMMAND, FOLDER = sys.argv[1], sys.argv[2], Path(sys.argv[3])
SEED = int(os.environ.get("PXR_SEED", random.randrange(2**32)))
EFFORT = int(os.environ.get("PXR_EFFORT", 100))
RANDOM = random.Random(SEED)
SOCKET, CONTROL = FOLDER / "nbd", FOLDER / "control"
URI = f"nbd+unix:///?socket={SOCKET}"
MIB = 1 << 20


def permxor(*words):
    return subprocess.run([COMMAND, "array", *map(str, words)], capture_output=True, text=True,
                          timeout=120)


def does(name, *words):
    done = permxor(*words)
    check(name, done.returncode == 0, f"status {done.returncode}: {done.stderr}")
    return done.stdout


def refuses(name, status, message, *words):
    done = permxor(*words)
    check(name, done.returncode == status and message in done.stderr,
          f"status {done.returncode}: {done.stderr}")


def blank(name, size=8 * MIB):
    path = FOLDER / name
    path.unlink(missing_ok=True)
    with path.open("wb") as file:
        file.truncate(size)
    return path


def create(count, *words, size=8 * MIB):
    paths = [blank(f"member{i}", size) for i in range(count)]
    does(f"create {words}", "create", "--force", *words, *paths)
    return paths


class Server:
    """nbdkit, which serves an array until it is stopped or killed."""

    def __init__(self, paths, *words):
        SOCKET.unlink(missing_ok=True)
        (FOLDER / "pid").unlink(missing_ok=True)
        self.log = (FOLDER / "log").open("w+")
        words = ["nbdkit", "-f", "-U", SOCKET, "-P", FOLDER / "pid", PLUGIN, "write=true",
                 f"control={CONTROL}", *words, *paths]
        self.process = subprocess.Popen(list(map(str, words)), stderr=self.log)
        while not (FOLDER / "pid").exists() and self.process.poll() is None:
            time.sleep(0.01)

    def said(self):
        self.log.seek(0)
        return self.log.read()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(timeout=120)
        check("the server ends well", status == 0 and "not stopped cleanly" not in self.said(),
              f"status {status}: {self.said()}")


def connect():
    handle = nbd.NBD()
    handle.add_meta_context("base:allocation")
    handle.connect_uri(URI)
    return handle


def status():
    return json.loads(does("status", "status", "--json", CONTROL))


def wait_for(state):
    end = time.monotonic() + 120
    while status()["state"] != state and time.monotonic() < end:
        time.sleep(0.05)
    check(f"the array becomes {state}", status()["state"] == state, status())


def verified(server, paths, missing=False):
    """Stops the server.  Then all checksums and all parity have to be right."""
    server.stop()
    done = permxor("verify", *paths)
    check("verify", done.returncode == missing and "no damage" in done.stdout,
          done.stdout + done.stderr)
    return done.stdout
