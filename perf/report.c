/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include <string.h>

#include "operations.h"
#include "setting.h"

/* The columns that name a shape, which have the widths that name_shape() gives them. */
static const char shape_heads[] =
    "op               matrix              code     mode      len  layout      ";

bool report_open(struct report *report, const char *path)
{
    *report = (struct report){0};
    if (!csv_open(&report->csv, path))
        return false;
    if (report->csv != NULL)
        fputs("operation,variant,matrix,k,m,mode,len,layout,stripes,subject,bytes,seconds,"
              "seconds_low,seconds_high,gbs,ratio,ratio_low,ratio_high,rounds,calls,preempted,"
              "noisy,cycles,instructions,roof,roof_gbs\n",
              report->csv);
    return true;
}

/* ------------------------------------------------------------------- rows -- */

/* A parameter that an operation does not have stays empty, or 0. */
static void name_shape(struct row *row, const struct shape *shape, size_t stripes,
                       const char *variant)
{
    char code[24], len[16] = "-", matrix[MATRIX_TEXT];
    const struct operation *op = shape->operation;
    const bool coding = op->code == CODE_K_M || op->code == CODE_N;
    operation_code(shape, code, sizeof(code));
    matrix_print(&shape->matrix, matrix);
    if (op->sized)
        snprintf(len, sizeof(len), "%d", shape->len);
    snprintf(row->name, sizeof(row->name), "%-16s %-19s %-8s %-4s %8s  %-10s  ", op->name,
             op->code == CODE_K_M ? matrix : "-", code,
             op->sized ? mode_names[shape->mode] : "-", len,
             op->sized ? layout_names[shape->layout] : "-");
    snprintf(row->csv, sizeof(row->csv), "%s,%s,%s,%d,%d,%s,%d,%s,%zu", op->name, variant,
             coding ? matrix : "", op->code == CODE_NONE ? 0 : shape->k, coding ? shape->m : 0,
             mode_names[shape->mode], shape->len, layout_names[shape->layout], stripes);
}

struct row report_row_of(const struct shape *shape, const struct shape *baseline,
                         size_t stripes, const struct lineup *lineup)
{
    struct row row = {.count = lineup->count};
    name_shape(&row, shape, stripes, lineup_variant(lineup));
    for (size_t i = 0; i < lineup->count; i++) {
        row.subject[i].name = lineup->entry[i].name;
        row.subject[i].bytes = operation_bytes(shape);
    }
    if (baseline != NULL) {
        row.subject[row.count].name = baseline->operation->name;
        row.subject[row.count++].bytes = operation_bytes(baseline);
    }
    return row;
}

/* ------------------------------------------------------------------ table -- */

void report_title(struct report *report, const char *title)
{
    if (*title != '\0')
        printf("\n%s\n", title);
    else
        printf("\n");
    report->headed = false;
}

enum { NARROWEST_NAME = 14, WIDEST_INTERVAL = 10 };

static void head(struct report *report, const struct row *row)
{
    if (report->headed)
        return;
    report->headed = true;
    report->name_width = NARROWEST_NAME;
    for (size_t i = 0; i < row->count; i++)
        if ((int)strlen(row->subject[i].name) > report->name_width)
            report->name_width = (int)strlen(row->subject[i].name);
    printf("%s%-*s %8s %9s  %8s  %-*s%s\n", shape_heads, report->name_width, "subject", "GB/s",
           "call", "speed-up", report->roofs ? WIDEST_INTERVAL : 0, "interval",
           report->roofs ? "  of the roof" : "");
}

/* The rate in GB/s, 1e9 bytes of source data per second. */
static double row_rate(const struct row_subject *subject, const struct spread *seconds)
{
    return 1e-9 * (double)subject->bytes / seconds->median;
}

static void print_rate(const struct row_subject *subject, const struct spread *seconds)
{
    if (subject->bytes != 0)
        printf("%8.2f ", row_rate(subject, seconds));
    else
        printf("%8s ", "-");
}

/* The decimal places of a value that has three significant digits. */
static int places(double value)
{
    return value < 10 ? 2 : value < 100 ? 1 : 0;
}

/* Print a time with its unit in 9 columns. */
static void print_time(double seconds)
{
    static const struct {
        double below, scale;
        const char *unit;
    } units[] = {{1e-6, 1e9, "ns"}, {1e-3, 1e6, "us"}, {1.0, 1e3, "ms"}, {1e300, 1.0, "s"}};
    size_t u = 0;
    while (seconds >= units[u].below)
        u++;
    const double value = seconds * units[u].scale;
    printf("%6.*f %-2s", places(value), value, units[u].unit);
}

/* `width` is the interval's, where something follows it. */
static void print_ratio(const struct spread *ratio, int width)
{
    char interval[32];
    const int p = places(ratio->high);
    snprintf(interval, sizeof(interval), "%.*f..%.*f", p, ratio->low, p, ratio->high);
    printf("  %8.*f  %-*s", places(ratio->median), ratio->median, width, interval);
}

/* Print the figures of a subject, which is number `timed` of those that were timed. */
static void print_figures(const struct row_subject *subject, const struct engine_result *result,
                          size_t timed)
{
    const struct spread *seconds = &result->seconds[timed];
    char causes[NOISE_TEXT];
    const int width = *subject->roof != '\0' ? WIDEST_INTERVAL : 0;
    print_rate(subject, seconds);
    print_time(seconds->median);
    if (timed > 0)
        print_ratio(&result->relative[timed], width);
    else if (width > 0)
        printf("  %8s  %*s", "", width, "");
    if (width > 0)
        printf("  %3.0f %% %s", 100 * row_rate(subject, seconds) / subject->roof_gbs,
               subject->roof);
    printf("%s%s\n", result->causes[timed] != 0 ? "  noisy: " : "",
           noise_text(result->causes[timed], causes));
}

/* Print what stands before a subject's figures; `shape` is row->name or empty. */
static void print_names(const struct report *report, const char *shape, const char *subject)
{
    printf("%-*s%-*s ", (int)sizeof shape_heads - 1, shape, report->name_width, subject);
}

static void print_reason(struct report *report, const char *reason)
{
    printf("not timed: %s\n", reason);
    report->failed = report->failed || reason == out_of_memory;
}

void report_row(struct report *report, const struct row *row,
                const struct engine_result *result)
{
    size_t timed = 0;
    head(report, row);
    for (size_t i = 0; i < row->count; i++) {
        const struct row_subject *subject = &row->subject[i];
        print_names(report, i == 0 ? row->name : "", subject->name);
        if (subject->refused != NULL)
            print_reason(report, subject->refused);
        else
            print_figures(subject, result, timed++);
    }
    fflush(stdout);
    report_csv(report, row, result);
}

void report_missing(struct report *report, const struct row *row)
{
    for (size_t i = 0; i < row->count; i++)
        if (row->subject[i].refused != NULL) {
            head(report, row);
            print_names(report, row->name, row->subject[i].name);
            print_reason(report, row->subject[i].refused);
        }
}

void report_refused(struct report *report, const struct row *row, const char *reason)
{
    /* Where the reference cannot do it, no subject is timed. */
    const struct row_subject *reference = &row->subject[0];
    head(report, row);
    print_names(report, row->name, reason == reference->refused ? reference->name : "");
    print_reason(report, reason);
    fflush(stdout);
    report->refused++;
}

/* --------------------------------------------------------------- CSV file -- */

/* A value that is not known stays empty. */
static void csv_known(FILE *csv, double value)
{
    if (value > 0)
        fprintf(csv, "%.6g", value);
    fprintf(csv, ",");
}

static void csv_spread(FILE *csv, const struct spread *s)
{
    fprintf(csv, "%.6g,%.6g,%.6g,", s->median, s->low, s->high);
}

static void csv_line(FILE *csv, const struct row *row, const struct row_subject *subject,
                     const struct engine_result *result, size_t timed)
{
    const struct spread *seconds = &result->seconds[timed];
    fprintf(csv, "%s,%s,", row->csv, subject->name);
    if (subject->bytes != 0)
        fprintf(csv, "%zu", subject->bytes);
    fprintf(csv, ",");
    csv_spread(csv, seconds);
    csv_known(csv, row_rate(subject, seconds));
    csv_spread(csv, &result->relative[timed]);
    fprintf(csv, "%zu,%zu,%ld,%d,", result->rounds, result->calls[timed],
            result->noise.preempted, result->causes[timed] != 0);
    csv_known(csv, result->cycles[timed]);
    csv_known(csv, result->instructions[timed]);
    fprintf(csv, "%s,", subject->roof);
    if (*subject->roof != '\0')
        fprintf(csv, "%.6g", subject->roof_gbs);
    fprintf(csv, "\n");
}

void report_csv(struct report *report, const struct row *row,
                const struct engine_result *result)
{
    size_t timed = 0;
    for (size_t i = 0; i < row->count; i++) {
        const struct row_subject *subject = &row->subject[i];
        if (subject->refused != NULL) {
            report->missing++;
            continue;
        }
        if (report->csv != NULL)
            csv_line(report->csv, row, subject, result, timed);
        if (timed > 0)
            noise_judge(&report->noise, result->causes[timed]);
        timed++;
    }
    if (timed == 1)
        noise_judge(&report->noise, result->causes[0]);
    noise_add(&report->noise, &result->noise);
    report->rows++;
}

void report_end(const struct report *report, const struct arena *arena)
{
    char verdict[NOISE_VERDICT];
    printf("\npages: %s; %zu of the last %zu MiB lay on huge pages\n",
           arena_pages_names[arena->pages], arena_huge_bytes(arena) >> 20, arena->size >> 20);
    printf("%zu shapes timed, %zu not timed\n", report->rows, report->refused);
    if (report->missing > 0)
        printf("%zu times a subject was not timed, although the shape was timed\n",
               report->missing);
    printf("%s\n", noise_verdict(&report->noise, verdict));
}
