#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs the tests of the plugins for stores other than Ceph, and adds up their sums.
# PARTS="liberasurecode python" chooses some; `make check-PART` runs one alone.  Without PARTS, rust
# is left out, because it takes longer than a minute.
#
# From the environment: what make knows (UNIT_ENVIRONMENT).

: "${PARTS:=liberasurecode nbdkit python go hadoop}"
. "$top_srcdir/unit/suite.sh"
mkdir -p "$top_builddir/sub-builds" || exit 1
log=$top_builddir/sub-builds/stores.log

for part in $PARTS; do
    echo "== $part"
    began=$(date +%s)
    "$MAKE" -C "$top_builddir" --no-print-directory "check-$part" > "$log" 2>&1
    add_sum "$part" "$log" $?
    echo "$part: $(($(date +%s) - began)) s"
done
finish
