#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs all tests, from a fresh checkout: installs the packages that are needed, builds
# permxor in every way that is supported, runs the suites, and adds their results up.
#
#   tools/test.sh            everything (about an hour on two cores)
#   tools/test.sh native     the native suite and the style of the sources alone
#
# BUILD names the folder for the builds and their logs (build/test/).  The last
# line is the sum: N passed, N failed, N skipped.
set -uo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
root=${BUILD:-$top/build/test}

# shellcheck source=unit/sums.sh
. "$top/unit/sums.sh"

[ ! -e "$top/config.status" ] ||
    { echo "$top is configured as a build folder; run make distclean there first" >&2; exit 1; }

# stage NAME COMMAND...: runs the command, writes its output to NAME.log and its sum to
# NAME.sum.  If the output has no closing line, the command counts as one check, by its status.
# It shows the skipped and the slow tests, what failed, and the end of a log with a failure.
# The last line has the time, and the processor time of the command and of all that it started.
stage() {
    local name=$1 log=$root/$1.log status=0 began=$SECONDS passed=0 failed=0 skipped=0 used
    shift
    times > "$root/$name.times" # of this shell, and in the second line of what it has run
    "$@" > "$log" 2>&1 || status=$?
    times >> "$root/$name.times"
    used=$(awk -F '[ms ]+' 'NR % 2 == 0 { sum = 60 * ($1 + $3) + $2 + $4; used = sum - used }
        END { printf "%d", used }' "$root/$name.times")
    if [ "$status" -eq 0 ] && [ -z "$(closing_sum "$log")" ]; then
        pass
    else
        count_sum "$name" "$log" "$status" >> "$log"
    fi
    [ -e "$root/$name.sum" ] || fail "$name is not among the stages" >> "$log"
    echo "$passed $failed $skipped" > "$root/$name.sum"
    grep -e '^skipped: ' -e '^slow: ' "$log" | sed "s/^/$name| /"
    if [ "$failed" -ne 0 ]; then
        tail -n 20 "$log" | sed "s/^/$name| /"
        failures "$name"
    fi
    echo "$name: $passed passed, $failed failed, $skipped skipped in $((SECONDS - began)) s" \
        "($used s of processor time)"
}

# failures NAME: prints from the stage's log what failed: the sums that name a suite, each failed
# test with the indented lines that say why, and the lines before a failure of a build or of a
# program that has died.  Each line begins with the stage.
failures() {
    awk -v stage="$1" -v most=80 '
        function show(line) { if (++shown <= most) print stage "| " substr(line, 1, 300) }
        /FAILED|^not ok/ {
            if (/FAILED: build|without a closing line/)
                for (i = NR - 12; i < NR; i++) if (i in before) show(before[i])
            show($0)
            delete before
            why = 6
            next
        }
        /(^|[ :])[1-9][0-9]* failed/ { show($0); why = 0; next }
        !/^[ \t]/ { why = 0 }
        why-- > 0 { show($0); next }
        { before[NR] = $0; delete before[NR - 12] }
        END { if (shown > most) print stage "| and " shown - most " more lines" }' "$root/$1.log"
}

# variant FOLDER TARGET OPTION...: builds in FOLDER and runs a suite there.  -g1 is enough for
# such a build (unit/sub_build.sh).  The objects for both kinds of library are the same here, and
# ccache compiles them once.  Without PIC they are built in the folders of unit/sub_build.sh.
variant() {
    local folder=$root/$1 target=$2
    shift 2
    "$top/tools/build.sh" "$folder" --enable-werror --with-pic \
        CFLAGS="-O2 -g1" CXXFLAGS="-O2 -g1" "$@" &&
        make -C "$folder" --quiet -j"$(nproc)" unit-programs &&
        make -C "$folder" --no-print-directory "$target"
}

# in_build FOLDER TARGET: runs a suite in a folder in which variant has built.
in_build() {
    make -C "$root/$1" --no-print-directory "$2"
}

# All stages.  A stage counts as failed until it has ended, so a lane that dies is noticed.
stages="gcc-nasm style"
[ "${1:-}" = native ] ||
    stages="$stages sanitize stores ceph site clang emulated no-asm yasm gfni coverage distcheck"
mkdir -p "$root"
rm -rf "$root"/*.sum "$root"/*.taken
for name in $stages; do
    echo "0 1 0 unended" > "$root/$name.sum"
done
"$top/tools/setup.sh" --test --plugins --doc || exit 1
[ -x "$top/configure" ] || "$top/autogen.sh" > "$root/autogen.log" 2>&1 ||
    { tail -n 20 "$root/autogen.log"; exit 1; }

# The variants differ in a few files.  Every other file is compiled once, by the first variant.
# The folder that is named in its debug information does not matter.
PATH=/usr/lib/ccache:$PATH
CCACHE_DIR=$(realpath "$root")/ccache
export CCACHE_DIR CCACHE_NOHASHDIR=1
# libtool starts faster in dash than in bash.
export CONFIG_SHELL=/bin/sh

gcc_nasm() {
    stage gcc-nasm variant gcc-nasm check --with-ceph-plugin-dir --with-nbdkit-plugin-dir \
        --with-libnbd NASM=nasm
}

# The stage coverage does all tests and all faults of the command, and sanitize does all tests, so
# gcc_nasm does those tests that depend on the kernels, and a few of the faults.
first_lane() {
    CLI_RUN="codes format" FAULTS_EFFORT=5 gcc_nasm
    stage style in_build gcc-nasm check-style
    FUZZ_SECONDS=5 stage sanitize in_build gcc-nasm check-sanitize
}

# Stages that need nothing but the build of gcc_nasm.  A lane that has done its own takes those
# that the other has not taken, so both end at about the same time.  Only one of them can make
# the folder that stands for a stage.
shared_stages() {
    local name
    for name in stores ceph site; do
        mkdir "$root/$name.taken" 2> /dev/null && stage "$name" in_build gcc-nasm "check-$name"
    done
}

# These suites differ from gcc_nasm in the compiler, in the dot products of two sets, or in
# nothing.  So a quarter of the repetitions is enough, without most scripts, and nothing needs the
# manual pages.
#
# The emulator of GFNI runs one set only, the one with the longest vectors that this processor
# has, which takes the least time.  If the processor has GFNI, gcc_nasm tests all its sets on it.
#
# A tarball with one kernel set shows whether files are missing, because the other stages build
# all sets from such a copy of the sources.  For the same reason one part of the command's tests
# is enough there.
second_lane() {
    export PXR_EFFORT=25 NO_MAN=yes BRIEF=yes
    local chosen
    stage clang variant clang check-programs --with-ceph-plugin-dir CC=clang CXX=clang++
    stage emulated in_build clang check-emulated
    stage yasm variant yasm check-kernels NASM=yasm
    chosen=$("$root/yasm/unit/kernel_sets" | sed -n 's/^chosen //p')
    SETS=${chosen%_gfni}_gfni PXR_EFFORT=5 PARTS=emulated stage gfni in_build yasm check-gfni
    stage no-asm variant no-asm check-kernels --disable-asm
    stage coverage in_build yasm check-coverage
    DISTCHECK_CONFIGURE_FLAGS="--with-pic --enable-kernel-sets=$chosen CFLAGS=-O2 CXXFLAGS=-O2" \
        PXR_EFFORT=5 NO_MAN='' CLI_PARTS=manners stage distcheck in_build yasm distcheck
}

if [ "${1:-}" = native ]; then
    gcc_nasm
    stage style in_build gcc-nasm check-style
else
    # There are two lanes, since the suites keep one core busy.  Stages that build copies of the
    # sources use a folder of their own lane.
    { first_lane; shared_stages; } &
    { (second_lane); shared_stages; } & # without the second lane's environment
    wait
fi

# Each stage has shown its failures, in case the run is cut off.  They are repeated here, since
# sometimes only the end of the output is kept.
cd "$root" || exit 1
for name in $stages; do
    read -r _ failed _ < "$name.sum"
    [ "$failed" -eq 0 ] || [ ! -e "$name.log" ] || failures "$name"
done
awk '{ p += $1; f += $2; s += $3 }
    $4 { print FILENAME ": has not ended" }
    END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 }' *.sum
