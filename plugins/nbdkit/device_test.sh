#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests arrays below filesystems, and with the checks of other programs: device_test.py.  It needs
# root, for loop devices and mounts.  KILLS=N kills the server N times under each filesystem.

suite=device_test
# shellcheck source=plugins/nbdkit/test_lib.sh
. "${top_srcdir:?}/plugins/nbdkit/test_lib.sh"

[ "$(id -u)" -eq 0 ] || skip_all "needs root"
need nbdkit nbdfuse losetup
losetup --find > /dev/null 2>&1 || skip_all "needs loop devices"
for python in python3 /usr/bin/python3 none; do
    "$python" -c 'import nbd' 2> /dev/null && break
done
[ "$python" != none ] || skip_all "needs python3-libnbd"
run_suite "$python"
