/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libFuzzer entry for what the writing core of arrays reads from disks: superblocks, headers of
 * segments, pages of the region map, and pages of checksums.
 *
 * Build: links libpxr_array_core.la and libcheck.la.
 *
 * An array in memory was written to and left as a crash leaves it, so that there is something
 * to replay.  Some bytes of its structures are changed where the input says, on up to all
 * members. The checksums would detect nearly every change, so the input decides whether they
 * are corrected.  Then the array is assembled, read, written to, scrubbed, and stopped.  All of
 * it has to be answered, with whatever status, and nothing outside the members may be touched.
 */
#include "bytes.h"
#include "core/core.h"
#include "core/disk.h"
#include "fuzz_input.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { K = 2, M = 2, N = K + M, BLOCKS = 48, SIZE = BLOCKS * CORE_BLOCK };

static uint8_t good[N][SIZE], disk[N][SIZE], buffer[SIZE];
static struct disk_super super; /* of the good array */
static uint64_t capacity;

/* ---------------------------------------------------------------- members -- */

/* Each call ends at once. */
static bool is_inside(uint64_t offset, uint64_t len)
{
    return offset % CORE_BLOCK == 0 && len % CORE_BLOCK == 0 && offset <= SIZE &&
           len <= SIZE - offset;
}

static void disk_read(void *self, uint64_t offset, const struct iovec *piece, unsigned count,
                      core_io_done *done, void *token)
{
    REQUIRE(count > 0 && count <= CORE_PIECES);
    for (unsigned i = 0; i < count; offset += piece[i++].iov_len) {
        REQUIRE(is_inside(offset, piece[i].iov_len));
        memcpy(piece[i].iov_base, (const uint8_t *)self + offset, piece[i].iov_len);
    }
    done(token, 0);
}

static void disk_write(void *self, uint64_t offset, const struct iovec *piece, unsigned count,
                       bool durable, core_io_done *done, void *token)
{
    (void)durable;
    REQUIRE(count > 0 && count <= CORE_PIECES);
    for (unsigned i = 0; i < count; offset += piece[i++].iov_len) {
        REQUIRE(is_inside(offset, piece[i].iov_len));
        memcpy((uint8_t *)self + offset, piece[i].iov_base, piece[i].iov_len);
    }
    done(token, 0);
}

static void disk_flush(void *self, core_io_done *done, void *token)
{
    (void)self;
    done(token, 0);
}

static void disk_zero(void *self, uint64_t offset, uint64_t len, core_io_done *done,
                      void *token)
{
    REQUIRE(is_inside(offset, len));
    memset((uint8_t *)self + offset, 0, len);
    done(token, 0);
}

static uint64_t disk_size(void *self)
{
    (void)self;
    return SIZE;
}

static const struct core_member_calls calls = {disk_read, disk_write, disk_flush, disk_zero,
                                               disk_size};

/* ------------------------------------------------------------------- array -- */

static int answers; /* how many; the last one's status is in last_status */
static int last_status;

static void job_done(void *token, int status, const char *why)
{
    (void)token;
    REQUIRE((status == PXR_OK) == (why[0] == '\0'));
    answers++;
    last_status = status;
}

static void op_done(struct core_op *op, int status)
{
    (void)op;
    answers++;
    last_status = status;
}

/* Turns until there is nothing to wait for; then one thing more has been answered. */
static int finish(struct core *core, int before)
{
    core_turn(core);
    REQUIRE(answers == before + 1);
    REQUIRE(core_check(core) == NULL);
    return last_status;
}

static int assemble(struct core *core)
{
    struct core_member members[N];
    const int before = answers;
    for (unsigned i = 0; i < N; i++)
        members[i] = (struct core_member){&calls, disk[i]};
    core_assemble(core, members, N, job_done, NULL);
    return finish(core, before);
}

static int run(struct core *core, enum core_kind kind, uint64_t offset, uint64_t len)
{
    struct core_op op = {.kind = kind,
                         .fua = true,
                         .offset = offset,
                         .len = len,
                         .buffer = buffer,
                         .done = op_done};
    const int before = answers;
    core_submit(core, &op);
    return finish(core, before);
}

static struct core *new_core(void)
{
    struct core *core;
    const struct core_options few = {.pages = 64, .cache = 8, .batch = 4, .sync_window = 2};
    REQUIRE(core_create(&core, &few) == PXR_OK);
    return core;
}

/* Writes rows directly and with blocks in the log, and leaves them without a checkpoint. */
static void make_good(void)
{
    struct core_shape shape = {
        .data = K, .parity = M, .chunk = CORE_BLOCK, .region = CORE_BLOCK, .uuid = "fuzzed"};
    struct core_member members[N];
    struct core_status status;
    struct core *core = new_core();
    shape.log = 20 * CORE_BLOCK;
    for (unsigned i = 0; i < N; i++) {
        shape.member_uuid[i][0] = (uint8_t)(i + 1);
        members[i] = (struct core_member){&calls, disk[i]};
    }
    core_format(core, &shape, members, N, job_done, NULL);
    REQUIRE(finish(core, answers) == PXR_OK);
    REQUIRE(assemble(core) == PXR_OK);
    core_status(core, &status);
    capacity = status.capacity;
    memset(buffer, 0x5a, sizeof buffer);
    REQUIRE(run(core, CORE_WRITE, 0, 4 * CORE_BLOCK) == PXR_OK);
    REQUIRE(run(core, CORE_WRITE, 100, 5000) == PXR_OK);
    REQUIRE(run(core, CORE_TRIM, 2 * CORE_BLOCK, 2 * CORE_BLOCK) == PXR_OK);
    core_free(core);
    memcpy(good, disk, sizeof good);
    REQUIRE(disk_super_get(disk[0] + disk_super_at(0, SIZE), 0, &super) == PXR_OK ||
            disk_super_get(disk[0] + disk_super_at(1, SIZE), 1, &super) == PXR_OK);
    REQUIRE(disk_layout_fits(&super, SIZE));
}

/* ----------------------------------------------------------------- changes -- */

/* Corrects the checksum of a structure, whatever it is. */
static void seal(uint8_t *block)
{
    static const struct {
        char magic[9];
        unsigned at;
    } kinds[] = {{"PXRAPAGE", 48}, {"PXRALOG1", 80}};
    if (memcmp(block, "PXRARRAY", 8) == 0)
        put_hash(block + CORE_BLOCK - 16, XXH3_128bits(block, CORE_BLOCK - 16));
    for (unsigned i = 0; i < 2; i++)
        if (memcmp(block, kinds[i].magic, 8) == 0) {
            memset(block + kinds[i].at, 0, 16);
            put_hash(block + kinds[i].at, XXH3_128bits(block, CORE_BLOCK));
        }
}

/* Where a structure of this kind is. */
static uint64_t choose_place(struct input *in, unsigned kind)
{
    const struct disk_layout *layout = &super.layout;
    switch (kind) {
    case 0:
        return disk_super_at(take_below(in, DISK_PLACES), SIZE);
    case 1:
        return layout->map_at + take_below(in, (unsigned)layout->map_pages * 2) * CORE_BLOCK;
    case 2:
        return layout->sums_at + take_below(in, (unsigned)layout->sums_pages * 2) * CORE_BLOCK;
    default:
        return layout->log_at + take_below(in, (unsigned)layout->log_blocks) * CORE_BLOCK;
    }
}

/* Changes one structure on the members of a mask in the same way. */
static void change(struct input *in)
{
    const uint8_t what = take(in), members = take(in);
    const uint64_t at = choose_place(in, what & 3);
    for (unsigned bytes = 1 + (what >> 2 & 7); bytes > 0; bytes--) {
        const unsigned place = take_below(in, CORE_BLOCK);
        const uint8_t value = take(in);
        for (unsigned i = 0; i < N; i++)
            if (members >> i & 1)
                disk[i][at + place] = value;
    }
    for (unsigned i = 0; i < N; i++)
        if ((members >> i & 1) && (what & 32))
            seal(disk[i] + at);
}

/* A capacity that a changed superblock says may be another one. */
static void use(struct core *core, struct input *in)
{
    struct core_status status;
    core_status(core, &status);
    REQUIRE(status.assembled && status.capacity <= (uint64_t)K * SIZE);
    const uint64_t all = status.capacity < SIZE ? status.capacity : SIZE;
    (void)run(core, CORE_READ, 0, all);
    const uint64_t offset = take_below(in, (unsigned)all);
    (void)run(core, CORE_WRITE, offset, take_below(in, (unsigned)(all - offset) + 1));
    const uint64_t trimmed = take_below(in, (unsigned)all);
    (void)run(core, CORE_TRIM, trimmed, take_below(in, (unsigned)(all - trimmed) + 1));
    int before = answers;
    core_scrub(core, true, job_done, NULL);
    (void)finish(core, before);
    before = answers;
    core_readd(core, take(in) % N, (struct core_member){&calls, disk[take(in) % N]}, job_done,
               NULL);
    (void)finish(core, before);
    before = answers;
    core_stop(core, job_done, NULL);
    (void)finish(core, before);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    if (capacity == 0)
        make_good();
    memcpy(disk, good, sizeof disk);
    for (unsigned changes = take(&in) % 6; changes > 0; changes--)
        change(&in);
    struct core *core = new_core();
    if (assemble(core) == PXR_OK)
        use(core, &in);
    core_free(core);
    return 0;
}
