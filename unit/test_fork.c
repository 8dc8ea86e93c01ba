/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Children forked while other threads are anywhere in the plans of a code: none of them
 * hangs, and all rebuild right.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "judge.h"
#include "rebuild.h"

#define THREADS 3

struct shared {
    const pxr_code *code;
    const struct stripe *full;
    atomic_uint started;
    atomic_bool stop;
};

/* Twice as many patterns as the code keeps plans, so plans come and go; but most calls are
   for one of few. */
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

/* A child that says by its end whether it went right. */
static pid_t start_child(pxr_code *code, const pxr_plan *plan, const struct stripe *full,
                         unsigned first)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(rebuild_in_child(code, plan, full, first) ? 0 : 1);
    return child;
}

static void check_child(pid_t child)
{
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK_INT(WIFSIGNALED(status) ? WTERMSIG(status) : 0, 0);
    CHECK_INT(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
}

static void test_fork(void)
{
    if (!check_case("children of %d threads that rebuild", THREADS))
        return;
    pxr_code *code = stripe_code(60, 4, PXR_ISAL_CAUCHY);
    struct stripe full = stripe_random(code, 64);
    pxr_plan *plan = rebuild_plan(code, &full, 0);
    struct shared shared = {.code = code, .full = &full};
    pthread_t thread[THREADS];
    for (unsigned i = 0; i < THREADS; i++)
        if (!CHECK_INT(pthread_create(&thread[i], NULL, rebuild_often, &shared), 0))
            exit(2);
    for (unsigned i = 0; i < check_effort(150); i++) {
        check_at("child %ld", i, 0, 0, 0);
        check_child(start_child(code, plan, &full, (unsigned)check_below(2000)));
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
    test_fork();
    return check_finish();
}
