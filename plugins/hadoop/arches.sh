# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Sourced by run.sh.  Tests the jar with the libraries of all processors: what each library is and
# needs, that it works under qemu, and on aarch64 the tests of the coders in a JVM under qemu.  It
# also tests what Maven Central would get, and a project that depends on it.

# rows: os.arch, the word that readelf has for it, the cross compiler's triplet, qemu's name.
arch_rows() {
    cat << 'END'
amd64    X86-64   x86_64-linux-gnu       x86_64
aarch64  AArch64  aarch64-linux-gnu      aarch64
ppc64le  PowerPC64  powerpc64le-linux-gnu  ppc64le
riscv64  RISC-V   riscv64-linux-gnu      riscv64
END
}

right_machine() {
    "$JAVA_HOME/bin/jar" tf "$jar" | grep -x "native/linux-$1/libpermxor_jni.so" &&
        readelf -h "$(library_of "$1")" | grep "Machine:.*$2" &&
        readelf -W --dyn-syms "$(library_of "$1")" |
        awk '$5 == "GLOBAL" && !/ UND / { print $NF }' > "$work/names" &&
        grep -qx Java_permxor_Native_codeArrays "$work/names" &&
        ! grep -v '^Java_permxor_Native_' "$work/names"
}

# Prints the oldest C library with which a library works.
oldest_libc() {
    readelf -W --dyn-syms "$1" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1
}

# Loads a library on its processor and makes a code; no JVM is needed for that.
loads() {
    "$2-gcc" -O1 -Wall -Werror -o "$work/load-$1" "$work/load.c" -ldl &&
        "$emulator" -L "/usr/$2" "$work/load-$1" "$(library_of "$1")"
}

write_loader() {
    cat > "$work/load.c" << 'END'
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int32_t (*number)(void *, void *) = dlsym(library, "Java_permxor_Native_interfaceNumber");
    int64_t (*create)(void *, void *, int32_t, int32_t, int32_t) =
        dlsym(library, "Java_permxor_Native_create");
    void (*destroy)(void *, void *, int64_t) = dlsym(library, "Java_permxor_Native_free");
    int64_t code = create(NULL, NULL, 10, 4, 1);
    destroy(NULL, NULL, code);
    return number(NULL, NULL) != 2 || code == 0;
}
END
}

# Fetches a JVM for aarch64 from Debian, without installing it.
fetch_jvm() {
    jvm=$root/jvm-arm64
    sh "$top_srcdir/tools/unpack_deb.sh" arm64 "$jvm" openjdk-17-jre-headless libc6 libstdc++6 \
        libgcc-s1 zlib1g > "$root/jvm.log" 2>&1
}

# on_aarch64 WORDS...: runs the JVM for aarch64.  The serial collector needs the fewest threads.
on_aarch64() {
    "$emulator" -L "$jvm" "$jvm/usr/lib/jvm/java-17-openjdk-arm64/bin/java" -Xmx1g \
        -XX:+UseSerialGC -cp "$jar:$others" "$@"
}

# The general API, and Hadoop's own tests of its raw coders.
coders_on_aarch64() {
    raw=org.apache.hadoop.io.erasurecode.rawcoder
    # shellcheck disable=SC2046 # words
    logged on_aarch64 $(junit TestArguments TestCode TestReedSolomon TestLibrary hadoop.TestFaults) \
        $raw.TestPermxorRSRawCoder $raw.TestPermxorXORRawCoder || return 1
    echo "said: $(sed -n 's/^OK (\(.*\))/\1/p' "$log")"
}

hadoop_on_aarch64() {
    takes PermxorRaw on_aarch64 permxor.hadoop.Fallback &&
        grep 'INFO NativeLibrary: permxor ' "$log" && ! grep 'WARN NativeLibrary' "$log"
}

# A project that has the release as a dependency, and nothing else of permxor's.
depends() {
    cp -R "$bundle/." "$root/m2/" && mkdir -p "$work/user/src/main/java" &&
        sed -n '/^```java$/,/^```$/p' "$source/README.md" | sed '/^```/d' \
            > "$work/user/src/main/java/Example.java" &&
        cat > "$work/user/pom.xml" << END || return 1
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.example</groupId>
  <artifactId>user</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>11</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.example.store</groupId>
      <artifactId>permxor</artifactId>
      <version>$version</version>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.11.0</version>
      </plugin>
      <plugin>
        <artifactId>maven-resources-plugin</artifactId>
        <version>3.3.1</version>
      </plugin>
    </plugins>
  </build>
</project>
END
    mvn -B -ntp -q -o -f "$work/user/pom.xml" -Dmaven.repo.local="$root/m2" compile \
        org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath \
        -Dmdep.outputFile="$work/user/classpath" &&
        [ "$(tr ':' '\n' < "$work/user/classpath" | wc -l)" -le 1 ] &&
        "$JAVA_HOME/bin/java" -cp "$work/user/target/classes:$(cat "$work/user/classpath")" Example |
        grep '^the shard is '
}

# What Central refuses a pom without.
complete_pom() {
    for element in groupId artifactId version name description url licenses developers scm; do
        grep "^  <$element>" "$into/permxor-$version.pom" || return 1
    done
    [ "$(find "$into" -name '*.jar' | wc -l)" -eq 3 ] &&
        (cd "$into" && for file in *.jar *.pom; do
            echo "$(cat "$file.sha1")  $file" | sha1sum -c || exit 1
        done)
}

check_arches() {
    write_loader
    arch_rows > "$work/rows"
    while read -r each word triplet qemu; do
        check "$each: the library is in the jar" right_machine "$each" "$word"
        echo "$each: needs $(oldest_libc "$(library_of "$each")"), $(wc -c \
            < "$(library_of "$each")") bytes"
        emulator=$(command -v "qemu-$qemu-static" || command -v "qemu-$qemu")
        if [ "$each" = "$arch" ] || [ -z "$emulator" ]; then
            [ "$each" = "$arch" ] || skip "$each: the library works" "no qemu-$qemu"
        else
            check "$each: the library works" loads "$each" "$triplet"
        fi
    done < "$work/rows"
    emulator=$(command -v qemu-aarch64-static || command -v qemu-aarch64)
    if [ -z "$emulator" ] || ! fetch_jvm; then
        skip "the coders in a JVM on aarch64" "no qemu-aarch64, or no JVM can be fetched"
    else
        timed "the coders in a JVM on aarch64" coders_on_aarch64
        timed "Hadoop's choice on aarch64" hadoop_on_aarch64
    fi
    MAVEN_GROUP=org.example.store MAVEN_URL=https://example.org/ MAVEN_SCM=https://example.org/p
    MAVEN_DEVELOPER='A & B'
    check "a bundle is made" make_bundle
    check "its pom has what Maven Central asks for" complete_pom
    check "a project can depend on it" depends
}
