# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Sourced by the scripts of this folder.  Sets how Go finds this build of permxor, and its
# modules.  The script sets $suite, the name in the last line.  From the environment:
# top_srcdir, top_builddir.  Modules are kept below the build folder, unless GOMODCACHE says
# otherwise.

. "$top_srcdir/unit/checks.sh"
plugin=$top_srcdir/plugins/go
work=$(mktemp -d)
stop_all() {
    rm -rf "$work"
}
trap stop_all EXIT
trap 'exit 130' INT TERM

# The other package, at the version whose API this package has, and the path by which ours has it
# as an engine.  A module that uses ours in its place needs both replace lines.
theirs=github.com/klauspost/reedsolomon
original=permxor/original
version=$(sed -n "s,^replace $original => $theirs ,,p" "$plugin/go.mod")
replaced="-replace $theirs=$plugin -replace $original=$theirs@$version"

export GOTOOLCHAIN=local GOWORK=off GOFLAGS='-modcacherw -buildvcs=false' CGO_ENABLED=1
export GOMODCACHE="${GOMODCACHE:-$top_builddir/go-modules}"
export PKG_CONFIG_PATH="$work/pkgconfig"
export LD_LIBRARY_PATH="$top_builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
mkdir "$PKG_CONFIG_PATH"
# Go builds again when flags change, but not when headers change.  So a checksum of the headers
# is in the flags.
headers=$(cat "$top_srcdir"/include/*.h | cksum | cut -d ' ' -f 1)
cat > "$PKG_CONFIG_PATH/permxor.pc" << EOF
Name: permxor
Description: permxor as it is built, not installed
Version: 0
Libs: -L$top_builddir/.libs -lpermxor
Cflags: -I$top_srcdir/include -DPXR_HEADERS=$headers
EOF

# Without these programs, nothing can be tested.
for tool in go pkg-config; do
    command -v $tool > /dev/null || skip_all "no $tool"
done
# The oldest Go that has what the package needs, and the one that is here.
oldest=$(sed -n 's/^go //p' "$plugin/go.mod")
here=$(go env GOVERSION | sed 's/^go//; s/ .*//')
[ "$(printf '%s\n' "$oldest" "$here" | sort -V | head -n 1)" = "$oldest" ] ||
    skip_all "Go $here is too old: the package needs Go $oldest or later"
