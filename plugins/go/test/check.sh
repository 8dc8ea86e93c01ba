#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the Go package: by its own tests, which compare it with the package that it replaces; by
# that package's tests, run against it; and by a program that is moved to it as README.md says.
# All of this also runs with the checks of pointers that are passed to C, and under the race
# detector.
#
# From the environment: top_srcdir, top_builddir.

suite=check-go
. "$top_srcdir/plugins/go/test/go_env.sh"

# go_test NAME FOLDER OPTION...: runs the tests of a folder, and counts them one by one.
go_test() {
    name=$1
    folder=$2
    shift 2
    begun=$(date +%s)
    (cd "$folder" && go test -count=1 -v "$@" .) > "$work/test.log" 2>&1
    status=$?
    good=$(grep -Ec '^--- PASS' "$work/test.log")
    bad=$(grep -Ec '^--- FAIL' "$work/test.log")
    if [ $status -ne 0 ] || [ "$good" -eq 0 ]; then
        [ "$bad" -gt 0 ] || bad=1
        echo "FAILED: $name"
        grep -Ev '^( *---|===)' "$work/test.log" | tail -n 40 | sed 's/^/    /'
    fi
    passed=$((passed + good))
    failed=$((failed + bad))
    for test in $(sed -n 's/^--- SKIP: \([^ ]*\).*/\1/p' "$work/test.log"); do
        skip "$test" "$name: by itself"
    done
    echo "$name: $good passed, $bad failed, $(($(date +%s) - begun)) s"
}

# ---------------------------------------------------------- our own tests --

if ! (cd "$plugin/test" && go mod download) > "$work/download.log" 2>&1; then
    skip check-go "$theirs is not to be had: $(tail -n 1 "$work/download.log")"
    finish
fi
version=$(cd "$plugin/test" && go list -m -f '{{.Version}}' $theirs)
there=$(cd "$plugin/test" && go list -m -f '{{.Dir}}' $theirs)

check "go vet" sh -c "cd '$plugin' && go vet ./... && cd test && go vet ./..."
check "gofmt" sh -c "test -z \"\$(gofmt -l '$plugin')\""
go_test "compared with $theirs $version" "$plugin/test"
GOEXPERIMENT=cgocheck2 go_test "compared, pointers checked" "$plugin/test"
go_test "compared, race detector" "$plugin/test" -race -skip 'Test(Codes|Hashes)AreFreed'
go_test "examples of hashes" "$plugin/hash"
GOEXPERIMENT=cgocheck2 go_test "examples of hashes, pointers checked" "$plugin/hash"

# names FOLDER: prints the names that the package exports, with their types.
names() {
    (cd "$1" && go doc -short .)
}
names "$plugin" > "$work/ours.txt"
names "$there" > "$work/theirs.txt"
check "the exported names are the same" diff "$work/theirs.txt" "$work/ours.txt"

# ------------------------------------------------- the other one's tests --

copy=$work/suite
mkdir "$copy"
check "the other package's tests are copied" sh -c "cd '$plugin/test' &&
    go run ./suite suite/left_out.txt '$there' '$copy' > '$work/left_out.txt'"
sort "$work/left_out.txt"
echo "tests of $theirs $version: $(wc -l < "$work/left_out.txt") left out, each named above"
cp "$plugin"/*.go "$plugin/call.h" "$copy"
cp "$plugin/test/suite/shim_test.go.txt" "$copy/shim_test.go"
sed "s,^module .*,module $theirs," "$plugin/go.mod" > "$copy/go.mod"

matrices='Test(Standard|Cauchy|Par1)Matrices' # these run where GOMAXPROCS is at least 4
go_test "its tests" "$copy" -skip "$matrices"
GOMAXPROCS=4 go_test "its tests of all shapes" "$copy" -run "$matrices"
GOEXPERIMENT=cgocheck2 go_test "its tests, short, pointers checked" "$copy" -short -skip "$matrices"
go_test "its tests, short, race detector" "$copy" -short -race -skip "$matrices"

# ---------------------------------------------------- moving a program --

program=$work/program
mkdir "$program"
cp "$plugin/test/program.go.txt" "$program/program.go"
move() {
    cd "$program" &&
        go mod init example.org/program &&
        go get $theirs@v1.12.4 && # the version that MinIO asks for
        go build -o before &&
        go mod edit -replace $theirs="$plugin" &&
        go build -o after &&
        go version -m after | grep "$plugin" &&
        ./before > before.txt && ./after > after.txt && cmp before.txt after.txt
}
check "a replace line moves a program" move
check "which then has permxor in it" sh -c "ldd '$program/after' | grep -F '$top_builddir/.libs/libpermxor.so'"
check "and did not before" sh -c "! ldd '$program/before' | grep permxor"
missing() {
    LD_LIBRARY_PATH='' "$program/after" 2> "$work/missing.txt"
    [ $? -eq 127 ] && grep 'libpermxor.so.0: cannot open' "$work/missing.txt"
}
check "without the library it does not start, and says so" missing
unfound() {
    ! (cd "$program" && PKG_CONFIG_PATH=/nonexistent PKG_CONFIG_LIBDIR=/nonexistent go build -a -o other)
}
check "without permxor.pc it does not build" unfound
finish
