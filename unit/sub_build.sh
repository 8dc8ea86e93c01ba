# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# sanitize.sh, gfni.sh, emulate.sh, coverage.sh, builds.sh and command_corruptions.sh source
# this file.  It builds the same sources with other flags, in folders below this build's folder.
#
# These builds use -g1, which writes the lines but not the variables.  For the kernels, gcc
# needs as long for the variables as for all other work.

: "${top_srcdir:?}" "${top_builddir:?}" "${MAKE:=make}"
# The makes for these builds must not inherit the options of the make that runs this script.
unset MAKEFLAGS MFLAGS MAKELEVEL PERMXOR_KERNELS

sub_root=$top_builddir/sub-builds
mkdir -p "$sub_root" || exit 1

# Prints the set that this build chooses on this machine.  A build in which no set is forced
# needs no other set except base.
chosen_set() {
    "$top_builddir/unit/kernel_sets" | sed -n 's/^chosen //p'
}

# Prints base and the set that the build in the current folder chooses.  They are enough for
# programs that test the same with every set: if the chosen set has GFNI, the two multiply by
# different forms of coefficients.
two_sets() {
    unit/kernel_sets | awk '$1 == "chosen" { print $2 == "base" ? "base" : $2 " base" }'
}

# Copies the sources, because configure refuses to build out of tree if the source folder itself
# is configured.
copy_sources() {
    (cd "$top_builddir" && $MAKE distdir distdir=sub-builds/source NO_MAN=yes) \
        > "$sub_root/source.log" 2>&1 ||
        { tail -n 20 "$sub_root/source.log"; return 1; }
}

# configure_sub OPTION...: configures with the options of this build, and with these options.
# Without shared libraries, the objects are built without PIC.
configure_sub() {
    [ -f config.status ] && return
    # --config prints the options of configure, quoted for the shell.
    eval "set -- $("$top_builddir/config.status" --config) \"\$@\""
    # The plugins have tests of their own.
    "$sub_root/source/configure" -q --disable-shared --disable-werror "$@" --with-pic=default \
        --without-ceph-plugin-dir --without-nbdkit-plugin-dir --without-libnbd
}

# make_target TARGET: makes it in the current folder.
make_target() {
    # make expands these variables.
    # shellcheck disable=SC2016
    libtool='$(SHELL) $(top_builddir)/libtool'
    # This prints the settings for C.  Those for C++ may have no shared libraries.
    ! ./libtool --config | grep -q '^build_libtool_libs=no$' ||
        libtool="\$(SHELL) \$(top_srcdir)/unit/static_libtool.sh $libtool"
    $MAKE -j "$(getconf _NPROCESSORS_ONLN)" "$1" LIBTOOL="$libtool"
}

# sub_build NAME "TARGETS" OPTION...: builds the targets with these options of configure.  The
# folder of the new build is the current folder then.  Each target has a make of its own,
# because targets of one make that share prerequisites would race.
sub_build() {
    targets=$2
    echo "building $1"
    build=$1
    mkdir -p "$sub_root/$1" && cd "$sub_root/$1" || return 1
    shift 2
    configure_sub "$@" > build.log 2>&1 || { tail -n 40 build.log; return 1; }
    began=$(date +%s)
    for target in $targets; do
        make_target "$target" >> build.log 2>&1 || { tail -n 40 build.log; return 1; }
    done
    seconds=$(($(date +%s) - began))
    [ "$seconds" -lt "${SLOW:-20}" ] || echo "slow: build of $build ($seconds s)"
}
