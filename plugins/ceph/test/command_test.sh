#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests what permxor-ceph-scrub says and returns, without a cluster.  The hashes of a cluster are
# tested by scrub_test.sh, and what follows from them by test_scrub.
#
# From the environment: top_srcdir, SCRUB, our permxor-ceph-scrub.

: "${SCRUB:?}" "${top_srcdir:?}"
suite=command_test
. "$top_srcdir/unit/checks.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 1

cat > map << 'EOF'
{"erasure_code_profiles": {"p": {"k": "2", "m": "1", "plugin": "isa", "technique": "cauchy"}},
 "pools": [{"pool": 1, "pool_name": "tested", "type": 3, "stripe_width": 8192, "pg_num": 1,
            "flags_names": "hashpspool", "erasure_code_profile": "p"}]}
EOF
printf 'osd 0 1 0\nend 0\n' > report
# An OSD without placement groups.
mkdir osd && echo 3 > osd/whoami
printf '#!/bin/sh\nexit 0\n' > tool && chmod +x tool

# says STATUS TEXT WORD...: the program returns the status and says the text.
says() {
    status=$1
    text=$2
    shift 2
    "$SCRUB" "$@" > said 2>&1
    seen=$?
    cat said
    [ $seen -eq "$status" ] && grep -qF -e "$text" said
}

# unwritten STATUS TEXT WORD...: the same without a standard output, and with a full one.
unwritten() {
    status=$1
    text=$2
    shift 2
    for output in '>&-' '> /dev/full'; do
        sh -c 'exec "$@" '"$output" sh "$SCRUB" "$@" 2> said
        seen=$?
        cat said
        [ $seen -eq "$status" ] && grep -qF -e "$text" said || return 1
    done
}

check "the pools" says 0 "1 tested: k=2 m=1" pools --map map
check "help" says 0 "usage: " --help
for verb in hash check pools; do
    check "help after $verb" says 0 "usage: " $verb --help
done
check "no verb" says 2 "name a verb"
check "another verb" says 2 "'scrub' is no verb" scrub
check "no map" says 2 "--map is missing" check report
check "a map that is not there" says 2 "none: cannot be opened: No such file" check --map none report
check "a map that is a folder" says 2 "osd: cannot be read: Is a directory" check --map osd report
check "a report" says 3 "the reports have 0 of 1 placement groups" check --map map report
check "an OSD" says 0 "end 0" hash --map map --data-path osd --tool ./tool
check "no such tool" says 2 "cannot run ./none" hash --map map --data-path osd --tool ./none
check "pools that cannot be written" unwritten 2 "cannot write the list" pools --map map
check "a result that cannot be written" unwritten 2 "cannot write the result" \
    check --map map report
check "a report that cannot be written" unwritten 2 "cannot write the report" \
    hash --map map --data-path osd --tool ./tool
finish
