#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# README.md's two commands on a fresh Debian, as a new user runs them: in a chroot of the
# smallest system that has apt, in a clone of what is committed.  The chroots are made anew each
# time and are removed.
#
#   SUITES="bookworm trixie"        releases of Debian
#   COMMANDS="main-job"             main-job: tools/main-job.sh; test: tools/test.sh, an
#                                   hour; doc: all of unit/doc_commands.sh, which builds in
#                                   the clone itself, so nothing may follow it; python: its
#                                   lines for the Python module
#   USERS="root user"               with `sudoer` also a user who may use sudo
#   MIRROR=URL                      where Debian is; this machine's own mirror by default
#   KEEP=1                          keeps the chroots
#
# The user who is not root has to be told what root is to install.  Root runs the command that
# was printed, and the user's own command has to succeed then.
#
# From the environment: what sub_build.sh needs.  Logs are in sub-builds/fresh/.

: "${SUITES:=bookworm trixie}" "${COMMANDS:=main-job}" "${USERS:=root user}" "${KEEP:=}"
: "${suite:=check-fresh}"
. "$top_srcdir/unit/sub_build.sh"
. "$top_srcdir/unit/suite.sh"
. "$top_srcdir/unit/chroot.sh"

reason=$(why_no_chroot git)
[ -z "$reason" ] || skip_all "$reason"
git -C "$top_srcdir" rev-parse --quiet --verify HEAD > /dev/null ||
    skip_all "git does not know the sources"

case $COMMANDS in *"doc "*) echo "doc is the last of COMMANDS"; exit 2 ;; esac
chroots=${sub_root:?}/fresh
trap 'exit 130' INT TERM HUP

# as USER COMMAND: in the clone, which is in $home.
as() { session "$1" "cd $home/permxor && $2"; }

# timed USER COMMAND: its output goes to the log.
timed() {
    began=$(date +%s)
    as "$@" >> "$log" 2>&1
    status=$?
    seconds=$(($(date +%s) - began))
    return $status
}

# told: root's command, if the user was told one.
told() { sed -n 's/^    \(apt-get update && apt-get install .*\)/\1/p' "$log"; }

# first_as_user: without root's rights the command fails and says what to install.  Then root
# installs this.
first_as_user() {
    if timed user "$command"; then
        fail "$title succeeds without the packages"
        return 1
    fi
    advice=$(told)
    [ "$advice" ] || { fail "$title: the user is not told what root is to run"; return 1; }
    pass
    timed root "$advice" || { fail "$title: root's command, $advice"; return 1; }
    echo "$title: root's command took $seconds s"
}

# ended: whether the command did its work, by the end of its log.
ended() {
    case $1 in
    main-job) tail -n 1 "$log" | grep -q '^the copy equals the file$' ;;
    test | doc | python) [ "$(closing_sum "$log")" ] ;;
    esac
}

# What unit/doc_commands.sh needs besides what builds permxor: the libraries that permxor takes
# the place of.
doc_packages="cmake libgf-complete-dev libisal-dev libjerasure-dev"

# try RELEASE USER COMMAND-NAME
try() {
    title="$1, $2, $3"
    command=tools/$3.sh
    [ "$3" != doc ] || command="tools/setup.sh && sudo apt-get install -y $doc_packages &&
        MAKEFLAGS=-j$(nproc) unit/doc_commands.sh all"
    [ "$3" != python ] || command="unit/doc_commands.sh python"
    echo "== $title"
    system=$chroots/$1-$2
    log=$chroots/$1-$2-$3.log
    account=user
    [ "$2" != root ] || account=root
    : > "$log"
    disk_before=$(size "$system")
    downloaded_before=$(downloaded)
    [ "$2" != user ] || first_as_user || return
    if timed "$account" "$command" && ended "$3"; then
        pass
    else
        grep -a '^FAILED: ' "$log"
        tail -n 30 "$log"
        fail "$title"
    fi
    echo "$title: $seconds s, $(mega $(($(downloaded) - downloaded_before))) MB of packages" \
        "downloaded, $(mega $(($(size "$system") - disk_before))) MB more on the disk"
    grep -a '^skipped: ' "$log"
}

clone() {
    git clone --quiet --depth 1 "file://$top_srcdir" "$system$home/permxor" &&
        chroot "$system" chown -R --reference="$home" "$home/permxor"
}

# try_user RELEASE USER: the commands one after the other on one system.
try_user() {
    system=$chroots/$1-$2
    home=/home/user
    [ "$2" != root ] || home=/root
    rm -rf --one-file-system "$system"
    cp -a "$chroots/$1" "$system" && clone || { fail "no system for $1, $2"; return; }
    if [ "$2" = sudoer ]; then
        enter "$system" : -- sh -c 'apt-get update && apt-get install -y sudo &&
            echo "user ALL=(ALL) NOPASSWD: ALL" > /etc/sudoers.d/user' > "$system.log" 2>&1 ||
            { fail "no sudo in $1"; return; }
    fi
    for name in $COMMANDS; do
        case $name in
        main-job | test | doc | python) try "$1" "$2" "$name" ;;
        *) fail "COMMANDS=$COMMANDS: there is no command $name" ;;
        esac
    done
    remove "$system"
}

echo "commit $(git -C "$top_srcdir" rev-parse HEAD)"
[ -z "$(git -C "$top_srcdir" status --porcelain)" ] || echo "what is not committed is left out"
for release in $SUITES; do
    fresh_chroot "$release" > "$sub_root/fresh.log" 2>&1 ||
        { cat "$sub_root/fresh.log"; fail "no chroot of $release"; continue; }
    echo "== $release: $(cat "$chroots/$release/etc/debian_version")," \
        "$(mega "$(size "$chroots/$release")") MB, whose lists of packages are $lists"
    for user in $USERS; do
        case $user in
        root | user | sudoer) try_user "$release" "$user" ;;
        *) fail "USERS=$USERS: there is no user $user" ;;
        esac
    done
    remove "$chroots/$release" "$chroots/$release".*
done
finish
