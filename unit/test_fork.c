/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Children are forked while other threads may be anywhere in the code for plans.  No child may
 * hang, and every child must rebuild correctly.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "judge.h"
#include "rebuild.h"

#if defined(__has_feature)
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif

/* The malloc() of these sanitizers takes locks.  A forked child may find them taken. */
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer) || \
    defined(__SANITIZE_THREAD__) || HAS_FEATURE(thread_sanitizer)
#define MALLOC_FORKS false
#else
#define MALLOC_FORKS true
#endif

#define THREADS 3

struct shared {
    const pxr_code *code;
    const struct stripe *full;
    atomic_uint started;
    atomic_bool stop;
};

/* There are about twice as many patterns as the code keeps plans, so plans are often replaced.
   But three of four calls are for one of eight patterns. */
static void *rebuild_often(void *argument)
{
    struct shared *shared = argument;
    check_stream(1 + atomic_fetch_add(&shared->started, 1));
    bool right = true;
    while (!atomic_load(&shared->stop)) {
        const unsigned of = check_below(4) ? 8 : rebuild_pairs(shared->full);
        right &= rebuild_pair(shared->code, shared->full, (unsigned)check_below(of));
    }
    CHECK(right);
    return NULL;
}

/*
 * The child says by one byte whether all was right.  It cannot say this by its exit status,
 * because valgrind changes that: it takes memory that the parent's other threads were about to
 * free for a leak in the child.
 */
static bool try_child(pxr_code *code, const pxr_plan *plan, const struct stripe *full,
                      unsigned first)
{
    int ends[2], status = 0;
    if (!CHECK_INT(pipe(ends), 0))
        return false;
    const pid_t child = fork();
    if (child == 0) {
        const char right = rebuild_in_child(code, plan, full, first);
        _exit(write(ends[1], &right, 1) != 1);
    }
    char right = 0;
    close(ends[1]);
    CHECK_INT(read(ends[0], &right, 1), 1);
    CHECK(right);
    close(ends[0]);
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return CHECK_INT(WIFSIGNALED(status) ? WTERMSIG(status) : 0, 0) && right;
}

static void test_fork(void)
{
    if (!check_case("children forked while %d threads rebuild", THREADS))
        return;
    pxr_code *code = stripe_code(60, 4, PXR_ISAL_CAUCHY);
    struct stripe full = stripe_random(code, 64);
    pxr_plan *plan = rebuild_plan(code, &full, 0);
    struct shared shared = {.code = code, .full = &full};
    pthread_t thread[THREADS];
    for (unsigned i = 0; i < THREADS; i++)
        if (!CHECK_INT(pthread_create(&thread[i], NULL, rebuild_often, &shared), 0))
            exit(2);
    bool right = true;
    for (unsigned i = 0; right && i < check_effort(150); i++) {
        check_at("child %ld", i, 0, 0, 0);
        right = try_child(code, plan, &full, (unsigned)check_below(2000));
    }
    atomic_store(&shared.stop, true);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    CHECK(rebuild_by_plan(plan, &full, 0));
    pxr_plan_free(plan);
    stripe_free(&full);
    pxr_code_free(code);
}

int main(int argc, char **argv)
{
    check_start("test_fork", argc, argv);
    judge_start();
    if (MALLOC_FORKS)
        test_fork();
    else
        check_skip("forked children", "the sanitizer's malloc may hang in them");
    return check_finish();
}
