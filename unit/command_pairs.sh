#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests two and three commands at once on one folder.  This script runs unit/faults/pairs.py
# with the given options, or without options a sample.
#
# The environment sets top_srcdir and top_builddir.

suite=command_pairs
. "${top_srcdir:?}/unit/command_lib.sh"

[ $# -gt 0 ] || set -- --pairs=2 --triples=60
exec python3 "$top_srcdir/unit/faults/pairs.py" "$program" "$preload" "$@"
