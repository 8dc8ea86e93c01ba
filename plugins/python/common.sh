# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Sourced by run.sh and wheels.sh, which set $suite and get top_srcdir and top_builddir from the
# environment.  All that is fetched and built stays in sub-builds/python.

source=$top_srcdir/plugins/python
work=$top_builddir/sub-builds/python
venv=$work/venv
unset PYTHONPATH PERMXOR_BUILD PERMXOR_PREFIX PERMXOR_PKG_CONFIG PERMXOR_KERNELS
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

# make_sdist FOLDER: from a copy of this folder beside the library's sources, because setuptools
# writes beside its sources.
make_sdist() {
    rm -rf "$work/tree" "$1"/permxor-*.tar.gz
    mkdir -p "$work/tree/plugins"
    cp -R "$source" "$work/tree/plugins/python"
    chmod -R u+w "$work/tree"
    for part in LICENSE kernels erasure_code raid hash include arch plugins/stage.sh; do
        ln -s "$(cd "$top_srcdir" && pwd)/$part" "$work/tree/$part"
    done
    # shellcheck disable=SC2016
    (cd "$work/tree/plugins/python" && "$venv/bin/python" -c '
import sys
from setuptools import build_meta
build_meta.build_sdist(sys.argv[1])' "$1")
}
