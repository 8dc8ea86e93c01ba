/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gives a member of an array feature bits, as another version of permxor may do:
 *
 *     cli_array_forge FILE INCOMPATIBLE READ-ONLY
 */
#include "core/disk.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int give_up(const char *why)
{
    fprintf(stderr, "cli_array_forge: %s\n", why);
    return 1;
}

static int forge_place(int fd, unsigned place, uint64_t size, char *const *bits)
{
    uint8_t block[CORE_BLOCK];
    struct disk_super super;
    const off_t at = (off_t)disk_super_at(place, size);
    if (pread(fd, block, CORE_BLOCK, at) != CORE_BLOCK ||
        disk_super_get(block, place, &super) != PXR_OK)
        return give_up("no superblock");
    super.incompatible = (uint32_t)strtoul(bits[0], NULL, 0);
    super.read_only = (uint32_t)strtoul(bits[1], NULL, 0);
    disk_super_put(block, &super);
    return pwrite(fd, block, CORE_BLOCK, at) == CORE_BLOCK ? 0 : give_up("cannot write");
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return give_up("usage: cli_array_forge FILE INCOMPATIBLE READ-ONLY");
    const int fd = open(argv[1], O_RDWR);
    const off_t size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
    if (size < 0)
        return give_up("cannot open the file");
    for (unsigned place = 0; place < DISK_PLACES; place++)
        if (forge_place(fd, place, (uint64_t)size, argv + 2) != 0)
            return 1;
    return close(fd) == 0 ? 0 : give_up("cannot close the file");
}
