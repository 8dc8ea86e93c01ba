/* SPDX-License-Identifier: BSD-3-Clause */
/* The queueing models of array_perf and array_locks, in the cases that have a closed form. */
#include "check.h"

#include "../perf/array/queue.h"

static bool is(double got, double want)
{
    return got > want * (1 - 1e-9) && got < want * (1 + 1e-9);
}

/* A client alone never waits for a thread. */
static void check_alone(void)
{
    CHECK(is(queue_rate(1, 3, 2, 1), 0.2));
    CHECK(is(queue_rate(1, 0, 2, 4), 0.5));
}

/* Nobody waits where there are as many threads as clients. */
static void check_enough_threads(void)
{
    for (unsigned clients = 1; clients <= 8; clients++)
        CHECK(is(queue_rate(clients, 3, 2, 8), clients / 5.0));
}

/* One thread is always busy if nothing is waited for. */
static void check_one_thread(void)
{
    CHECK(is(queue_rate(7, 0, 2, 1), 0.5));
}

/* Two clients and one thread: a client finds the other one at the thread with the probability
   S / (S + Z), in which it is there when it is alone. */
static void check_two_clients(void)
{
    CHECK(is(queue_rate(2, 3, 2, 1), 2 / (3 + 2 * (1 + 2 / 5.0))));
}

/* More clients never do less, and no more than the threads can. */
static void check_bounds(void)
{
    double before = 0;
    for (unsigned clients = 1; clients <= 64; clients++) {
        const double rate = queue_rate(clients, 100, 2, 4);
        CHECK(rate >= before * (1 - 1e-9));
        CHECK(rate <= clients / 102.0 * (1 + 1e-9));
        CHECK(rate <= 2 * (1 + 1e-9));
        before = rate;
    }
    CHECK(queue_rate(QUEUE_MOST_CLIENTS, 100, 2, 4) > 1.9);
}

/* A thread alone finds every lock free. */
static void check_lock_alone(void)
{
    double contended = 1;
    CHECK(is(queue_locked(1, 3, 2, 1, &contended), 0.2));
    CHECK(contended == 0);
}

/* Threads that do nothing but hold one lock keep it busy, and all but one of them wait. */
static void check_one_lock(void)
{
    double contended = 0;
    CHECK(is(queue_locked(8, 0, 2, 1, &contended), 0.5));
    CHECK(is(contended, 1));
}

/* Two threads: one finds the other at its lock with the probability S / (S + Z) / L. */
static void check_two_locked(void)
{
    double contended = 0;
    CHECK(is(queue_locked(2, 3, 2, 4, &contended), 2 / (3 + 2 * (1 + 2 / 5.0 / 4))));
    CHECK(is(contended, 2 / 5.0 / 4));
}

int main(int argc, char **argv)
{
    check_start("test_array_queue", argc, argv);
    if (check_case("a client alone"))
        check_alone();
    if (check_case("enough threads"))
        check_enough_threads();
    if (check_case("one thread that is always busy"))
        check_one_thread();
    if (check_case("two clients and one thread"))
        check_two_clients();
    if (check_case("bounds"))
        check_bounds();
    if (check_case("a thread alone and locks"))
        check_lock_alone();
    if (check_case("one lock that is always held"))
        check_one_lock();
    if (check_case("two threads and locks"))
        check_two_locked();
    return check_finish();
}
