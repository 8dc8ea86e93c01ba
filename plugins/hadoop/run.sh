#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154
#
# run.sh jar|bundle|check|check-arches|check-scrub|bench: builds the jars from this build of
# permxor, or what Maven Central takes; tests them, in Hadoop or on other processors; tests
# permxor.hdfs; or measures Hadoop's coders.
#
# From the environment: top_srcdir, top_builddir, CC, MAKE, and JAVA_HOME if it is to be another
# JDK than that of `java`.  ARCHES names the processors of the jar, as os.arch does; all of them are
# "amd64 aarch64 ppc64le riscv64", and the default is this machine's.  bundle also needs
# MAVEN_GROUP, MAVEN_URL, MAVEN_SCM and MAVEN_DEVELOPER.  All that is fetched and built stays in
# sub-builds/hadoop.  Nothing is fetched twice.

set -u
: "${top_srcdir:?}" "${top_builddir:?}" "${CC:=cc}"
suite=hadoop
source=$top_srcdir/plugins/hadoop
root=$top_builddir/sub-builds/hadoop
ours=$(readlink -f "$top_builddir/.libs")
work=$(mktemp -d "${TMPDIR:-/tmp}/hadoop-permxor.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
unset LD_LIBRARY_PATH LD_PRELOAD PERMXOR_KERNELS HADOOP_HOME CLASSPATH MAVEN_OPTS
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS
PERMXOR_TUNE=
export PERMXOR_TUNE
# shellcheck source=unit/checks.sh
. "$top_srcdir/unit/checks.sh"

all_arches="amd64 aarch64 ppc64le riscv64"
hadoop_native=io.trino.hadoop:hadoop-apache:3.4.3-1
copy=org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy

# ------------------------------------------------------------------ build ----

# Finds the JDK and Maven, or sets $why to the reason why it cannot.
find_tools() {
    java=${JAVA_HOME:+$JAVA_HOME/bin/}java
    settings=$("$java" -XshowSettings:properties -version 2>&1)
    home=$(echo "$settings" | sed -n 's/^ *java\.home = //p')
    arch=$(echo "$settings" | sed -n 's/^ *os\.arch = //p')
    if [ ! -e "${home:-/nowhere}/include/jni.h" ]; then
        why="there is no JDK: tools/setup.sh --plugins"
    elif ! command -v mvn > /dev/null; then
        why="there is no mvn: tools/setup.sh --plugins"
    elif [ ! -e "$ours/libpxr_core.a" ]; then
        why="no static objects were built"
    else
        JAVA_HOME=$home
        export JAVA_HOME
        return 0
    fi
    return 1
}

# maven WORDS...: runs Maven, which goes online only until everything has been fetched that this
# pom.xml names.
maven() {
    offline=
    [ ! "$root/fetched" -nt "$source/pom.xml" ] || offline=-o
    mvn -B -ntp -q -Dstyle.color=never $offline -f "$source/pom.xml" \
        -Dmaven.repo.local="$root/m2" -Dpermxor.build="$root/target" \
        -Dpermxor.libraries="$root/libhadoop" "$@"
}

# compile SOURCE LIBRARY [WORDS...]: makes a library with the objects of this build.  It exports
# only its native methods.
# shellcheck disable=SC2086 # CC may be several words
compile() {
    from=$1
    to=$2
    shift 2
    mkdir -p "$(dirname "$to")" &&
        $CC -std=gnu11 -O2 -Wall -Wextra -Werror -fPIC -fvisibility=hidden "$@" \
            -I"$top_srcdir/include" -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux" \
            -shared -s -Wl,--exclude-libs,ALL -Wl,-z,defs -o "$to" "$from" \
            "$ours/libpxr_core.a" -pthread
}

# library_of ARCH: prints where the jar's library for this processor is.
library_of() {
    echo "$root/target/jar/native/linux-$1/libpermxor_jni.so"
}

# Builds the library for each of $ARCHES: for this machine from the objects of this build, and for
# the others from cross builds.
build_libraries() {
    crossed=
    for each in ${ARCHES:-$arch}; do
        if [ "$each" = "$arch" ]; then
            compile "$source/src/main/native/permxor_jni.c" "$(library_of "$each")" || return 1
        else
            crossed="$crossed $each"
        fi
    done
    # shellcheck disable=SC2086 # a list
    [ -z "$crossed" ] || sh "$source/cross.sh" "$source/src/main/native/permxor_jni.c" \
        "$root/target/jar/native" $crossed
}

# Makes the jars, the test classes, and the classpath of the tests, without running them.
build_jar() {
    rm -rf "$root/target"
    build_libraries || return 1
    maven -DskipTests -Dmdep.outputFile="$root/classpath" package dependency:build-classpath
}

# Fetches Hadoop's own native library, with the code for ISA-L.  Debian has no package of it,
# and Apache's packages do not have it.
fetch_libhadoop() {
    [ ! -e "$root/libhadoop/libhadoop.so" ] || return 0
    mkdir -p "$root/libhadoop" &&
        maven "$copy" -Dartifact="$hadoop_native" -DoutputDirectory="$work" &&
        (cd "$work" && "$JAVA_HOME/bin/jar" xf hadoop-apache-*.jar \
            nativelib/Linux-amd64/libhadoop.so) &&
        mv "$work/nativelib/Linux-amd64/libhadoop.so" "$root/libhadoop"
}

unreachable() {
    [ ! "$root/fetched" -nt "$source/pom.xml" ] &&
        grep -q 'Could not transfer\|Unknown host\|not be resolved\|No plugin found' "$1"
}

# Builds everything or ends.  The tests are skipped if Maven has nowhere to fetch from.
set_up() {
    find_tools || skip_all "$why"
    mkdir -p "$root"
    if ! build_jar > "$root/build.log" 2>&1 && unreachable "$root/build.log"; then
        skip_all "its packages cannot be fetched: $(grep -m 1 ERROR "$root/build.log")"
    fi
    version=$(sed -n '0,/<version>/s,.*<version>\(.*\)</version>.*,\1,p' "$source/pom.xml")
    jar=$root/target/permxor-$version.jar
    check "the jars are built" eval 'ls "$jar" "${jar%.jar}-sources.jar" \
        "${jar%.jar}-javadoc.jar" || { cat "$root/build.log"; false; }'
    [ "$failed" -eq 0 ] || finish
    others=$root/target/test-classes:$(cat "$root/classpath")
    [ "$arch" = amd64 ] && fetch_libhadoop > "$root/libhadoop.log" 2>&1
}

# ---------------------------------------------------------------- running ----

# logged COMMAND...: runs the command with its log in $log, and shows the end of the log if it
# fails.
logged() {
    log=$work/log
    "$@" > "$log" 2>&1 || {
        tail -n 40 "$log" | cut -c 1-200
        return 1
    }
}

# timed NAME COMMAND...: a check that prints how long it took, and what the command said.
timed() {
    began=$(date +%s)
    check "$@"
    sed -n "s/^said: /$1: /p" "$work/check.log"
    echo "$1: $(($(date +%s) - began)) s"
}

# with_jar WORDS..., without_library WORDS...: run the JVM with our coders.  The second one
# leaves out the library that is in the jar.
with_jar() {
    "$JAVA_HOME/bin/java" -cp "$jar:$others" "$@"
}

without_library() {
    if [ ! -d "$work/bare" ]; then
        cp -R "$root/target/classes" "$work/bare" && rm -r "$work/bare/native" || return 1
    fi
    "$JAVA_HOME/bin/java" -cp "$work/bare:$others" "$@"
}

junit() {
    echo "org.junit.runner.JUnitCore $(printf 'permxor.%s ' "$@")"
}

# ------------------------------------------------------------------ tests ----

# Adds what surefire counted, and prints what the tests said.
count_tests() {
    reports=$root/target/surefire-reports
    sed -n 's/^said: //p' "$reports"/*-output.txt
    # Tests run: 6, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: ... -- in CLASS
    sed -n 's/^Tests run: //p' "$reports"/*.txt |
        sed 's/,.*: \([0-9]*\), .*: \([0-9]*\), .*: \([0-9]*\), .* in / \1 \2 \3 /' > "$work/counts"
    while read -r run failures errors left class; do
        echo "${class##*.}: $((run - failures - errors - left)) passed"
        passed=$((passed + run - failures - errors - left))
        failed=$((failed + failures + errors))
        [ "$left" -eq 0 ] || skip "$class: $left tests" "no libhadoop, or no libisal.so.2"
    done < "$work/counts"
    grep -h 'FAILURE!\|ERROR!' "$reports"/*.txt | grep -v '^Tests run'
    check "tests ran" [ "$(wc -l < "$work/counts")" -ge 10 ]
}

unit_tests() {
    maven -Dmaven.test.failure.ignore surefire:test > "$root/tests.log" 2>&1
    check "surefire ran" [ $? -eq 0 ]
    count_tests
    : > "$root/fetched"
}

# Runs tests with the check of JNI calls that the JVM has.
checked_jni() {
    # shellcheck disable=SC2046 # words
    logged with_jar -Xmx1g -Xcheck:jni $(junit hadoop.TestExchange hadoop.TestFaults \
        TestArguments TestCode TestReedSolomon) || return 1
    ! grep 'WARNING\|FATAL' "$log" &&
        echo "said: $(sed -n 's/^OK (\(.*\))/\1/p' "$log"), no warning"
}

hidden_symbols() {
    nm -D --defined-only "$(library_of "$arch")" > "$work/names"
    grep -q ' T Java_permxor_Native_create$' "$work/names" &&
        ! grep -v ' Java_permxor_Native_' "$work/names"
}

# Tests Hadoop's native coder with our drop-in as its ISA-L, alone and against the jar.
dropin() {
    raw=org.apache.hadoop.io.erasurecode.rawcoder
    # shellcheck disable=SC2046 # words
    LD_LIBRARY_PATH=$ours logged with_jar -Djava.library.path="$root/libhadoop" \
        $(junit hadoop.TestExchange) $raw.TestNativeRSRawCoder $raw.TestNativeXORRawCoder || return 1
    grep -q "said: ISA-L is $ours/libisal.so.2$" "$log" &&
        echo "said: $(sed -n 's/^OK (\(.*\))/\1/p' "$log")"
}

# --------------------------------------------------------- which library ----

# takes CODER COMMAND...: Hadoop must take this coder.
takes() {
    taken=$1
    shift
    logged "$@" || return 1
    grep "^rs: RS${taken}Encoder RS${taken}Decoder$" "$log" ||
        grep "^rs: ${taken}Encoder ${taken}Decoder$" "$log" || {
        cat "$log"
        return 1
    }
}

# falls_back REASON COMMAND...: Hadoop must fall back to its own coder.  The log must have
# Hadoop's line and ours, with this reason.
falls_back() {
    reason=$1
    shift
    takes Raw "$@" && grep '^xor: XORRawEncoder XORRawDecoder$' "$log" &&
        for kind in encoder decoder; do
            grep "Failed to create raw erasure $kind rs_permxor, fallback to next codec" \
                "$log" || return 1
        done &&
        grep "WARN NativeLibrary: The coders of permxor cannot be used: .*$reason" "$log"
}

# variant NAME WORDS...: makes a variant of the library, in the folder $work/NAME.
variant() {
    name=$1
    shift
    compile "$source/src/main/native/permxor_jni.c" "$work/$name/libpermxor_jni.so" "$@"
}

# A library that is loaded must be taken although its folder cannot be deleted.
takes_with_note() {
    mkdir "$work/tmp"
    takes PermxorRaw env LD_PRELOAD="$work/rmdir.so" "$JAVA_HOME/bin/java" -cp "$jar:$others" \
        -Djava.io.tmpdir="$work/tmp" $main &&
        grep 'WARN NativeLibrary: The folder of the native library remains' "$log" &&
        [ "$(find "$work/tmp" -name '*.so' | wc -l)" -eq 0 ]
}

# A security manager may forbid to write files, and permit the library of java.library.path.
takes_under_a_manager() {
    mkdir "$work/manager"
    cat > "$work/manager/policy" << 'END'
grant {
  permission java.io.FilePermission "<<ALL FILES>>", "read";
  permission java.lang.RuntimePermission "loadLibrary.permxor_jni";
};
END
    cat > "$work/manager/Say.java" << 'END'
class Say {
  public static void main(String[] words) {
    System.out.println(permxor.Library.describe() + permxor.Library.notes());
  }
}
END
    "$JAVA_HOME/bin/javac" -cp "$jar" -d "$work/manager" "$work/manager/Say.java" &&
        logged "$JAVA_HOME/bin/java" -Djava.security.manager \
            -Djava.security.policy="$work/manager/policy" -Djava.library.path="$work/right" \
            -cp "$work/manager:$jar" Say && grep '^permxor .*SecurityException' "$log"
}

test_libraries() {
    variant right && variant wrong -DPERMXOR_JNI_INTERFACE=1000000
    mkdir -p "$work/other" "$work/text"
    echo 'int nothing;' > "$work/other.c"
    # shellcheck disable=SC2086
    $CC -shared -fPIC -o "$work/other/libpermxor_jni.so" "$work/other.c"
    echo text > "$work/text/libpermxor_jni.so"
    main=permxor.hadoop.Fallback
    check "the library of the jar" takes PermxorRaw with_jar $main
    check "no switch of Hadoop's native coders" takes PermxorRaw with_jar $main \
        io.erasurecode.codec.native.enabled false
    check "the library of java.library.path" takes PermxorRaw \
        without_library -Djava.library.path="$work/right" $main
    check "no folder for the library of the jar" takes PermxorRaw with_jar \
        -Djava.io.tmpdir=/nowhere -Djava.library.path="$work/right" $main
    if "$JAVA_HOME/bin/java" -Djava.security.manager -version > /dev/null 2>&1; then
        check "no permission for the library of the jar" takes_under_a_manager
    else
        skip "no permission for the library of the jar" "this JDK has no security manager"
    fi
    check "falls back: no library" falls_back 'no permxor_jni in' without_library $main
    check "falls back: library of another version" falls_back 'has interface 1000000, not' \
        without_library -Djava.library.path="$work/wrong" $main
    check "falls back: library of something else" falls_back interfaceNumber \
        without_library -Djava.library.path="$work/other" $main
    check "falls back: no library at all" falls_back 'file too short\|invalid ELF' \
        without_library -Djava.library.path="$work/text" $main
    # rmdir() fails as it does where the file of a library in use has got another name.
    cat > "$work/rmdir.c" << 'END'
#include <errno.h>
int rmdir(const char *path)
{
    (void)path;
    errno = ENOTEMPTY;
    return -1;
}
END
    # shellcheck disable=SC2086
    $CC -shared -fPIC -o "$work/rmdir.so" "$work/rmdir.c"
    check "a folder that remains, as on NFS" takes_with_note
    check "falls back: no folder, no library" falls_back 'no permxor_jni in' with_jar \
        -Djava.io.tmpdir=/nowhere $main
}

# The page's own program, with the jar alone.
readme() {
    mkdir "$work/readme"
    sed -n '/^```java$/,/^```$/p' "$source/README.md" | sed '/^```/d' > "$work/readme/Example.java"
    sed -n 's/^    \(the shard is .*\)/\1/p' "$source/README.md" | sed 's/, [a-z0-9_]*$//' \
        > "$work/readme/expected"
    "$JAVA_HOME/bin/java" -cp "$jar" "$work/readme/Example.java" > "$work/readme/said" &&
        [ -s "$work/readme/expected" ] &&
        sed 's/, [a-z0-9_]*$//' "$work/readme/said" | diff "$work/readme/expected" -
}

# ---------------------------------------------------------------- mutants ----

# The JVM takes all of the heap at the start, so that any memory that grows is other memory.
heap="-Xms600m -Xmx600m -XX:+AlwaysPreTouch"

# noticed EXPRESSION TEST: the test must fail with a library whose source is edited in this way.
noticed() {
    sed "$1" "$source/src/main/native/permxor_jni.c" > "$work/mutant.c"
    ! cmp -s "$work/mutant.c" "$source/src/main/native/permxor_jni.c" || return 1
    compile "$work/mutant.c" "$work/mutant/libpermxor_jni.so" || return 1
    # shellcheck disable=SC2046,SC2086 # words
    ! without_library $heap -Djava.library.path="$work/mutant" $(junit "$2") \
        > "$work/log" 2>&1 && grep '^Tests run: ' "$work/log"
}

test_mutants() {
    check "another matrix is noticed" \
        noticed 's/(enum pxr_matrix)matrix/(enum pxr_matrix)(matrix + 1)/' hadoop.TestExchange
    check "a position left out is noticed" \
        noticed 's/? address + shards\[i\].at/? address/' hadoop.TestExchange
    check "an offset left out is noticed" \
        noticed 's/call->out\[i\].at + from, n/from, n/' hadoop.TestExchange
    check "a byte left out is noticed" noticed 's/from += n;/from += n + 1;/' hadoop.TestExchange
    check "outputs in wrong places are noticed" \
        noticed 's/shards\[i\].at = at\[i\]/shards[i].at = at[0]/' TestCode
    check "parity that is not read is noticed" noticed 's/!= UPDATE ||/== UPDATE ||/' TestCode
    check "a leak is noticed" noticed 's/pxr_code_free(/(void)(/' hadoop.TestLifetime
    check "a bound too far is noticed" noticed 's/+ len > size/+ len > size + 8/' TestCode
}

# ------------------------------------------------------------------- main ----

cluster() {
    rm -rf "$root/cluster"
    logged with_jar -Xmx1500m permxor.hadoop.Cluster "$root/cluster" "${CLUSTER_MB:-210}" \
        RS-3-2-1024k RS-6-3-1024k RS-10-4-1024k
    seen=$?
    rm -rf "$root/cluster"
    grep '^said' "$log"
    return $seen
}

# Builds and installs the Python module.  Where a package is missing that it needs, $why says so.
find_module() {
    why=
    module=$root/module
    venv=$top_builddir/sub-builds/python/venv
    rm -rf "$module"
    "$MAKE" -C "$top_builddir" --no-print-directory wheel-python > "$root/wheel.log" 2>&1 &&
        "$venv/bin/pip" -q install --no-deps --no-index -t "$module" \
            "$(grep '\.whl$' "$root/wheel.log")" >> "$root/wheel.log" 2>&1 && return
    why=$(grep -m 1 '^skipped: ' "$root/wheel.log")
    [ -n "$why" ] || fail "the Python module is not built: $(tail -n 1 "$root/wheel.log")"
}

# Writes block groups with Hadoop's own coders, and checks them from hashes of their blocks.
scrub() {
    rm -rf "$root/scrub" && mkdir -p "$root/scrub/work" || return 1
    logged "$JAVA_HOME/bin/java" -Xmx1500m -cp "$others" permxor.hadoop.BlockGroups \
        "$root/scrub/hdfs" && logged env PYTHONPATH="$module" PYTHONDONTWRITEBYTECODE=1 \
        "$venv/bin/python" "$source/scrub_blocks.py" "$root/scrub/hdfs" "$root/scrub/work"
    seen=$?
    rm -rf "$root/scrub"
    grep '^s[ae]' "$log"
    return $seen
}

case ${1-} in
jar)
    set_up
    echo "$jar"
    ;;
check)
    set_up
    echo "$("$java" -version 2>&1 | sed -n 2p), Hadoop $(sed -n \
        's/.*<hadoop.version>\(.*\)<.*/\1/p' "$source/pom.xml")"
    check "nothing but native methods is visible" hidden_symbols
    unit_tests
    timed "with -Xcheck:jni" checked_jni
    if [ -e "$root/libhadoop/libhadoop.so" ]; then
        timed "Hadoop's native coder on the drop-in" dropin
    else
        skip "Hadoop's native coder on the drop-in" "no libhadoop"
    fi
    test_libraries
    test_mutants
    check "the program of README.md" readme
    timed "cluster" cluster
    finish
    ;;
bundle)
    . "$source/bundle.sh"
    need_names
    : "${ARCHES:=$all_arches}"
    set_up
    make_bundle
    ;;
check-arches)
    . "$source/bundle.sh"
    . "$source/arches.sh"
    ARCHES=$all_arches
    set_up
    check_arches
    finish
    ;;
check-scrub)
    set_up
    find_module
    [ -z "$why" ] || skip_all "$why"
    [ "$failed" -ne 0 ] || timed "scrub of block groups" scrub
    finish
    ;;
bench)
    set_up
    with_jar -Xmx2g --add-opens java.base/java.util=ALL-UNNAMED \
        -Djava.library.path="$root/libhadoop" \
        org.apache.hadoop.io.erasurecode.rawcoder.PermxorBenchmark 2> "$root/bench.log"
    ;;
*)
    echo "usage: run.sh jar|bundle|check|check-arches|check-scrub|bench" >&2
    exit 2
    ;;
esac
