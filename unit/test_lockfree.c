/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks what permxor.h says about locks, allocations, signals and forked children.
 *
 * This program replaces the C library's functions for locks and memory with its own, which
 * count their calls.  Calls that need no memory run in a child in which the kernel permits no
 * system call.  When a call meets a new pattern of losses, a child is forked at each place at
 * which the call allocates or frees memory.
 */
#include "config.h"

#include "check.h"

#if defined(__has_feature)
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif

/* Sanitizers replace these functions with their own, and a program must not replace those. */
#if defined(__linux__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__) && !HAS_FEATURE(address_sanitizer) &&           \
    !HAS_FEATURE(thread_sanitizer)

#include <dlfcn.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge.h"
#include "rebuild.h"

/* volatile, because compilers know that the C library's functions do not change a program's
   variables. */
static volatile long locks, allocations, frees;

/* Counts down to the call for memory that forks.  Negative: no call forks. */
static volatile long until_fork = -1;
static void fork_here(void);

/* ------------------------------------------------------------ counters -- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

static void count_memory(volatile long *counter)
{
    ++*counter;
    if (until_fork >= 0 && until_fork-- == 0)
        fork_here();
}

void *malloc(size_t size)
{
    count_memory(&allocations);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    count_memory(&allocations);
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    count_memory(&allocations);
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    count_memory(&allocations);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    count_memory(&allocations);
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : 12;
}

void free(void *memory)
{
    count_memory(&frees);
    __libc_free(memory);
}

/* Defines a lock function that counts its calls and then calls the C library's function of the
   same name.  Also defines a check that it does so, with an object that `prepare`
   initialises. */
#define COUNT_LOCK(name, type, prepare)                \
    int name(type *object)                             \
    {                                                  \
        static int (*next)(type *);                    \
        locks++;                                       \
        if (!next)                                     \
            *(void **)&next = dlsym(RTLD_NEXT, #name); \
        return next(object);                           \
    }                                                  \
    static void ask_for_##name(void)                   \
    {                                                  \
        static type object;                            \
        prepare;                                       \
        const long before = locks;                     \
        CHECK_INT(name(&object), 0);                   \
        CHECK_INT(locks, before + 1);                  \
    }

COUNT_LOCK(pthread_mutex_lock, pthread_mutex_t, pthread_mutex_init(&object, NULL))
COUNT_LOCK(pthread_mutex_trylock, pthread_mutex_t, pthread_mutex_init(&object, NULL))
COUNT_LOCK(pthread_rwlock_rdlock, pthread_rwlock_t, pthread_rwlock_init(&object, NULL))
COUNT_LOCK(pthread_rwlock_wrlock, pthread_rwlock_t, pthread_rwlock_init(&object, NULL))
COUNT_LOCK(pthread_spin_lock, pthread_spinlock_t, pthread_spin_init(&object, 0))
COUNT_LOCK(pthread_spin_trylock, pthread_spinlock_t, pthread_spin_init(&object, 0))
COUNT_LOCK(sem_wait, sem_t, sem_init(&object, 0, 1))

/* --------------------------------------------------------------- cases -- */

static struct {
    pxr_code *code;
    pxr_plan *plan; /* for pair 0 */
    struct stripe full;
} now;

static void begin(void)
{
    now.code = stripe_code(60, 4, PXR_ISAL_CAUCHY);
    now.full = stripe_random(now.code, 64);
    now.plan = rebuild_plan(now.code, &now.full, 0);
}

static void end(void)
{
    pxr_plan_free(now.plan);
    stripe_free(&now.full);
    pxr_code_free(now.code);
}

/* Whether calls for memory are counted.  Under valgrind they are not, because it replaces these
   functions too.  The volatile pointers keep a compiler from inlining the functions of this
   program here. */
static bool counts(void)
{
    void *(*volatile allocate)(size_t) = malloc;
    void (*volatile give_back)(void *) = free;
    const long before = allocations, freed = frees;
    give_back(allocate(1));
    return allocations == before + 1 && frees == freed + 1;
}

static void test_counters(void)
{
    if (!check_case("the counters count"))
        return;
    ask_for_pthread_mutex_lock();
    ask_for_pthread_mutex_trylock();
    ask_for_pthread_rwlock_rdlock();
    ask_for_pthread_rwlock_wrlock();
    ask_for_pthread_spin_lock();
    ask_for_pthread_spin_trylock();
    ask_for_sem_wait();
    CHECK(counts());
}

/* The locks and allocations during the rebuilding of pairs from..to-1, and whether the result
   was right. */
struct cost {
    long locks, allocations, frees;
    bool right;
};

static struct cost cost_of(unsigned from, unsigned to)
{
    const struct cost before = {locks, allocations, frees, true};
    bool right = true;
    for (unsigned i = from; i < to; i++)
        right &= rebuild_pair(now.code, &now.full, i);
    return (struct cost){locks - before.locks, allocations - before.allocations,
                         frees - before.frees, right};
}

static void test_reconstruct(void)
{
    if (!check_case("pxr_reconstruct takes no lock, and allocates nothing for a known pattern"))
        return;
    begin();
    const unsigned all = rebuild_pairs(&now.full);
    struct cost cost = cost_of(0, 20);
    CHECK(cost.right);
    CHECK_INT(cost.locks, 0);
    CHECK(cost.allocations > 20); /* these patterns are new, and the counter works */
    cost = cost_of(0, 20);
    CHECK(cost.right);
    CHECK_INT(cost.locks + cost.allocations + cost.frees, 0);
    /* new patterns that replace plans in the cache */
    cost = cost_of(20, all);
    CHECK(cost.right);
    CHECK_INT(cost.locks, 0);
    CHECK(cost.frees > (long)all);
    cost = cost_of(all - 20, all);
    CHECK(cost.right);
    CHECK_INT(cost.locks + cost.allocations + cost.frees, 0);
    end();
}

static void test_plan(void)
{
    if (!check_case("pxr_plan_apply takes no lock and allocates nothing"))
        return;
    begin();
    const struct cost before = {locks, allocations, frees, true};
    CHECK(rebuild_by_plan(now.plan, &now.full, 0));
    CHECK_INT(locks, before.locks);
    CHECK_INT(allocations, before.allocations);
    CHECK_INT(frees, before.frees);
    end();
}

/* Encodes again, and rebuilds two shards twice.  The first time the pattern is new, and the
   second time the cache has its plan. */
static void test_pieces(void)
{
    if (!check_case(
            "calls for shards in pieces take no lock, and allocate only for a new plan"))
        return;
    begin();
    struct iovec piece[64];
    struct pxr_iov shard[64], have[64], want[64] = {{NULL, 0}};
    for (unsigned i = 0; i < 64; i++) {
        piece[i] = (struct iovec){now.full.shard[i], 64};
        have[i] = shard[i] = (struct pxr_iov){&piece[i], 1};
    }
    for (unsigned i = 1; i < 64; i += 50) {
        have[i].iovcnt = 0;
        want[i] = shard[i];
    }
    for (unsigned round = 0; round < 2; round++) {
        const struct cost before = {locks, allocations, frees, true};
        CHECK_INT(pxr_encode_iov(now.code, 64, shard, shard + 60), PXR_OK);
        CHECK_INT(allocations, before.allocations);
        CHECK_INT(pxr_reconstruct_iov(now.code, 64, have, want), PXR_OK);
        CHECK(round == 0 ? allocations > before.allocations
                         : allocations == before.allocations);
        CHECK_INT(locks, before.locks);
    }
    end();
}

static void test_locate(void)
{
    if (!check_case("pxr_locate takes no lock, and allocates nothing the second time"))
        return;
    begin();
    now.full.shard[7][9] ^= 1;
    for (unsigned round = 0; round < 2; round++) {
        const struct cost before = {locks, allocations, frees, true};
        unsigned index = 0;
        CHECK_INT(pxr_locate(now.code, 64, stripe_in(&now.full), &index), PXR_EMISMATCH);
        CHECK_INT(index, 7);
        CHECK_INT(locks, before.locks);
        CHECK(round == 0 ? allocations > before.allocations
                         : allocations == before.allocations);
    }
    end();
}

/* ---------------------------------------------------- no system call -- */

/* Ends by exit(), because the strict mode of seccomp does not permit exit_group(). */
static void leave(bool right)
{
    syscall(SYS_exit, right ? 0 : 1);
}

static bool work_without_system(void)
{
    bool right = true;
    for (unsigned i = 0; i < 20; i++)
        right &= rebuild_pair(now.code, &now.full, i);
    right &= rebuild_by_plan(now.plan, &now.full, 0);
    right &= pxr_encode(now.code, 64, stripe_in(&now.full), stripe_parity(&now.full)) == PXR_OK;
    right &= pxr_verify(now.code, 64, stripe_in(&now.full), NULL) == PXR_OK;
    right &= pxr_update(now.code, 64, 0, NULL, now.full.shard[1], stripe_parity(&now.full)) ==
             PXR_OK;
    return right;
}

static bool nothing(void)
{
    return true;
}

/* The exit status of a child that does its work while the kernel permits only read(), write()
   and exit(). */
static int status_without_system(bool (*work)(void))
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
            _exit(2);
        leave(work());
    }
    waitpid(child, &status, 0);
    return status;
}

static void test_no_system_call(void)
{
    static const char name[] = "coding calls where no system call is permitted";
    if (status_without_system(nothing) != 0) {
        check_skip(name, "the kernel has no strict mode");
        return;
    }
    if (!check_case("%s", name))
        return;
    begin();
    cost_of(0, 20);
    CHECK_INT(status_without_system(work_without_system), 0);
    end();
}

/* ------------------------------------------------- forked in the middle -- */

static unsigned forks;

/* The child never returns to the call in which it was forked.  For the child, that call belongs
   to a thread that does not exist. */
static void fork_here(void)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(rebuild_in_child(now.code, now.plan, &now.full, 30 * forks) ? 0 : 1);
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK_INT(status, 0);
    forks++;
}

/* Rebuilds the pairs `number` + n, and forks in each at the nth place that needs memory, until
   a pair has no such place.  Returns the number of places. */
static unsigned fork_everywhere(unsigned number)
{
    for (unsigned places = 0;; places++) {
        until_fork = places;
        CHECK(rebuild_pair(now.code, &now.full, number + places));
        const bool beyond = until_fork >= 0;
        until_fork = -1;
        if (beyond)
            return places;
    }
}

static void test_forked_inside(void)
{
    if (!check_case("children forked during a call that meets a new pattern"))
        return;
    forks = 0;
    begin();
    /* the workspace, the plan, and freeing the workspace */
    CHECK(fork_everywhere(1) >= 3);
    cost_of(0, rebuild_pairs(&now.full));
    /* now also freeing the plan that is replaced */
    CHECK(fork_everywhere(100) >= 4);
    /* the first new pattern also creates the cache */
    end();
    begin();
    for (long place = 0; place < 6; place++) {
        pxr_code_free(now.code);
        now.code = stripe_code(60, 4, PXR_ISAL_CAUCHY);
        until_fork = place;
        CHECK(rebuild_pair(now.code, &now.full, 0));
        until_fork = -1;
    }
    CHECK(forks >= 10);
    end();
}

int main(int argc, char **argv)
{
    check_start("test_lockfree", argc, argv);
    judge_start();
    if (!counts()) {
        check_skip("counting locks and memory", "malloc is replaced by another program");
        return check_finish();
    }
    test_counters();
    test_reconstruct();
    test_plan();
    test_pieces();
    test_locate();
    test_no_system_call();
    test_forked_inside();
    return check_finish();
}

#else

int main(int argc, char **argv)
{
    check_start("test_lockfree", argc, argv);
    check_skip("counting locks and memory", "malloc cannot be replaced in this build");
    return check_finish();
}

#endif
