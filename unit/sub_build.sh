# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# Sourced by sanitize.sh, gfni.sh, emulate.sh and coverage.sh: builds of the same
# sources with other flags, below this build's folder.  -g1 is enough for them: lines, without
# the variables, which of the kernels take gcc as long as the rest of compiling them.

: "${top_srcdir:?}" "${top_builddir:?}" "${MAKE:=make}"
# Makes of their own, not parts of the one that runs this.
unset MAKEFLAGS MFLAGS MAKELEVEL PERMXOR_KERNELS

sub_root=$top_builddir/sub-builds
mkdir -p "$sub_root" || exit 1

# The set that this build takes by itself on this machine: the only one besides base that a
# sub build needs in which no set is forced.
chosen_set() {
    "$top_builddir/unit/kernel_sets" | sed -n 's/^chosen //p'
}

# A copy of the sources: configure refuses to build elsewhere from a folder
# that is itself configured.
copy_sources() {
    (cd "$top_builddir" && $MAKE distdir distdir=sub-builds/source) \
        > "$sub_root/source.log" 2>&1 ||
        { tail -n 20 "$sub_root/source.log"; return 1; }
}

# As this build was configured, and with the arguments.
configure_sub() {
    [ -f config.status ] && return
    # --config prints what configure was given, quoted for the shell.
    eval "set -- $("$top_builddir/config.status" --config) \"\$@\""
    # The plugins have tests of their own.
    "$sub_root/source/configure" -q --disable-shared --disable-werror "$@" \
        --without-ceph-plugin-dir
}

# sub_build NAME "TARGETS" ARGUMENTS...: leaves the new build's folder current.
# One make per target: two that share prerequisites would race.
sub_build() {
    targets=$2
    echo "building $1"
    mkdir -p "$sub_root/$1" && cd "$sub_root/$1" || return 1
    shift 2
    configure_sub "$@" > build.log 2>&1 || { tail -n 40 build.log; return 1; }
    for target in $targets; do
        $MAKE -j "$(getconf _NPROCESSORS_ONLN)" "$target" >> build.log 2>&1 ||
            { tail -n 40 build.log; return 1; }
    done
}
