/* SPDX-License-Identifier: BSD-3-Clause */
#include "csv.h"

#include <errno.h>
#include <string.h>

bool csv_open(FILE **csv, const char *path)
{
    *csv = NULL;
    if (path == NULL)
        return true;
    *csv = fopen(path, "w");
    if (*csv == NULL)
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return *csv != NULL;
}

bool csv_close(FILE *csv)
{
    if (csv == NULL)
        return true;
    bool failed = ferror(csv) != 0;
    failed = fclose(csv) != 0 || failed;
    if (failed)
        fprintf(stderr, "the CSV file could not be written completely\n");
    return !failed;
}
