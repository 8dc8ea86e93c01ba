#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154
#
# wheels.sh build|check: builds the sdist, and from it the wheels for Linux, or tests them.
#
#   PYTHONS="python3.9 ..."           the interpreters whose headers are used.  Those of Python
#                                     3.12 and later make one wheel for all of these versions.
#   ARCHES="x86_64 aarch64 ppc64le"   processors
#   LIBCS="manylinux musllinux"       C libraries: glibc 2.17 and musl
#
# From the environment: top_srcdir, top_builddir, and PYTHON for the tools (python3).  The wheels
# are in sub-builds/python/wheels.  zig compiles them, since it has both C libraries and a C++
# library for all processors; a wheel needs no C++ library of the system.

set -eu
suite=check-wheels
: "${PYTHONS:=python3.9 python3.10 python3.11 python3.12}"
: "${ARCHES:=x86_64 aarch64 ppc64le}" "${LIBCS:=manylinux musllinux}"
# shellcheck source=plugins/python/common.sh
. "$top_srcdir/plugins/python/common.sh"
wheels=$work/wheels
tools=$work/tools

# Installs zig and the auditors, or sets $why.
set_up_tools() {
    set_up || return 1
    [ -e "$tools/done" ] || {
        rm -rf "$tools"
        "$python" -m venv "$tools" &&
            "$tools/bin/pip" -q install --only-binary :all: -r "$source/wheels.txt" \
                > "$work/tools.log" 2>&1 && : > "$tools/done" || {
            why="the tools cannot be installed: $(tail -n 1 "$work/tools.log")"
            return 1
        }
    }
    ZIG=$(echo "$tools"/lib/python*/site-packages/ziglang/zig)
    export ZIG
    PATH=$tools/bin:$PATH
}

# version_of PYTHON: its version without a dot, such as 311, or nothing.
version_of() {
    "$1" -c 'import sys; print("%d%d" % sys.version_info[:2])' 2> /dev/null || :
}

# interpreters: prints PYTHON=VERSION for each interpreter that is there, of those from 3.12 on
# the first alone.
interpreters() {
    stable=
    for name in $PYTHONS; do
        version=$(version_of "$name")
        [ "$version" ] || { echo "skipped: $name (is not there)" >&2; continue; }
        [ "$version" -lt 312 ] || [ -z "$stable" ] || continue
        [ "$version" -lt 312 ] || stable=$version
        echo "$name=$version"
    done
}

# ----------------------------------------------------------------- build ----

# wheel_venv PYTHON VERSION: what builds a wheel, for this interpreter.
wheel_venv() {
    builder=$work/venv-$2
    [ -e "$builder/done" ] || {
        rm -rf "$builder"
        "$1" -m venv "$builder" &&
            grep -E '^(setuptools|nanobind)==' "$source/tests/requirements.txt" > "$builder.txt" &&
            "$builder/bin/pip" -q install --only-binary :all: -r "$builder.txt" &&
            : > "$builder/done"
    }
}

# For each C library: the target of zig, the end of the name of a module, and the platform that
# the wheel is for.
describe() {
    arch=$1
    [ "$1" != ppc64le ] || arch=powerpc64le
    case $2 in
    manylinux) target=$arch-linux-gnu.2.17 triplet=$arch-linux-gnu platform=manylinux_2_17_$1 ;;
    musllinux) target=$arch-linux-musl triplet=$arch-linux-musl platform=musllinux_1_2_$1 ;;
    esac
}

# compile VERSION ARCH: makes a wheel in $work/raw.  The sources stay in one folder, because zig
# keeps what it has compiled by its path, and the library is the same for all interpreters.
compile() {
    suffix=.cpython-$1-$triplet.so
    [ "$1" -lt 312 ] || suffix=.abi3.so
    rm -rf "$work/raw" "$work/unpacked/permxor/build"
    cc="$source/zig-cc.sh cc $target" cxx="$source/zig-cc.sh c++ $target"
    (cd "$work/unpacked/permxor" &&
        env CC="$cc" CXX="$cxx" LDSHARED="$cc -shared" LDCXXSHARED="$cxx -shared" \
            SETUPTOOLS_EXT_SUFFIX="$suffix" _PYTHON_HOST_PLATFORM="linux-$2" \
            "$work/venv-$1/bin/python" -c '
import sys
from setuptools import build_meta
build_meta.build_wheel(sys.argv[1])' "$work/raw")
}

# has_all_sets ARCH: whether the last wheel has every kernel set of the processor.
has_all_sets() {
    # shellcheck disable=SC2013
    for set in $(sed -n 's/^PXR_KERNEL_SET(\[[a-z0-9_]*\], \[\([a-z0-9_]*\)\].*/\1/p' \
        "$top_srcdir/arch/$1/kernel_sets.m4"); do
        name=PXR_HAVE_$(echo "$set" | tr '[:lower:]' '[:upper:]')
        grep -rqs "define $name 1" "$work/unpacked/permxor/build" --include=config.h ||
            { echo "the kernel set $set is left out"; return 1; }
    done
}

# build_one PYTHON VERSION ARCH LIBC
build_one() {
    describe "$3" "$4"
    began=$(date +%s)
    echo "== Python $2, $platform"
    wheel_venv "$1" "$2" && compile "$2" "$3" && has_all_sets "$3" &&
        auditwheel repair --plat "$platform" --only-plat -w "$wheels" "$work"/raw/*.whl &&
        echo "$(basename "$wheels"/*"cp$2"-*"$platform"*): $(($(date +%s) - began)) s," \
            "$(stat -c %s "$wheels"/*"cp$2"-*"$platform"*) bytes"
}

build() {
    make_sdist "$wheels" > "$work/sdist.log" 2>&1 || { cat "$work/sdist.log"; return 1; }
    rm -rf "$work/unpacked"
    mkdir -p "$work/unpacked"
    tar -xzf "$wheels"/permxor-*.tar.gz -C "$work/unpacked"
    mv "$work"/unpacked/permxor-* "$work/unpacked/permxor"
    for arch_name in $ARCHES; do
        for libc in $LIBCS; do
            for interpreter in $(interpreters); do
                log=$work/wheel-$arch_name-$libc.log
                build_one "${interpreter%=*}" "${interpreter#*=}" "$arch_name" "$libc" \
                    > "$log" 2>&1 || { cat "$log"; return 1; }
                tail -n 1 "$log"
            done
        done
    done
}

# ------------------------------------------------------------------ main ----

case ${1-} in
build)
    set_up_tools || {
        echo "skipped: $suite ($why)"
        exit 1
    }
    build
    ;;
*)
    echo "usage: wheels.sh build|check" >&2
    exit 2
    ;;
esac
