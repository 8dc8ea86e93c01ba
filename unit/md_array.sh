#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests RAID-6 on arrays of Linux md.
#
# 1. A guest in qemu, with Debian's kernel and mdadm, makes an array, resyncs it, and writes to
#    it in each of md's ways (unit/md_guest.sh).
# 2. unit/md_array has to find P and Q of every row right.  It recovers each pair of members,
#    and it changes data.
# 3. md has to find no mismatch in the changed array, and has to read the same contents, also
#    with two failed members.
# 4. A member is damaged.  Both md and unit/md_array have to find all damaged places.
# 5. The guest makes arrays of all levels, layouts and metadata.  unit/array_cat, which reads them
#    with libpermxor_array, has to read md's contents, also without members (unit/md_layouts.sh).
#
# DISKS="6 9" are the sizes of the arrays.  ACCELERATORS="kvm tcg" are tried in this order,
# until a guest starts.  A member has 32 MiB under kvm, and 16 MiB under tcg.  The script
# installs nothing and needs no special rights.
#
# The environment sets top_srcdir, top_builddir and host_cpu.

: "${top_srcdir:?}" "${top_builddir:?}" "${host_cpu:?}"
: "${DISKS:=6 9}" "${ACCELERATORS:=kvm tcg}" "${PXR_SEED:=$(date +%s)}"
. "$top_srcdir/unit/suite.sh"
unset PERMXOR_KERNELS

programs=$top_builddir/unit
folder=$top_builddir/sub-builds/md
debian=$folder/debian
mkdir -p "$folder" && cd "$folder" || exit 1

# check NAME COMMAND...: passes if the command succeeds.  Otherwise it shows the command's
# output, and fails.
check() {
    what=$1
    shift
    if "$@" > check.log 2>&1; then
        pass
    else
        sed 's/^/    /' check.log
        fail "$what"
        return 1
    fi
}

# ----------------------------------------------------------------- guest ----

unpack() {
    sh "$top_srcdir/tools/unpack_deb.sh" amd64 "$debian" "$@"
}

# The kernel's package without a version in its name depends on the package of the newest
# kernel.
get_packages() {
    [ -e "$debian/complete" ] && return
    newest=linux-image-cloud-amd64
    unpack $newest busybox-static mdadm libc6 libudev1 libcap2 || return 1
    kernel=$(dpkg-deb -f "$debian/.apt/archives/${newest}"_*.deb Depends | sed 's/[ ,(].*//')
    unpack "$kernel" && : > "$debian/complete"
}

# found PATTERN: prints the path of the first file in the packages whose path ends with PATTERN.
found() {
    find "$debian" -path "*$1" ! -type d | head -n 1
}

# Puts the guest's files into root/.  Some packages have their files in /bin and others in
# /usr/bin, so root/bin is a link to root/usr/bin.  The same holds for sbin, lib and lib64.
fill_root() {
    rm -rf root
    mkdir -p root/proc root/sys root/dev root/run
    for name in bin sbin lib lib64; do
        mkdir -p root/usr/$name
        ln -s usr/$name root/$name
    done
    cp "$top_srcdir/unit/md_guest.sh" root/init && chmod +x root/init || return 1
    cp "$busybox" "$(found bin/mdadm)" root/usr/bin &&
        ln -s busybox root/usr/bin/sh || return 1
    find "$debian" -path '*/x86_64-linux-gnu/lib*.so.*' -exec cp -P {} root/usr/lib \; &&
        cp "$(found x86_64-linux-gnu/ld-linux-x86-64.so.2)" root/usr/lib64 || return 1
    modules=$(dirname "$(found /modules.builtin)")
    version=${modules##*/}
    mkdir -p "root/usr/lib/modules/$version/kernel" || return 1
    (
        cd "$modules" && cp -r modules.* "$folder/root/usr/lib/modules/$version" &&
            cp -r --parents kernel/crypto kernel/lib kernel/arch/x86/crypto \
                kernel/drivers/md kernel/drivers/virtio kernel/drivers/block/virtio_blk.ko* \
                "$folder/root/usr/lib/modules/$version"
    ) && "$busybox" depmod -b "$folder/root" "$version"
}

make_initramfs() {
    busybox=$(found bin/busybox)
    fill_root && (cd root && find . | "$busybox" cpio -o -H newc) > initramfs
}

# boot PHASE SECONDS DISK... [-- OPTION...]: runs the guest on these disks.
boot() {
    phase=$1
    limit=$2
    shift 2
    disks=0
    drives=
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        drives="$drives -drive file=$1,format=raw,if=virtio,cache=unsafe"
        disks=$((disks + 1))
        shift
    done
    [ $# -eq 0 ] || shift
    rm -f report report.crlf console
    # shellcheck disable=SC2086 # options
    timeout "$limit" qemu-system-x86_64 -accel "$accelerator" -cpu max -M q35 -m 512 \
        -nodefaults -no-reboot -display none -serial file:console -serial file:report.crlf \
        -kernel "$(found '/boot/vmlinuz-*')" -initrd initramfs \
        -append "console=ttyS0 quiet panic=-1 phase=$phase disks=$disks" \
        $drives "$@" < /dev/null || return 1
    tr -d '\r' < report.crlf > report && grep -qx 'done' report
}

# reported NAME: prints what the guest reported under this name.
reported() {
    sed -n "s/^$1 //p" report
}

# A guest has to start within 20 seconds under kvm.  Under tcg it has 60 seconds, because the
# machine may be slow.
find_accelerator() {
    for accelerator in $ACCELERATORS; do
        seconds=60
        if [ "$accelerator" = kvm ]; then
            [ -w /dev/kvm ] || continue
            seconds=20
        fi
        boot probe $seconds > qemu.log 2>&1 && return
        echo "no guest under $accelerator: $(tail -n 1 qemu.log)"
    done
    return 1
}

# ----------------------------------------------------------------- steps ----

# guest_runs PHASE OPTION...: runs the guest on $members, with these options of qemu.
guest_runs() {
    phase=$1
    shift
    # shellcheck disable=SC2086 # a list of files
    boot "$phase" "${guest_seconds:-300}" $members -- "$@" || {
        tail -n 20 console
        cat report
        return 1
    }
}

# ours COMMAND ARGUMENT...: runs unit/md_array on $members.
ours() {
    command=$1
    shift
    # shellcheck disable=SC2086 # a list of files
    "$programs/md_array" "$command" "$@" $members
}

is() {
    [ "$1" = "$2" ] || { echo "$1 is not $2"; return 1; }
}

# same_contents NAME: succeeds if the checksum that the guest reported under this name is that
# of the contents that unit/md_array reads.
same_contents() {
    is "$(reported "$1")" "$(ours contents | sha256sum | cut -d ' ' -f 1)"
}

# Succeeds if unit/md_array finds no wrong byte with any kernel set.  The file `agreement` says
# how many rows it compared.
every_set_agrees() {
    for set in $("$programs/kernel_sets" | sed -n 's/^usable //p'); do
        PERMXOR_KERNELS=$set ours check > agreement ||
            { cat agreement; echo "with $set"; return 1; }
    done
}

# same_members NAME...: succeeds if these members are equal to their copies in copies/.
same_members() {
    for member; do
        cmp "$member" "copies/$member" || return 1
    done
}

# Recovered members have to be those that md wrote, byte for byte, also after the last row.
every_pair_recovers() {
    mkdir -p copies
    # shellcheck disable=SC2086 # a list of files
    cp $members copies || return 1
    for a in $(seq 0 $((disks - 2))); do
        for b in $(seq $((a + 1)) $((disks - 1))); do
            ours rebuild "$a" "$b" && same_members "disk$a" "disk$b" ||
                { echo "members $a and $b"; return 1; }
        done
    done
    # shellcheck disable=SC2086 # a list of files
    same_members $members
}

# The report is still the one from before the update, so the checksums have to differ.
updates_change_contents() {
    ours update "$PXR_SEED" && ! same_contents contents
}

# finds_damage MEMBER: succeeds if unit/md_array finds the damage of this member in one row for
# each of the member's roles, and no other damage.
finds_damage() {
    ours check > damage && return 1
    is "$(grep -c ": suspect $1\$" damage)" "$disks" && is "$(grep -c : damage)" "$disks"
}

# md counts sectors, but it compares pages of 4 KiB, which are 8 sectors.
md_finds_damage() {
    guest_runs verify -snapshot && is "$(reported mismatches)" $((disks * 8))
}

# ----------------------------------------------------------------- array ----

# make_members DISKS: writes random bytes to disk0, disk1 and so on.
make_members() {
    megabytes=16
    [ "$accelerator" = tcg ] || megabytes=32
    members=
    for number in $(seq 0 $(($1 - 1))); do
        head -c ${megabytes}M /dev/urandom > disk$number
        members="$members disk$number"
    done
}

test_array() {
    echo "== $1 disks"
    make_members "$1"
    check "$1 disks: md makes and writes an array" guest_runs create || return
    check "$1 disks: its contents" same_contents contents
    check "$1 disks: its P and Q" every_set_agrees
    tail -n 1 agreement
    check "$1 disks: recovery of any two" every_pair_recovers

    check "$1 disks: updates" updates_change_contents
    check "$1 disks: updated P and Q" every_set_agrees
    check "$1 disks: md takes the array" guest_runs verify -snapshot || return
    check "$1 disks: md finds nothing missing" is "$(reported degraded)" 0
    check "$1 disks: md finds no mismatch" is "$(reported mismatches)" 0
    check "$1 disks: md's contents" same_contents contents
    check "$1 disks: md's contents without two members" same_contents without

    ours flip 3
    check "$1 disks: damage found" finds_damage 3
    check "$1 disks: damage found by md" md_finds_damage
}

. "$top_srcdir/unit/md_layouts.sh"

# ------------------------------------------------------------------ main ----

if [ "$host_cpu" != x86_64 ]; then
    skip md "needs x86-64"
elif ! command -v qemu-system-x86_64 > /dev/null; then
    skip md "needs qemu-system-x86_64"
elif ! get_packages > packages.log 2>&1; then
    skip md "Debian's kernel and mdadm cannot be downloaded"
elif ! make_initramfs > initramfs.log 2>&1; then
    cat initramfs.log
    fail "the guest's files cannot be made"
elif ! find_accelerator; then
    skip md "no guest starts under: $ACCELERATORS"
else
    echo "md: $accelerator, PXR_SEED=$PXR_SEED, Linux $(reported linux), $(reported mdadm)"
    echo "md: $(reported algorithm)"
    for number in $DISKS; do
        test_array "$number"
    done
    test_layouts
    [ "$failed" -gt 0 ] || rm -rf disk* copies
fi
finish
