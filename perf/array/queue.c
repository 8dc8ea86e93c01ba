/* SPDX-License-Identifier: BSD-3-Clause */
#include "queue.h"

/* The time of one operation of j at the threads, which serve min(j, threads) at once. */
static double share(unsigned j, double service, unsigned threads)
{
    return service / (j < threads ? j : threads);
}

double queue_rate(unsigned clients, double wait, double service, unsigned threads)
{
    double p[QUEUE_MOST_CLIENTS + 1] = {1};
    double rate = 0;
    for (unsigned n = 1; n <= clients; n++) {
        double response = 0, busy = 0;
        for (unsigned j = 1; j <= n; j++)
            response += j * share(j, service, threads) * p[j - 1];
        rate = n / (response + wait);
        for (unsigned j = n; j >= 1; j--) {
            p[j] = rate * share(j, service, threads) * p[j - 1];
            busy += p[j];
        }
        p[0] = busy < 1 ? 1 - busy : 0;
    }
    return rate;
}

double queue_locked(unsigned threads, double work, double hold, unsigned locks,
                    double *contended)
{
    double rate = 0, queue = 0;
    *contended = 0;
    for (unsigned n = 1; n <= threads; n++) {
        const double response = hold * (1 + queue);
        *contended = rate * hold / locks;
        rate = n / (response + work);
        queue = rate * response / locks;
    }
    return rate;
}
