/* SPDX-License-Identifier: BSD-3-Clause */
/* The default number of threads, by the number of CPUs, the memory, and the limits of control
   groups.  The files of these groups are in folders that the test makes. */
#include "config.h"

#include "cgroup.h"
#include "check.h"
#include "threads.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIB(n) ((uint64_t)(n) << 20)

/* ----------------------------------------------------------------- tree -- */

static char root[200];

static void tree_begin(void)
{
    const char *below = getenv("TMPDIR");
    snprintf(root, sizeof root, "%s/permxor-threads.XXXXXX",
             below != NULL && *below != '\0' ? below : "/tmp");
    if (mkdtemp(root) == NULL) {
        perror(root);
        exit(2);
    }
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)status, (void)type, (void)at;
    return remove(path);
}

static void tree_end(void)
{
    nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Writes a file below the root, and makes the folders on its path. */
static void put(const char *name, const char *text)
{
    char path[400];
    snprintf(path, sizeof path, "%s%s", root, name);
    for (char *c = path + strlen(root) + 1; *c != '\0'; c++)
        if (*c == '/') {
            *c = '\0';
            mkdir(path, 0755);
            *c = '/';
        }
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        perror(path);
        exit(2);
    }
}

/* -------------------------------------------------------------- cgroups -- */

static void test_no_groups(void)
{
    if (!check_case("cgroup: no files"))
        return;
    tree_begin();
    struct cgroup_limits limits = cgroup_limits(root);
    CHECK(limits.cpus == UINT_MAX);
    CHECK(limits.memory == UINT64_MAX);
    put("/proc/self/cgroup", "0::/\nnonsense\n:\n3:cpuset:/\n");
    limits = cgroup_limits(root);
    CHECK(limits.cpus == UINT_MAX);
    CHECK(limits.memory == UINT64_MAX);
    tree_end();
}

static void test_version_2(void)
{
    if (!check_case("cgroup: version 2, own group and parents"))
        return;
    tree_begin();
    put("/proc/self/cgroup", "0::/a.slice/b/c\n");
    put("/sys/fs/cgroup/a.slice/b/c/cpu.max", "max 100000\n");
    put("/sys/fs/cgroup/a.slice/b/c/memory.max", "max\n");
    put("/sys/fs/cgroup/a.slice/other/cpu.max", "1000 100000\n");
    CHECK(cgroup_limits(root).cpus == UINT_MAX);
    CHECK(cgroup_limits(root).memory == UINT64_MAX);
    put("/sys/fs/cgroup/a.slice/b/c/cpu.max", "800000 100000\n");
    put("/sys/fs/cgroup/a.slice/b/c/memory.max", "8589934592\n");
    CHECK_INT(cgroup_limits(root).cpus, 8);
    CHECK_INT(cgroup_limits(root).memory, MIB(8192));
    put("/sys/fs/cgroup/a.slice/cpu.max", "250000 100000\n");
    put("/sys/fs/cgroup/a.slice/b/memory.max", "1073741824\n");
    CHECK_INT(cgroup_limits(root).cpus, 3);
    CHECK_INT(cgroup_limits(root).memory, MIB(1024));
    put("/sys/fs/cgroup/a.slice/b/c/memory.high", "536870912\n");
    CHECK_INT(cgroup_limits(root).memory, MIB(512));
    put("/sys/fs/cgroup/a.slice/b/cpu.max", "1000 100000\n");
    CHECK_INT(cgroup_limits(root).cpus, 1);
    tree_end();
}

/* The process knows its group by the host's name, but the group's files are at the root. */
static void test_container(void)
{
    if (!check_case("cgroup: the root of a container"))
        return;
    tree_begin();
    put("/proc/self/cgroup", "0::/docker/0123456789\n");
    put("/sys/fs/cgroup/cpu.max", "400000 200000\n");
    put("/sys/fs/cgroup/memory.max", "268435456\n");
    CHECK_INT(cgroup_limits(root).cpus, 2);
    CHECK_INT(cgroup_limits(root).memory, MIB(256));
    tree_end();
}

static void test_version_1(void)
{
    if (!check_case("cgroup: version 1"))
        return;
    tree_begin();
    put("/proc/self/cgroup", "12:cpuset:/set\n5:cpuacct,cpu:/group/own\n4:memory:/m\n0::/\n");
    put("/sys/fs/cgroup/cpu/group/own/cpu.cfs_quota_us", "-1\n");
    put("/sys/fs/cgroup/cpu/group/own/cpu.cfs_period_us", "100000\n");
    put("/sys/fs/cgroup/memory/m/memory.limit_in_bytes", "9223372036854771712\n");
    CHECK(cgroup_limits(root).cpus == UINT_MAX);
    CHECK(cgroup_limits(root).memory > MIB(1) << 40);
    put("/sys/fs/cgroup/cpu/group/cpu.cfs_quota_us", "550000\n");
    put("/sys/fs/cgroup/cpu/group/cpu.cfs_period_us", "100000\n");
    put("/sys/fs/cgroup/memory/m/memory.limit_in_bytes", "134217728\n");
    CHECK_INT(cgroup_limits(root).cpus, 6);
    CHECK_INT(cgroup_limits(root).memory, MIB(128));
    tree_end();
}

/* --------------------------------------------------------------- limits -- */

static void test_limits(void)
{
    if (!check_case("limits: CPUs and memory"))
        return;
    tree_begin();
    struct thread_limits limits = threads_limits(128, MIB(65536), root);
    CHECK_INT(limits.cpus, 128);
    CHECK_INT(limits.memory, MIB(1024));
    CHECK_INT(threads_limits(128, MIB(2048), root).memory, MIB(512));
    put("/proc/self/cgroup", "0::/\n");
    put("/sys/fs/cgroup/cpu.max", "1600000 100000\n");
    put("/sys/fs/cgroup/memory.max", "536870912\n");
    limits = threads_limits(128, MIB(65536), root);
    CHECK_INT(limits.cpus, 16);
    CHECK_INT(limits.memory, MIB(128));
    CHECK_INT(threads_limits(4, MIB(65536), root).cpus, 4);
    tree_end();
}

static void test_fit(void)
{
    const struct thread_limits limits = {.cpus = 128, .memory = MIB(1024)};
    const struct thread_limits many = {.cpus = 4096, .memory = MIB(1024)};
    if (!check_case("threads that fit the limits"))
        return;
    CHECK_INT(threads_fit(&limits, 14, 256 << 10), 128);
    CHECK_INT(threads_fit(&limits, 255, 256 << 10), 16);
    CHECK_INT(threads_fit(&limits, 255, 64 << 20), 1);
    CHECK_INT(threads_fit(&limits, 2, 0), 128);
    CHECK_INT(threads_fit(&many, 14, 4 << 10), THREADS_MAX);
}

/* ----------------------------------------------------------------- CPUs -- */

static int cpus_of_kernel; /* 0: the call fails for another reason */

static int fake_affinity(pid_t pid, size_t size, cpu_set_t *set)
{
    (void)pid;
    errno = cpus_of_kernel == 0 ? EPERM : EINVAL;
    if (cpus_of_kernel == 0 || size * CHAR_BIT < (size_t)cpus_of_kernel)
        return -1;
    for (int cpu = 0; cpu < cpus_of_kernel; cpu += 2)
        CPU_SET_S(cpu, size, set);
    return 0;
}

static void test_cpus(void)
{
    static const int kernels[] = {2, 64, 1024, 1026, 8192, 1 << 20};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (check_case("cpus: every other one of %d", kernels[i])) {
            cpus_of_kernel = kernels[i];
            CHECK_INT(threads_cpus(fake_affinity), kernels[i] / 2);
        }
    if (check_case("cpus: the number cannot be found out")) {
        cpus_of_kernel = 0;
        CHECK_INT(threads_cpus(fake_affinity), 1);
        cpus_of_kernel = 1 << 21;
        CHECK_INT(threads_cpus(fake_affinity), 1);
    }
    if (check_case("cpus: this machine")) {
        CHECK(threads_cpus(sched_getaffinity) >= 1);
        CHECK(threads_default(14, 256 << 10) >= 1);
    }
}

int main(int argc, char **argv)
{
    check_start("test_threads", argc, argv);
    test_no_groups();
    test_version_2();
    test_container();
    test_version_1();
    test_limits();
    test_fit();
    test_cpus();
    return check_finish();
}
