#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the command while its system calls fail, and while it crashes after each of them.  This
# script runs unit/faults/faults.py with the given options, or without options its sample, of
# which PXR_EFFORT=N does N %, or FAULTS_EFFORT=N if that is set.
#
# The environment sets top_srcdir and top_builddir.

suite=command_faults
. "${top_srcdir:?}/unit/command_lib.sh"

stands_before_stat || skip_all "needs glibc 2.33"
[ $# -gt 0 ] || set -- --kinds=sample --effort="${FAULTS_EFFORT:-${PXR_EFFORT:-100}}"
exec python3 "$top_srcdir/unit/faults/faults.py" "$program" "$preload" "$@"
