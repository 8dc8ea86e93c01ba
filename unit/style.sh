#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The sources as their tools want them: shellcheck, clang-format 14 and ruff.  A tool that is
# missing, or of another version where versions differ in what they want, is skipped by name.
#
# From the environment: top_srcdir; it runs in the build directory, below which it installs
# ruff from PyPI where that is not in PATH.  SHELLCHECK, CLANG_FORMAT and RUFF name the tools.

: "${top_srcdir:?}" "${SHELLCHECK:=shellcheck}"
ruff_release=0.17.5

work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-style.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
suite=check-style
# shellcheck source=unit/checks.sh
. "$top_srcdir/unit/checks.sh"
builds=$PWD/sub-builds
cd "$top_srcdir" || exit 1

# sources PATTERN...: the files of the sources that have such names, known to git or new.
sources() {
    git ls-files -co --exclude-standard -- "$@" | while read -r file; do
        [ ! -e "$file" ] || printf '%s\n' "$file"
    done
}

# tool NAME TEXT COMMAND...: whether the command's version has the text in it.
tool() {
    name=$1
    text=$2
    shift 2
    "$@" --version > "$work/version" 2>&1 && grep -q "$text" "$work/version" ||
        { skip "$name" "needs $name${text:+, $text}"; return 1; }
}

# Warnings and errors; it also suggests another style, which is a matter of taste.
shell_scripts() {
    sources '*.sh' .ci/run 'plugins/ceph/permxor-ceph-takeover' |
        xargs "$SHELLCHECK" --external-sources --severity=warning --format=gcc
}

# The *.h.in are no C until their lines are repeated.
c_sources() {
    sources '*.c' '*.h' '*.cc' | xargs "$CLANG_FORMAT" --dry-run --Werror
}

python_sources() {
    sources '*.py' | xargs "$RUFF" check --no-cache --quiet --output-format concise
}

# Sets $RUFF.
find_ruff() {
    : "${RUFF:=$(command -v ruff || echo "$builds/ruff/bin/ruff")}"
    [ -x "$(command -v "$RUFF")" ] ||
        { python3 -m venv "$builds/ruff" && "$builds/ruff/bin/pip" install "ruff==$ruff_release"; }
}

git rev-parse --git-dir > /dev/null 2>&1 || skip_all "git does not know the sources"
: "${CLANG_FORMAT:=$(command -v clang-format-14 || echo clang-format)}"
if tool shellcheck "" "$SHELLCHECK"; then check "shellcheck" shell_scripts; fi
if tool clang-format "version 14" "$CLANG_FORMAT"; then check "clang-format" c_sources; fi
find_ruff > /dev/null 2>&1
if tool ruff "" "$RUFF"; then check "ruff" python_sources; fi
finish
