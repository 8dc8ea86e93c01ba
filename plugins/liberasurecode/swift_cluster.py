# SPDX-License-Identifier: BSD-3-Clause
"""Swift on libisal or libJerasure:

    swift_cluster.py FOLDER EC_TYPE OURS THEIRS LINK

OURS and THEIRS are two such libraries, and LINK is where PyECLib's liberasurecode finds one.
Objects are put with both libraries, read back, read without as many fragment archives as there
are parities, reconstructed, compared, and read from what was reconstructed.  Every device loses
some.  Exit status: 0, or 1 with a message."""
import contextlib
import hashlib
import os
import random
import shutil
import sys
import time

from cluster import DATA, DEVICES, PARITY, Cluster

SEGMENT = 1 << 20
SIZES = (0, 1, 1000, 65536, SEGMENT - 1, SEGMENT, SEGMENT + 1, 3 * SEGMENT + 12345,
         5000000, 12 * SEGMENT + 7)


def expect(holds, what):
    if not holds:
        raise SystemExit("FAILED: " + what)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Trial:
    def __init__(self, cluster, versions, link):
        self.cluster, self.versions, self.link = cluster, versions, link
        self.objects = {}
        self.count = dict.fromkeys(("put", "got", "ranges", "bytes", "lost", "rebuilt"), 0)

    def serve_with(self, which):
        """Restarts every server, and checks that it maps only this library."""
        self.cluster.stop()
        if os.path.lexists(self.link):
            os.unlink(self.link)
        os.symlink(self.versions[which], self.link)
        self.cluster.start()
        for name in "proxy", "object":
            mapped = {os.path.realpath(file) for file in self.cluster.mapped(name, self.link)}
            expect(mapped == {os.path.realpath(self.versions[which])},
                   "the %s server has %s" % (name, mapped))

    def put(self, prefix):
        status, _ = self.cluster.request("PUT", "/c")
        expect(status in (201, 202), "container: %d" % status)
        for size in SIZES:
            name, body = "/c/%s-%d" % (prefix, size), random.randbytes(size)
            status, why = self.cluster.request("PUT", name, body)
            expect(status == 201, "put %s: %d %s" % (name, status, why[:100]))
            self.objects[name] = body
            self.count["put"] += 1
            self.count["bytes"] += size

    def get_all(self, when):
        for name, body in self.objects.items():
            status, got = self.cluster.request("GET", name)
            expect(status == 200 and got == body, "get %s %s: %d" % (name, when, status))
            self.count["got"] += 1
            self.count["bytes"] += len(got)
            if len(body) > 2:
                self.get_range(name, body)

    def get_range(self, name, body):
        first = random.randrange(len(body) - 1)
        last = random.randrange(first, len(body))
        status, got = self.cluster.request(
            "GET", name, headers={"Range": "bytes=%d-%d" % (first, last)})
        expect(status == 206 and got == body[first:last + 1],
               "range %d-%d of %s: %d" % (first, last, name, status))
        self.count["ranges"] += 1

    def partitions(self):
        return {partition for _, partition in self.cluster.archives()}

    def lose(self, devices_of):
        for partition in self.partitions():
            for device in devices_of(partition):
                self.cluster.lose(device, partition)
                self.count["lost"] += 1

    @contextlib.contextmanager
    def kept(self):
        """Restores the devices after the block, whatever happens to them within it."""
        devices = self.cluster.folder + "/devices"
        shutil.copytree(devices, devices + ".kept", symlinks=True)
        yield
        shutil.rmtree(devices)
        os.rename(devices + ".kept", devices)

    def limit_is_the_parity(self, name):
        """An object cannot be read if one more than PARITY devices are lost."""
        with self.kept():
            for partition in self.partitions():
                for device in range(PARITY + 1):
                    self.cluster.lose(device, partition)
            status, _ = self.cluster.request("GET", name)
            expect(status in (0, 404, 503), "%s without %d: %d" % (name, PARITY + 1, status))

    def spoiled_archives_are_seen(self, name):
        """Wrong fragments must not be taken for right ones, by Swift or by this test."""
        with self.kept():
            for files in self.cluster.archives().values():
                for file in files:
                    with open(file, "r+b") as archive:
                        archive.seek(os.path.getsize(file) // 2)
                        archive.write(b"spoiled")
            status, got = self.cluster.request("GET", name)
            expect((status, got) != (200, self.objects[name]), "spoiled archives are not seen")

    def reconstruct(self, before):
        """Reconstructs until everything is back.  Then everything must be as it was."""
        for _ in range(4):
            self.cluster.reconstruct()
            after = self.cluster.archives()
            if set(after) == set(before):
                break
        expect(set(after) == set(before), "reconstructed %d of %d" % (len(after), len(before)))
        for place, digests in before.items():
            expect({digest(file) for file in after[place]} == digests,
                   "another archive is reconstructed in %s" % (place,))
        self.count["rebuilt"] = self.count["lost"]


def run(trial):
    trial.serve_with("theirs")
    trial.put("theirs")
    trial.serve_with("ours")
    trial.put("ours")
    trial.get_all("with everything")
    before = {place: {digest(file) for file in files}
              for place, files in trial.cluster.archives().items()}
    expect(len(before) == len(trial.partitions()) * DEVICES, "archives are missing")
    largest = "/c/ours-%d" % SIZES[-1]
    trial.spoiled_archives_are_seen(largest)
    trial.limit_is_the_parity(largest)

    # Each partition loses other devices.
    pairs = {partition: random.sample(range(DEVICES), PARITY)
             for partition in trial.partitions()}
    trial.lose(lambda partition: pairs[partition])
    trial.get_all("with %d lost" % PARITY)
    trial.reconstruct(before)
    others = {partition: random.sample(sorted(set(range(DEVICES)) - set(pairs[partition])),
                                       PARITY) for partition in pairs}
    trial.lose(lambda partition: others[partition])
    trial.get_all("from what was reconstructed")
    trial.serve_with("theirs")
    trial.get_all("from what was reconstructed, with the other library")


def main():
    folder, ec_type, ours, theirs, link = sys.argv[1:]
    began = time.time()
    cluster = Cluster(folder, ec_type)
    trial = Trial(cluster, {"ours": ours, "theirs": theirs}, link)
    try:
        run(trial)
    finally:
        cluster.stop()
    print("said: %s %d+%d: %s, %.0f s" % (ec_type, DATA, PARITY, ", ".join(
        "%s %d" % item for item in trial.count.items()), time.time() - began))


main()
