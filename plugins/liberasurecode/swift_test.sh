#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# OpenStack Swift on this build's libisal.so.2: its servers on the loopback, erasure-coded
# objects put, read, lost and reconstructed (swift_cluster.py).
#
# From the environment: top_srcdir, top_builddir.  What is fetched stays in
# $top_builddir/sub-builds/liberasurecode.

: "${top_srcdir:?}" "${top_builddir:?}"

here=$top_srcdir/plugins/liberasurecode
root=$top_builddir/sub-builds/liberasurecode
ours=$top_builddir/.libs/libisal.so.2
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

cluster() {
    "$root/swift/bin/python" "$here/swift_cluster.py" "$work/$1" "$1" "$ours" "$theirs" \
        "$libraries/libisal-pyeclib.so.2" && return
    tail -n 5 "$work/$1"/*.log
    return 1
}

if [ ! -e "$ours" ]; then
    skip swift "no shared library was built"
elif ! once swift venv swift "$here/swift.txt"; then
    skip swift "not to be had: $(why swift)"
elif ! holds_attributes; then
    skip swift "the file system of $root has no extended attributes"
else
    libraries=$(echo "$root"/swift/lib/python3*/site-packages/pyeclib.libs)
    theirs=$root/swift-theirs/libisal-pyeclib.so.2
    [ -e "$theirs" ] || { mkdir "$root/swift-theirs" && cp "$libraries"/libisal* "$theirs"; }
    for backend in isa_l_rs_cauchy isa_l_rs_vand; do
        check "$backend" cluster $backend
        sed -n 's/^said: //p' "$work/check.log"
    done
fi
finish
