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
source=$top_srcdir/plugins/python
work=$top_builddir/sub-builds/python
venv=$work/venv
unset PYTHONPATH PERMXOR_PREFIX PERMXOR_KERNELS
export PIP_DISABLE_PIP_VERSION_CHECK=1
# shellcheck source=unit/checks.sh
. "$top_srcdir/unit/checks.sh"

# Finds an interpreter and installs packages, or sets $why to the reason why it cannot.
set_up() {
    python=$(command -v "${PYTHON:-python3}") || {
        why="there is no ${PYTHON:-python3}"
        return 1
    }
    "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))' \
        2> /dev/null || {
        why="$python is not Python 3.9 with the modules venv and ensurepip"
        return 1
    }
    # If the interpreter is another one than last time, everything is built again.
    version=$("$python" -c 'import sys; print(sys.executable, sys.version)' | tr '\n' ' ')
    [ "$version" = "$(cat "$work/version" 2> /dev/null)" ] || rm -rf "$work"
    mkdir -p "$work"
    echo "$version" > "$work/version"
    "$python" -m venv "$venv" &&
        "$venv/bin/pip" -q install --only-binary :all: -r "$source/tests/requirements.txt" \
            > "$work/pip.log" 2>&1 || {
        why="its packages cannot be installed: $(tail -n 1 "$work/pip.log")"
        return 1
    }
}

# make_wheel FOLDER: makes the wheel from a copy of the sources, because setuptools writes
# beside them.  The caller says where the library is.
make_wheel() {
    rm -rf "$work/source" "$1"
    cp -R "$source" "$work/source"
    cp "$top_srcdir/LICENSE" "$work/source"
    chmod -R u+w "$work/source"
    "$venv/bin/pip" -q wheel --no-deps --no-build-isolation -w "$1" "$work/source"
}

install_wheel() {
    PERMXOR_BUILD=$top_builddir make_wheel "$work/wheel" &&
        "$venv/bin/pip" -q install --no-deps --no-index --force-reinstall "$work"/wheel/*.whl
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

# Builds and tests the wheel against an installed libpermxor.so, in a prefix below $work.
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
    PERMXOR_PREFIX=$prefix make_wheel "$work/wheel-linked"
    "$venv/bin/pip" -q install --no-deps --no-index -t "$work/linked" "$work"/wheel-linked/*.whl
    needed "$work/linked" | grep libpermxor
    (cd "$source/tests" && PYTHONPATH=$work/linked PYTHONDONTWRITEBYTECODE=1 \
        "$venv/bin/python" -m pytest -p no:cacheprovider test_raid.py)
}

says_what_is_missing() {
    if PKG_CONFIG_LIBDIR=/nowhere PKG_CONFIG_PATH="" make_wheel "$work/none" \
        > "$work/none.log" 2>&1; then
        return 1
    fi
    grep -q 'Set PERMXOR_BUILD, PERMXOR_PREFIX or PKG_CONFIG_PATH' "$work/none.log"
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
    (cd "$work/run" && "$venv/bin/python" -m pytest) > "$work/pytest.log" 2>&1
    count_sum pytest "$work/pytest.log" $? || cat "$work/pytest.log"
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
    check "a missing library is an error in words" says_what_is_missing
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
