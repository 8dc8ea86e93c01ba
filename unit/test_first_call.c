/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The first coding call of a process.  It must open no file, take no lock and not read the
 * environment.  It must also work in a signal handler, and in a child that was forked while
 * other threads were in calls.
 */
#include "config.h"

#define ISAL_DEPRECATED_INTERNAL

#include "check.h"
#include "dispatch.h"
#include "isa-l.h"
#include "judge.h"
#include "kernels.h"
#include "permxor_raid.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#if __has_include(<linux/filter.h>)
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#endif
#endif

#define K 6
#define M 4
#define LEN 70000 /* 10 shards of this length do not fit in some caches */

static uint8_t data[K][LEN], expected[M][LEN], coefficients[M * K], tables[M * K * 32];
static uint8_t parity_p[LEN], parity_q[LEN];

/* ------------------------------------------------------------ environment -- */

/* Counts how often the library reads the environment.  This program's secure_getenv() is used
   instead of the C library's. */
#ifdef HAVE_SECURE_GETENV
static _Atomic int looks;

char *secure_getenv(const char *name)
{
    looks++;
    return getenv(name);
}
#endif

/* ----------------------------------------------------------------- calls -- */

static void make_work(void)
{
    const uint8_t *src[K];
    check_fill(data, sizeof data);
    check_fill(coefficients, sizeof coefficients);
    for (unsigned j = 0; j < K; j++)
        src[j] = data[j];
    for (unsigned r = 0; r < M; r++)
        judge_dot(LEN, K, coefficients + K * r, src, expected[r]);
    judge_tables(M * K, coefficients, tables);
    judge_syndrome(LEN, 0, K, src, parity_p, parity_q);
}

/* Memory for the results of calls.  Calls that run at the same time use different rooms. */
struct room {
    uint8_t out[M][LEN];
};
static struct room rooms[4];

/* Calls functions of ISA-L and RAID that need no code object.  Returns whether all results are
   right. */
static bool work(struct room *room, int len)
{
    uint8_t *src[K + 2], *dst[M];
    bool right = true;
    for (unsigned j = 0; j < K; j++)
        src[j] = data[j];
    for (unsigned r = 0; r < M; r++)
        dst[r] = room->out[r];
    memset(room->out, 0, sizeof room->out);
    ec_encode_data(len, K, M, tables, src, dst);
    for (unsigned r = 0; r < M; r++)
        right &= memcmp(dst[r], expected[r], (size_t)len) == 0;
    memset(room->out, 0, sizeof room->out);
    for (int j = 0; j < K; j++)
        ec_encode_data_update(len, K, M, j, tables, src[j], dst);
    for (unsigned r = 0; r < M; r++)
        right &= memcmp(dst[r], expected[r], (size_t)len) == 0;
    gf_vect_dot_prod(len, K, tables, src, dst[0]);
    right &= memcmp(dst[0], expected[0], (size_t)len) == 0;
    src[K] = dst[0];
    src[K + 1] = dst[1];
    right &= pxr_raid_generate(K, (size_t)len, src, dst[0], dst[1]) == PXR_OK;
    right &= memcmp(dst[0], parity_p, (size_t)len) == 0;
    right &= memcmp(dst[1], parity_q, (size_t)len) == 0;
    right &= pxr_raid_check(K, (size_t)len, src, dst[0], dst[1], NULL, 0) == PXR_OK;
#if defined(__x86_64__) && defined(__LP64__)
    ec_encode_data_avx2(len, K, M, tables, src, dst);
    right &= memcmp(dst[0], expected[0], (size_t)len) == 0;
#endif
    return right;
}

static bool work_at_all_lengths(struct room *room)
{
    static const int lengths[] = {1, 100, 1024, 5000, LEN};
    bool right = true;
    for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        right &= work(room, lengths[i]);
    return right;
}

/* Returns the exit status of a child, or -1 if a signal ended it. */
static int wait_for(pid_t child)
{
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

/* ---------------------------------------------------------------- cases -- */

#ifdef SECCOMP_MODE_FILTER
/* The filter kills the process at any system call other than exit.  The kernel's strict mode is
   not used, because it would also make reading the processor's clock an error. */
static void in_strict_child(void)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
    };
    const struct sock_fprog filter = {sizeof steps / sizeof steps[0], steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
        _exit(77);
    const bool right = work_at_all_lengths(&rooms[0]);
    syscall(SYS_exit, right ? 0 : 1); /* _exit() would call exit_group */
}

static void test_no_system_call(void)
{
    const char *title = "the first call makes no system call";
    if (getenv("LD_PRELOAD") != NULL) { /* valgrind's library makes system calls of its own */
        check_skip(title, "something is preloaded");
        return;
    }
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        in_strict_child();
    const int status = wait_for(child);
    if (status == 77) {
        check_skip(title, "the system has no seccomp");
        return;
    }
    if (check_case("%s", title))
        CHECK_INT(status, 0);
}
#else
static void test_no_system_call(void)
{
    check_skip("the first call makes no system call", "the system's headers have no seccomp");
}
#endif

#ifdef PR_SET_TSC
/* permxor.h asks for this setting before a process forbids reading the clock. */
static void in_child_without_clock(void)
{
    if (pxr_tune_apply("look-from = 1024M\n") != PXR_OK)
        _exit(2);
    if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV) != 0)
        _exit(77);
    const bool right = work_at_all_lengths(&rooms[0]);
    prctl(PR_SET_TSC, PR_TSC_ENABLE);
    _exit(right ? 0 : 1);
}

static void test_without_clock(void)
{
    const char *title = "calls where reading the processor's clock is an error";
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        in_child_without_clock();
    const int status = wait_for(child);
    if (status == 77)
        check_skip(title, "the system cannot forbid reading the clock");
    else if (check_case("%s", title))
        CHECK_INT(status, 0);
}
#else
static void test_without_clock(void)
{
    check_skip("calls where reading the processor's clock is an error", "this is not Linux");
}
#endif

static void test_environment(void)
{
#ifdef HAVE_SECURE_GETENV
    if (!check_case("calls do not look at the environment"))
        return;
    const int at_load = looks;
    CHECK(at_load > 0);
    CHECK(work_at_all_lengths(&rooms[0]));
    CHECK_INT(looks, at_load);
    CHECK_INT(pxr_kernel_select(NULL), PXR_OK);
    CHECK(looks > at_load);
#else
    check_skip("calls do not look at the environment", "there is no secure_getenv");
#endif
}

static void test_chosen_at_load(void)
{
    if (check_case("the set is chosen before main()"))
        CHECK(atomic_load(&pxr_chosen_kernels) != NULL);
}

static _Atomic int handled, handled_wrong;

static void handler(int signal)
{
    const int error = errno;
    (void)signal;
    handled_wrong += !work(&rooms[1], 1500);
    handled++;
    errno = error;
}

/* The first calls of the process are those of the signal handler.  After that, the handler
   interrupts other calls. */
static int in_signalled_child(void)
{
    const struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    bool right = true;
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    raise(SIGALRM);
    if (handled != 1)
        return 2;
    setitimer(ITIMER_REAL, &often, NULL);
    for (unsigned round = 0; round < check_effort(100) || handled < 10; round++)
        right &= work_at_all_lengths(&rooms[0]);
    setitimer(ITIMER_REAL, &never, NULL);
    return !right || handled_wrong != 0;
}

static void test_signals(void)
{
    if (!check_case("calls in a signal handler"))
        return;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        _exit(in_signalled_child());
    CHECK_INT(wait_for(child), 0);
}

static _Atomic bool ends;

static void *work_and_select(void *room)
{
    intptr_t wrong = 0;
    while (!ends) {
        wrong += !work(room, 1500);
        pxr_kernel_select("base");
        pxr_tune_apply("own = 64K\n");
        wrong += !work(room, 1500);
        pxr_kernel_select(NULL);
    }
    return (void *)wrong;
}

/* Forks children while other threads code, and select kernel sets. */
static void test_fork(void)
{
    pthread_t threads[2];
    if (!check_case("calls in a forked child"))
        return;
    ends = false;
    for (unsigned i = 0; i < 2; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, work_and_select, &rooms[2 + i]), 0);
    fflush(stdout);
    for (unsigned round = 0; round < check_effort(30); round++) {
        const pid_t child = fork();
        if (child == 0)
            _exit(work_at_all_lengths(&rooms[0]) ? 0 : 1);
        CHECK_INT(wait_for(child), 0);
    }
    ends = true;
    for (unsigned i = 0; i < 2; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        CHECK_INT((intptr_t)wrong, 0);
    }
}

int main(int argc, char **argv)
{
    check_start("test_first_call", argc, argv);
    judge_start();
    make_work();
    test_chosen_at_load();
    /* These three fork their children before this process has made any call. */
    test_no_system_call();
    test_without_clock();
    test_signals();
    test_environment();
    test_fork();
    return check_finish();
}
