/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cli_forge changes a shard file and then corrects its checksums.  So unit/cli_test.sh can show
 * how the command treats shards that no correct program writes. tools/Makemodule.am builds it.
 *
 *     cli_forge FILE OFFSET HEX     change bytes of the header; write it as the trailer, too
 *     cli_forge FILE cell STRIPE    invert the first byte of a cell
 */
#include "shard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *what)
{
    fprintf(stderr, "cli_forge: %s\n", what);
    exit(1);
}

static void access_at(FILE *file, long offset, int whence, void *bytes, size_t size, int write)
{
    if (fseek(file, offset, whence) != 0)
        die("cannot seek");
    if ((write ? fwrite(bytes, 1, size, file) : fread(bytes, 1, size, file)) != size)
        die("cannot read or write");
}

static void patch_header(FILE *file, size_t offset, const char *hex)
{
    uint8_t header[SHARD_HEADER_SIZE];
    access_at(file, 0, SEEK_SET, header, sizeof header, 0);
    for (; hex[0] != '\0' && hex[1] != '\0' && offset < sizeof header; hex += 2) {
        const char digits[3] = {hex[0], hex[1], '\0'};
        header[offset++] = (uint8_t)strtoul(digits, NULL, 16);
    }
    shard_header_seal(header);
    access_at(file, 0, SEEK_SET, header, sizeof header, 1);
    access_at(file, -SHARD_HEADER_SIZE, SEEK_END, header, sizeof header, 1);
}

static void change_cell(FILE *file, uint64_t stripe)
{
    uint8_t bytes[SHARD_HEADER_SIZE], check[SHARD_CHECK_SIZE];
    struct shard_header header;
    access_at(file, 0, SEEK_SET, bytes, sizeof bytes, 0);
    if (shard_header_decode(&header, bytes) != SHARD_PARSED || stripe >= shard_stripes(&header))
        die("no such stripe");
    long offset = (long)shard_record_offset(&header, stripe);
    size_t length = shard_cell_length(&header, stripe);
    uint8_t *cell = malloc(length);
    if (cell == NULL)
        die("no memory");
    access_at(file, offset + SHARD_CHECK_SIZE, SEEK_SET, cell, length, 0);
    cell[0] ^= 0xff;
    shard_cell_seal(&header, header.index, stripe, cell, length, check);
    access_at(file, offset, SEEK_SET, check, sizeof check, 1);
    access_at(file, offset + SHARD_CHECK_SIZE, SEEK_SET, cell, length, 1);
    free(cell);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        die("usage: cli_forge FILE OFFSET HEX | cli_forge FILE cell STRIPE");
    FILE *file = fopen(argv[1], "r+b");
    if (file == NULL)
        die("cannot open");
    if (strcmp(argv[2], "cell") == 0)
        change_cell(file, strtoull(argv[3], NULL, 10));
    else
        patch_header(file, strtoul(argv[2], NULL, 10), argv[3]);
    if (fclose(file) != 0)
        die("cannot write");
    return 0;
}
