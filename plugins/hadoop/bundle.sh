# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Sourced by run.sh.  Makes the folder that Maven Central takes as a zip: the three jars and the
# pom, with checksums, below the path of the groupId.  The release adds a signature to each file,
# as FILE.asc.
#
# Central takes a groupId only from the owner of that domain or account, and wants addresses in
# the pom.  permxor has none in its sources, so the environment gives them:
#
#   MAVEN_GROUP      the groupId, as in io.github.OWNER
#   MAVEN_URL        the address of the project's page
#   MAVEN_SCM        the address of its repository
#   MAVEN_DEVELOPER  a name

need_names() {
    for name in MAVEN_GROUP MAVEN_URL MAVEN_SCM MAVEN_DEVELOPER; do
        eval "value=\${$name-}"
        if [ -z "$value" ]; then
            echo "$name is empty: Maven Central needs it in the pom" >&2
            exit 2
        fi
    done
}

# escaped TEXT: prints the text as XML has it, for the right side of a sed command.
escaped() {
    printf '%s' "$1" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' | sed 's/[\\,&]/\\&/g'
}

# Prints the pom of a release.
release_pom() {
    sed -e "s,<groupId>permxor</groupId>,<groupId>$(escaped "$MAVEN_GROUP")</groupId>," \
        -e "s,^  <licenses>,  <url>$(escaped "$MAVEN_URL")</url>\n&," \
        -e "s,^  </licenses>,&\n  <developers>\n    <developer>\n      <name>$(escaped \
            "$MAVEN_DEVELOPER")</name>\n    </developer>\n  </developers>\n  <scm>\n    <connection>scm:git:$(
            escaped "$MAVEN_SCM")</connection>\n    <url>$(escaped "$MAVEN_SCM")</url>\n  </scm>," \
        "$source/pom.xml"
}

# Makes $bundle, and beside it a zip of it.
make_bundle() {
    bundle=$root/bundle
    rm -rf "$bundle" "$root/permxor-$version-bundle.zip"
    into=$bundle/$(echo "$MAVEN_GROUP" | tr . /)/permxor/$version
    mkdir -p "$into" &&
        cp "$jar" "${jar%.jar}-sources.jar" "${jar%.jar}-javadoc.jar" "$into" &&
        release_pom > "$into/permxor-$version.pom" || return 1
    for file in "$into"/*; do
        for sum in md5 sha1; do
            "${sum}sum" "$file" | cut -d ' ' -f 1 > "$file.$sum" || return 1
        done
    done
    (cd "$bundle" && "$JAVA_HOME/bin/jar" cMf "$root/permxor-$version-bundle.zip" .) &&
        echo "$root/permxor-$version-bundle.zip"
}
