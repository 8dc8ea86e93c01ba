/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cli_peak FILE COMMAND [ARGUMENT...]: runs a command, and writes the most memory that it used
 * at any time, in KiB, into a file.  Exits with the command's status, or with 126 on an error.
 * If it was built with a sanitizer, so was the command, and a sanitizer takes memory of its
 * own.  Then cli_peak runs nothing and exits with 126.
 */
#include "config.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

enum { CANNOT = 126 };

static int write_peak(const char *path, long peak)
{
    FILE *file = fopen(path, "w");
    if (file != NULL && fprintf(file, "%ld\n", peak) > 0 && fclose(file) == 0)
        return 0;
    perror(path);
    return CANNOT;
}

int main(int argc, char **argv)
{
    int status;
    struct rusage usage;
    if (argc < 3 || SANITIZED)
        return CANNOT;
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(CANNOT);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status)) {
        perror(argv[2]);
        return CANNOT;
    }
    int result = write_peak(argv[1], usage.ru_maxrss);
    return result != 0 ? result : WEXITSTATUS(status);
}
