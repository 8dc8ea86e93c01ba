#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Whether the manual pages that `make man` makes can be read, and whether the links of the
# documentation lead somewhere where it is installed.
#
# From the environment: top_srcdir, MAKE; it runs in the build directory.

: "${top_srcdir:?}" "${MAKE:=make}"

work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-man.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
suite=man_test
# shellcheck source=unit/checks.sh
. "$top_srcdir/unit/checks.sh"

# A terminal of 80 columns.
MANWIDTH=80
LC_ALL=C.UTF-8
export MANWIDTH LC_ALL

# The pages that are not only a further name of one.
pages() {
    for page in "$man"/man?/permxor*; do
        grep -q '^\.so ' "$page" || printf '%s\n' "$page"
    done
    printf '%s\n' "$top_srcdir/tools/permxor.1" "$top_srcdir/tools/permxor-array.1" \
        "$top_srcdir/plugins/nbdkit/nbdkit-permxor-plugin.1"
}

is_found() {
    man -M "$man" 3 "$1" > "$work/page" 2>&1 && grep -q "[ *]$1(" "$work/page" ||
        { echo "man $1 does not show it"; return 1; }
}

functions_are_found() {
    cat "$top_srcdir/erasure_code/permxor.sym" "$top_srcdir/array/permxor_array.sym" \
        > "$work/functions"
    while read -r function; do
        is_found "$function" || return 1
    done < "$work/functions"
}

# Warnings of groff, and lines that are too long for the terminal.
is_readable() {
    man --warnings -l "$1" > "$work/page" 2> "$work/warnings" && [ ! -s "$work/warnings" ] ||
        { cat "$work/warnings"; return 1; }
    ! grep -E '^.{81}' "$work/page" # mawk would count bytes
}

has_no_lint() {
    mandoc -T lint -W error "$1"
}

# Links of installed pages to what is not installed: headers have a folder of their own, and the
# figures behind doc/performance.md are in the sources alone.
links_lead_somewhere() {
    $MAKE install-nobase_dist_docDATA docdir=/doc DESTDIR="$work" > /dev/null || return 1
    find "$work/doc" -name '*.md' | while read -r page; do
        grep -o '\]([^)# ]*[./][^)# ]*' "$page" | cut -c 3- |
            grep -v -e '^[a-z]*:' -e '^\(../\)*include/' -e perf-report |
            while read -r target; do
                [ -e "${page%/*}/$target" ] || echo "${page#"$work/doc/"}: $target"
            done
    done > "$work/dangling"
    [ ! -s "$work/dangling" ] || { cat "$work/dangling"; return 1; }
}

man=$PWD/man
[ -d "$man" ] || man=$(cd "$top_srcdir/man" && pwd) || exit 1
if command -v man > /dev/null; then
    check "man finds all functions" functions_are_found
    for page in $(pages); do
        check "man shows ${page##*/}" is_readable "$page"
    done
else
    skip "man" "no man"
fi
if command -v mandoc > /dev/null; then
    for page in $(pages); do
        check "mandoc takes ${page##*/}" has_no_lint "$page"
    done
else
    skip "mandoc" "no mandoc"
fi
check "links of the installed documentation" links_lead_somewhere
finish
