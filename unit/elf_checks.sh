# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# The scripts that test shared libraries from outside source this file, after checks.sh.  It
# examines the files of the libraries.  A script also sets NM.

# exported LIBRARY: prints the exported symbols, each with its version.  The names of the
# versions themselves are left out.
exported() {
    $NM -D --defined-only "$1" | awk '$2 != "A" { print $NF }' | sort
}

# exports_exactly LIBRARY LIST: succeeds if the library exports the symbols in the file LIST,
# and no others.
exports_exactly() {
    exported "$1" > "$work/exported" && [ -s "$work/exported" ] || return 1
    sort -u "$2" | diff - "$work/exported"
}

# is_well_formed LIBRARY SONAME [NEEDED]: succeeds if the library has this soname, no executable
# stack and no text relocations, and needs no library except libc and NEEDED.
is_well_formed() {
    readelf -d "$1" | grep -q "SONAME.*\[$2\]" || { echo "another soname"; return 1; }
    ! readelf -d "$1" | grep -q TEXTREL || { echo "text relocations"; return 1; }
    ! readelf -lW "$1" | grep GNU_STACK | grep -q E || { echo "executable stack"; return 1; }
    elf_needed=$(readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
        grep -v '^libc\.\|^ld-linux')
    [ "$elf_needed" = "${3:-}" ] || { echo "needs $elf_needed"; return 1; }
}

# imports_no_lock LIBRARY: succeeds if the library imports no function for locks or threads.  So
# a call in a forked child or in a signal handler never waits for another thread.
imports_no_lock() {
    elf_locks=$($NM -D --undefined-only "$1" | awk '{ print $NF }' |
        grep '^\(pthread\|mtx\|cnd\|sem\|thrd\|call_once\|__cxa_guard\)')
    [ -z "$elf_locks" ] || { echo "imports $elf_locks"; return 1; }
}
