#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Checks the sources with four tools: shellcheck, clang-format 14, ruff, and for .github/workflows
# actionlint.  If a tool is missing, its check is skipped by name.  That also holds for another
# version of clang-format, because versions differ in the format that they want.
#
# It runs in the build directory.  The environment sets top_srcdir.  SHELLCHECK, CLANG_FORMAT,
# RUFF and ACTIONLINT name the tools.  If ruff is not in PATH, this script installs it from PyPI
# below the build directory.

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

# sources PATTERN...: prints the source files whose names match.  git lists the files that it
# tracks, and new files that it does not ignore.
sources() {
    git ls-files -co --exclude-standard -- "$@" | while read -r file; do
        [ ! -e "$file" ] || printf '%s\n' "$file"
    done
}

# tool NAME TEXT COMMAND...: succeeds if the command's version contains the text.
tool() {
    name=$1
    text=$2
    shift 2
    "$@" --version > "$work/version" 2>&1 && grep -q "$text" "$work/version" ||
        { skip "$name" "needs $name${text:+, $text}"; return 1; }
}

# Warnings and errors count.  shellcheck's suggestions about style do not.
shell_scripts() {
    sources '*.sh' .ci/run 'plugins/ceph/permxor-ceph-takeover' |
        xargs "$SHELLCHECK" --external-sources --severity=warning --format=gcc
}

# The *.h.in are not C before unroll.awk has repeated their lines.
c_sources() {
    sources '*.c' '*.h' '*.cc' | xargs "$CLANG_FORMAT" --dry-run --Werror
}

python_sources() {
    sources '*.py' | xargs "$RUFF" check --no-cache --quiet --output-format concise
}

# Sets $RUFF to an installed ruff, or installs one.
find_ruff() {
    : "${RUFF:=$(command -v ruff || echo "$builds/ruff/bin/ruff")}"
    [ -x "$(command -v "$RUFF")" ] ||
        { python3 -m venv "$builds/ruff" && "$builds/ruff/bin/pip" install "ruff==$ruff_release"; }
}

git rev-parse --git-dir > /dev/null 2>&1 || skip_all "the sources are not in a git repository"
: "${CLANG_FORMAT:=$(command -v clang-format-14 || echo clang-format)}"
if tool shellcheck "" "$SHELLCHECK"; then check "shellcheck" shell_scripts; fi
if tool clang-format "version 14" "$CLANG_FORMAT"; then check "clang-format" c_sources; fi
find_ruff > /dev/null 2>&1
if tool ruff "" "$RUFF"; then check "ruff" python_sources; fi
if tool actionlint "" "${ACTIONLINT:=actionlint}"; then check "actionlint" "$ACTIONLINT"; fi
finish
