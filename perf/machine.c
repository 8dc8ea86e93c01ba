/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine.h"

#include "../tools/cgroup.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define CPU_FOLDER "/sys/devices/system/cpu/cpu%d/"

/* Reads the first line of a file, without its newline.  Returns false when there is none. */
static bool read_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    bool found = fgets(line, (int)size, file) != NULL;
    fclose(file);
    if (found)
        line[strcspn(line, "\n")] = '\0';
    return found;
}

static bool cpu_line(int cpu, const char *name, char *line, size_t size)
{
    char path[160];
    snprintf(path, sizeof(path), CPU_FOLDER "%s", cpu, name);
    return read_line(path, line, size);
}

static bool cache_line(int cpu, int index, const char *what, char *line, size_t size)
{
    char name[64];
    snprintf(name, sizeof(name), "cache/index%d/%s", index, what);
    return cpu_line(cpu, name, line, size);
}

bool machine_cpuinfo(const char *name, char *value, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[8192];
    bool found = false;
    if (file == NULL)
        return false;
    while (!found && fgets(line, sizeof(line), file) != NULL) {
        char *colon = strchr(line, ':');
        if (colon == NULL || strncmp(line, name, strlen(name)) != 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(value, size, "%s", colon[1] == ' ' ? colon + 2 : colon + 1);
        found = true;
    }
    fclose(file);
    return found;
}

/* Gets the bytes of data cache number `index` in the kernel's numbering; 0 means that the cache
   holds instructions.  Returns false behind the last one. */
static bool cache_bytes(int cpu, int index, size_t *bytes)
{
    char size[32], type[32], *unit;
    if (!cache_line(cpu, index, "size", size, sizeof(size)))
        return false;
    *bytes = strtoul(size, &unit, 10);
    *bytes *= *unit == 'K' ? 1024 : *unit == 'M' ? 1024 * 1024 : 1;
    if (!cache_line(cpu, index, "type", type, sizeof(type)) || strcmp(type, "Instruction") == 0)
        *bytes = 0;
    return true;
}

size_t machine_cache(int cpu, int level)
{
    char text[8];
    size_t bytes;
    for (int index = 0; cache_bytes(cpu, index, &bytes); index++)
        if (bytes > 0 && cache_line(cpu, index, "level", text, sizeof(text)) &&
            atoi(text) == level)
            return bytes;
    return 0;
}

size_t machine_last_cache(int cpu)
{
    size_t bytes, largest = 0;
    for (int index = 0; cache_bytes(cpu, index, &bytes); index++)
        largest = bytes > largest ? bytes : largest;
    return largest;
}

size_t machine_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    const uint64_t limit = cgroup_limits("").memory;
    uint64_t bytes = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX;
    bytes = bytes < limit ? bytes : limit;
    return bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
}

static void describe_features(void)
{
    static const char *const vector[] = {"ssse3",    "avx",      "avx2",       "avx512f",
                                         "avx512bw", "avx512vl", "avx512vbmi", "gfni",
                                         "asimd",    "sve",      "sve2"};
    char flags[8192], spaced[8200];
    if (!machine_cpuinfo("flags", flags, sizeof(flags)) &&
        !machine_cpuinfo("Features", flags, sizeof(flags)))
        return;
    snprintf(spaced, sizeof(spaced), " %s ", flags);
    printf("vector features:");
    for (size_t i = 0; i < sizeof(vector) / sizeof(vector[0]); i++) {
        char word[32];
        snprintf(word, sizeof(word), " %s ", vector[i]);
        if (strstr(spaced, word) != NULL)
            printf(" %s", vector[i]);
    }
    printf("\n");
}

static void describe_caches(int cpu)
{
    char size[32], type[32], level[8];
    printf("caches:");
    for (int i = 0; cache_line(cpu, i, "size", size, sizeof(size)) &&
                    cache_line(cpu, i, "type", type, sizeof(type)) &&
                    cache_line(cpu, i, "level", level, sizeof(level));
         i++)
        if (strcmp(type, "Instruction") != 0)
            printf(" L%s%s %s", level, strcmp(type, "Data") == 0 ? "d" : "", size);
    printf("\n");
}

void machine_describe(int cpu)
{
    char text[256];
    struct utsname system;
    if (machine_cpuinfo("model name", text, sizeof(text)))
        printf("cpu: %s", text);
    else
        printf("cpu: unnamed");
    if (machine_cpuinfo("cpu family", text, sizeof(text)))
        printf(", family %s", text);
    if (machine_cpuinfo("model\t", text, sizeof(text)))
        printf(", model %s", text);
    char flags[8192];
    if (machine_cpuinfo("flags", flags, sizeof(flags)) && strstr(flags, " hypervisor") != NULL)
        printf(", virtual machine");
    printf("\n");
    describe_features();
    describe_caches(cpu);
    if (uname(&system) == 0)
        printf("kernel: %s %s\n", system.sysname, system.release);
    bool governed = cpu_line(cpu, "cpufreq/scaling_governor", text, sizeof(text));
    printf("frequency governor: %s\n", governed ? text : "none visible");
    if (read_line("/sys/kernel/mm/transparent_hugepage/enabled", text, sizeof(text)))
        printf("transparent huge pages: %s\n", text);
    if (read_line("/proc/loadavg", text, sizeof(text)))
        printf("load average: %s\n", text);
}
