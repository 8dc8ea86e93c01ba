# SPDX-License-Identifier: BSD-3-Clause
"""A cluster of Swift on this machine's loopback.  It has an account server, a container server,
an object server and a proxy server.  They use six devices, which are folders, and one policy,
which is erasure-coded 4+2."""
import http.client
import os
import pwd
import shutil
import socket
import subprocess
import sys
import time

SERVERS = ("account", "container", "object", "proxy")
MODULES = {"object": "swift.obj.server", "reconstructor": "swift.obj.reconstructor"}
DEVICES = 6
DATA, PARITY = 4, 2

# Swift's programs read swift.conf from /etc/swift unless they are told otherwise before they
# start.
LAUNCH = ("import importlib, sys; from swift.common.utils import set_swift_dir;"
          "set_swift_dir(sys.argv.pop(1)); importlib.import_module(sys.argv.pop(1)).main()")

SWIFT_CONF = """[swift-hash]
swift_hash_path_prefix = permxor
swift_hash_path_suffix = permxor

[storage-policy:0]
name = ec
default = yes
policy_type = erasure_coding
ec_type = {ec_type}
ec_num_data_fragments = {data}
ec_num_parity_fragments = {parity}
ec_object_segment_size = 1048576
"""

SERVER_CONF = """[DEFAULT]
bind_ip = 127.0.0.1
bind_port = {port}
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
user = {user}
workers = 0
log_address = {folder}/no-log

[pipeline:main]
pipeline = {pipeline}

[app:{name}-server]
use = egg:swift#{name}
{options}

[filter:catch_errors]
use = egg:swift#catch_errors

[object-reconstructor]
reclaim_age = 604800
concurrency = 1
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Cluster:
    def __init__(self, folder, ec_type):
        self.folder = folder
        self.running = {}
        os.makedirs(folder)
        self.ports = dict(zip(SERVERS, free_ports(len(SERVERS))))
        self.write("swift.conf", SWIFT_CONF.format(ec_type=ec_type, data=DATA, parity=PARITY))
        for name in SERVERS:
            self.configure(name)
        for i in range(DEVICES):
            os.makedirs(os.path.join(folder, "devices", "d%d" % i))
        for name, replicas in ("account", 1), ("container", 1), ("object", DATA + PARITY):
            self.build_ring(name, replicas)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def configure(self, name):
        proxy = name == "proxy"
        self.write(name + ".conf", SERVER_CONF.format(
            name=name, port=self.ports[name], folder=self.folder,
            user=pwd.getpwuid(os.geteuid()).pw_name,
            pipeline="catch_errors proxy-server" if proxy else name + "-server",
            options="account_autocreate = true" if proxy else ""))

    def build_ring(self, name, replicas):
        builder = os.path.join(self.folder, name + ".builder")
        tool = [os.path.join(os.path.dirname(sys.executable), "swift-ring-builder"), builder]
        steps = [["create", "8", str(replicas), "0"]]
        for i in range(DEVICES):
            steps.append(["add", "r1z1-127.0.0.1:%d/d%d" % (self.ports[name], i), "1"])
        for step in steps + [["rebalance"]]:
            # Status 1 is a warning: on one machine, all fragments are in the same place.
            if subprocess.run(tool + step, stdout=subprocess.DEVNULL).returncode > 1:
                raise RuntimeError("swift-ring-builder %s %s" % (name, step))

    def command(self, name, *options):
        module = MODULES.get(name, "swift.%s.server" % name)
        config = "object" if name == "reconstructor" else name
        return [sys.executable, "-c", LAUNCH, self.folder, module,
                os.path.join(self.folder, config + ".conf"), *options]

    def log(self, name):
        return open(os.path.join(self.folder, name + ".log"), "ab")

    def start(self):
        for name in SERVERS:
            with self.log(name) as log:
                self.running[name] = subprocess.Popen(
                    self.command(name, "-v"), stdout=log, stderr=log)
        for name in SERVERS:
            self.await_port(name)

    def await_port(self, name):
        for _ in range(300):
            if self.running[name].poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", self.ports[name]), 1).close()
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("%s does not answer" % name)

    def stop(self):
        for process in self.running.values():
            process.terminate()
        for process in self.running.values():
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.running = {}

    def mapped(self, name, library):
        """Returns the files that a server has mapped and that are versions of a library."""
        stem = "/" + os.path.basename(library).split(".")[0].split("-")[0]
        with open("/proc/%d/maps" % self.running[name].pid) as maps:
            return {line.split()[-1] for line in maps if stem in line}

    def reconstruct(self):
        """Runs the reconstructor once over everything."""
        with self.log("reconstructor") as log:
            subprocess.run(self.command("reconstructor", "-v", "-o"), stdout=log, stderr=log,
                           check=True)

    def request(self, method, path, body=None, headers=()):
        connection = http.client.HTTPConnection("127.0.0.1", self.ports["proxy"], timeout=60)
        try:
            connection.request(method, "/v1/AUTH_test" + path, body, dict(headers))
            response = connection.getresponse()
            return response.status, response.read()
        except (http.client.HTTPException, ConnectionError) as error:
            return 0, str(error).encode()
        finally:
            connection.close()

    def archives(self):
        """Returns the files of fragments, by device and partition."""
        found = {}
        for i in range(DEVICES):
            objects = os.path.join(self.folder, "devices", "d%d" % i, "objects")
            for path, _, files in os.walk(objects):
                for file in files:
                    if file.endswith(".data"):
                        full = os.path.join(path, file)
                        partition = os.path.relpath(full, objects).split(os.sep)[0]
                        found.setdefault((i, partition), []).append(full)
        return found

    def lose(self, device, partition):
        shutil.rmtree(
            os.path.join(self.folder, "devices", "d%d" % device, "objects", partition))
