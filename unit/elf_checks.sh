# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Sourced by the scripts that test shared libraries from outside: what their files say.  From
# them: $work, a folder, and NM.

# With their versions, and without the versions' own names.
exported() {
    $NM -D --defined-only "$1" | awk '$2 != "A" { print $NF }' | sort
}

# exports_exactly LIBRARY LIST
exports_exactly() {
    exported "$1" > "$work/exported" && [ -s "$work/exported" ] || return 1
    sort -u "$2" | diff - "$work/exported"
}

# is_well_formed LIBRARY SONAME [NEEDED]: the soname, no executable stack, no text relocation, and
# libc alone, but for another library that is named.
is_well_formed() {
    readelf -d "$1" | grep -q "SONAME.*\[$2\]" || { echo "another soname"; return 1; }
    ! readelf -d "$1" | grep -q TEXTREL || { echo "text relocations"; return 1; }
    ! readelf -lW "$1" | grep GNU_STACK | grep -q E || { echo "executable stack"; return 1; }
    needed=$(readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
        grep -v '^libc\.\|^ld-linux')
    [ "$needed" = "${3:-}" ] || { echo "needs $needed"; return 1; }
}

# Who calls the library in a forked child or in a signal handler waits for nobody: it does not
# so much as import a function for locks or threads.
imports_no_lock() {
    locks=$($NM -D --undefined-only "$1" | awk '{ print $NF }' |
        grep '^\(pthread\|mtx\|cnd\|sem\|thrd\|call_once\|__cxa_guard\)')
    [ -z "$locks" ] || { echo "imports $locks"; return 1; }
}
