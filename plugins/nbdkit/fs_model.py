# SPDX-License-Identifier: BSD-3-Clause
"""What a filesystem has to hold after its device was gone: programs that write files, and the
record of what the filesystem has promised them.

A file is written once.  Its contents follow from its number, so a file that exists can be judged
alone.  After fsync() of the file and of its folder, it has to be there.  After its removal and
fsync() of the folder, it must not be there.  All other files may be there or not, with any
contents.
"""
import errno
import hashlib
import os
import threading

FOLDERS = 4


def contents(number):
    seed = hashlib.sha256(b"%d" % number).digest()
    return (seed * 8192)[:1 + int.from_bytes(seed[:4], "little") % 200000]


def name(number):
    return f"{number % FOLDERS}/{number}"


def synced(path):
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


class Files:
    def __init__(self):
        self.there = set()  # promised
        self.gone = set()   # removed, and that was promised
        self.next = 0
        self.operations = 0
        self.lock = threading.Lock()
        self.promising = True
        self.stopped = threading.Event()
        self.odd = []  # errors that are no consequence of a device that is gone

    def prepare(self, mount):
        for folder in range(FOLDERS):
            (mount / str(folder)).mkdir()
            synced(mount / str(folder))
        synced(mount)

    def promise(self, files, number):
        with self.lock:
            if self.promising:
                files.add(number)

    def end_promises(self):
        """What is synced from now on may not last, whatever fsync() says: the device is about to
        go, and what is between it and the filesystem may take that for success."""
        with self.lock:
            self.promising = False

    def create(self, mount, durable):
        with self.lock:
            number = self.next
            self.next += 1
        path = mount / name(number)
        with path.open("wb", buffering=0) as file:
            view = memoryview(contents(number))
            while view:
                view = view[file.write(view[:50000]):]
            if durable:
                os.fsync(file.fileno())
        if durable:
            synced(path.parent)
            self.promise(self.there, number)

    def remove(self, mount):
        with self.lock:
            if not self.there:
                return
            number = self.there.pop()  # from here on it may be there or not
        path = mount / name(number)
        path.unlink()
        synced(path.parent)
        self.promise(self.gone, number)

    def use(self, mount, chance):
        """One program, which ends when it is stopped or the device is gone."""
        try:
            while not self.stopped.is_set():
                what = chance.randrange(10)
                if what < 3 and len(self.there) > 40:
                    self.remove(mount)
                else:
                    self.create(mount, durable=what < 7)
                with self.lock:
                    self.operations += 1
        except OSError as error:
            if error.errno not in (errno.EIO, errno.EROFS, errno.ENOSPC, errno.ENODEV,
                                   errno.ESHUTDOWN, errno.ENXIO, errno.ENOENT):
                self.odd.append(str(error))

    def run(self, mount, randoms):
        """Begins a program for each source of random numbers."""
        self.stopped.clear()
        self.promising = True
        threads = [threading.Thread(target=self.use, args=[mount, chance]) for chance in randoms]
        for thread in threads:
            thread.start()
        return threads

    def wrong(self, mount):
        """The first file that is not as it was promised, or None."""
        for number in sorted(self.there):
            try:
                if (mount / name(number)).read_bytes() != contents(number):
                    return f"file {number} has other contents"
            except OSError as error:
                return f"file {number}: {error}"
        for number in sorted(self.gone):
            if (mount / name(number)).exists():
                return f"file {number} is back"
        return None

    def tidy(self, mount):
        """Removes all files of which nothing is promised, so that the filesystem does not fill."""
        for folder in range(FOLDERS):
            for path in (mount / str(folder)).iterdir():
                if int(path.name) not in self.there:
                    path.unlink()
        os.sync()
