/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include <errno.h>
#include <string.h>

#include "operations.h"

bool report_open(struct report *report, const char *path)
{
    *report = (struct report){0};
    if (path == NULL)
        return true;
    report->csv = fopen(path, "w");
    if (report->csv == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    fprintf(report->csv, "operation,variant,matrix,k,m,mode,len,stripes,bytes,rounds,preempted,"
                         "a_ns,a_ns_q1,a_ns_q3,b_ns,b_ns_q1,b_ns_q3,a_gbs,b_gbs,"
                         "speedup,speedup_min,speedup_q1,speedup_q3,speedup_max,noisy\n");
    return true;
}

bool report_close(struct report *report)
{
    if (report->csv == NULL)
        return true;
    bool failed = ferror(report->csv) != 0;
    failed = fclose(report->csv) != 0 || failed;
    report->csv = NULL;
    if (failed)
        fprintf(stderr, "the CSV file could not be written completely\n");
    return !failed;
}

void report_title(struct report *report, const char *title)
{
    if (*title != '\0')
        printf("\n%s\n", title);
    else
        printf("\n");
    report->headed = false;
}

static void head(struct report *report)
{
    if (!report->headed) {
        printf("%-8s %-6s %-7s %-4s %8s  %8s %8s  %9s %9s  ", "op", "matrix", "code", "mode",
               "len", "A GB/s", "B GB/s", "A call", "B call");
        if (report->limits != NULL)
            printf("%9s %-18s ", "A B/cycle", "A of the limit");
        printf("%8s  %s\n", "speed-up", "quartiles");
    }
    report->headed = true;
}

/* The columns that name the shape. */
static void print_shape(const struct shape *shape)
{
    char code[24], len[16] = "-";
    const struct operation *op = shape->operation;
    operation_code(shape, code, sizeof(code));
    if (op->sized)
        snprintf(len, sizeof(len), "%d", shape->len);
    printf("%-8s %-6s %-7s %-4s %8s  ", op->name,
           op->code == CODE_K_M ? matrix_name(shape->matrix) : "-", code,
           op->sized ? mode_name(shape->mode) : "-", len);
}

/* A rate in GB/s, 1e9 bytes of source data per second. */
static double rate(const struct shape *shape, double seconds)
{
    return 1e-9 * (double)operation_bytes(shape) / seconds;
}

static void print_rate(const struct shape *shape, double seconds)
{
    if (operation_bytes(shape) != 0)
        printf("%8.2f ", rate(shape, seconds));
    else
        printf("%8s ", "-");
}

/* Three digits that count, and a unit: 9 columns. */
static void print_time(double seconds)
{
    static const struct {
        double below, scale;
        const char *unit;
    } units[] = {{1e-6, 1e9, "ns"}, {1e-3, 1e6, "us"}, {1.0, 1e3, "ms"}, {1e300, 1.0, "s"}};
    size_t u = 0;
    while (seconds >= units[u].below)
        u++;
    double value = seconds * units[u].scale;
    printf("%6.*f %-2s ", value < 10 ? 2 : value < 100 ? 1 : 0, value, units[u].unit);
}

/* Bytes of source per cycle, and the share of what the core's ports allow. */
static void print_share(const struct limits *limits, const struct shape *shape, double seconds)
{
    const struct port_set *set;
    double limit;
    if (!limits_of(limits, shape, &set, &limit)) {
        printf("%9s %-18s ", "-", "-");
        return;
    }
    double speed = rate(shape, seconds);
    if (limits->clock > 0)
        printf("%9.2f ", speed / limits->clock);
    else
        printf("%9s ", "-");
    printf("%3.0f %% %-12s ", 100 * speed / limit, set->name);
}

void report_row(struct report *report, const struct shape *shape, size_t stripes,
                const struct engine_result *result)
{
    const struct spread *speedup = &result->relative[1];
    head(report);
    print_shape(shape);
    print_rate(shape, result->seconds[0].median);
    print_rate(shape, result->seconds[1].median);
    printf(" ");
    print_time(result->seconds[0].median);
    print_time(result->seconds[1].median);
    if (report->limits != NULL)
        print_share(report->limits, shape, result->seconds[0].median);
    printf(" %8.2f  %.2f..%.2f%s\n", speedup->median, speedup->q1, speedup->q3,
           result->noisy ? "  noisy" : "");
    fflush(stdout);
    report_csv(report, shape, stripes, result);
}

void report_csv(struct report *report, const struct shape *shape, size_t stripes,
                const struct engine_result *result)
{
    const struct spread *a = &result->seconds[0], *b = &result->seconds[1];
    const struct spread *speedup = &result->relative[1];
    report->rows++;
    report->noisy += result->noisy;
    if (report->csv == NULL)
        return;
    fprintf(report->csv, "%s,%s,%s,%d,%d,%s,%d,%zu,%zu,%zu,%ld,", shape->operation->name,
            *shape->suffix ? shape->suffix : "dispatched", matrix_name(shape->matrix), shape->k,
            shape->m, mode_name(shape->mode), shape->len, stripes, operation_bytes(shape),
            result->rounds, result->preempted);
    fprintf(report->csv, "%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,", 1e9 * a->median, 1e9 * a->q1,
            1e9 * a->q3, 1e9 * b->median, 1e9 * b->q1, 1e9 * b->q3);
    if (operation_bytes(shape) != 0)
        fprintf(report->csv, "%.3f,%.3f,", rate(shape, a->median), rate(shape, b->median));
    else
        fprintf(report->csv, ",,");
    fprintf(report->csv, "%.4f,%.4f,%.4f,%.4f,%.4f,%d\n", speedup->median, speedup->min,
            speedup->q1, speedup->q3, speedup->max, result->noisy);
}

void report_refused(struct report *report, const struct shape *shape, const char *reason)
{
    head(report);
    print_shape(shape);
    printf("not timed: %s\n", reason);
    fflush(stdout);
    report->refused++;
}
