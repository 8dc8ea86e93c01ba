/* SPDX-License-Identifier: BSD-3-Clause */
#include "isal_perf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lineup.h"
#include "../machine.h"
#include "permxor.h"

enum { SUCCESS = 0, RESULT_WRONG = 1, NO_MEASUREMENT = 2 };

/* ---------------------------------------------------------------- library -- */

/* The functions of this build with this ending. */
#define FUNCTIONS(end, product)                                                           \
    {                                                                                     \
        .gf_gen_rs_matrix = gf_gen_rs_matrix, .gf_invert_matrix = gf_invert_matrix,       \
        .gf_vect_mul_init = gf_vect_mul_init##end, .ec_init_tables = ec_init_tables##end, \
        .ec_encode_data = ec_encode_data##end,                                            \
        .ec_encode_data_update = ec_encode_data_update##end,                              \
        .gf_vect_dot_prod = gf_vect_dot_prod##end, .gf_vect_mul = (product),              \
        .xor_gen = xor_gen##end, .pq_gen = pq_gen##end,                                   \
    }

static int mul_base(int len, u8 *table, void *source, void *target)
{
    return gf_vect_mul_base(len, table, source, target);
}

static const struct functions own = FUNCTIONS(, gf_vect_mul);
static const struct functions portable = FUNCTIONS(_base, mul_base);

static bool find_functions(struct run *run)
{
    run->call = own;
    if (run->library_path == NULL)
        return true;
    if (!library_open(&run->library, run->library_path))
        return false;
    library_functions(&run->library, "", &run->call);
    /* A library that only codes gets its matrices from the functions of this build. */
    if (run->call.gf_gen_rs_matrix == NULL)
        run->call.gf_gen_rs_matrix = gf_gen_rs_matrix;
    if (run->call.gf_invert_matrix == NULL)
        run->call.gf_invert_matrix = gf_invert_matrix;
    return true;
}

bool run_needs(const struct run *run, bool has, const char *name)
{
    if (!has)
        fprintf(stderr, "%s: has no %s\n", run->library.path, name);
    return has;
}

static void print_library(const struct run *run)
{
    if (run->library_path != NULL)
        printf("%s (%s)", run->library.path, run->library.version);
    else
        printf("permxor, set %s", selected_set(pxr_kernel_info));
}

/* ----------------------------------------------------------------- memory -- */

static void print_setting(const struct run *run)
{
    if (run->bare)
        return;
    printf("# ");
    print_library(run);
    printf("; core %d; addresses %s; %zu x %zu buffers\n", run->setting.cpu,
           run->setting.fixed_addresses ? "fixed" : "random", run->walk.stripes,
           run->walk.width);
}

/* The bytes that are available without pushing other things out. */
static size_t memory_available(void)
{
    const size_t most = machine_memory();
    FILE *info = fopen("/proc/meminfo", "r");
    if (info == NULL)
        return most;
    char line[128];
    size_t kib, bytes = most;
    while (fgets(line, sizeof(line), info) != NULL)
        if (sscanf(line, "MemAvailable: %zu kB", &kib) == 1)
            bytes = kib << 10;
    fclose(info);
    return bytes < most ? bytes : most;
}

bool run_lay_out(struct run *run, size_t width, size_t targets)
{
    run->walk = walk_plan(width, (size_t)run->len, run->cold ? WALK_COLD : WALK_WARM,
                          &run->setting.placement);
    const size_t shards = run->walk.stripes * width + targets;
    run->arena.pages = run->setting.pages;
    /* All of the memory will be written, and the kernel grants more than it has. */
    if (shards > memory_available() / run->walk.distance ||
        !arena_reserve(&run->arena, shards * run->walk.distance)) {
        fprintf(stderr, "%s: not enough memory for %zu buffers of %d bytes\n",
                run->program->name, shards, run->len);
        return false;
    }
    run->walk.first = run->arena.base;
    print_setting(run);
    return true;
}

/* ---------------------------------------------------------------- judging -- */

static void arrange(const struct run *run, const struct job *job, size_t stripe, u8 **row)
{
    for (size_t i = 0; i < job->sources + job->targets; i++)
        row[i] = walk_shard(&run->walk, stripe, job->shards[i]);
}

static bool call_once(struct run *run, const struct job *job, u8 **row)
{
    for (size_t t = 0; t < job->targets; t++)
        memset(row[job->sources + t], 0, (size_t)run->len);
    if (job->prepare != NULL && !job->prepare(job->context))
        return false;
    job->call(job->context, row);
    return true;
}

bool run_once(struct run *run, const struct job *job)
{
    u8 *row[2 * RUN_MAX_SHARDS];
    arrange(run, job, 0, row);
    return call_once(run, job, row);
}

static bool alike(const struct run *run, const struct job *job)
{
    for (size_t t = 0; t < job->targets; t++) {
        const u8 *target = walk_shard(&run->walk, 0, job->shards[job->sources + t]);
        const u8 *expected = walk_shard(&run->walk, run->walk.stripes, t);
        if (memcmp(target, expected, (size_t)run->len) != 0)
            return false;
        if (job->want != NULL &&
            memcmp(target, walk_shard(&run->walk, 0, job->want[t]), (size_t)run->len) != 0)
            return false;
    }
    return true;
}

static bool judge(struct run *run, const struct job *job)
{
    const struct functions measured = run->call;
    u8 *row[2 * RUN_MAX_SHARDS];
    arrange(run, job, 0, row);
    for (size_t t = 0; t < job->targets; t++)
        row[job->sources + t] = walk_shard(&run->walk, run->walk.stripes, t);
    run->call = portable;
    const bool expected = call_once(run, job, row);
    run->call = measured;
    if (!expected || !run_once(run, job))
        return false;
    if (alike(run, job))
        return true;
    printf("Fail: %s gives wrong bytes\n", job->name);
    run->wrong = true;
    return false;
}

/* -------------------------------------------------------------- measuring -- */

struct timed {
    const struct job *job;
    struct walk *walk;
    u8 **rows; /* pointers for every stripe */
};

static void batch(void *context, size_t calls)
{
    const struct timed *timed = context;
    const struct job *job = timed->job;
    const size_t width = job->sources + job->targets;
    for (; calls > 0; calls--)
        job->call(job->context, timed->rows + walk_step(timed->walk) * width);
}

static size_t counted_bytes(const struct run *run, const struct job *job)
{
    return (job->sources + (job->sources_alone ? 0 : job->targets)) * (size_t)run->len;
}

/* ISA-L's line, for as many calls of median length as fill the time. */
static void print_isal_line(const struct run *run, const struct job *job, double call)
{
    const double calls = (double)(long long)(run->setting.engine.total_seconds / call + 1);
    const double seconds = calls * call;
    const double megabytes = 1e-6 * calls * (double)counted_bytes(run, job);
    printf("%s_%s: runtime = %10lld usecs, bandwidth %lld MB in %.4f sec = %.2f MB/s\n",
           job->name, mode_names[run->cold ? WALK_COLD : WALK_WARM], (long long)(1e6 * seconds),
           (long long)megabytes, seconds, megabytes / seconds);
}

static void print_own_line(const struct run *run, const struct job *job,
                           const struct engine_result *result)
{
    const struct spread *seconds = &result->seconds[0];
    printf("# counts %s = %zu bytes a call of %.6g us (median, %.6g to %.6g); source data: "
           "%.3f GB/s%s\n",
           job->counting, counted_bytes(run, job), 1e6 * seconds->median, 1e6 * seconds->low,
           1e6 * seconds->high, 1e-9 * (double)job->sources * run->len / seconds->median,
           result->noise.causes != 0 ? "; noisy" : "");
}

bool run_job(struct run *run, const struct job *job)
{
    if (!judge(run, job))
        return false;
    struct timed timed = {.job = job, .walk = &run->walk};
    const size_t width = job->sources + job->targets;
    timed.rows = malloc(run->walk.stripes * width * sizeof(u8 *));
    for (size_t s = 0; timed.rows != NULL && s < run->walk.stripes; s++)
        arrange(run, job, s, timed.rows + s * width);
    struct engine_options engine = run->setting.engine;
    engine.batch_seconds = engine.total_seconds / 1000;
    engine.pass = run->walk.stripes;
    const struct engine_subject subject = {.batch = batch, .context = &timed};
    struct engine_result result;
    const bool measured = timed.rows != NULL && engine_measure(&subject, 1, &engine, &result);
    free(timed.rows);
    if (!measured) {
        fprintf(stderr, "%s: out of memory\n", run->program->name);
        return false;
    }
    print_isal_line(run, job, result.seconds[0].median);
    if (!run->bare)
        print_own_line(run, job, &result);
    fflush(stdout);
    return true;
}

/* ------------------------------------------------------------------- main -- */

int isal_perf(const struct program *program, int argc, char **argv)
{
    static struct run run;
    enum options_verdict verdict = isal_options_parse(&run, program, argc, argv);
    if (verdict != OPTIONS_RUN)
        return verdict == OPTIONS_HELP ? SUCCESS : NO_MEASUREMENT;
    setting_hold_still(&run.setting, argv);
    const bool found = find_functions(&run);
    setting_pin(&run.setting);
    const bool done = found && program->run(&run);
    arena_close(&run.arena);
    library_close(&run.library);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("standard output");
        return NO_MEASUREMENT;
    }
    return done ? SUCCESS : run.wrong ? RESULT_WRONG : NO_MEASUREMENT;
}
