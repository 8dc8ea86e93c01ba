#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests OpenStack Swift on this build's libisal.so.2 and libJerasure.so.2.  Its servers are on
# the loopback.  Erasure-coded objects are put, read, lost and reconstructed (swift_cluster.py).
#
# From the environment: top_srcdir, top_builddir.  What is fetched stays in
# $top_builddir/sub-builds/liberasurecode.

: "${top_srcdir:?}" "${top_builddir:?}"

here=$top_srcdir/plugins/liberasurecode
root=$top_builddir/sub-builds/liberasurecode
ours=$top_builddir/.libs
mkdir -p "$root" || exit 1
work=$(mktemp -d "$root/swift-work.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
unset LD_LIBRARY_PATH LD_PRELOAD PERMXOR_KERNELS

suite=swift_test
. "$top_srcdir/unit/checks.sh"
. "$here/fetch.sh"

holds_attributes() {
    "$root/swift/bin/python" -c \
        'import os, sys; os.setxattr(sys.argv[1], "user.permxor", b"1")' "$work" 2> /dev/null
}

# cluster BACKEND OURS THEIRS LINK
cluster() {
    "$root/swift/bin/python" "$here/swift_cluster.py" "$work/$1" "$@" && return
    tail -n 5 "$work/$1"/*.log
    return 1
}

# clusters LIBRARY THEIRS BACKEND...: tests a cluster with each backend.  The wheel's
# liberasurecode opens libraries beside itself, by names of its own.
clusters() {
    libraries="$ours/$1.so.2 $2 $(echo "$root"/swift/lib/python3*/site-packages/pyeclib.libs)"
    libraries=$libraries/$1-pyeclib.so.2
    shift 2
    for backend in "$@"; do
        # shellcheck disable=SC2086 # three paths
        check "$backend" cluster "$backend" $libraries
        sed -n 's/^said: //p' "$work/check.log"
    done
}

# The wheel has an ISA-L in it.
isal_clusters() {
    theirs=$root/swift-theirs/libisal-pyeclib.so.2
    [ -e "$theirs" ] || {
        mkdir "$root/swift-theirs"
        cp "$root"/swift/lib/python3*/site-packages/pyeclib.libs/libisal* "$theirs"
    }
    clusters libisal "$theirs" isa_l_rs_cauchy isa_l_rs_vand
}

# The wheel has no jerasure in it, so the system's is used.
jerasure_clusters() {
    theirs=$(ldconfig -p | sed -n 's|.*libJerasure.so.2 .*=> ||p' | head -n 1)
    if [ ! -e "$ours/libJerasure.so.2" ]; then
        skip jerasure_rs "libJerasure was not built"
    elif [ -z "$theirs" ]; then
        skip jerasure_rs "the system has no libJerasure.so.2"
    else
        clusters libJerasure "$theirs" jerasure_rs_vand jerasure_rs_cauchy
    fi
}

if [ ! -e "$ours/libisal.so.2" ]; then
    skip swift "no shared library was built"
elif ! once swift venv swift "$here/swift.txt"; then
    skip swift "not to be had: $(why swift)"
elif ! holds_attributes; then
    skip swift "the file system of $root has no extended attributes"
else
    isal_clusters
    jerasure_clusters
fi
finish
