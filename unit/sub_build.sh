# SPDX-License-Identifier: BSD-3-Clause
#
# Sourced by sanitize.sh, gfni.sh and coverage.sh: builds of the same sources with
# other flags, below this build's folder, and the sum of what their tests say.

: "${top_srcdir:?}" "${top_builddir:?}" "${MAKE:=make}"
# Makes of their own, not parts of the one that runs this.
unset MAKEFLAGS MFLAGS MAKELEVEL PERMXOR_KERNELS

sub_root=$top_builddir/sub-builds

# A copy of the sources: configure refuses to build elsewhere from a folder
# that is itself configured.
copy_sources() {
    mkdir -p "$sub_root" &&
        (cd "$top_builddir" && $MAKE distdir distdir=sub-builds/source) > "$sub_root/source.log" 2>&1 ||
        { tail -n 20 "$sub_root/source.log"; return 1; }
}

# As this build was configured, and with the arguments.
configure_sub() {
    [ -f config.status ] && return
    # --config prints what configure was given, quoted for the shell.
    eval "set -- $("$top_builddir/config.status" --config) \"\$@\""
    "$sub_root/source/configure" -q --disable-shared --disable-werror "$@"
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

# ------------------------------------------------------------------ sum ----

passed=0
failed=0
skipped=0

skip() {
    skipped=$((skipped + 1))
    echo "skipped: $1 ($2)"
}

fail() {
    failed=$((failed + 1))
    echo "FAILED: $1"
}

# run_suite TITLE ARGUMENTS...: run_tests.sh, under the command $under, on the
# build in the current folder; its sum is added to ours.
under=
run_suite() {
    title=$1
    shift
    echo "== $title"
    top_builddir=$PWD $under sh "$top_srcdir/unit/run_tests.sh" \
        --kernel-sets unit/kernel_sets "$@" > suite.log 2>&1
    # shellcheck disable=SC2046 # three numbers
    set -- $(sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' suite.log)
    sed '$d' suite.log
    [ $# -eq 3 ] || { fail "$title gave no sum"; return; }
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
}
