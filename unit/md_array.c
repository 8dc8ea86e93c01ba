/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * md_array: read and change the members of a stopped Linux md RAID-6 array, given as files in
 * the order of their roles, with the functions of permxor.h. unit/md_array.sh has a Linux guest
 * make such arrays and check them afterwards.
 *
 *     md_array check FILE...         compare P and Q of every row with its data
 *     md_array contents FILE...      the array's contents, on standard output
 *     md_array rebuild A B FILE...   wipe members A and B, and recover them
 *     md_array update SEED FILE...   change data at random, and P and Q with them
 *     md_array flip MEMBER FILE...   change a byte of a member in each of its roles
 */
#include "check.h"
#include "permxor_raid.h"

#include <endian.h>
#include <fcntl.h>
#include <linux/raid/md_p.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_MEMBERS = 32, SECTOR = 512, LEFT_SYMMETRIC = 2 };

struct array {
    unsigned members;
    unsigned data; /* blocks of data in a row */
    size_t chunk;  /* bytes of each block */
    size_t rows;
    uint8_t *member[MOST_MEMBERS];
};

static void die(const char *what)
{
    fprintf(stderr, "md_array: %s\n", what);
    exit(2);
}

/* --------------------------------------------------------------- layout -- */

/*
 * The blocks of a row rotate over the members, one step to the left with each row.  In row 0, P
 * is on the last member.  Q is on the member after P, and the data blocks follow Q in the order
 * of their coefficients.  After the last member, the count goes on with the first one.
 *
 * In the array D[0].., P, Q, block i is on the member that is 2 + i places after P's.  This
 * also gives P and Q, because the count has then gone round.
 */
static unsigned member_of(const struct array *array, size_t row, unsigned block)
{
    unsigned p = array->members - 1 - (unsigned)(row % array->members);
    return (p + 2 + block) % array->members;
}

static void map_row(const struct array *array, size_t row, uint8_t **blocks)
{
    for (unsigned i = 0; i < array->members; i++)
        blocks[i] = array->member[member_of(array, row, i)] + row * array->chunk;
}

static unsigned block_of(const struct array *array, size_t row, unsigned member)
{
    unsigned block = 0;
    while (member_of(array, row, block) != member)
        block++;
    return block;
}

/* -------------------------------------------------------------- members -- */

/* The superblock of metadata 1.0 is 8 to 12 KiB before the end, at a multiple of 4 KiB. */
static const struct mdp_superblock_1 *superblock(const uint8_t *member, size_t size)
{
    if (size < 12288)
        die("too small for a member");
    return (const void *)(member + (size - 8192) / 4096 * 4096);
}

static void read_superblock(struct array *array, unsigned role, size_t size)
{
    const struct mdp_superblock_1 *super = superblock(array->member[role], size);
    if (le32toh(super->magic) != MD_SB_MAGIC || le32toh(super->major_version) != 1)
        die("no superblock 1.0");
    if (le32toh(super->level) != 6 || le32toh(super->layout) != LEFT_SYMMETRIC ||
        le64toh(super->data_offset) != 0)
        die("not a left-symmetric RAID-6 from sector 0 on");
    if (le32toh(super->raid_disks) != array->members ||
        le16toh(super->dev_roles[le32toh(super->dev_number)]) != role)
        die("not all members in the order of their roles");
    array->chunk = (size_t)le32toh(super->chunksize) * SECTOR;
    array->rows = le64toh(super->size) * SECTOR / array->chunk;
    if (array->rows * array->chunk > size)
        die("a member is cut off");
}

static void open_array(struct array *array, char **files, int count)
{
    if (count < 4 || count > MOST_MEMBERS)
        die("4 to 32 members");
    array->members = (unsigned)count;
    array->data = array->members - 2;
    for (unsigned role = 0; role < array->members; role++) {
        struct stat status;
        int file = open(files[role], O_RDWR);
        if (file < 0 || fstat(file, &status) != 0)
            die(files[role]);
        size_t size = (size_t)status.st_size;
        array->member[role] = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (array->member[role] == MAP_FAILED)
            die(files[role]);
        close(file);
        read_superblock(array, role, size);
    }
}

static unsigned member_argument(const struct array *array, const char *text)
{
    unsigned long member = strtoul(text, NULL, 10);
    if (member >= array->members)
        die("no such member");
    return (unsigned)member;
}

/* ------------------------------------------------------------- commands -- */

static int check(const struct array *array, char **arguments)
{
    size_t differ = 0;
    (void)arguments;
    for (size_t row = 0; row < array->rows; row++) {
        uint8_t *blocks[MOST_MEMBERS];
        struct pxr_raid_report report;
        map_row(array, row, blocks);
        int status = pxr_raid_check(array->data, array->chunk, blocks, blocks[array->data],
                                    blocks[array->data + 1], &report, sizeof report);
        if (status == PXR_OK)
            continue;
        differ++;
        if (report.suspect == PXR_RAID_UNKNOWN)
            printf("row %zu: %s\n", row, pxr_strerror(status));
        else
            printf("row %zu: suspect %u\n", row, member_of(array, row, report.suspect));
    }
    printf("%zu rows, %zu bytes, %zu rows differ\n", array->rows,
           array->rows * array->chunk * array->members, differ);
    return differ > 0;
}

static int contents(const struct array *array, char **arguments)
{
    (void)arguments;
    for (size_t row = 0; row < array->rows; row++) {
        uint8_t *blocks[MOST_MEMBERS];
        map_row(array, row, blocks);
        for (unsigned i = 0; i < array->data; i++)
            if (fwrite(blocks[i], 1, array->chunk, stdout) != array->chunk)
                die("cannot write");
    }
    return 0;
}

static int rebuild(const struct array *array, char **arguments)
{
    const unsigned wiped[] = {member_argument(array, arguments[0]),
                              member_argument(array, arguments[1])};
    for (unsigned i = 0; i < 2; i++)
        memset(array->member[wiped[i]], 0x5a, array->rows * array->chunk);
    for (size_t row = 0; row < array->rows; row++) {
        uint8_t *blocks[MOST_MEMBERS];
        map_row(array, row, blocks);
        const unsigned lost[] = {block_of(array, row, wiped[0]),
                                 block_of(array, row, wiped[1])};
        if (pxr_raid_recover(array->data, array->chunk, blocks, blocks[array->data],
                             blocks[array->data + 1], 2, lost) != PXR_OK)
            die("pxr_raid_recover");
    }
    return 0;
}

/* Changes a part of one block, and updates P and Q from its old and new bytes. */
static int update_block(const struct array *array, uint8_t *const *blocks, uint8_t *scratch)
{
    unsigned index = (unsigned)check_below(array->data);
    size_t from = check_below(array->chunk);
    size_t len = 1 + check_below(array->chunk - from);
    uint8_t *block = blocks[index] + from;
    check_fill(scratch, len);
    int status = pxr_raid_update(index, len, block, scratch, blocks[array->data] + from,
                                 blocks[array->data + 1] + from);
    memcpy(block, scratch, len);
    return status;
}

/* Changes neighbouring blocks: takes their old syndrome out of P and Q, and adds the new
   one. */
static int update_range(const struct array *array, uint8_t *const *blocks, uint8_t *scratch)
{
    unsigned first = (unsigned)check_below(array->data);
    unsigned count = 1 + (unsigned)check_below(array->data - first);
    uint8_t *const *range = blocks + first;
    uint8_t *p = blocks[array->data], *q = blocks[array->data + 1];
    (void)scratch;
    int status = pxr_raid_accumulate(first, count, array->chunk, range, p, q);
    for (unsigned i = 0; i < count; i++)
        check_fill(blocks[first + i], array->chunk);
    return status | pxr_raid_accumulate(first, count, array->chunk, range, p, q);
}

/* Changes one block, and computes P and Q from all blocks. */
static int update_row(const struct array *array, uint8_t *const *blocks, uint8_t *scratch)
{
    (void)scratch;
    check_fill(blocks[check_below(array->data)], array->chunk);
    return pxr_raid_generate(array->data, array->chunk, blocks, blocks[array->data],
                             blocks[array->data + 1]);
}

static int update(const struct array *array, char **arguments)
{
    int (*const ways[])(const struct array *, uint8_t *const *,
                        uint8_t *) = {update_block, update_range, update_row};
    uint8_t *scratch = malloc(array->chunk);
    if (scratch == NULL)
        die("no memory");
    check_stream(strtoull(arguments[0], NULL, 0));
    for (size_t row = 0; row < array->rows; row++) {
        uint8_t *blocks[MOST_MEMBERS];
        map_row(array, row, blocks);
        if (ways[check_below(3)](array, blocks, scratch) != PXR_OK)
            die("an update failed");
    }
    free(scratch);
    return 0;
}

/* In as many rows as there are members, a member has each role once. */
static int flip(const struct array *array, char **arguments)
{
    unsigned member = member_argument(array, arguments[0]);
    if (array->rows < array->members)
        die("too few rows");
    for (size_t row = 0; row < array->members; row++)
        array->member[member][row * array->chunk + row * 4099 % array->chunk] ^= 0x10;
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int arguments;
        int (*run)(const struct array *array, char **arguments);
    } commands[] = {
        {"check", 0, check},   {"contents", 0, contents}, {"rebuild", 2, rebuild},
        {"update", 1, update}, {"flip", 1, flip},
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (argc > 1 + commands[i].arguments && strcmp(argv[1], commands[i].name) == 0) {
            struct array array;
            int files = 2 + commands[i].arguments;
            open_array(&array, argv + files, argc - files);
            return commands[i].run(&array, argv + 2);
        }
    die("check | contents | rebuild A B | update SEED | flip MEMBER, and the files");
}
