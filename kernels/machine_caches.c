/* SPDX-License-Identifier: BSD-3-Clause */
/* The caches of a core, put together from all sources that report them. */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif
#include <unistd.h>

#include "machine.h"

/* A smaller level is not a cache of a current processor, but an error of a hypervisor. */
static const size_t least[PXR_LEVELS] = {
    [PXR_L1] = 4 << 10, [PXR_L2] = 64 << 10, [PXR_L3] = 256 << 10};

void pxr_core_add(struct pxr_core *core, unsigned level, size_t bytes, unsigned threads,
                  unsigned threads_per_core, enum pxr_origin origin)
{
    if (level >= PXR_LEVELS || core->cache[level].bytes != 0 || bytes < least[level])
        return;
    const unsigned cores = threads_per_core ? threads / threads_per_core : threads;
    core->cache[level] = (struct pxr_cache){bytes, cores ? cores : 1, origin};
}

/* ---------------------------------------------------------------- sysfs -- */

/* Reads the first line of a file; it is empty when there is no such file. */
static void read_line(const char *folder, const char *name, char *line, size_t size)
{
    char path[256];
    ssize_t got = -1;
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    const int fd =
        length > 0 && (size_t)length < sizeof path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        got = read(fd, line, size - 1);
        close(fd);
    }
    line[got > 0 ? got : 0] = '\0';
    line[strcspn(line, "\n")] = '\0';
}

/* Counts the numbers of a list such as "0-3,8,10-11".  Returns 0 when the text is no such list.
 */
static unsigned count_list(const char *list)
{
    unsigned long count = 0;
    while (*list >= '0' && *list <= '9') {
        char *end;
        const unsigned long first = strtoul(list, &end, 10);
        const unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
        if (last < first || last - first > 1 << 20 || count > 1 << 20)
            return 0;
        count += last - first + 1;
        list = *end == ',' ? end + 1 : end;
    }
    return *list == '\0' ? (unsigned)count : 0;
}

static unsigned read_count(const char *folder, const char *name)
{
    char line[1024];
    read_line(folder, name, line, sizeof line);
    return count_list(line);
}

/* Reads "48K", "2048K", "4M" or a number of bytes.  Returns 0 when the text is no size. */
static size_t read_size(const char *folder)
{
    char line[32], *end;
    read_line(folder, "size", line, sizeof line);
    if (line[0] < '0' || line[0] > '9')
        return 0;
    const size_t number = strtoul(line, &end, 10);
    const unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 0;
    return number <= SIZE_MAX >> shift ? number << shift : 0;
}

void pxr_core_ask_sysfs(struct pxr_core *core, const char *folder)
{
    char line[32], index[224];
    const unsigned siblings = read_count(folder, "topology/thread_siblings_list");
    for (unsigned i = 0; i < 8; i++) {
        const int length = snprintf(index, sizeof index, "%s/cache/index%u", folder, i);
        if (length < 0 || (size_t)length >= sizeof index)
            return;
        read_line(index, "type", line, sizeof line);
        if (strcmp(line, "Data") != 0 && strcmp(line, "Unified") != 0)
            continue;
        read_line(index, "level", line, sizeof line);
        if (line[0] < '1' || line[0] > '3' || line[1] != '\0')
            continue;
        pxr_core_add(core, (unsigned)(line[0] - '1'), read_size(index),
                     read_count(index, "shared_cpu_list"), siblings, PXR_ORIGIN_SYSFS);
    }
}

/* ------------------------------------------------------------ C library -- */

#ifdef __APPLE__
/* A number of Apple's, 0 where the system does not know it. */
static size_t ask_sysctl(const char *name)
{
    uint64_t value = 0;
    size_t size = sizeof value;
    return sysctlbyname(name, &value, &size, NULL, 0) == 0 ? (size_t)value : 0;
}
#endif

/* sysconf() does not tell who shares a cache, so the third level is left to the guess.  Apple's
   sysconf() knows no caches; perflevel0 is the fastest kind of core there. */
void pxr_core_ask_sysconf(struct pxr_core *core)
{
    (void)core;
#ifdef __APPLE__
    const unsigned sharers = (unsigned)ask_sysctl("hw.perflevel0.cpusperl2");
    pxr_core_add(core, PXR_L1, ask_sysctl("hw.perflevel0.l1dcachesize"), 1, 1,
                 PXR_ORIGIN_SYSCONF);
    pxr_core_add(core, PXR_L1, ask_sysctl("hw.l1dcachesize"), 1, 1, PXR_ORIGIN_SYSCONF);
    pxr_core_add(core, PXR_L2, ask_sysctl("hw.perflevel0.l2cachesize"), sharers, 1,
                 PXR_ORIGIN_SYSCONF);
    pxr_core_add(core, PXR_L2, ask_sysctl("hw.l2cachesize"), 1, 1, PXR_ORIGIN_SYSCONF);
#endif
#ifdef _SC_LEVEL1_DCACHE_SIZE
    const long l1 = sysconf(_SC_LEVEL1_DCACHE_SIZE);
    if (l1 > 0)
        pxr_core_add(core, PXR_L1, (size_t)l1, 1, 1, PXR_ORIGIN_SYSCONF);
#endif
#ifdef _SC_LEVEL2_CACHE_SIZE
    const long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
    if (l2 > 0)
        pxr_core_add(core, PXR_L2, (size_t)l2, 1, 1, PXR_ORIGIN_SYSCONF);
#endif
}
