/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine.h"

#include <stdbool.h>
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
    return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

static void describe_features(FILE *out, const char *prefix)
{
    static const char *const vector[] = {"ssse3",    "avx",      "avx2",        "avx512f",
                                         "avx512bw", "avx512vl", "avx512_vbmi", "gfni",
                                         "asimd",    "sve",      "sve2"};
    char flags[8192], spaced[8200];
    if (!machine_cpuinfo("flags", flags, sizeof(flags)) &&
        !machine_cpuinfo("Features", flags, sizeof(flags)))
        return;
    snprintf(spaced, sizeof(spaced), " %s ", flags);
    fprintf(out, "%svector features:", prefix);
    for (size_t i = 0; i < sizeof(vector) / sizeof(vector[0]); i++) {
        char word[32];
        snprintf(word, sizeof(word), " %s ", vector[i]);
        if (strstr(spaced, word) != NULL)
            fprintf(out, " %s", vector[i]);
    }
    fprintf(out, "\n");
}

static void describe_caches(FILE *out, const char *prefix, int cpu)
{
    char size[32], type[32], level[8];
    fprintf(out, "%scaches:", prefix);
    for (int i = 0; cache_line(cpu, i, "size", size, sizeof(size)) &&
                    cache_line(cpu, i, "type", type, sizeof(type)) &&
                    cache_line(cpu, i, "level", level, sizeof(level));
         i++)
        if (strcmp(type, "Instruction") != 0)
            fprintf(out, " L%s%s %s", level, strcmp(type, "Data") == 0 ? "d" : "", size);
    fprintf(out, "\n");
}

void machine_describe(FILE *out, const char *prefix, int cpu)
{
    char text[256];
    struct utsname system;
    if (machine_cpuinfo("model name", text, sizeof(text)))
        fprintf(out, "%scpu: %s", prefix, text);
    else
        fprintf(out, "%scpu: unnamed", prefix);
    if (machine_cpuinfo("cpu family", text, sizeof(text)))
        fprintf(out, ", family %s", text);
    if (machine_cpuinfo("model\t", text, sizeof(text)))
        fprintf(out, ", model %s", text);
    char flags[8192];
    if (machine_cpuinfo("flags", flags, sizeof(flags)) && strstr(flags, " hypervisor") != NULL)
        fprintf(out, ", virtual machine");
    fprintf(out, "\n");
    describe_features(out, prefix);
    describe_caches(out, prefix, cpu);
    if (uname(&system) == 0)
        fprintf(out, "%skernel: %s %s\n", prefix, system.sysname, system.release);
    bool governed = cpu_line(cpu, "cpufreq/scaling_governor", text, sizeof(text));
    fprintf(out, "%sfrequency governor: %s\n", prefix, governed ? text : "none visible");
    if (read_line("/sys/kernel/mm/transparent_hugepage/enabled", text, sizeof(text)))
        fprintf(out, "%stransparent huge pages: %s\n", prefix, text);
    if (read_line("/proc/loadavg", text, sizeof(text)))
        fprintf(out, "%sload average: %s\n", prefix, text);
}
