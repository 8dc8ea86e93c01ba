/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "command_line.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"

enum options_verdict options_wrong(const char *what, const char *value)
{
    fprintf(stderr, "%s: %s: %s (see --help)\n", program_invocation_short_name, what, value);
    return OPTIONS_WRONG;
}

/* ----------------------------------------------------------------- values -- */

/* A reader writes the value to *at.  It returns false where the text is none. */

static bool read_number(const char *text, const struct option_row *row, long *value)
{
    char *end;
    *value = strtol(text, &end, 10);
    return *text != '\0' && *end == '\0' && *value >= row->least && *value <= row->most;
}

static bool read_bytes(const char *text, int *bytes)
{
    static const char units[] = "KMGkmg";
    char *end;
    long long value = strtoll(text, &end, 10);
    if (end == text || value <= 0 || value > INT_MAX)
        return false;
    const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
    if (unit != NULL) {
        value <<= 10 * ((unit - units) % 3 + 1);
        end++;
    }
    *bytes = (int)value;
    return *end == '\0' && value <= INT_MAX;
}

static bool read_seconds(const char *text, double *seconds)
{
    char *end;
    *seconds = strtod(text, &end);
    return *text != '\0' && *end == '\0' && *seconds > 0 && *seconds <= 3600;
}

static bool read_pages(const char *text, enum arena_pages *pages)
{
    for (int i = 0; arena_pages_names[i] != NULL; i++)
        if (strcmp(text, arena_pages_names[i]) == 0) {
            *pages = (enum arena_pages)i;
            return true;
        }
    return false;
}

static bool take(const struct option_row *row, void *options, const char *text)
{
    void *const at = (char *)options + row->at;
    long number;
    switch (row->kind) {
    case OPTION_FLAG:
        return *(bool *)at = true;
    case OPTION_TEXT:
        *(const char **)at = text;
        return row->most == 0 || strlen(text) <= (size_t)row->most;
    case OPTION_BYTES:
        return read_bytes(text, at);
    case OPTION_SECONDS:
        return read_seconds(text, at);
    case OPTION_PAGES:
        return read_pages(text, at);
    default:
        break;
    }
    if (!read_number(text, row, &number) ||
        (row->kind == OPTION_LINES && number % BUFFERS_ALIGN != 0))
        return false;
    if (row->kind == OPTION_INT)
        *(int *)at = (int)number;
    else
        *(size_t *)at = (size_t)number << (row->kind == OPTION_MIB ? 20 : 0);
    return true;
}

/* ------------------------------------------------------------------- line -- */

static bool is_short(const struct option_row *row)
{
    return row->name[1] == '\0';
}

/* The value of a row for getopt_long(). */
static int value_of(const struct command_line *line, const struct option_row *row)
{
    return is_short(row) ? *row->name : 256 + (int)(row - line->rows);
}

static const struct option_row *row_of(const struct command_line *line, int value)
{
    const struct option_row *row = line->rows;
    while (value_of(line, row) != value)
        row++;
    return row;
}

enum options_verdict command_line_read(const struct command_line *line, void *options, int argc,
                                       char **argv)
{
    struct option names[OPTIONS_MOST + 2] = {{"help", no_argument, NULL, 'h'}}, *name = names;
    char letters[2 * OPTIONS_MOST + 2] = "h";
    for (const struct option_row *row = line->rows; row < line->rows + line->count; row++)
        if (is_short(row))
            strcat(strcat(letters, row->name), ":");
        else
            *++name =
                (struct option){row->name, row->kind != OPTION_FLAG, NULL, value_of(line, row)};
    int value;
    while ((value = getopt_long(argc, argv, letters, names, NULL)) != -1) {
        if (value == '?')
            return OPTIONS_WRONG;
        if (value == 'h') {
            line->help(options);
            return OPTIONS_HELP;
        }
        if (!take(row_of(line, value), options, optarg))
            return options_wrong("not a valid value for the option", optarg);
    }
    return OPTIONS_RUN;
}

enum options_verdict command_line_read_alone(const struct command_line *line, void *options,
                                             int argc, char **argv)
{
    const enum options_verdict verdict = command_line_read(line, options, argc, argv);
    if (verdict == OPTIONS_RUN && optind < argc)
        return options_wrong("not an option", argv[optind]);
    return verdict;
}
