# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# The scripts that test programs and libraries from outside source this file.  It runs and
# counts their checks.
#
# A script sets $work, a folder for logs, and $suite, the name in the closing line.  A script
# that calls staged_pkg_config also sets $stage, the DESTDIR of an installation, and $libdir.
#
# sh has no local variables, and a script shares one namespace with all files that it sources.
# So the variables that only a function of such a file uses begin with a word of that file's
# own: check_, sum_, elf_, package_, example_ or client_.

# A tune file of the machine must not affect the tests.
PERMXOR_TUNE=
export PERMXOR_TUNE

# shellcheck source=unit/sums.sh
. "$top_srcdir/unit/sums.sh"

# check NAME COMMAND...: passes if the command succeeds.  Otherwise it shows what the command
# printed.
check() {
    check_name=$1
    shift
    if "$@" > "$work/check.log" 2>&1; then
        pass
    else
        fail "$check_name"
        sed 's/^/    /' "$work/check.log"
    fi
}

# staged_pkg_config ARGUMENT...: runs pkg-config on the packages of the installation in $stage.
# Those of the drop-ins come first.  The paths that pkg-config prints lead into $stage.
staged_pkg_config() {
    PKG_CONFIG_PATH=$stage$libdir/permxor/pkgconfig:$stage$libdir/pkgconfig \
        PKG_CONFIG_SYSROOT_DIR=$stage PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 \
        PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 pkg-config "$@"
}

# comparable OUTPUT: prints a client's output without the lines of the functions in $work/wrong.
# `dropin_client --wrong` lists these for the real library.
comparable() {
    awk 'FILENAME == ARGV[1] { wrong[$1]; next } !($1 in wrong)' "$work/wrong" "$1"
}
