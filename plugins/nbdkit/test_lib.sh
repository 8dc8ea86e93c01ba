# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# Sourced by the tests of the plugin for nbdkit, which have set $suite.  They run in the build
# directory, and the environment sets top_srcdir.

PERMXOR_TUNE=
export PERMXOR_TUNE
# shellcheck source=unit/sums.sh
. "${top_srcdir:?}/unit/sums.sh"

plugin=$PWD/.libs/nbdkit-permxor-plugin.so
[ -e "$plugin" ] || skip_all "needs configure --with-nbdkit-plugin-dir"

need() {
    for program; do
        command -v "$program" > /dev/null || skip_all "needs $program"
    done
}

# run_suite PYTHON: runs $suite.py in a folder of its own.
run_suite() {
    work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-${suite:?}.XXXXXX") || exit 1
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
    PYTHONDONTWRITEBYTECODE=1 "$1" "$top_srcdir/plugins/nbdkit/$suite.py" "$plugin" \
        "$PWD/permxor" "$work"
}
