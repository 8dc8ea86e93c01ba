#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs command lines of the documentation, as they stand there, and looks at what they do.
# unit/docs_test.py finds every line below `doc` in a page, and every line of a page here or in
# unit/doc_commands.txt, which says why nothing runs the others.
#
#   doc_commands.sh command     the quick start of the command, in the current folder, which is
#                               empty and in which the disks /d1 to /d7 are folders
#   doc_commands.sh python      what plugins/python/README.md says to do on a fresh Debian
#   doc_commands.sh all         these and the lines that install in /usr/local: in a clone of
#                               the sources, by a user who may use sudo, in a system that can
#                               be thrown away (make check-doc-commands)
set -u

top_srcdir=$(cd "$(dirname "$0")/.." && pwd)
part=$1
suite=doc_commands
work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-doc.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
# shellcheck source=unit/checks.sh
. "$top_srcdir/unit/checks.sh"

# doc [SED-EXPRESSION]: runs standard input, lines of the documentation, in this shell, each of
# which has to succeed.  The expression puts in what the lines leave to the reader.
doc() {
    sed "${1:-}" > "$work/lines"
    : > "$work/out"
    while IFS= read -r line <&3; do
        echo "+ $line"
        eval "$line" > "$work/line" 2>&1 3<&-
        status=$?
        cat "$work/line" >> "$work/out"
        if [ $status -eq 0 ]; then
            pass
        else
            fail "status $status of: $line"
            tail -n 30 "$work/line"
        fi
    done 3< "$work/lines"
}

# printed TEXT: in the output of the last lines.
printed() {
    check "output has: $1" sh -c 'grep -qF -- "$1" "$2" || { cat "$2"; false; }' - \
        "$1" "$work/out"
}

# source_of PROGRAM FILE: PROGRAM.c in the current folder.
source_of() { cp "$top_srcdir/$2" "$1.c"; }

# --------------------------------------------------------------- command ----

make_disks() {
    for disk in /d1 /d2 /d3 /d4 /d5 /d6 /d7; do
        mkdir "$disks$disk" 2> /dev/null || sudo mkdir -m 777 "$disks$disk"
    done
}

# The shards of one disk are gone, and one shard more is damaged.
damage() {
    rm "$disks"/d5/*
    printf damage | dd of="$disks/d1/FILE.000.pxr" bs=1 seek=1000 conv=notrunc status=none
}

quick_start() {
    make_disks
    head -c 20M /dev/urandom > FILE
    doc "s, /d, $disks/d,g" << 'END'
permxor encode -k 10 -m 4 -o /d1 -o /d2 -o /d3 -o /d4 -o /d5 -o /d6 -o /d7 FILE
END
    printed "14 shards in 7 folders: the file survives the loss of any 2 folders"
    damage
    doc "s, /d, $disks/d,g; s/\$/ || [ \$? -eq 1 ]/" << 'END'
permxor verify /d[1-7]
END
    printed "damaged, but repairable"
    doc "s, /d, $disks/d,g" << 'END'
permxor repair /d[1-7]
END
    check "nothing is damaged any more" permxor verify --quiet "$disks"/d[1-7]
    check "each shard is on its disk" [ -e "$disks/d5/FILE.011.pxr" ]
    damage
    doc "s, /d, $disks/d,g" << 'END'
permxor decode -o COPY /d[1-7]
END
    check "the copy is the file" cmp FILE COPY
    doc << 'END'
permxor info
END
    printed "selected"
    doc << 'END'
permxor encode -k 4 -m 2 --matrix=jerasure_van --word=16 FILE
END
    check "a code of words" permxor verify --quiet .
}

# ------------------------------------------------------------- installed ----

first_look() {
    doc << 'END'
tools/setup.sh && ./autogen.sh && ./configure --disable-static --enable-kernel-sets=avx2 && make permxor
./permxor info
END
    printed "avx2           "
}

install() {
    doc << 'END'
./autogen.sh && ./configure && make && sudo make install
END
    check "the command is installed" [ "$(command -v permxor)" = /usr/local/bin/permxor ]
    doc << 'END'
pkg-config --modversion permxor
END
    printed "$(permxor --version | cut -d ' ' -f 2)"
}

tune() {
    doc << 'END'
sudo permxor tune -k 10 -m 4 --len 1M --cold
END
    check "the library takes the set from the file" sh -c \
        'env -u PERMXOR_TUNE permxor info | grep -F "the tune file names it"'
    sudo rm /usr/local/etc/permxor/tune
}

# The C program of README.md, and those of examples/.
programs() {
    sed -n '/^```c$/,/^```$/{/^```/!p;}' "$top_srcdir/README.md" > example.c
    doc << 'END'
cc example.c $(pkg-config --cflags --libs permxor) -o example && ./example
END
    printed "rebuilt"
    source_of encode examples/encode.c
    doc << 'END'
cc encode.c $(pkg-config --cflags --libs permxor) -o encode
./encode
END
    printed "encode: lost shards 1 and 4 of 6, rebuilt both"
    rm encode
    doc << 'END'
cc encode.c $(pkg-config --cflags permxor) $(pkg-config --variable=libdir permxor)/libpermxor.a -o encode
END
    check "runs without libpermxor.so.0" sh -c './encode && ! ldd encode | grep permxor'
    source_of program examples/raid6.c
    doc << 'END'
export PKG_CONFIG_PATH=/usr/local/lib/pkgconfig
cc program.c $(pkg-config --cflags --libs permxor)
END
    check "a program of permxor_raid.h" ./a.out
    unset PKG_CONFIG_PATH
}

# A program that is compiled against Debian's library, and then against ours.  `program` is in
# PATH.
drop_ins() {
    PATH=$PATH:.
    source_of program examples/isal_dropin.c
    check "compiles against ISA-L" cc program.c -lisal -o program
    doc << 'END'
LD_LIBRARY_PATH=/usr/local/lib/permxor program
LD_PRELOAD=/usr/local/lib/permxor/libpermxor-preload.so program
END
    printed "isal_dropin: lost shards 0 and 3 of 6, decoded both"
    doc << 'END'
export PKG_CONFIG_PATH=/usr/local/lib/permxor/pkgconfig
cc program.c $(pkg-config --cflags --libs libisal)
END
    check "a program of isa-l.h" env LD_LIBRARY_PATH=/usr/local/lib/permxor ./a.out
    doc << 'END'
cc program.c $(pkg-config --cflags --libs libisal) -Wl,-rpath,/usr/local/lib/permxor
END
    check "a program of isa-l.h by itself" ./a.out
    check "loads permxor's library" sh -c 'ldd ./a.out | grep -q /usr/local/lib/permxor/libisal.so.2'

    LD_PRELOAD=/usr/local/lib/permxor/libisal.so.2 sleep 60 &
    sleep 1
    doc "s/PID/$!/" << 'END'
grep isal /proc/PID/maps
END
    printed /usr/local/lib/permxor/
    doc "s/PID/$!/" << 'END'
grep -E 'isal|Jerasure|gf_complete' /proc/PID/maps
END
    kill $!

    source_of program unit/gf_client.c
    check "compiles against gf-complete" cc program.c -lgf_complete -o program
    check "gf-complete's own output" sh -c './program > theirs'
    doc << 'END'
LD_LIBRARY_PATH=/usr/local/lib/permxor program
END
    check "as gf-complete computes, by LD_LIBRARY_PATH" cmp theirs "$work/out"
    doc << 'END'
LD_PRELOAD=/usr/local/lib/permxor/libgf_complete.so.1 program
END
    check "as gf-complete computes, by LD_PRELOAD" cmp theirs "$work/out"
    doc << 'END'
cc program.c $(pkg-config --cflags --libs gf_complete)
END

    source_of program unit/jerasure_client.c
    doc << 'END'
cc program.c $(pkg-config --cflags --libs jerasure)
END
    check "a program of jerasure.h" env LD_LIBRARY_PATH=/usr/local/lib/permxor ./a.out
    for package in isal ISAL; do
        cmake_project $package
        doc "s/\.\.\.$/cmake/" << 'END'
cmake -DCMAKE_PREFIX_PATH=/usr/local/lib/permxor/cmake ...
END
        printed "Build files have been written"
    done
}

# cmake_project PACKAGE
cmake_project() {
    rm -rf cmake CMakeCache.txt
    mkdir cmake
    cat > cmake/CMakeLists.txt << END
cmake_minimum_required(VERSION 3.12)
project(program C)
find_package($1 REQUIRED CONFIG)
if(NOT TARGET ISAL::isal)
  message(FATAL_ERROR "no target")
endif()
END
}

# The benchmarks as they stand there, but so short that they measure nothing.
measurements() {
    brief='s,^perf/ec_perf,& --time 0.001 --rounds 2 --set 8,; s,old=,old=.libs/,'
    # Status 1: a library was not timed in some shapes.  ISA-L 2.31 has functions for which its own
    # tables are wrong.
    doc "$brief; s/\$/ || [ \$? -eq 1 ]/" << 'END'
perf/ec_perf --grid core --limits --csv core.csv permxor=.libs/libisal.so.2 isal=/usr/lib/x86_64-linux-gnu/libisal.so.2
perf/ec_perf --len 4K,64K perf/.libs/permxor.so perf/.libs/permxor.so@avx2
perf/ec_perf old=libisal.so.2 'new=perf/.libs/permxor.so@,way dot own=none,way dot memory=stream'
END
    check "figures of the core grid" [ -s core.csv ]
    doc "$brief" << 'END'
perf/ec_perf --grid raid --csv raid.csv permxor=.libs/libisal.so.2 isal=/usr/lib/x86_64-linux-gnu/libisal.so.2
perf/ec_perf --grid raid-own --baseline --csv own.csv perf/.libs/permxor.so
perf/ec_perf --grid raid-sets perf/.libs/permxor.so@all
END
    doc "$brief" << 'END'
perf/ec_perf --grid raid permxor=perf/.libs/permxor.so avx512=perf/.libs/permxor.so@avx512 isal=/usr/lib/x86_64-linux-gnu/libisal.so.2
perf/ec_perf --grid raid-own --baseline perf/.libs/permxor.so
perf/ec_perf --op gen_pq,check,rec_dd -k 8,24 perf/.libs/permxor.so@avx512 perf/.libs/permxor.so@avx2
END
    doc "$brief" << 'END'
theirs=/usr/lib/x86_64-linux-gnu
perf/ec_perf --grid jerasure --csv jerasure.csv perf/.libs/permxor.so drop-in=.libs/libJerasure.so.2 jerasure=$theirs/libJerasure.so.2
perf/ec_perf --op jerasure -k 10+4 --matrix cauchy_good/8/2048,reed_sol_van/16 --len 64K .libs/libJerasure.so.2 jerasure=$theirs/libJerasure.so.2
perf/ec_perf --grid gf .libs/libgf_complete.so.1 gf-complete=$theirs/libgf_complete.so.1
END
    doc "s,^perf/array_perf,& --time 0.01 --size 8," << 'END'
perf/array_perf --depth 1,32
perf/array_perf --delay 100 --depth 1,8,32 --workload write-4k
perf/array_perf --rows --data 8 --parity 2
perf/array_perf --rebuild --delay 100 --depth 8
perf/array_perf --delay 100 --depth 1,8,32 --workload write-4k --hot 8 --cache 16
END
    doc "s,$, --time 0.05," << 'END'
perf/array_locks --work 2
END
    doc << 'END'
perf/roofline --csv roofline.csv
END
    check "figures of the roofs" [ -s roofline.csv ]
}

# Root may have no sudo.
python_module() {
    command -v sudo > /dev/null || sudo() { "$@"; }
    doc << 'END'
sudo apt-get update && sudo apt-get install -y g++ python3-dev python3-venv
python3 -m venv ~/venv && ~/venv/bin/pip install ./plugins/python
END
    sed -n '/^    import os, permxor/,/^$/s/^    //p' plugins/python/README.md > "$work/lines.py"
    check "the lines of Python" sh -c '[ -s "$1" ] && ~/venv/bin/python "$1"' - "$work/lines.py"
    check "the kernel sets" ~/venv/bin/python -c 'import permxor; assert len(permxor.kernels()) > 1'
}

case $part in
command)
    disks=$PWD
    quick_start
    ;;
python)
    cd "$top_srcdir" || exit
    python_module
    ;;
all)
    cp -a "$top_srcdir" "$work/look" && cd "$work/look" || exit
    first_look
    cd "$top_srcdir" || exit
    install
    measurements
    python_module
    mkdir "$work/try" && cd "$work/try" || exit
    disks=
    quick_start
    tune
    programs
    drop_ins
    ;;
*) fail "there is no part $part" ;;
esac
finish
