/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permxor tune: measures every kernel set that this machine can run, and the values of the
 * machine record with the fastest one.  Then it writes the tune file, which makes both the
 * library's choice.
 */
#include "config.h"

#include "../perf/environment.h"
#include "cmd.h"
#include "io.h"
#include "message.h"
#include "publish.h"
#include "tune_bench.h"
#include "tune_ways.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * A set replaces the default only when it is faster by more than the noise: it must be this
 * much faster in the median of the rounds, and faster in three rounds of four.  Both must hold
 * among all sets, and once more alone against the default.  The second comparison is needed
 * because the best of many is often the luckiest.  Noise widens the quartiles, and so keeps the
 * default.  Noise is also reported, so that the user can look at it.
 *
 * From memory all sets wait for the same memory, so a set may be a little faster there that is
 * far slower in cache.  So a set that is faster from memory is compared in cache as well, and
 * must be faster by the margin in the geometric mean of both.
 */
#define MARGIN 1.02
/* Stripes of usual codes with shards of this length are in a core's own cache. */
#define LENGTH_IN_CACHE 4096

struct tune {
    const struct options *options;
    int core; /* -1: not pinned to a core */
    struct tune_bench bench;
    struct tune_entry entries[ENGINE_MAX_SUBJECTS]; /* the default set comes first */
    unsigned count;
    struct tune_run among;  /* the comparison of all sets */
    struct tune_entry best; /* the set that seems faster, compared with the default alone */
    struct tune_run alone;
    struct tune_entry near; /* the same in cache, if it was faster from memory */
    struct tune_run in_cache;
    const char *picked;
    const char *why;
    struct tune_ways *ways; /* the machine record, with the default set or the picked set */
    struct pxr_tune_info info;
};

/* ----------------------------------------------------------------- sets -- */

static void add_set(struct tune *t, const char *name)
{
    if (t->count < ENGINE_MAX_SUBJECTS)
        t->entries[t->count++] = (struct tune_entry){.bench = &t->bench, .name = name};
}

/* Lists every usable set.  The first is the one that the library takes by itself. */
static void list_sets(struct tune *t)
{
    struct pxr_kernel_info row;
    unsetenv("PERMXOR_KERNELS");
    setenv("PERMXOR_TUNE", "", 1);
    pxr_kernel_select(NULL);
    for (unsigned i = 0; pxr_kernel_info(i, &row, sizeof row) == PXR_OK; i++)
        if (row.selected)
            add_set(t, row.name);
    const char *chosen = t->entries[0].name;
    for (unsigned i = 0; pxr_kernel_info(i, &row, sizeof row) == PXR_OK; i++)
        if (row.usable && strcmp(row.name, chosen) != 0)
            add_set(t, row.name);
}

/* --------------------------------------------------------------- choice -- */

static bool is_faster(const struct tune_entry *entry)
{
    return entry->ratio.median > MARGIN && entry->ratio.q1 > 1;
}

static const struct tune_entry *fastest(const struct tune *t)
{
    const struct tune_entry *best = &t->entries[0];
    for (unsigned i = 1; i < t->count; i++)
        if (is_faster(&t->entries[i]) && t->entries[i].ratio.median > best->ratio.median)
            best = &t->entries[i];
    return best;
}

/* Returns what keeps a comparison from deciding, or NULL. */
static const char *doubt(const struct tune_run *run)
{
    return run->few ? "the time is too short for enough rounds, so the default set is kept"
                    : NULL;
}

static void pick_best(struct tune *t, const char *why)
{
    t->picked = t->best.name;
    t->why = why;
}

/* Measures the set that won from memory against the default in cache. */
static int measure_in_cache(struct tune *t)
{
    struct options options = *t->options;
    struct tune_bench bench;
    struct tune_entry pair[] = {t->entries[0], t->best};
    options.warm = true;
    if (options.length > LENGTH_IN_CACHE)
        options.length = LENGTH_IN_CACHE;
    pair[0].bench = pair[1].bench = &bench;
    int status = tune_bench_open(&bench, &options, t->core);
    if (status == STATUS_OK)
        status = tune_bench_measure(pair, 2, options.seconds, &t->in_cache);
    tune_bench_close(&bench);
    if (status != STATUS_OK)
        return status;
    t->near = pair[1];
    t->near.bench = NULL; /* it was closed */
    t->why = doubt(&t->in_cache);
    if (t->why == NULL && t->best.ratio.median * t->near.ratio.median > MARGIN * MARGIN)
        pick_best(t, "faster than the default on the whole, from memory and in cache");
    else if (t->why == NULL)
        t->why = "the set that is faster from memory loses more in cache";
    return STATUS_OK;
}

/* Measures the set that won among all, alone against the default. */
static int measure_again(struct tune *t, const struct tune_entry *best)
{
    struct tune_entry pair[] = {t->entries[0], *best};
    int status = tune_bench_measure(pair, 2, t->options->seconds, &t->alone);
    if (status != STATUS_OK)
        return status;
    t->best = pair[1];
    t->why = doubt(&t->alone);
    if (t->why != NULL)
        return STATUS_OK;
    if (!is_faster(&t->best))
        t->why = "the set that won the first comparison was not faster in the second";
    else if (t->options->warm)
        pick_best(t, "faster than the default in both comparisons");
    else
        return measure_in_cache(t);
    return STATUS_OK;
}

static int measure(struct tune *t)
{
    int status = tune_bench_measure(t->entries, t->count, t->options->seconds, &t->among);
    if (status != STATUS_OK)
        return status;
    const struct tune_entry *best = fastest(t);
    t->picked = t->entries[0].name;
    t->why = doubt(&t->among);
    if (t->why != NULL)
        return STATUS_OK;
    t->why = "no set is faster than the default by more than the noise";
    return best == t->entries ? STATUS_OK : measure_again(t, best);
}

/* --------------------------------------------------------------- report -- */

static void report_shape(FILE *out, const char *prefix, const struct tune *t)
{
    const struct options *o = t->options;
    const struct tune_bench *b = &t->bench;
    fprintf(out, "%s%u+%u %s, shards of %zu bytes, %s: %zu MiB, last cache %zu MiB\n", prefix,
            o->k, o->m, pxr_matrix_name(o->matrix), o->length, o->warm ? "warm" : "cold",
            b->bytes >> 20, b->cache >> 20);
    fprintf(out, "%sencode, one thread, ", prefix);
    if (t->core >= 0)
        fprintf(out, "core %d, ", t->core);
    fprintf(out, "medians (quartiles)\n");
    fprintf(out, "%sGB/s counts k*len = %zu bytes of data per call, 1 GB = 1e9 bytes\n", prefix,
            o->k * o->length);
}

static void report_run(FILE *out, const char *prefix, const char *what,
                       const struct tune_run *run)
{
    char causes[NOISE_TEXT];
    fprintf(out, "%s%s: %zu rounds%s, preempted %ld times%s%s\n", prefix, what, run->rounds,
            run->few ? " (too few)" : "", run->preempted, run->noise != 0 ? ", noisy: " : "",
            noise_text(run->noise, causes));
}

static void report_entry(FILE *out, const char *prefix, const struct tune_entry *e,
                         const char *note)
{
    if (e->slow) {
        fprintf(out, "%s%-16s slower than half the best, not measured further\n", prefix,
                e->name);
        return;
    }
    fprintf(out, "%s%-16s %7.2f GB/s (%.2f to %.2f), ratio %.3f (%.3f to %.3f)%s\n", prefix,
            e->name, e->rate.median, e->rate.q1, e->rate.q3, e->ratio.median, e->ratio.q1,
            e->ratio.q3, note);
}

static void report(FILE *out, const char *prefix, const struct tune *t)
{
    report_shape(out, prefix, t);
    report_run(out, prefix, "all sets", &t->among);
    for (unsigned i = 0; i < t->count; i++)
        report_entry(out, prefix, &t->entries[i], i == 0 ? ", the default" : "");
    if (t->best.name != NULL) {
        report_run(out, prefix, "the fastest set against the default", &t->alone);
        report_entry(out, prefix, &t->best, "");
    }
    if (t->near.name != NULL) {
        report_run(out, prefix, "the same in cache", &t->in_cache);
        report_entry(out, prefix, &t->near, "");
    }
    fprintf(out, "%spicked %s: %s\n", prefix, t->picked, t->why);
    tune_ways_report(out, prefix, t->ways);
}

/* ----------------------------------------------------------------- file -- */

/* Returns the text of the tune file, allocated; NULL without memory. */
static char *tune_text(const struct tune *t)
{
    struct pxr_tune_setting row;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    fprintf(out, "permxor-tune 2\n# Written by permxor %s, tune.\n", PACKAGE_VERSION);
    report(out, "# ", t);
    fprintf(out, "cpu = %s\nkernels = %s\n", t->info.cpu, t->picked);
    for (unsigned i = 0; pxr_tune_setting(i, &row, sizeof row) == PXR_OK; i++)
        fprintf(out, "%s = %s\n", row.name, row.value);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static int write_text(const struct output *output, const char *text)
{
    size_t length = strlen(text);
    if (io_write_at(output->fd, text, length, 0) == (ssize_t)length)
        return STATUS_OK;
    return complain(STATUS_SYSTEM, "%s: cannot write: %s", output->path, strerror(errno));
}

static int write_file(const struct tune *t, struct output *output)
{
    char *text = tune_text(t);
    if (text == NULL)
        return complain(STATUS_SYSTEM, "%s: cannot write: out of memory", output->path);
    int status = write_text(output, text);
    free(text);
    output->mode = 0644; /* the programs of every user read it, whatever the umask is */
    if (status == STATUS_OK)
        status = publish(&(struct publication){.outputs = output, .count = 1});
    return status;
}

/* The environment variable must name the file from every folder in which programs are started.
 */
static void print_recipe(const char *path)
{
    char *absolute = realpath(path, NULL);
    say_line("run programs with PERMXOR_TUNE=%s to use it", absolute != NULL ? absolute : path);
    free(absolute);
}

/* Prints what was written, and whether the library agrees. */
static void check_file(const char *path, const char *default_path)
{
    struct pxr_tune_info info;
    setenv("PERMXOR_TUNE", path, 1);
    pxr_tune_info(&info, sizeof info);
    if (!info.used)
        warn("%s: programs would not use this file: %s", path, info.state);
    say_line("wrote %s", path);
    if (strcmp(path, default_path) != 0)
        print_recipe(path);
}

/* The programs of every user read the file.  So root's umask must not close a folder that is
   created for the file.  A folder that exists already is its owner's business. */
static bool make_one(const char *folder)
{
    return mkdir(folder, 0755) == 0 && chmod(folder, 0755) == 0;
}

/* Creates the folder of the default path if it does not exist.  A failure here is reported when
   the file is created. */
static void make_folder(const char *path)
{
    char *folder = path_directory(path);
    if (folder != NULL && strcmp(folder, path) != 0 && !make_one(folder) && errno == ENOENT) {
        make_folder(folder);
        make_one(folder);
    }
    free(folder);
}

/* ----------------------------------------------------------------- main -- */

/* Checks that there is enough memory, and that all sets give the same bytes. */
static int verify_sets(struct tune *t)
{
    int status = tune_bench_open(&t->bench, t->options, t->core);
    if (status == STATUS_OK)
        status = tune_bench_verify(&t->bench, t->entries, t->count);
    tune_bench_close(&t->bench);
    return status;
}

static int measure_sets(struct tune *t)
{
    int status = tune_bench_open(&t->bench, t->options, t->core);
    if (status == STATUS_OK) {
        tune_bench_screen(t->entries, t->count);
        status = measure(t);
    }
    tune_bench_close(&t->bench);
    return status;
}

/* The default set is compared with its own values of the record, so that it does not lose
   because of other values.  Then the picked set gets its own values. */
static int run(struct tune *t)
{
    list_sets(t);
    t->core = environment_pin(ENVIRONMENT_FIRST); /* the kind of core that `cpu` names */
    int status = verify_sets(t);
    if (status == STATUS_OK)
        status = tune_ways_measure(&t->ways, t->entries[0].name, t->options, t->core);
    if (status == STATUS_OK)
        status = measure_sets(t);
    if (status == STATUS_OK && strcmp(t->picked, t->entries[0].name) != 0) {
        tune_ways_free(t->ways);
        status = tune_ways_measure(&t->ways, t->picked, t->options, t->core);
    }
    if (status == STATUS_OK)
        report(stdout, "", t);
    return status;
}

static int run_and_write(struct tune *t, const char *path)
{
    struct output output;
    if (t->info.cpu[0] == '\0')
        return complain(STATUS_SYSTEM, "tune: /proc/cpuinfo does not name this CPU's model, "
                                       "which the tune file must contain");
    if (options_output(t->options) == NULL)
        make_folder(path);
    /* Before the work, so that a wrong path is known at once. */
    int status = output_create(&output, path, t->options->output_flags, 0);
    if (status == STATUS_OK)
        status = run(t);
    if (status == STATUS_OK)
        status = write_file(t, &output);
    output_discard(&output, 1);
    if (status == STATUS_OK)
        check_file(path, t->info.default_path);
    return status;
}

static int tune(struct tune *t)
{
    const struct options *options = t->options;
    if (options->dry_run)
        return run(t);
    if (options_output(options) != NULL)
        return run_and_write(t, options_output(options));
    if (geteuid() != 0)
        return complain(
            STATUS_USAGE,
            "tune: only root can write %s; use --output=FILE to write another file, "
            "or --dry-run to write none",
            t->info.default_path);
    return run_and_write(t, t->info.default_path);
}

int cmd_tune(const struct options *options)
{
    struct tune t = {.options = options};
    if (options->operand_count > 0)
        return complain(STATUS_USAGE, "tune: takes no files, but got '%s'",
                        options->operands[0]);
    pxr_tune_info(&t.info, sizeof t.info);
    int status = tune(&t);
    tune_ways_free(t.ways);
    return status;
}
