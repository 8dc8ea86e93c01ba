# SPDX-License-Identifier: BSD-3-Clause
"""Makes a copy of the plugin that does not know a Ceph release.

    stranger.py PLUGIN COPY MAJOR MINOR

The copy has another number in place of this release in its table of releases
(plugins/ceph/version.cc), whose rows are three ints.  All other code is the plugin's own.
"""
import struct
import sys
from pathlib import Path

plugin, copy = map(Path, sys.argv[1:3])
major, minor = map(int, sys.argv[3:5])
contents = plugin.read_bytes()
strange = contents
for interface in range(3):
    strange = strange.replace(struct.pack("=3i", major, minor, interface),
                              struct.pack("=3i", major + 1000, minor, interface))
if strange == contents:
    sys.exit(f"{plugin} has no row for Ceph {major}.{minor}")
copy.write_bytes(strange)
