#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Two and three commands at once on one folder: unit/faults/pairs.py, with its options;
# without any, its sample.
#
# From the environment: top_srcdir and top_builddir.

suite=command_pairs
. "${top_srcdir:?}/unit/command_lib.sh"

[ $# -gt 0 ] || set -- --pairs=2 --triples=60
exec python3 "$top_srcdir/unit/faults/pairs.py" "$program" "$preload" "$@"
