/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include <errno.h>
#include <string.h>

bool report_open(struct report *report, const char *path, const struct report_form *form)
{
    *report = (struct report){.form = *form};
    if (path == NULL)
        return true;
    report->csv = fopen(path, "w");
    if (report->csv == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    fprintf(report->csv,
            "%s,rounds,preempted,a_ns,a_ns_q1,a_ns_q3,b_ns,b_ns_q1,b_ns_q3,a_gbs,b_gbs,"
            "speedup,speedup_min,speedup_q1,speedup_q3,speedup_max,noisy\n",
            form->csv_head);
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
    if (!report->headed)
        printf("%s%8s %8s  %9s %9s  %s%8s  %s\n", report->form.head, "A GB/s", "B GB/s",
               "A call", "B call", report->more_head != NULL ? report->more_head : "",
               "speed-up", "quartiles");
    report->headed = true;
}

/* In GB/s, 1e9 bytes of source data per second. */
static double rate(const struct row *row, int subject, const struct engine_result *result)
{
    return 1e-9 * (double)row->bytes[subject] / result->seconds[subject].median;
}

static void print_rate(const struct row *row, int subject, const struct engine_result *result)
{
    if (row->bytes[subject] != 0)
        printf("%8.2f ", rate(row, subject, result));
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

void report_row(struct report *report, const struct row *row,
                const struct engine_result *result)
{
    const struct spread *speedup = &result->relative[1];
    head(report);
    printf("%s", row->name);
    print_rate(row, 0, result);
    print_rate(row, 1, result);
    printf(" ");
    print_time(result->seconds[0].median);
    print_time(result->seconds[1].median);
    char causes[NOISE_TEXT];
    printf("%s %8.2f  %.2f..%.2f%s%s\n", row->more, speedup->median, speedup->q1, speedup->q3,
           result->noisy ? "  noisy: " : "", noise_text(result->noise.causes, causes));
    fflush(stdout);
    report_csv(report, row, result);
}

static void csv_rate(FILE *csv, const struct row *row, int subject,
                     const struct engine_result *result)
{
    if (row->bytes[subject] != 0)
        fprintf(csv, "%.3f", rate(row, subject, result));
    fprintf(csv, ",");
}

void report_csv(struct report *report, const struct row *row,
                const struct engine_result *result)
{
    const struct spread *a = &result->seconds[0], *b = &result->seconds[1];
    const struct spread *speedup = &result->relative[1];
    report->rows++;
    noise_add(&report->noise, &result->noise);
    if (report->csv == NULL)
        return;
    fprintf(report->csv, "%s,%zu,%ld,", row->csv, result->rounds, result->preempted);
    fprintf(report->csv, "%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,", 1e9 * a->median, 1e9 * a->q1,
            1e9 * a->q3, 1e9 * b->median, 1e9 * b->q1, 1e9 * b->q3);
    csv_rate(report->csv, row, 0, result);
    csv_rate(report->csv, row, 1, result);
    fprintf(report->csv, "%.4f,%.4f,%.4f,%.4f,%.4f,%d\n", speedup->median, speedup->min,
            speedup->q1, speedup->q3, speedup->max, result->noisy);
}

void report_refused(struct report *report, const struct row *row, const char *reason)
{
    head(report);
    printf("%snot timed: %s\n", row->name, reason);
    fflush(stdout);
    report->refused++;
}

void report_end(const struct report *report, const struct arena *arena)
{
    static const char *const kinds[] = {"default", "small", "huge"};
    char verdict[NOISE_VERDICT];
    printf("\npages: %s; %zu of the last %zu MiB lay on huge pages\n", kinds[arena->pages],
           arena_huge_bytes(arena) >> 20, arena->size >> 20);
    printf("%zu shapes timed, %zu not timed\n", report->rows, report->refused);
    printf("%s\n", noise_verdict(&report->noise, verdict));
}
