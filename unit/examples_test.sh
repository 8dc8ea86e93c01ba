#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The programs of examples/ against an installation of their own.  `make check` runs them
# through unit/dropin_test.sh, on the installation that it has.
#
# From the environment: top_srcdir, libdir (as configured), CC, CXX, MAKE; it runs in the build
# directory.

: "${top_srcdir:?}" "${libdir:?}"
: "${CC:=cc}" "${CXX:=c++}" "${MAKE:=make}"

work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-examples.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
stage=$work/stage
unset LD_LIBRARY_PATH LD_PRELOAD PERMXOR_KERNELS MAKEFLAGS MFLAGS MAKELEVEL

suite=examples_test
. "$top_srcdir/unit/checks.sh"
. "$top_srcdir/unit/example_checks.sh"

check "make install" "$MAKE" install DESTDIR="$stage"
[ "$failed" -eq 0 ] || finish
check_examples
finish
