#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the Go package: by its own tests, which compare it with the package that it replaces; by
# that package's tests, run against it; and by a program that is moved to it as README.md says.
# All of this also runs without cgo, with the checks of pointers that are passed to C, and under
# the race detector.
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

# without_c COMMAND...: runs a command without cgo, where the other package is the engine.
without_c() {
    CGO_ENABLED=0 "$@"
}

# ---------------------------------------------------------- our own tests --

if ! (cd "$plugin/test" && go mod download) > "$work/download.log" 2>&1; then
    skip check-go "$theirs is not to be had: $(tail -n 1 "$work/download.log")"
    finish
fi
there=$(cd "$plugin/test" && go list -m -f '{{.Dir}}' $original)

vet() {
    (cd "$plugin" && go vet ./... && cd test && go vet ./...)
}
check "go vet" vet
check "go vet without cgo" without_c vet
check "gofmt" sh -c "test -z \"\$(gofmt -l '$plugin')\""
go_test "compared with $theirs $version" "$plugin/test"
without_c go_test "compared, without cgo" "$plugin/test"
GOEXPERIMENT=cgocheck2 go_test "compared, pointers checked" "$plugin/test"
go_test "compared, race detector" "$plugin/test" -race \
    -skip 'Test(Codes|Hashes)AreFreed|TestThreadsAreBounded'
go_test "examples" "$plugin"
without_c go_test "examples, without cgo" "$plugin"
go_test "examples of hashes" "$plugin/hash"
GOEXPERIMENT=cgocheck2 go_test "examples of hashes, pointers checked" "$plugin/hash"

# names FOLDER: prints the names that the package exports, with their types.
names() {
    (cd "$1" && go doc -short .)
}
# The errors are variables of the same names in other words, and Engine is the only name of our own.
plain_names() {
    names "$1" | sed 's/^ *//; s/^\(var [A-Za-z]*\).*/\1/; /^func Engine(/d' | sort
}
plain_names "$plugin" > "$work/ours.txt"
plain_names "$there" > "$work/theirs.txt"
check "the exported names are the same" diff "$work/theirs.txt" "$work/ours.txt"

# A Go before 1.21 does not read the version in go.mod before it compiles.
too_old() {
    (cd "$plugin" && go list -f '{{.IgnoredGoFiles}}' . | grep -w too_old.go) &&
        ! grep -L '^//go:build.*go1\.24' "$plugin"/*.go "$plugin"/hash/*.go | grep .
}
check "an older Go compiles nothing but a message" too_old

# ------------------------------------------------- the other one's tests --

copy=$work/suite
mkdir "$copy"
check "the other package's tests are copied" sh -c "cd '$plugin/test' &&
    go run ./suite suite/left_out.txt '$there' '$copy' > '$work/left_out.txt'"
sort "$work/left_out.txt"
echo "tests of $theirs $version: $(wc -l < "$work/left_out.txt") left out, each named above"
sed -i 's/\.(\*reedSolomon)/.(reedSolomon)/' "$copy"/*_test.go
for file in "$plugin"/*.go; do
    case $file in *_test.go) ;; *) cp "$file" "$copy" ;; esac
done
cp "$plugin/call.h" "$plugin/go.sum" "$copy"
cp "$plugin/test/suite/shim_test.go.txt" "$copy/shim_test.go"
cp "$plugin/test/suite/shim_no_cgo_test.go.txt" "$copy/shim_no_cgo_test.go"
sed "s,^module .*,module $theirs," "$plugin/go.mod" > "$copy/go.mod"

matrices='Test(Standard|Cauchy|Par1)Matrices' # these run where GOMAXPROCS is at least 4
leopards=TestLeopard8ShardComboExhaustive     # its own engine, in every shape, for most of a minute
go_test "its tests" "$copy" -skip "$matrices|$leopards"
GOMAXPROCS=4 go_test "its tests of all shapes" "$copy" -run "$matrices"
without_c go_test "its tests, short, without cgo" "$copy" -short -skip "$matrices"
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
        go mod edit $replaced &&
        go mod tidy &&
        go build -o after &&
        CGO_ENABLED=0 go build -o pure &&
        go version -m after | grep "$plugin" &&
        ./before > before.txt && ./after > after.txt && cmp before.txt after.txt &&
        LD_LIBRARY_PATH='' ./pure > pure.txt && cmp before.txt pure.txt
}
check "replace lines move a program, with and without cgo" move
check "which then has permxor in it" sh -c "ldd '$program/after' | grep -F '$top_builddir/.libs/libpermxor.so'"
check "and has not without cgo" sh -c "! ldd '$program/pure' 2>&1 | grep permxor"
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

# A program may also import the hashes by the other package's path.
hashing() {
    mkdir "$work/hashing" && cd "$work/hashing" &&
        printf 'package main\n\nimport "%s/hash"\n\nfunc main() {\n\th, err := hash.New(8, nil)\n\tprintln(h.Size(), err == nil)\n}\n' \
            $theirs > hashing.go &&
        go mod init example.org/hashing && go mod edit $replaced && go mod tidy &&
        go run . 2>&1 | grep '^8 true$'
}
check "the hashes under the other package's path" hashing

# The page's own program, in a module of its own.
readme() {
    mkdir "$work/readme" && cd "$work/readme" &&
        sed -n '/^```go$/,/^```$/p' "$plugin/README.md" | sed '/^```/d' > main.go &&
        go mod init example.org/readme && go mod edit $replaced && go mod tidy &&
        go run . > said.txt && cat said.txt &&
        sed -n 's/^    \(<nil> what is.*\)/\1/p' "$plugin/README.md" |
            sed 's/, [a-z0-9_]*$//' > expected.txt && [ -s expected.txt ] &&
            sed 's/, [a-z0-9_]*$//' said.txt | diff expected.txt -
}
check "the program of README.md" readme

# The package under a path of its own, which Go's client fetches like any other: imported by that
# path, and in the other package's place.
published=example.org/store/permxor
publish() {
    GO_MODULE=$published GO_VERSION=v0.1.0 GO_PROXY=$work/proxy "$plugin/module.sh"
}
# A cache of its own, because one that is kept would still have the package of the last run.
kept=$GOMODCACHE
fetching() {
    GOPROXY="file://$work/proxy,file://$kept/cache/download,$(go env GOPROXY)" \
        GONOSUMDB=example.org GOMODCACHE=$work/modules "$@"
}
imported() {
    mkdir "$work/imported" && cd "$work/imported" &&
        sed "s,\"$theirs\",reedsolomon \"$published\"," "$plugin/test/program.go.txt" > program.go &&
        go mod init example.org/imported && go mod edit -replace "$original=$theirs@$version" &&
        fetching go get "$published@v0.1.0" && fetching go mod tidy &&
        fetching go run . > said.txt && cmp said.txt "$program/before.txt"
}
replacing() {
    mkdir "$work/replacing" && cd "$work/replacing" &&
        cp "$plugin/test/program.go.txt" program.go && go mod init example.org/replacing &&
        go mod edit -replace "$theirs=$published@v0.1.0" -replace "$original=$theirs@$version" &&
        fetching go mod tidy && fetching go run . > said.txt && cmp said.txt "$program/before.txt" &&
        fetching go list -deps -f '{{with .Module}}{{.Dir}}{{end}}' . | grep "$published@v0.1.0"
}
check "it can be published" publish
check "it can be fetched and imported by its own path" imported
check "it can be fetched in the other package's place" replacing
finish
