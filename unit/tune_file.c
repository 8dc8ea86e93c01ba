/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[200], path[sizeof folder + 8];

const char *tune_file_begin(void)
{
    const char *below = getenv("TMPDIR");
    if (below == NULL || *below == '\0')
        below = "/tmp";
    const int size = snprintf(folder, sizeof folder, "%s/permxor-tune.XXXXXX", below);
    if (size < 0 || (size_t)size >= sizeof folder || mkdtemp(folder) == NULL) {
        perror(folder);
        exit(2);
    }
    snprintf(path, sizeof path, "%s/tune", folder);
    return path;
}

void tune_file_end(void)
{
    unlink(path);
    rmdir(folder);
}

bool tune_file_write(const char *cpu, const char *kernels, mode_t mode)
{
    unlink(path);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return false;
    fprintf(file, "permxor-tune 1\ncpu = %s\nkernels = %s\n", cpu, kernels);
    return fclose(file) == 0 && chmod(path, mode) == 0;
}

bool tune_file_settings(const char *cpu, const char *lines)
{
    unlink(path);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return false;
    fprintf(file, "permxor-tune 2\ncpu = %s\n%s", cpu, lines);
    return fclose(file) == 0 && chmod(path, 0644) == 0;
}
