/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cgroup.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the first line of a file of a group.  Returns false when there is no such file. */
static bool read_line(const char *folder, const char *name, char *line, int size)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = length < PATH_MAX ? fopen(path, "re") : NULL;
    if (file == NULL)
        return false;
    bool got = fgets(line, size, file) != NULL;
    fclose(file);
    return got;
}

/* A part of a CPU counts as one CPU.  No quota at all is written as "max" or -1. */
static void take_quota(struct cgroup_limits *limits, const char *quota, const char *period)
{
    long long q = strtoll(quota, NULL, 10), p = strtoll(period, NULL, 10);
    if (q <= 0 || p <= 0)
        return;
    long long cpus = q / p + (q % p != 0);
    if (cpus < limits->cpus)
        limits->cpus = (unsigned)cpus;
}

/* For no limit, version 1 writes a number near 2^63, which limits nothing. */
static void take_memory(struct cgroup_limits *limits, const char *bytes)
{
    uint64_t memory = strtoull(bytes, NULL, 10);
    if (memory > 0 && memory < limits->memory)
        limits->memory = memory;
}

/* Takes the limits in the files of one group, of either version. */
static void take_group(struct cgroup_limits *limits, const char *folder)
{
    static const char *const memory_files[] = {"memory.max", "memory.high",
                                               "memory.limit_in_bytes"};
    char line[64], period[64];
    const char *space;
    if (read_line(folder, "cpu.max", line, sizeof line) && (space = strchr(line, ' ')) != NULL)
        take_quota(limits, line, space);
    if (read_line(folder, "cpu.cfs_quota_us", line, sizeof line) &&
        read_line(folder, "cpu.cfs_period_us", period, sizeof period))
        take_quota(limits, line, period);
    for (int i = 0; i < 3; i++)
        if (read_line(folder, memory_files[i], line, sizeof line))
            take_memory(limits, line);
}

/*
 * Takes a group and its parents, up to the root of the hierarchy.  In a container the names may
 * be those of the host, while the files are those of the container's own group, at the root.
 * So groups that do not exist are skipped.
 */
static void take_groups(struct cgroup_limits *limits, const char *hierarchy, const char *group)
{
    char folder[PATH_MAX];
    size_t top = strlen(hierarchy);
    if (snprintf(folder, sizeof folder, "%s%s", hierarchy, group) >= PATH_MAX)
        return;
    for (;;) {
        take_group(limits, folder);
        char *slash = strrchr(folder + top, '/');
        if (slash == NULL)
            return;
        *slash = '\0';
    }
}

/* Returns whether a comma-separated list contains a word. */
static bool lists(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (;; list++) {
        size_t item = strcspn(list, ",");
        if (item == length && memcmp(list, word, length) == 0)
            return true;
        list += item;
        if (*list == '\0')
            return false;
    }
}

/* Takes a line ID:CONTROLLERS:GROUP.  Version 2 has no controllers there. */
static void take_membership(struct cgroup_limits *limits, const char *root, char *line)
{
    static const char *const controllers[] = {"cpu", "memory"};
    char hierarchy[PATH_MAX];
    char *list = strchr(line, ':');
    char *group = list != NULL ? strchr(list + 1, ':') : NULL;
    if (group == NULL)
        return;
    *group++ = '\0';
    group[strcspn(group, "\n")] = '\0';
    list++;
    if (list[0] == '\0') {
        snprintf(hierarchy, sizeof hierarchy, "%s/sys/fs/cgroup", root);
        take_groups(limits, hierarchy, group);
    }
    for (int i = 0; i < 2; i++)
        if (lists(list, controllers[i])) {
            snprintf(hierarchy, sizeof hierarchy, "%s/sys/fs/cgroup/%s", root, controllers[i]);
            take_groups(limits, hierarchy, group);
        }
}

struct cgroup_limits cgroup_limits(const char *root)
{
    struct cgroup_limits limits = {.cpus = UINT_MAX, .memory = UINT64_MAX};
    char path[PATH_MAX], line[PATH_MAX];
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return limits;
    while (fgets(line, sizeof line, file) != NULL)
        take_membership(&limits, root, line);
    fclose(file);
    return limits;
}
