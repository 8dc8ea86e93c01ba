#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
#   variant.sh idle|damaged FILE
#
# Links the plugin's objects again, with some calls of the codec replaced (variants.c).  From
# the environment: top_srcdir; top_builddir, where the plugin is built; CC, CXX.

: "${top_srcdir:?}" "${top_builddir:?}" "${CC:=cc}" "${CXX:=c++}"
variant=${1:?idle or damaged}
file=${2:?where to put it}

case $variant in
idle) wrapped="pxr_encode_iov pxr_reconstruct_iov" ;;
damaged) wrapped=pxr_update ;;
*) echo "variant.sh: no variant is called $variant" >&2; exit 1 ;;
esac
macro=$(echo "$variant" | tr '[:lower:]' '[:upper:]')
"$CC" -O2 -fPIC -fvisibility=hidden -D"$macro" -I"$top_srcdir/include" -c -o "$file.o" \
    "$top_srcdir/plugins/ceph/test/variants.c" || exit 1
# shellcheck disable=SC2046,SC2086 # several options and words
"$CXX" -shared -Wl,--exclude-libs,ALL $(printf ' -Wl,--wrap=%s' $wrapped) -o "$file" \
    "$top_builddir"/plugins/ceph/.libs/libec_permxor_la-*.o "$file.o" \
    "$top_builddir/.libs/libpxr_core.a" -pthread
status=$?
rm -f "$file.o"
exit $status
