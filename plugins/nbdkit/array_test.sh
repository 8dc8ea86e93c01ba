#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests arrays that nbdkit serves for writing: plugins/nbdkit/array_test.py.

suite=array_test
# shellcheck source=plugins/nbdkit/test_lib.sh
. "${top_srcdir:?}/plugins/nbdkit/test_lib.sh"

need nbdkit
for python in python3 /usr/bin/python3 none; do
    "$python" -c 'import nbd' 2> /dev/null && break
done
[ "$python" != none ] || skip_all "needs python3-libnbd"
run_suite "$python"
