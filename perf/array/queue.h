/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queue.h - what an array would do with more than one thread: models of queues.
 *
 * queue_rate() asks how many operations in a second it would do.  The model is a closed network
 * of queues: each of n clients has one operation under way.  An operation needs a thread for a
 * mean time S, and for a mean time Z it waits for members, which serve any number of operations
 * at once.  There are c threads, and one queue for them.  Its rate follows by mean value
 * analysis with a load-dependent server (M. Reiser and S. Lavenberg,
 * "Mean-Value Analysis of Closed Multichain Queuing Networks", Journal of the ACM 27, 1980):
 * with j operations at the threads, these end min(j, c) / S of them in a second; p(j, n) is the
 * probability of j there out of n, and p(0, 0) = 1.  For n = 1, 2, ... :
 *
 *     R(n) = sum over j = 1..n of  j S / min(j, c)  p(j - 1, n - 1)
 *     X(n) = n / (R(n) + Z)
 *     p(j, n) = X(n) S / min(j, c)  p(j - 1, n - 1),    p(0, n) = 1 - sum of the others
 *
 * It assumes exponential times and threads that never wait for each other, so it says what the
 * threads could do at best.
 *
 * queue_locked() asks how often threads wait for locks.  Each of n threads works for a mean
 * time Z, and then holds one of L locks, each of which is as likely as the others, for a mean
 * time S. A lock is a server with one queue.  A thread that comes to it finds there what n - 1
 * threads would leave there on average (the same article): Q(0) = 0, and for n = 1, 2, ... :
 *
 *     R(n) = S (1 + Q(n - 1)),    X(n) = n / (R(n) + Z),    Q(n) = X(n) R(n) / L
 *
 * It finds the lock held with the probability X(n - 1) S / L.
 */
#ifndef PERF_ARRAY_QUEUE_H
#define PERF_ARRAY_QUEUE_H

#define QUEUE_MOST_CLIENTS 1024

/* Operations in a second.  Times are in seconds; service > 0, 1 <= clients <=
   QUEUE_MOST_CLIENTS, threads >= 1. */
double queue_rate(unsigned clients, double wait, double service, unsigned threads);

/* Acquisitions of locks in a second, of all threads together; and the part of them that finds
   the lock held.  Times are in seconds; hold > 0, threads >= 1, locks >= 1. */
double queue_locked(unsigned threads, double work, double hold, unsigned locks,
                    double *contended);

#endif
