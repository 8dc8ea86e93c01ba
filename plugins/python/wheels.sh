#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154
#
# wheels.sh build|check: builds the sdist, and from it the wheels for Linux, or tests them.
#
#   PYTHONS="python3.9 ..."           the interpreters whose headers are used.  Those of Python
#                                     3.12 and later make one wheel for all of these versions.
#   LATER="python3.13"                more interpreters that check installs the wheels for
#   ARCHES="x86_64 aarch64 ppc64le"   processors
#   LIBCS="manylinux musllinux"       C libraries: glibc 2.17 and musl
#
# From the environment: top_srcdir, top_builddir, and PYTHON for the tools (python3).  The wheels
# are in sub-builds/python/wheels.  zig compiles them, since it has both C libraries and a C++
# library for all processors; a wheel needs no C++ library of the system.

set -eu
suite=check-wheels
: "${PYTHONS:=python3.9 python3.10 python3.11 python3.12}"
: "${LATER=python3.13}"
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
    arch=$1 glibc=2.17
    # zig has no older one for this processor.  auditwheel finds that 2.17 is enough.
    [ "$1" != ppc64le ] || arch=powerpc64le glibc=2.19
    case $2 in
    manylinux) target=$arch-linux-gnu.$glibc triplet=$arch-linux-gnu platform=manylinux_2_17_$1 ;;
    musllinux) target=$arch-linux-musl triplet=$arch-linux-musl platform=musllinux_1_2_$1 ;;
    esac
}

# compile VERSION ARCH: makes a wheel in $work/raw.  The sources stay in one folder, because zig
# keeps what it has compiled by its path, and the library is the same for all interpreters.
compile() {
    suffix=.cpython-$1-$triplet.so
    # Before 3.11, Python looks for the name with "gnu" also where the C library is musl.
    [ "$1" -ge 311 ] || suffix=.cpython-$1-$arch-linux-gnu.so
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

# rows_of ARCH: the names of the kernel sets of a processor, and of their variants.
rows_of() {
    awk -F '\t' -v arch="$1" '$1 == arch { print $2, $4 }' \
        "$work/unpacked/permxor/library/kernel_sets.txt"
}

# has_all_sets ARCH: whether the last wheel has every kernel set of the processor.
has_all_sets() {
    for row in $(rows_of "$1"); do
        [ -e "$work/unpacked/permxor/build/library/objects/$row.o" ] ||
            { echo "the kernel set $row is left out"; return 1; }
    done
}

# build_one PYTHON VERSION ARCH LIBC: auditwheel finds the platform by itself, because it takes
# only names of this machine's processor.  The name of the wheel must have the one that is meant.
build_one() {
    describe "$3" "$4"
    began=$(date +%s)
    echo "== Python $2, $platform"
    wheel_venv "$1" "$2" && compile "$2" "$3" && has_all_sets "$3" &&
        auditwheel repair --plat auto --only-plat -w "$wheels" "$work"/raw/*.whl &&
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

# ----------------------------------------------------------------- check ----

# audited WHEEL: whether the auditors find in it what its name says.
audited() {
    platform=$(echo "$1" | sed 's/.*[-.]\([^-.]*\)\.whl$/\1/')
    auditwheel show "$1" | tr '\n' ' ' > "$work/audit"
    grep -q "following platform tag: \"$platform\"" "$work/audit" ||
        { cat "$work/audit"; return 1; }
    case $1 in *-abi3-*) abi3audit --strict "$1" ;; esac
}

# found_by_python WHEEL: whether the module in it has the name that its interpreters look for.
found_by_python() {
    libc=gnu
    case $1 in
    *-cp39-musllinux* | *-cp310-musllinux*) ;;
    *musllinux*) libc=musl ;;
    esac
    case $1 in
    *-abi3-*) looks_for=_core.abi3.so ;;
    *) looks_for=$(echo "${1##*/}" | sed -n "s/ppc64le/powerpc64le/
        s/.*-cp\([0-9]*\)-[a-z]*_[0-9]*_[0-9]*_\(.*\)\.whl\$/_core.cpython-\1-\2-linux-$libc.so/p") ;;
    esac
    "$venv/bin/python" -m zipfile -l "$1" > "$work/contents"
    grep -q "^permxor/$looks_for " "$work/contents" || {
        echo "the wheel has no $looks_for"
        return 1
    }
}

# What a user does first, and whether the wheel has the kernel sets of its processor.
program='
import os, sys, permxor
data = [os.urandom(1000) for _ in range(10)]
code = permxor.Code(10, 4)
parity = code.encode(data)
shards = code.reconstruct([None, *data[1:], *parity])
assert shards[0] == data[0]
names = [kernel.name for kernel in permxor.kernels()]
assert names == [*sys.argv[1:], "base"], names
print(permxor.kernel_reason())'

# in_a_venv PYTHON: on this machine, installs the wheel for this interpreter in a fresh environment, without
# anything else, and runs the program; then the suite, with what it needs.
in_a_venv() {
    fresh=$work/fresh
    rm -rf "$fresh"
    # shellcheck disable=SC2046 # a list
    "$1" -m venv "$fresh" &&
        "$fresh/bin/pip" -q install --only-binary :all: --no-index --find-links "$wheels" permxor &&
        "$fresh/bin/python" -c "$program" $(rows_of "$(uname -m)") &&
        "$fresh/bin/pip" -q install --only-binary :all: -r "$source/tests/requirements.txt" &&
        rm -rf "$work/run" && mkdir "$work/run" &&
        cp -R "$source/tests" "$source/pyproject.toml" "$source/README.md" "$work/run/" &&
        (cd "$work/run" && "$fresh/bin/python" -m pytest)
}

# from_debian RELEASE ARCHITECTURE VERSION: unpacks the interpreter of this release of Debian.
from_debian() {
    system=$work/$1-$2
    [ ! -e "$system.done" ] || return 0
    rm -rf "$system"
    mkdir -p "$system/usr/lib" "$system/usr/lib64"
    ln -s usr/lib "$system/lib"
    ln -s usr/lib64 "$system/lib64"
    "$top_srcdir/tools/unpack_deb.sh" -s "$1" "$2" "$system" libc6 libgcc-s1 zlib1g libexpat1 \
        libffi8 "libpython$3-minimal" "libpython$3-stdlib" "python$3-minimal" &&
        : > "$system.done"
}

# emulated ARCH DEBIAN-ARCHITECTURE RELEASE VERSION: the same under qemu, with an interpreter of
# Debian, and a part of the suite.
emulated() {
    from_debian "$3" "$2" "$4" || return
    interpreter="qemu-$1-static -L $system $system/usr/bin/python$4"
    works_there "$1" "manylinux_2_17_$1" "$4" \
        "$source/tests/test_raid.py" "$source/tests/test_hash.py" "$source/tests/test_readme.py"
}

# on_musl: the same on this machine, with an interpreter that has musl and no other C library.
# Without what needs numpy or zfec, since PyPI has those for another C library here.
on_musl() {
    "$source/musl_python.sh" "$work/musl-python" || return
    interpreter=$work/musl-python/python/python
    there -c 'maps = open("/proc/self/maps").read()
assert "-musl/libc.so" in maps and "libc.so.6" not in maps, maps' &&
        works_there "$(uname -m)" "musllinux_1_2_$(uname -m)" 3.13 "$source/tests"
}

# works_there ARCH PLATFORM VERSION TEST...: installs the wheel and runs the program and these
# tests.  pip chooses the wheel as it would there.
works_there() {
    rows=$(rows_of "$1")
    platform=$2 version=$3
    shift 3
    rm -rf "$work/there"
    # shellcheck disable=SC2046,SC2086 # lists
    "$venv/bin/pip" -q install --target "$work/there" --no-deps --only-binary :all: \
        --no-index --find-links "$wheels" --platform "$platform" \
        --python-version "$version" --abi "cp$(echo "$version" | tr -d .)" --abi abi3 permxor &&
        there -c "$program" $rows &&
        "$venv/bin/pip" -q install --target "$work/there" --only-binary :all: \
            $(grep -E '^(pytest|hypothesis)==' "$source/tests/requirements.txt") &&
        there -m pytest -p no:cacheprovider -c "$source/pyproject.toml" "$@"
}

# there ARGUMENT...: runs the interpreter that emulated() or on_musl() has.
there() {
    # shellcheck disable=SC2086 # a command
    PERMXOR_INTERPRETER=$interpreter PYTHONPATH=$work/there PYTHONDONTWRITEBYTECODE=1 \
        $interpreter "$@"
}

# names_of_musl ARCHITECTURE WHEEL: on_musl() runs one wheel.  For each, all names that the
# module needs are looked up in musl's library; those of Python begin with Py.
names_of_musl() {
    "$top_srcdir/tools/unpack_deb.sh" "$1" "$work/musl-$1" musl &&
        rm -rf "$work/module" && "$venv/bin/python" -m zipfile -e "$2" "$work/module" &&
        libc=$(find "$work/musl-$1" -name libc.so) &&
        symbols "$libc" '!=' > "$work/has" && [ -s "$work/has" ] &&
        symbols "$work"/module/permxor/_core*.so '==' | grep -v '^_*Py' > "$work/needs" &&
        ! grep -vxFf "$work/has" "$work/needs"
}

# symbols LIBRARY OPERATOR: the names that a library has (!=) or needs (==).  It can do without a
# weak name that it needs; many of musl's own names are weak.  On ppc64le, the row of a function
# also has its local entry, in brackets.
symbols() {
    readelf --dyn-syms --wide "$1" | sed 's/\[<[^]]*\]//' |
        awk "NR > 3 && \$7 $2 \"UND\" && (\$7 != \"UND\" || \$5 != \"WEAK\") { sub(/@.*/, \"\", \$8); print \$8 }" |
        grep .
}

debian_name() {
    case $1 in
    x86_64) echo amd64 ;;
    aarch64) echo arm64 ;;
    ppc64le) echo ppc64el ;;
    esac
}

# natively: all interpreters, on this machine.
natively() {
    for name in $PYTHONS $LATER; do
        if [ "$(version_of "$name")" ]; then
            check "$name on x86_64" in_a_venv "$name"
        else
            skip "$name on x86_64" "is not there"
        fi
    done
}

# why_no_musl: the reason why on_musl() cannot run here.
why_no_musl() {
    for tool in apt-get dpkg gcc make; do
        command -v $tool > /dev/null || { echo "there is no $tool"; return; }
    done
    ls "$wheels"/*-cp312-abi3-musllinux*_"$arch_name".whl > /dev/null 2>&1 ||
        echo "make wheels has built none"
}

check_all() {
    for wheel in "$wheels"/*.whl; do
        check "audit of $(basename "$wheel")" audited "$wheel"
        check "name in $(basename "$wheel")" found_by_python "$wheel"
    done
    for arch_name in $ARCHES; do
        debian=$(debian_name "$arch_name")
        for wheel in "$wheels"/*musllinux*_"$arch_name".whl; do
            [ ! -e "$wheel" ] ||
                check "names of $(basename "$wheel")" names_of_musl "$debian" "$wheel"
        done
        if [ "$arch_name" = "$(uname -m)" ]; then
            natively
            if [ "$LIBCS" = manylinux ]; then continue; fi
            why=$(why_no_musl)
            if [ "$why" ]; then
                skip "Python 3.13 for musl on $arch_name" "$why"
            else
                check "Python 3.13 for musl on $arch_name" on_musl
            fi
        elif [ "$LIBCS" = musllinux ]; then
            skip "Python on $arch_name" "there are only wheels for musl"
        elif command -v "qemu-$arch_name-static" > /dev/null; then
            check "Python 3.11 on $arch_name" emulated "$arch_name" "$debian" bookworm 3.11
            check "Python 3.13 on $arch_name" emulated "$arch_name" "$debian" trixie 3.13
        else
            skip "Python on $arch_name" "no qemu-$arch_name-static"
        fi
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
check)
    set_up_tools || skip_all "$why"
    [ -e "$wheels" ] || skip_all "run make wheels first"
    check_all
    finish
    ;;
*)
    echo "usage: wheels.sh build|check" >&2
    exit 2
    ;;
esac
