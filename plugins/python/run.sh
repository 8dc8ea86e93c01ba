#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154
#
# run.sh wheel|check|bench: builds the wheel from this build of permxor, tests it, or measures
# it against zfec.
#
# From the environment: top_srcdir, top_builddir, MAKE, and PYTHON, the interpreter (python3).
# All that is fetched and built stays in sub-builds/python.

set -eu
suite=python
# shellcheck source=plugins/python/common.sh
. "$top_srcdir/plugins/python/common.sh"

# copy_source: copies the sources, because setuptools writes beside them.
copy_source() {
    rm -rf "$work/source"
    cp -R "$source" "$work/source"
    cp "$top_srcdir/LICENSE" "$work/source"
    chmod -R u+w "$work/source"
}

# build_wheel FOLDER: makes the wheel from this copy.  The caller says where the library is.
build_wheel() {
    rm -rf "$1"
    "$venv/bin/pip" -q wheel --no-deps --no-build-isolation -w "$1" "$work/source"
}

# make_wheel FOLDER: makes the wheel from a fresh copy.
make_wheel() {
    copy_source
    build_wheel "$1"
}

install_wheel() {
    PERMXOR_BUILD=$top_builddir make_wheel "$work/wheel" &&
        "$venv/bin/pip" -q install --no-deps --no-index --force-reinstall "$work"/wheel/*.whl
}

# Builds the wheel from the sdist, in a folder that has nothing else, with one kernel set to save
# time.  make check-wheels builds all of them.
builds_from_the_sdist() {
    rm -rf "$work/wheel-sdist" "$work/from-sdist"
    make_sdist "$work/sdist" &&
        PERMXOR_KERNEL_SETS=ssse3 "$venv/bin/pip" -q wheel --no-deps --no-build-isolation \
            -w "$work/wheel-sdist" "$work"/sdist/permxor-*.tar.gz &&
        "$venv/bin/pip" -q install --no-deps --no-index -t "$work/from-sdist" \
            "$work"/wheel-sdist/*.whl &&
        (cd "$source/tests" && export PYTHONPATH="$work/from-sdist" PYTHONDONTWRITEBYTECODE=1 &&
            "$venv/bin/python" -c 'import permxor, platform
names = {kernel.name for kernel in permxor.kernels()}
assert platform.machine() != "x86_64" or names == {"ssse3", "base"}, names' &&
            "$venv/bin/python" -m pytest -p no:cacheprovider test_raid.py test_readme.py)
}

# The licences of all compiled-in code require that the wheel has their notices.
has_its_licences() {
    "$venv/bin/python" -m zipfile -l "$work"/wheel/*.whl > "$work/contents"
    for name in permxor nanobind robin_map; do
        grep -q "licenses/.*$name.txt" "$work/contents" || {
            echo "no licence of $name"
            return 1
        }
    done
}

# needed FOLDER: prints the libraries that the extension of the package in FOLDER needs.
needed() {
    readelf -d "$1"/permxor/_core*.so | grep NEEDED
}

carries_its_library() {
    packages=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
    needed "$packages" > "$work/needed" && ! grep libpermxor "$work/needed"
}

# Builds and tests the wheel against an installed libpermxor.so, in a prefix below $work.  It is
# built where the wheel with the other library was built, which must not be taken for it.
links_an_installed_library() {
    prefix=$work/prefix
    rm -rf "$prefix" "$work/linked"
    "$MAKE" -s -C "$top_builddir" install-libLTLIBRARIES install-includeHEADERS \
        prefix="$prefix" exec_prefix="$prefix" libdir="$prefix/lib" \
        includedir="$prefix/include"
    mkdir -p "$prefix/lib/pkgconfig"
    sed "s|^prefix=.*|prefix=$prefix|; s|^exec_prefix=.*|exec_prefix=$prefix|
        s|^libdir=.*|libdir=$prefix/lib|; s|^includedir=.*|includedir=$prefix/include|" \
        "$top_builddir/permxor.pc" > "$prefix/lib/pkgconfig/permxor.pc"
    PERMXOR_PREFIX=$prefix build_wheel "$work/wheel-linked"
    "$venv/bin/pip" -q install --no-deps --no-index -t "$work/linked" "$work"/wheel-linked/*.whl
    needed "$work/linked" | grep libpermxor
    (cd "$source/tests" && PYTHONPATH=$work/linked PYTHONDONTWRITEBYTECODE=1 \
        "$venv/bin/python" -m pytest -p no:cacheprovider test_raid.py)
}

# fails_with TEXT COMMAND...: the copy of the sources that make_wheel makes has no library beside
# it.
fails_with() {
    text=$1
    shift
    if "$@" > "$work/none.log" 2>&1; then
        return 1
    fi
    grep -q "$text" "$work/none.log" || { cat "$work/none.log"; return 1; }
}

says_what_is_missing() {
    fails_with "The library's sources are not there" make_wheel "$work/none" &&
        PERMXOR_PKG_CONFIG=1 PKG_CONFIG_LIBDIR=/nowhere PKG_CONFIG_PATH="" \
            fails_with 'Set PERMXOR_PREFIX or PKG_CONFIG_PATH' make_wheel "$work/none"
}

knows_the_kernel_sets() {
    PERMXOR_KERNEL_SETS="ssse3 sse3" \
        fails_with 'there is no kernel set sse3. There are: base .*ssse3' "$venv/bin/pip" wheel \
        --no-deps --no-build-isolation -w "$work/none" "$work"/sdist/permxor-*.tar.gz
}

# Runs in another folder than the sources, so that mypy sees only the installed wheel.
types() {
    mkdir -p "$work/types" && cp "$source/tests/typed_use.py" "$work/types" &&
        (cd "$work/types" && "$venv/bin/mypy" --strict -p permxor &&
            "$venv/bin/mypy" --strict typed_use.py)
}

run_pytest() {
    cp -R "$source/tests" "$source/pyproject.toml" "$source/README.md" "$work/run/"
    chmod -R u+w "$work/run"
    status=0
    (cd "$work/run" && "$venv/bin/python" -m pytest) > "$work/pytest.log" 2>&1 || status=$?
    count_sum pytest "$work/pytest.log" $status || cat "$work/pytest.log"
    sed -n '/^skipped: /p' "$work/pytest.log"
}

case ${1-} in
wheel)
    set_up || {
        echo "skipped: $suite ($why)"
        exit 1
    }
    PERMXOR_BUILD=$top_builddir make_wheel "$work/wheel"
    ls "$work"/wheel/*.whl
    ;;
check)
    set_up || skip_all "$why"
    rm -rf "$work/run" && mkdir "$work/run"
    echo "$("$venv/bin/python" -V), $("$venv/bin/pip" freeze --exclude permxor | tr '\n' ' ')"
    check "the wheel is built and installed" install_wheel
    check "the wheel carries its library" carries_its_library
    check "the wheel has its licences" has_its_licences
    run_pytest
    check "the types are right" types
    check "the wheel links an installed library" links_an_installed_library
    check "the wheel is built from the sdist" builds_from_the_sdist
    check "a missing library is an error in words" says_what_is_missing
    check "an unknown kernel set is an error in words" knows_the_kernel_sets
    finish
    ;;
bench)
    set_up || {
        echo "skipped: $suite ($why)"
        exit 0
    }
    install_wheel
    shift
    "$venv/bin/python" "$source/bench.py" "$@"
    ;;
*)
    echo "usage: run.sh wheel|check|bench" >&2
    exit 2
    ;;
esac
