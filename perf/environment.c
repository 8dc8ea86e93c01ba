/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "environment.h"

#include <sched.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

int environment_pin(int cpu)
{
    cpu_set_t allowed, only;
    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
        return -1;
    const bool first = cpu == ENVIRONMENT_FIRST;
    if (cpu < 0)
        for (int i = 0; i < CPU_SETSIZE && !(first && cpu >= 0); i++)
            if (CPU_ISSET(i, &allowed))
                cpu = i;
    if (cpu < 0 || cpu >= CPU_SETSIZE)
        return -1;
    CPU_ZERO(&only);
    CPU_SET(cpu, &only);
    return sched_setaffinity(0, sizeof(only), &only) == 0 ? cpu : -1;
}

/*
 * Without randomisation the system maps libraries at the end of the address space.  There some
 * code is slower on an Emerald Rapids Xeon than it ever is at random addresses
 * (doc/perf-method.md).  So the last gigabytes are taken before the libraries to measure are
 * loaded.  If the system refuses them, the libraries lie at the end.
 */
static void leave_the_end(void)
{
#if SIZE_MAX > UINT32_MAX
    mmap(NULL, (size_t)4 << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
#endif
}

bool environment_fix_addresses(char **argv)
{
    int current = personality(0xffffffff); /* this value asks and changes nothing */
    if (current == -1)
        return false;
    if (current & ADDR_NO_RANDOMIZE) {
        leave_the_end();
        return true;
    }
    /* Some sandboxes answer without an error but change nothing.  So ask again, or the program
       would execute itself for ever. */
    personality((unsigned long)current | ADDR_NO_RANDOMIZE);
    current = personality(0xffffffff);
    if (current == -1 || !(current & ADDR_NO_RANDOMIZE))
        return false;
    execv("/proc/self/exe", argv);
    return false;
}
