#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the plugin for nbdkit with nbdkit itself: plugins/nbdkit/nbdkit_test.py.

suite=nbdkit_test
# shellcheck source=plugins/nbdkit/test_lib.sh
. "${top_srcdir:?}/plugins/nbdkit/test_lib.sh"

need nbdkit nbdcopy nbdinfo python3
run_suite python3
