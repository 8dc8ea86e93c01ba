#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the programs of examples/ against an installation that this script makes: `make
# check-examples`.  `make check` tests them, too: there unit/dropin_test.sh uses its own
# installation.
#
# It runs in the build directory.  The environment sets top_srcdir, libdir (as configured), CC,
# CXX and MAKE.

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
