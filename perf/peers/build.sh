#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# build.sh - other erasure coders under ISA-L's names, for ec_perf to compare with.
#
#     build.sh WORK OUT [NAME...]
#
# Makes OUT/NAME.so for each NAME that can be had here, all of them unless named:
#
#     isal-2.32       ISA-L 2.32.0 as it is, out of PyECLib's wheel for Python
#     isal-sid        ISA-L as it is, out of the package of Debian sid
#     jerasure        where its headers and gf-complete's are installed
#     klauspost       1.12.0, with Go 1.18 or newer; the module comes from the network
#     klauspost-1.14  with Go 1.24 or newer; the same
#     rusty_erasure   with cargo; the crate comes from the network
#     snapraid-sid    a program, OUT/snapraid-sid: that of Debian sid, with its C library
#     zfec            with Python; its source comes from the network
#
# What cannot is named: `skipped: NAME (why)`.  WORK is for what is only needed on the
# way, and by snapraid-sid; nothing is written beside the sources.  Versions are pinned,
# with checksums, in isal-2.32.txt, klauspost/*.mod and *.sum, rusty_erasure/Cargo.lock
# and zfec*.txt; sid's are what it has, and apt knows its signatures.  From the
# environment: CC, CFLAGS, LDFLAGS.
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
    rm -f "$out/$1.so" "$out/$1.version" "$out/$1"
}

fail() {
    echo "failed: $1"
    sed 's/^/    /' "$work/$1.log"
    rm -f "$out/$1.so" "$out/$1.version" "$out/$1"
    status=1
}

# not_fetched NAME: whether there was no network, or something else came out of it.
not_fetched() {
    if grep -qi -e 'checksum mismatch' -e 'security error' -e 'do not match the hashes' \
        -e 'verify the checksum' -e 'checksum for .* changed' "$work/$1.log"; then
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

# ------------------------------------------------------- ISA-L, SnapRAID ----

build_isal_wheel() {
    machine=$(uname -m)
    case $machine in
    x86_64 | aarch64) ;;
    *) skip isal-2.32 "no wheel for $machine" && return ;;
    esac
    if ! command -v python3 > /dev/null; then
        skip isal-2.32 "no python3"
    elif "$here/isal_wheel.sh" "$machine" "$work/isal-2.32" > "$work/isal-2.32.log" 2>&1; then
        made isal-2.32 cp "$work"/isal-2.32/wheel/pyeclib.libs/libisal-*.so.2 \
            "$out/isal-2.32.so"
    else
        not_fetched isal-2.32
    fi
}

# from_sid NAME PACKAGE...: unpacked in WORK/NAME; false, and skipped, where there is no sid.
from_sid() {
    sid=$1
    shift
    if ! command -v apt-get > /dev/null || ! command -v dpkg-deb > /dev/null; then
        skip "$sid" "no apt"
        return 1
    fi
    rm -rf "${work:?}/$sid"
    "$here/../../tools/unpack_deb.sh" -s sid "$(dpkg --print-architecture)" "$work/$sid" "$@" \
        > "$work/$sid.log" 2>&1 && return
    skip "$sid" "not to be had from Debian sid: $(tail -n 1 "$work/$sid.log")"
    return 1
}

build_isal_sid() {
    from_sid isal-sid libisal2 || return
    library=$(echo "$work"/isal-sid/usr/lib/*/libisal.so.2)
    # Built for sid's C library, which may know more than the one that is here.
    if missing=$(ldd -r "$library" 2>&1 | grep -E 'not found|undefined'); then
        skip isal-sid "does not suit the C library here: $(echo "$missing" | head -n 1)"
    else
        made isal-sid cp "$library" "$out/isal-sid.so"
        # The library does not tell; a package's file is NAME_VERSION_ARCHITECTURE.deb.
        package=$(basename "$work"/isal-sid/.apt/archives/libisal2_*.deb .deb)
        package=${package#*_}
        echo "Debian sid's ${package%_*}" > "$out/isal-sid.version"
    fi
}

# A program may bring its own C library: it is started by that one's loader.
snapraid_starter() {
    folder=$work/snapraid-sid/usr
    loader=$(find "$folder" -name 'ld*.so.[0-9]*' | head -n 1)
    printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" "$@"\n' "$loader" \
        "${loader%/*}" "$folder/bin/snapraid" > "$out/snapraid-sid" &&
        chmod +x "$out/snapraid-sid" && "$out/snapraid-sid" --version
}

build_snapraid_sid() {
    from_sid snapraid-sid snapraid libc6 || return
    if snapraid_starter > "$work/snapraid-sid.log" 2>&1; then
        echo "built: $out/snapraid-sid"
    else
        skip snapraid-sid "does not run here: $(tail -n 1 "$work/snapraid-sid.log")"
    fi
}

# -------------------------------------------------------------- jerasure ----

# jerasure.h includes galois.h, which distributions put into a folder of its own.
includes="-I${JERASURE_INCLUDE:-/usr/include/jerasure}"

build_jerasure() {
    echo '#include <jerasure.h>' > "$work/probe.c"
    if $CC $includes -shared -fPIC -o "$work/probe.so" "$work/probe.c" -lJerasure \
        -lgf_complete > /dev/null 2>&1; then
        made jerasure shared jerasure $includes -lJerasure -lgf_complete
    else
        skip jerasure "no headers and libraries of jerasure and gf-complete"
    fi
}

# ------------------------------------------------------------- klauspost ----

# in_module COMMAND...: with the Go that is here and the pins that are here.
in_module() {
    (cd "$here/klauspost" && CGO_ENABLED=1 GOTOOLCHAIN=local GOWORK=off GOFLAGS="" CC="$CC" "$@")
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

# --------------------------------------------------------- rusty_erasure ----

# in_crate COMMAND...: with the pins that are here, and nothing written beside them.
in_crate() {
    CARGO_TARGET_DIR="$work/rusty_erasure" "$@" --locked \
        --manifest-path "$here/rusty_erasure/Cargo.toml"
}

build_crate() {
    log=$work/rusty_erasure.log
    if ! command -v cargo > /dev/null; then
        skip rusty_erasure "no cargo"
    elif ! in_crate cargo fetch > "$log" 2>&1; then
        not_fetched rusty_erasure
    elif ! in_crate cargo build --release > "$log" 2>&1 &&
        grep -q 'rustc .* is not supported' "$log"; then
        skip rusty_erasure "the Rust here is too old: $(rustc --version)"
    else
        made rusty_erasure crate_out
    fi
}

crate_out() {
    in_crate cargo build --release &&
        cp "$work/rusty_erasure/release/librusty_erasure_peer.so" "$out/rusty_erasure.so"
}

# ------------------------------------------------------------------ zfec ----

# pip ARGUMENTS...: in a place of its own, so that it finds nothing but its pins.
pip() {
    "$work/zfec/venv/bin/pip" -q --disable-pip-version-check "$@" --no-deps --require-hashes
}

# pip runs a source's setup.py even to download it, with setuptools that it would fetch
# without a checksum: they have one here, and a place of their own.
fetch_zfec() {
    rm -rf "${work:?}/zfec" && mkdir "$work/zfec" && python3 -m venv "$work/zfec/venv" &&
        pip install --only-binary :all: -r "$here/zfec-build.txt" &&
        pip download --no-binary :all: --no-build-isolation -r "$here/zfec.txt" \
            -d "$work/zfec" &&
        tar xzf "$work/zfec"/zfec-*.tar.gz -C "$work/zfec"
}

build_zfec() {
    if ! command -v python3 > /dev/null; then
        skip zfec "no python3"
    elif fetch_zfec > "$work/zfec.log" 2>&1; then
        core=$(echo "$work/zfec"/zfec-*/zfec)
        version=${core#"$work"/zfec/zfec-}
        # As its setup.py has it compiled for this architecture, and -O3.
        level=
        [ "$(uname -m)" != x86_64 ] || level=-march=x86-64-v2
        made zfec shared zfec -O3 -DNDEBUG ${level:+"$level"} -I"$core" \
            -DZFEC_VERSION="\"${version%/zfec}\"" "$core/fec.c"
    else
        not_fetched zfec
    fi
}

# ------------------------------------------------------------------ main ----

[ $# -gt 0 ] || set -- isal-2.32 isal-sid jerasure klauspost klauspost-1.14 rusty_erasure \
    snapraid-sid zfec
for peer in "$@"; do
    case $peer in
    isal-2.32) build_isal_wheel ;;
    isal-sid) build_isal_sid ;;
    jerasure) build_jerasure ;;
    klauspost) build_module klauspost go.mod 18 ;;
    klauspost-1.14) build_module klauspost-1.14 v1.14.mod 24 ;;
    rusty_erasure) build_crate ;;
    snapraid-sid) build_snapraid_sid ;;
    zfec) build_zfec ;;
    *) echo "build.sh: no peer $peer" >&2; exit 2 ;;
    esac
done
exit $status
