/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "values.h"

#include "message.h"
#include "permxor_hash.h"
#include "shard.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int bad_value(const char *option, const char *text, const char *expected)
{
    return complain(STATUS_USAGE, "--%s: '%s' is not %s", option, text, expected);
}

static bool all_digits(const char *text, const char *end)
{
    for (const char *c = text; c < end; c++)
        if (*c < '0' || *c > '9')
            return false;
    return text < end;
}

/* Parses a number, with K, M or G for powers of 1024 if `suffix` allows it. */
static bool parse_size(const char *text, bool suffix, uint64_t *value)
{
    static const char units[] = "KMG";
    const char *end = text + strlen(text);
    const char *unit = suffix && end > text ? strchr(units, end[-1]) : NULL;
    unsigned shift = 0;
    if (unit != NULL) {
        shift = 10 * (unsigned)(unit - units + 1);
        end--;
    }
    if (!all_digits(text, end))
        return false;
    errno = 0;
    unsigned long long number = strtoull(text, NULL, 10);
    if (errno != 0 || number > UINT64_MAX >> shift)
        return false;
    *value = (uint64_t)number << shift;
    return true;
}

bool value_digits(const char *text, uint64_t most, uint64_t *value)
{
    uint64_t number;
    if (!parse_size(text, false, &number) || number > most)
        return false;
    *value = number;
    return true;
}

int value_number(const char *option, const char *text, unsigned most, unsigned *value)
{
    char expected[48];
    uint64_t number;
    if (value_digits(text, most, &number) && number >= 1) {
        *value = (unsigned)number;
        return STATUS_OK;
    }
    snprintf(expected, sizeof expected, "a number from 1 to %u", most);
    return bad_value(option, text, expected);
}

int value_cell(const char *text, uint32_t *cell)
{
    uint64_t number;
    if (!parse_size(text, true, &number) || number < SHARD_CELL_MIN ||
        number > SHARD_CELL_MAX || number % SHARD_CELL_MIN != 0)
        return bad_value("cell", text, "a multiple of 64 from 64 to 64M");
    *cell = (uint32_t)number;
    return STATUS_OK;
}

int value_chunk(const char *text, uint32_t *chunk)
{
    uint64_t number;
    if (!parse_size(text, true, &number) || number < 4 << 10 || number > 256 << 10 ||
        (number & (number - 1)) != 0)
        return bad_value("chunk", text, "a power of two from 4K to 256K");
    *chunk = (uint32_t)number;
    return STATUS_OK;
}

/* A unit of packets has to fit in a cell. */
int value_packetsize(const char *text, uint32_t *packetsize)
{
    uint64_t number;
    if (!parse_size(text, true, &number) || number == 0 || number > SHARD_CELL_MAX)
        return bad_value("packetsize", text, "a size from 1 to 64M");
    *packetsize = (uint32_t)number;
    return STATUS_OK;
}

int value_length(const char *text, size_t *length)
{
    uint64_t number;
    if (!parse_size(text, true, &number) || number == 0 || number > UINT64_C(1) << 30)
        return bad_value("len", text, "a size from 1 to 1G");
    *length = (size_t)number;
    return STATUS_OK;
}

int value_seconds(const char *text, double *seconds)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !(number > 0 && number <= 3600))
        return bad_value("time", text, "a number of seconds up to 3600");
    *seconds = number;
    return STATUS_OK;
}

int value_set(const char *text, const char **set)
{
    size_t length = strlen(text);
    if (length == 0 || length >= SHARD_ID_TEXT_SIZE ||
        strspn(text, "0123456789abcdef") != length)
        return bad_value("set", text, "the start of a set id (hexadecimal digits)");
    *set = text;
    return STATUS_OK;
}

/* An empty text is most likely a shell variable that was never set. */
int value_path(const char *option, const char *text, const char **path)
{
    if (text[0] == '\0')
        return bad_value(option, text, "a path");
    *path = text;
    return STATUS_OK;
}

int value_hash_size(const char *text, unsigned *size)
{
    uint64_t number;
    if (!value_digits(text, PXR_MAX_HASH, &number) ||
        (number != 4 && number != 8 && number != 16))
        return bad_value("size", text, "4, 8 or 16");
    *size = (unsigned)number;
    return STATUS_OK;
}

int value_matrix(const char *text, enum pxr_matrix *matrix)
{
    enum pxr_matrix found;
    if (pxr_matrix_parse(text, &found) != PXR_OK || found == PXR_CUSTOM ||
        found == PXR_CUSTOM_BITS)
        return bad_value("matrix", text, "a matrix; 'permxor encode --help' lists them");
    *matrix = found;
    return STATUS_OK;
}
