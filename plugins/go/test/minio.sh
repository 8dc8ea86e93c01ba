#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests a MinIO server on permxor.  It is built from its modules with the replace lines, and then
# used, robbed of drives and healed (minio_test.go.txt).  The first build takes ten minutes of
# CPU time or more, and 4 GB below the build folder.
#
# From the environment: top_srcdir, top_builddir.

suite=check-minio
. "$top_srcdir/plugins/go/test/go_env.sh"
minio=github.com/minio/minio
minio_version=v0.0.0-20260212201848-7aac2a2c5b7c

module=$top_builddir/go-minio
mkdir -p "$module"
cd "$module" || exit
cat > go.mod << EOF
module example.org/minio-on-permxor

go 1.24

require $minio $minio_version

replace $theirs => $plugin

replace $original => $theirs $version
EOF
cat > server.go << EOF
//go:build server

package main

import _ "$minio/cmd"
EOF
cp "$plugin/test/minio_test.go.txt" minio_test.go
if ! go mod tidy > tidy.log 2>&1; then
    skip check-minio "its modules are not to be had: $(tail -n 1 tidy.log)"
    finish
fi

begun=$(date +%s)
# The server then reports the version with which it would have been released.
if ! go build -o server $minio > build.log 2>&1; then
    tail -n 20 build.log
    check "MinIO is built" false
    finish
fi
echo "MinIO $minio_version built in $(($(date +%s) - begun)) s"
check "it has the package" sh -c "go version -m server | grep -A 1 $theirs | grep -F '$plugin'"
check "it has the library" sh -c "ldd server | grep -F '$top_builddir/.libs/libpermxor.so'"

begun=$(date +%s)
MINIO=$module/server DRIVES=$work/drives go test -count=1 -v -timeout 20m . > test.log 2>&1
status=$?
passed=$((passed + $(grep -Ec '^ *--- PASS: [^ ]*/' test.log)))
failed=$((failed + $(grep -Ec '^ *--- FAIL: [^ ]*/' test.log)))
if [ $status -ne 0 ]; then
    [ "$failed" -gt 0 ] || failed=1
    tail -n 40 test.log
fi
grep -E '^ *--- |bytes compared' test.log
echo "used for $(($(date +%s) - begun)) s"
finish
