# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
# Part of unit/cli_test.sh: tests of permxor tune, and of what permxor info prints about its
# file.

# Runs a small measurement, which is quick but not reliable.
quick_tune() { # OPTION...
    timeout 60 "$PERMXOR" tune -k 4 -m 2 --len 4K --warm --time 0.01 "$@"
}

need_model() {
    "$PERMXOR" info | grep -qx 'cpu  *unknown' && cannot "/proc/cpuinfo does not tell the model"
    return 0
}

# Writes a tune file ./t that names a kernel set.
tune_file() { # SET
    printf 'permxor-tune 1\ncpu = %s\nkernels = %s\n' \
        "$("$PERMXOR" info | sed -n 's/^cpu  *//p')" "$1" >t
    chmod 644 t
}

test_tune_usage() {
    expect 2 "$PERMXOR" tune f
    says err "takes no files"
    expect 2 "$PERMXOR" tune --len 0
    expect 2 "$PERMXOR" tune --time 0
    expect 2 "$PERMXOR" tune --cell 64
    expect 2 "$PERMXOR" tune --matrix nonsense
    expect 2 "$PERMXOR" tune -k 200 -m 200 --dry-run
    expect 2 "$PERMXOR" tune --output
}

# The command does not ask for more memory than there is, because the system might promise it.
test_tune_no_memory() {
    kib=$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo) || cannot "no /proc/meminfo"
    [ "$kib" -lt 500000000 ] || cannot "this machine has too much memory"
    expect 3 timeout 20 "$PERMXOR" tune -k 254 -m 1 --len 1G --dry-run
    says err "tune: not enough memory for 254+1 shards of 1073741824 bytes"
}

test_tune_dry_run() {
    expect 0 quick_tune --dry-run
    says out "4+2 isal_cauchy, shards of 4096 bytes, warm"
    says out "machine record with "
    says out " values changed"
    says out ", the default"
    says out "base "
    says out "picked "
    [ "$(ls)" = "$(printf 'err\nout')" ]
}

# If one call takes longer than --time, tune ends anyway, and decides nothing.
test_tune_bounded() {
    expect 0 timeout 60 "$PERMXOR" tune -k 100 -m 100 --len 256K --warm --time 0.01 --dry-run
    says out " (too few), preempted "
    says out "the time is too short for enough rounds, so the default set is kept"
}

# A cold measurement writes much memory first.
test_tune_cold() {
    expect 0 timeout 300 "$PERMXOR" tune --dry-run -o t --cold -k 3 -m 2 \
        --matrix jerasure_r6 --time 0.01
    says out "3+2 jerasure_r6, shards of 262144 bytes, cold: "
    absent t
}

# tune measures every set that is usable here.
test_tune_measures_all() {
    expect 0 quick_tune --dry-run
    mv out table
    "$PERMXOR" info | awk '$2 == "usable" || $2 == "selected" { print $1 }' >sets
    [ -s sets ]
    while read -r set; do
        says table "$set "
    done <sets
}

test_tune_file_is_used() {
    need_model
    expect 0 quick_tune -o t
    says out "wrote t"
    says out "PERMXOR_TUNE=$(pwd -P)/t"
    [ "$(stat -c %a t)" = 644 ]
    tidy
    [ "$(head -n 1 t)" = "permxor-tune 2" ]
    says t "# 4+2 isal_cauchy"
    set=$(sed -n 's/^kernels = //p' t)
    PERMXOR_TUNE=t expect 0 "$PERMXOR" info
    [ "$(awk '$2 == "selected" { print $1 }' out)" = "$set" ]
    says out "reason    the tune file names it"
    says out "tune file t"
    [ ! -s err ]
    # Every value that info shows is in the tune file.
    sed -n '/^machine/,$p' out | sed -n 's/^          \([a-z].* = .*\)$/\1/p' |
        sed 's/   .*//' >shown
    [ "$(wc -l <shown)" -ge 26 ]
    while read -r line; do
        grep -Fqx "$line" t
    done <shown
    says out "the tune file"
    [ "$(grep -cF "cpuid leaf" out)" -eq 0 ]
}

# A tune file that was written by hand has values that are no defaults.  It is read through a
# symbolic link.
test_tune_values_by_hand() {
    need_model
    tune_file base
    printf 'permxor-tune 2\n%s\nown=640K\nway  dot own = small-blocks sources 3\n' \
        "$(grep '^cpu' t)" >real
    chmod 644 real
    rm t
    ln -s real t
    PERMXOR_TUNE=t expect 0 "$PERMXOR" info
    says out "reason    the best set that this CPU can run; the tune file names no set"
    says out "own = 655360 "
    says out "piece = 327680 "
    says out "way dot own = sources 3 small-blocks "
    says out "used"
    [ ! -s err ]
    data 100000 f
    mkdir s
    PERMXOR_TUNE=t expect 0 "$PERMXOR" encode -o s f
    expect 0 "$PERMXOR" decode -o g s
    cmp f g
    PERMXOR_TUNE=t PERMXOR_KERNELS=base expect 0 "$PERMXOR" info
    says out "own = 655360 "
    echo "own = 1" >>real
    PERMXOR_TUNE=t expect 0 "$PERMXOR" info
    says out "ignored: it is malformed"
    says err "PERMXOR_TUNE=t: "
}

# The tune file names a set that is no default, so its effect can be seen.
test_tune_file_by_hand() {
    need_model
    tune_file base
    PERMXOR_TUNE=t expect 0 "$PERMXOR" info
    [ "$(awk '$2 == "selected" { print $1 }' out)" = base ]
    best=$("$PERMXOR" info | awk '$2 == "selected" { print $1 }')
    PERMXOR_TUNE=t PERMXOR_KERNELS=$best expect 0 "$PERMXOR" info
    [ "$(awk '$2 == "selected" { print $1 }' out)" = "$best" ]
    data 100000 f
    mkdir s
    PERMXOR_TUNE=t expect 0 "$PERMXOR" encode -o s f
    expect 0 "$PERMXOR" decode -o g s
    cmp f g
}

test_tune_file_ignored() {
    need_model
    tune_file base
    chmod 666 t
    PERMXOR_TUNE=t expect 0 "$PERMXOR" info
    says out "ignored: its group or other users may write to it"
    says err "PERMXOR_TUNE=t: "
    [ "$(wc -l <err)" -eq 1 ]
    PERMXOR_TUNE=nowhere expect 0 "$PERMXOR" info
    says out "ignored: it does not exist"
    says err "PERMXOR_TUNE=nowhere: "
    expect 0 "$PERMXOR" info
    says out "turned off"
    [ ! -s err ]
    tune_file no_such_set
    PERMXOR_TUNE=t expect 0 "$PERMXOR" info
    says out "ignored: it names a kernel set that this library does not have"
}

test_tune_keeps_files() {
    need_model
    echo old >t
    expect 3 quick_tune -o t
    says err "t: already exists"
    [ "$(cat t)" = old ]
    expect 0 quick_tune -f -o t
    [ "$(head -n 1 t)" = "permxor-tune 2" ]
    expect 3 quick_tune -o nowhere/t
    says err "cannot create: No such file or directory"
    ln -s t link
    expect 0 quick_tune -f -o link
    [ ! -L link ]
    tidy
}

test_tune_no_permission() {
    need_model
    unprivileged "$PERMXOR" --version || cannot "no unprivileged user can run the command"
    chmod 755 .
    expect 2 unprivileged "$PERMXOR" tune
    says err "only root can write"
    says err "--output=FILE"
    mkdir d
    chmod 555 d
    expect 3 unprivileged "$PERMXOR" tune -o d/t
    says err "d/t: cannot create: Permission denied"
    empty d
}

test_tune_full_disk() {
    need_model
    # shellcheck disable=SC2016
    expect 3 sh -c 'ulimit -f 1; exec "$@" >/dev/null' sh "$PERMXOR" tune -k 4 -m 2 \
        --len 4K --warm --time 0.01 -o t
    says err "t: cannot write: File too large"
    absent t
    tidy
}
