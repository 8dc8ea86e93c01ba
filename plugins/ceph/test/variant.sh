#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
#   variant.sh idle|damaged FILE
#   variant.sh strange FILE MAJOR MINOR
#
# Links the plugin's objects again, with some calls of the codec replaced (variants.c).  The
# strange one has another number in place of this release of Ceph in its table of releases
# (version.cc), which is compiled again.
#
# From the environment: top_srcdir; top_builddir, where the plugin is built; CC, CXX; for the
# strange one PLUGIN_FLAGS, with which the plugin is compiled.

: "${top_srcdir:?}" "${top_builddir:?}" "${CC:=cc}" "${CXX:=c++}"
variant=${1:?idle, damaged or strange}
file=${2:?where to put it}
plugin=$top_srcdir/plugins/ceph

# objects PATTERN: prints the plugin's objects without those whose names match.
objects() {
    printf '%s\n' "$top_builddir"/plugins/ceph/.libs/libec_permxor_la-*.o | grep -v -e "$1"
}

# link WORD...: makes the file of these objects and options, with the codec.
# shellcheck disable=SC2086 # CXX may be several words
link() {
    $CXX -shared -Wl,--exclude-libs,ALL -o "$file" "$@" \
        "$top_builddir/.libs/libpxr_core.a" -pthread
}

# shellcheck disable=SC2046,SC2086 # several options and words
replace_calls() {
    macro=$(echo "$variant" | tr '[:lower:]' '[:upper:]')
    "$CC" -O2 -fPIC -fvisibility=hidden -D"$macro" -I"$top_srcdir/include" -c -o "$file.o" \
        "$plugin/test/variants.c" &&
        link $(printf ' -Wl,--wrap=%s' "$@") $(objects '^$') "$file.o"
}

# (The plugin's folder is in no search path, so that <limits.h> is not the plugin's limits.h.)
# shellcheck disable=SC2046,SC2086
replace_release() {
    sed "s|#include \"|&$plugin/|; s/{$1, $2, Interface::/{$(($1 + 1000)), $2, Interface::/" \
        "$plugin/version.cc" > "$file.cc"
    if ! grep -qF "{$(($1 + 1000)), $2, " "$file.cc"; then
        echo "version.cc has no row for Ceph $1.$2" >&2
        return 1
    fi
    $CXX $PLUGIN_FLAGS -fPIC -I"$top_srcdir/include" -c -o "$file.o" "$file.cc" &&
        link $(objects '-version\.o$') "$file.o"
}

case $variant in
idle) replace_calls pxr_encode_iov pxr_reconstruct_iov ;;
damaged) replace_calls pxr_update ;;
strange) replace_release "${3:?major number}" "${4:?minor number}" ;;
*) echo "variant.sh: no variant is called $variant" >&2; exit 1 ;;
esac
status=$?
rm -f "$file.o" "$file.cc"
exit $status
