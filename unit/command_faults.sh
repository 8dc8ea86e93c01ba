#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The command while calls to the system fail, and crashes after each of them:
# unit/faults/faults.py, with its options; without any, its sample.
#
# From the environment: top_srcdir and top_builddir.

suite=command_faults
. "${top_srcdir:?}/unit/command_lib.sh"

stands_before_stat || skip_all "needs glibc 2.33"
[ $# -gt 0 ] || set -- --kinds=sample
exec python3 "$top_srcdir/unit/faults/faults.py" "$program" "$preload" "$@"
