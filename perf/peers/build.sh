#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# build.sh - other erasure coders under ISA-L's names, for ec_perf to compare with.
#
#     build.sh WORK OUT [NAME...]
#
# Builds OUT/NAME.so for each NAME that can be built here, all of them unless named:
#
#     jerasure        where its headers and gf-complete's are installed
#     klauspost       1.12.0, with Go 1.18 or newer; the module comes from the network
#     klauspost-1.14  with Go 1.24 or newer; the same
#     zfec            with Python; its source comes from the network
#
# What cannot is named: `skipped: NAME (why)`.  WORK is for what is only needed on the
# way; nothing is written beside the sources.  Versions are pinned, with checksums, in
# klauspost/*.mod and *.sum and in zfec*.txt.  From the environment: CC, CFLAGS, LDFLAGS.
#
# Exit status: 0, or 1 when a peer that is here does not compile, or is not what its
# checksum says.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
[ $# -ge 2 ] || { echo "usage: build.sh WORK OUT [NAME...]" >&2; exit 2; }
mkdir -p "$1" "$2" || exit 1
work=$(cd "$1" && pwd) && out=$(cd "$2" && pwd) || exit 1
shift 2
: "${CC:=cc}" "${CFLAGS=-O2}" "${LDFLAGS=}"
status=0

skip() {
    echo "skipped: $1 ($2)"
    rm -f "$out/$1.so"
}

fail() {
    echo "failed: $1"
    sed 's/^/    /' "$work/$1.log"
    rm -f "$out/$1.so"
    status=1
}

# not_fetched NAME: whether there was no network, or something else came out of it.
not_fetched() {
    if grep -qiE 'checksum mismatch|SECURITY ERROR|do not match the hashes' "$work/$1.log"
    then
        fail "$1"
    else
        skip "$1" "not to be had from the network: $(tail -n 1 "$work/$1.log")"
    fi
}

# made NAME COMMAND...: the last thing to do for a peer that is here.
made() {
    made=$1
    shift
    if "$@" > "$work/$made.log" 2>&1; then
        echo "built: $out/$made.so"
    else
        fail "$made"
    fi
}

# shared NAME ARGUMENTS...: the adapter in C and what it needs, as a shared library.
shared() {
    shared=$1
    shift
    # shellcheck disable=SC2086 # lists of flags
    $CC -std=gnu11 $CFLAGS -fPIC -shared -fvisibility=hidden $LDFLAGS \
        -o "$out/$shared.so" "$here/$shared.c" "$@"
}

# -------------------------------------------------------------- jerasure ----

# jerasure.h includes galois.h, which distributions put into a folder of its own.
includes="-I${JERASURE_INCLUDE:-/usr/include/jerasure}"

build_jerasure() {
    echo '#include <jerasure.h>' > "$work/probe.c"
    if $CC $includes -E "$work/probe.c" > /dev/null 2>&1; then
        made jerasure shared jerasure $includes -lJerasure -lgf_complete
    else
        skip jerasure "no headers of jerasure and gf-complete"
    fi
}

# ------------------------------------------------------------- klauspost ----

# in_module COMMAND...: with the Go that is here and the pins that are here.
in_module() {
    (cd "$here/klauspost" && CGO_ENABLED=1 GOTOOLCHAIN=local GOWORK=off GOFLAGS= CC="$CC" "$@")
}

# The minor number of Go's version, 0 without Go.
go_minor() {
    version=$(in_module go env GOVERSION 2> /dev/null)
    version=${version#go1.}
    version=${version%%[!0-9]*}
    echo "${version:-0}"
}

go_build() {
    rm -f "$out/$1.h"
    in_module go build -mod=readonly -modfile="$2" -buildvcs=false -trimpath \
        -buildmode=c-shared -o "$out/$1.so" . && rm -f "$out/$1.h"
}

# build_module NAME MODFILE MINOR: with that pin, which needs Go 1.MINOR.
build_module() {
    if [ "$(go_minor)" -lt "$3" ]; then
        skip "$1" "no Go 1.$3 or newer"
    elif in_module go mod download -modfile="$2" > "$work/$1.log" 2>&1; then
        made "$1" go_build "$1" "$2"
    else
        not_fetched "$1"
    fi
}

# ------------------------------------------------------------------ zfec ----

# pip runs a source's setup.py even to download it, with setuptools that it would fetch
# without a checksum: they have one here, and a place of their own.
pip() {
    "$work/zfec/venv/bin/pip" -q --disable-pip-version-check "$@" --no-deps --require-hashes
}

fetch_zfec() {
    rm -rf "$work/zfec" && mkdir "$work/zfec" && python3 -m venv "$work/zfec/venv" &&
        pip install --only-binary :all: -r "$here/zfec-build.txt" &&
        pip download --no-binary :all: --no-build-isolation -r "$here/zfec.txt" \
            -d "$work/zfec" &&
        tar xzf "$work/zfec"/zfec-*.tar.gz -C "$work/zfec"
}

build_zfec() {
    if ! command -v python3 > /dev/null; then
        skip zfec "no python3"
        return
    fi
    if ! fetch_zfec > "$work/zfec.log" 2>&1; then
        not_fetched zfec
        return
    fi
    core=$(echo "$work/zfec"/zfec-*/zfec)
    version=${core#"$work"/zfec/zfec-}
    # As its setup.py has it compiled for this architecture, and -O3.
    case $(uname -m) in
    x86_64) level=-march=x86-64-v2 ;;
    *) level= ;;
    esac
    # shellcheck disable=SC2086 # no flag or one
    if $CC -std=c99 -O3 -DNDEBUG $level -fPIC -c -o "$work/zfec/fec.o" "$core/fec.c" \
        > "$work/zfec.log" 2>&1; then
        made zfec shared zfec -I"$core" -DZFEC_VERSION="\"${version%/zfec}\"" \
            "$work/zfec/fec.o"
    else
        fail zfec
    fi
}

# ------------------------------------------------------------------ main ----

[ $# -gt 0 ] || set -- jerasure klauspost klauspost-1.14 zfec
for peer in "$@"; do
    case $peer in
    jerasure) build_jerasure ;;
    klauspost) build_module klauspost go.mod 18 ;;
    klauspost-1.14) build_module klauspost-1.14 v1.14.mod 24 ;;
    zfec) build_zfec ;;
    *) echo "build.sh: no peer $peer" >&2; exit 2 ;;
    esac
done
exit $status
