#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs SeaweedFS's own tests of its erasure coding with this package in the place of the one that
# SeaweedFS names, and looks that it is in the test program.  The modules and the build take gigabytes.
#
# From the environment: top_srcdir, top_builddir.

suite=check-seaweedfs
. "$top_srcdir/plugins/go/test/go_env.sh"
seaweedfs=github.com/seaweedfs/seaweedfs
seaweedfs_version=${SEAWEEDFS_VERSION:-v0.0.0-20261109003541-7506e5f91cd6}
tested=weed/storage/erasure_coding

where=$top_builddir/go-seaweedfs
mkdir -p "$where"
cd "$where" || exit
if ! go mod download -json "$seaweedfs@$seaweedfs_version" > download.json 2> download.log; then
    skip check-seaweedfs "it is not to be had: $(tail -n 1 download.log)"
    finish
fi
json() {
    sed -n "s/^	\"$1\": \"\(.*\)\",*\$/\1/p" download.json
}
found=$(json Version)
# The tests write into their folder, so they run in a copy.
rm -rf copy
cp -R "$(json Dir)" copy
cd copy || exit
# shellcheck disable=SC2086 # options
go mod edit $replaced
# This fetches only the modules of these tests.
if ! go list -mod=mod -deps -test "./$tested" > /dev/null 2> ../modules.log; then
    skip check-seaweedfs "its modules are not to be had: $(tail -n 1 ../modules.log)"
    finish
fi
begun=$(date +%s)
if ! go test -mod=mod -c -o ../tests "./$tested" > ../build.log 2>&1; then
    tail -n 20 ../build.log
    check "its tests are built" false
    finish
fi
echo "SeaweedFS $found built in $(($(date +%s) - begun)) s"
check "its tests have the package" sh -c "go list -mod=mod -deps -test \
    -f '{{with .Module}}{{.Dir}}{{end}}' './$tested' | grep -Fx '$plugin'"
check "its tests have the library" sh -c "ldd ../tests | grep -F '$top_builddir/.libs/libpermxor.so'"

begun=$(date +%s)
(cd "$tested" && ../../../../tests -test.v) > ../test.log 2>&1
status=$?
passed=$((passed + $(grep -Ec '^--- PASS' ../test.log)))
failed=$((failed + $(grep -Ec '^--- FAIL' ../test.log)))
if [ $status -ne 0 ]; then
    [ "$failed" -gt 0 ] || failed=1
    grep -Ev '^=== ' ../test.log | tail -n 40
fi
for test in $(sed -n 's/^--- SKIP: \([^ ]*\).*/\1/p' ../test.log); do
    skip "$test" "by itself"
done
echo "$(grep -c '^--- PASS' ../test.log) of its tests passed in $(($(date +%s) - begun)) s"
finish
