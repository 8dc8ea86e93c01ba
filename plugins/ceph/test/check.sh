#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs all tests of the Ceph plugin, except those that need other releases of Ceph than this
# system's.  PARTS="symbols takeover plain host tool cluster" chooses some.
#
# From the environment: what make knows (UNIT_ENVIRONMENT); PLUGIN, our libec_permxor.so; SCRUB, our
# permxor-ceph-scrub; the test programs in $plain and $host.  ORIGINALS is the folder of Ceph's own
# plugins, which is only read.  By default it is where this system's Ceph has them.

: "${PLUGIN:?}" "${SCRUB:?}" "${top_srcdir:?}" "${top_builddir:?}" "${plain:?}" "${host:?}"
: "${PARTS:=symbols takeover plain host tool cluster}"
. "$top_srcdir/unit/suite.sh"
here=$top_srcdir/plugins/ceph/test
log=$top_builddir/sub-builds/ceph.log
mkdir -p "$top_builddir/sub-builds" && cd "$top_builddir" || exit 1
. "$here/originals.sh"

# run TITLE SECONDS COMMAND...: runs a test that ends with a sum, within a time limit.
run() {
    title=$1
    shift
    echo "== $title"
    began=$(date +%s)
    timeout -k 60 "$@" > "$log" 2>&1
    add_sum "$title" "$log" $?
    echo "$title: $(($(date +%s) - began)) s"
}

# The plugin must export two entry points.  It must not need a symbol of Ceph without which it
# could not even be loaded.
part_symbols() {
    # shellcheck disable=SC2086 # a command with an option
    ${NM:-nm} -D "$PLUGIN" > "$log"
    exported=$(sed -n 's/^[0-9a-f]\{16\} . //p' "$log" | sort | tr '\n' ' ')
    strong=$(grep -E ' U _Z.*([0-9]ceph|[0-9]CrushWrapper)' "$log")
    if [ "$exported" = "__erasure_code_init __erasure_code_version " ]; then
        pass
    else
        fail "it exports $exported"
    fi
    if [ -z "$strong" ]; then
        pass
    else
        fail "it cannot do without $strong"
    fi
}

part_takeover() {
    run takeover 60 sh "$here/takeover_test.sh"
}

part_plain() {
    for program in $plain; do
        run "${program##*/}" 60 "$program"
    done
    run command 60 sh "$here/command_test.sh"
}

part_host() {
    # shellcheck disable=SC2086 # programs
    run host 300 sh "$here/host_test.sh" plugins/ceph/test/.libs/stand_in.so $host
}

part_tool() {
    run tool 1200 sh "$here/tool_test.sh"
}

part_cluster() {
    run cluster 1800 sh "$here/cluster_test.sh"
}

run_parts
finish
