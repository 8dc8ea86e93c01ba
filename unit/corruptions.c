/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random corruptions of sets of shards.  The command must give the right bytes or a clear
 * error, and never wrong bytes with exit status 0.  A repair must make nothing worse.
 *
 *     corruptions SEED COUNT [FIRST]
 *
 * runs COUNT cases of the seed, from number FIRST on (default 0), on all CPUs, in a folder of
 * its own below TMPDIR.  A case is determined by the seed and by its number.
 */
#include "config.h"

#include "corrupt_trial.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#undef main

/* CASES_PER_SET cases in a row share their sets, because it takes a while to make sets. */
enum { CASES_PER_SET = 8, WORKERS_MOST = 256 };

struct shape {
    unsigned k, m;
    uint32_t cell;
    size_t length;
    const char *matrix;
    const char *elements; /* an option for the size of the code's elements, or NULL */
};

/* ----------------------------------------------------------------- sets -- */

static size_t draw_length(struct dice *dice, size_t stripe)
{
    size_t border = stripe * dice_below(dice, 4);
    switch (dice_below(dice, 6)) {
    case 0:
        return dice_below(dice, 3);
    case 1:
        return border;
    case 2:
        return border + 1;
    case 3:
        return border > 0 ? border - 1 : 1;
    case 4:
        return dice_below(dice, 4 * stripe);
    default:
        return dice_below(dice, 65537);
    }
}

static struct shape draw_shape(struct dice *dice)
{
    static const struct {
        unsigned k, m;
    } sizes[] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 2}, {4, 2}, {5, 3}, {6, 4}, {10, 4}};
    /* The units have at most 64 bytes, so they fit in cells of every size.  The last three
       codes need two parity shards. */
    static const struct {
        const char *matrix, *elements;
    } codes[] = {{"isal_cauchy", NULL},         {"isal_vand", NULL},
                 {"jerasure_van", NULL},        {"jerasure_van", "--word=16"},
                 {"jerasure_van", "--word=32"}, {"jerasure_cauchy_good", "--packetsize=8"},
                 {"klauspost_vand", NULL},      {"jerasure_r6", NULL},
                 {"jerasure_r6", "--word=16"},  {"jerasure_liber8tion", "--packetsize=4"}};
    enum { CODES = sizeof codes / sizeof codes[0] };
    size_t size = dice_below(dice, sizeof sizes / sizeof sizes[0]);
    struct shape shape = {.k = sizes[size].k, .m = sizes[size].m};
    if (dice_percent(dice, 5))
        shape = (struct shape){.k = 20, .m = 6};
    shape.cell = 64u << dice_below(dice, 7);
    shape.length = draw_length(dice, (size_t)shape.k * shape.cell);
    bool small = shape.m <= 3; /* where all matrices are MDS */
    size_t code = small ? dice_below(dice, shape.m == 2 ? CODES : CODES - 3) : 0;
    shape.matrix = codes[code].matrix;
    shape.elements = codes[code].elements;
    return shape;
}

/* Encodes a file of random bytes, and reads the shards. */
static void make_set(struct original *set, const struct shape *shape, const char *root,
                     const char *name, struct dice *dice)
{
    static struct command command;
    static const struct timespec times[2] = {{1700000000, 0}, {1700000000, 0}};
    char path[COMMAND_WORD];
    original_free(set);
    set->content = (struct bytes){must_allocate(shape->length), shape->length};
    dice_fill(dice, set->content.at, set->content.size);
    must_printf(path, sizeof path, "%s/%s", root, name);
    bytes_write(path, set->content);
    utimensat(AT_FDCWD, path, times, 0);
    command_begin(&command, "encode");
    command_add(&command, "-qfk%u", shape->k);
    command_add(&command, "-m%u", shape->m);
    command_add(&command, "--cell=%" PRIu32, shape->cell);
    command_add(&command, "--matrix=%s", shape->matrix);
    if (shape->elements != NULL)
        command_add(&command, "%s", shape->elements);
    command_add(&command, "--no-sync");
    command_add(&command, "-o%s/s", root);
    command_add(&command, "%s", path);
    command_run(&command, root, dice_next(dice));
    if (command.status != 0) {
        printf("corruptions: encode of %u+%u %s ends with %d\n%.*s", shape->k, shape->m,
               shape->matrix, command.status, (int)command.err.size,
               (const char *)command.err.at);
        exit(2);
    }
    unlink(path);
    for (unsigned i = 0; i < shape->k + shape->m; i++) {
        must_printf(path, sizeof path, "%s/s/%s.%03u.pxr", root, name, i);
        set->shard[i] = bytes_read(path);
        if (set->shard[i].at == NULL ||
            shard_header_decode(&set->header, set->shard[i].at) != SHARD_PARSED) {
            printf("corruptions: encode has not written %s\n", path);
            exit(2);
        }
    }
    set->header.index = 0;
    set->used = true;
    command_free(&command);
}

/* Makes a set, and sometimes another one, perhaps with the same shape or the same file name. */
static void make_sets(struct original *set, struct original *other, const char *root,
                      struct dice *dice)
{
    char path[COMMAND_WORD];
    struct shape shape = draw_shape(dice);
    must_printf(path, sizeof path, "%s/s", root);
    folder_empty(path);
    make_set(set, &shape, root, "f", dice);
    original_free(other);
    if (!dice_percent(dice, 40))
        return;
    if (dice_percent(dice, 50))
        shape = draw_shape(dice);
    folder_empty(path);
    make_set(other, &shape, root, dice_percent(dice, 50) ? "f" : "g", dice);
}

/* ---------------------------------------------------------------- cases -- */

static void add_shards(struct folder *folder, const struct original *set, const char *name)
{
    char file[FOLDER_NAME];
    for (unsigned i = 0; i < set->header.k + set->header.m; i++) {
        must_printf(file, sizeof file, "%s.%03u.pxr", name, i);
        folder_add(folder, file, bytes_copy(set->shard[i]));
    }
}

static void run_case(struct trial *trial, uint64_t number)
{
    char path[COMMAND_WORD];
    trial->number = number;
    trial->dice = dice_of(trial->seed, 2 * number + 1);
    folder_free(&trial->folder);
    add_shards(&trial->folder, trial->set, "f");
    corrupt_folder(&trial->folder, trial->set, trial->other, &trial->dice, trial->story);
    trial->choice = CHOOSE_FOLDER;
    if (trial->other->used) {
        if (dice_percent(&trial->dice, 50))
            add_shards(&trial->folder, trial->other, "g");
        trial->choice = (enum choice)dice_below(&trial->dice, 3);
    }
    must_printf(path, sizeof path, "%s/s", trial->root);
    folder_store(&trial->folder, path);
    trial->facts = folder_facts(&trial->folder, trial->set, trial->other, trial->choice);
    trial_run(trial);
}

/* Runs every `workers`-th group of cases. `count` gets the sums of this worker. */
static void work(uint64_t seed, uint64_t first, uint64_t end, unsigned worker, unsigned workers,
                 const char *root, uint64_t count[TRIAL_COUNTS])
{
    static struct original set, other;
    static struct trial trial;
    char path[COMMAND_WORD], own[COMMAND_WORD];
    trial = (struct trial){.seed = seed, .root = own, .set = &set, .other = &other};
    must_printf(own, sizeof own, "%s/%u", root, worker);
    must_printf(path, sizeof path, "%s/s", own);
    if (mkdir(own, 0777) != 0 || mkdir(path, 0777) != 0) {
        perror(path);
        exit(2);
    }
    for (uint64_t group = first / CASES_PER_SET; group * CASES_PER_SET < end; group++) {
        if (group % workers != worker)
            continue;
        struct dice dice = dice_of(seed, 2 * group);
        make_sets(&set, &other, own, &dice);
        for (uint64_t i = group * CASES_PER_SET; i < (group + 1) * CASES_PER_SET; i++)
            if (i >= first && i < end)
                run_case(&trial, i);
        memcpy(count, trial.count, sizeof trial.count);
    }
    folder_empty(path);
    rmdir(path);
    folder_empty(own);
    rmdir(own);
}

/* ----------------------------------------------------------------- main -- */

typedef uint64_t counts[TRIAL_COUNTS];

/* Runs one process for each CPU.  Returns how many of them did not do their part. */
static unsigned run_workers(uint64_t seed, uint64_t first, uint64_t end, unsigned workers,
                            const char *root, counts *count)
{
    unsigned broken = 0;
    fflush(NULL);
    for (unsigned i = 0; i < workers; i++) {
        pid_t child = fork();
        if (child == 0) {
            work(seed, first, end, i, workers, root, count[i]);
            exit(0);
        }
        broken += child < 0;
    }
    for (int status; wait(&status) > 0;)
        broken += status != 0;
    return broken;
}

static int report(const counts *count, unsigned workers, unsigned broken)
{
    uint64_t sum[TRIAL_COUNTS] = {0};
    for (unsigned i = 0; i < workers; i++)
        for (unsigned j = 0; j < TRIAL_COUNTS; j++)
            sum[j] += count[i][j];
    printf("corruptions: %" PRIu64 " cases, %" PRIu64 " commands\n", sum[TRIAL_CASES],
           sum[TRIAL_COMMANDS]);
    printf("corruptions: decode succeeded in %" PRIu64 " cases (had to: %" PRIu64
           "), failed in %" PRIu64 " (salvaged: %" PRIu64 "); repair succeeded in %" PRIu64
           "\n",
           sum[TRIAL_DECODED], sum[TRIAL_OWED], sum[TRIAL_REFUSED], sum[TRIAL_SALVAGED],
           sum[TRIAL_HEALED]);
    printf("corruptions: in %" PRIu64 " cases forged headers prevailed: bytes not judged\n",
           sum[TRIAL_FORGED]);
    if (broken > 0)
        printf("corruptions: %u processes did not do their part\n", broken);
    printf("corruptions: %" PRIu64 " passed, %" PRIu64 " failed, 0 skipped\n",
           sum[TRIAL_CASES] - sum[TRIAL_FAILED], sum[TRIAL_FAILED] + broken);
    return sum[TRIAL_FAILED] + broken > 0 || sum[TRIAL_CASES] == 0;
}

int main(int argc, char **argv)
{
    char root[COMMAND_WORD];
    const char *below = getenv("TMPDIR");
    if (argc < 3 || argc > 4) {
        fputs("usage: corruptions SEED COUNT [FIRST]\n", stderr);
        return 2;
    }
    uint64_t seed = strtoull(argv[1], NULL, 10);
    uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    uint64_t end = first + strtoull(argv[2], NULL, 10);
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned workers = cpus < 1 ? 1 : cpus > WORKERS_MOST ? WORKERS_MOST : (unsigned)cpus;
    must_printf(root, sizeof root, "%s/permxor-corruptions.XXXXXX",
                below != NULL && below[0] != '\0' ? below : "/tmp");
    counts *count = mmap(NULL, workers * sizeof *count, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (count == MAP_FAILED || mkdtemp(root) == NULL) {
        perror(root);
        return 2;
    }
    printf("corruptions: seed %" PRIu64 "\n", seed);
    unsigned broken = run_workers(seed, first, end, workers, root, count);
    rmdir(root);
    return report(count, workers, broken);
}
