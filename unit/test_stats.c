/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the figures of measurements are evaluated.  Summaries and intervals are compared with
 * cases that were derived by hand and by simulation.  Other cases test the causes of noise and
 * the verdict on a run.
 */
#include "config.h"

#include "check.h"
#include "fake_machine.h"

#include "../perf/noise.h"
#include "../perf/samples.h"
#include "../perf/stats.h"

#include <string.h>

static bool close_to(double got, double want)
{
    double difference = got > want ? got - want : want - got;
    return difference <= 1e-9 * (want > 1 ? want : 1);
}

/* ----------------------------------------------------------------- spread -- */

static void test_five_numbers(void)
{
    double odd[] = {5, 1, 4, 2, 3}, even[] = {4, 1, 3, 2}, one[] = {7};
    struct spread s = spread_of(odd, 5);
    CHECK(s.min == 1 && s.q1 == 2 && s.median == 3 && s.q3 == 4 && s.max == 5);
    CHECK(close_to(spread_width(&s), 2.0 / 3));
    s = spread_of(even, 4);
    CHECK(s.min == 1 && s.q1 == 1.75 && s.median == 2.5 && s.q3 == 3.25 && s.max == 4);
    s = spread_of(one, 1);
    CHECK(s.min == 7 && s.q1 == 7 && s.median == 7 && s.q3 == 7 && s.max == 7);
    CHECK(s.low == 7 && s.high == 7);
}

static void test_widen(void)
{
    struct spread inside = {.q1 = 1, .median = 2, .q3 = 3, .low = 1.5, .high = 2.5};
    struct spread beyond = {.q1 = 1, .median = 2, .q3 = 3, .low = 0.5, .high = 3.5};
    spread_widen(&inside);
    CHECK(inside.low == 1 && inside.high == 3);
    spread_widen(&beyond);
    CHECK(beyond.low == 0.5 && beyond.high == 3.5);
}

static void test_drift(void)
{
    double up[] = {1, 9, 1, 1.25, 1.25, 0}, down[] = {2, 1}, one[] = {3};
    CHECK(close_to(spread_drift(up, 6), 0.25));
    CHECK(close_to(spread_drift(down, 2), 1));
    CHECK(spread_drift(one, 1) == 0);
}

/* --------------------------------------------------------------- interval -- */

/* Rows of Pascal's triangle, summed up by hand. */
static void test_coverage(void)
{
    CHECK(close_to(interval_coverage(1, 0), 0));
    CHECK(close_to(interval_coverage(5, 0), 1 - 2.0 / 32));
    CHECK(close_to(interval_coverage(6, 0), 1 - 2.0 / 64));
    CHECK(close_to(interval_coverage(9, 1), 1 - 2.0 * (1 + 9) / 512));
    CHECK(close_to(interval_coverage(12, 2), 1 - 2.0 * (1 + 12 + 66) / 4096));
    CHECK(close_to(interval_coverage(12, 3), 1 - 2.0 * (1 + 12 + 66 + 220) / 4096));
    CHECK(close_to(interval_coverage(17, 4), 1 - 2.0 * 3214 / 131072));
}

static void test_left_out(void)
{
    /* For 1 to 17 values: the largest number with a coverage of at least 95 %, or 0. */
    static const int want[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4};
    for (size_t n = 1; n <= 17; n++) {
        check_at("n=%ld", (long)n, 0, 0, 0);
        CHECK_INT(interval_left_out(n), want[n - 1]);
    }
}

static void test_few_values(void)
{
    double five[] = {3, 1, 5, 2, 4}, six[] = {6, 3, 1, 5, 2, 4};
    double nine[] = {9, 1, 8, 2, 7, 3, 6, 4, 5};
    struct spread s = spread_of(five, 5);
    CHECK(s.low == 1 && s.high == 5);
    s = spread_of(six, 6);
    CHECK(s.low == 1 && s.high == 6);
    s = spread_of(nine, 9);
    CHECK(s.low == 2 && s.high == 8);
}

/* 12 blocks: the interval reaches from the third least to the third greatest of their
   medians. */
static void test_blocks(void)
{
    double even[24], uneven[35];
    for (size_t i = 0; i < 24; i++)
        even[i] = (double)(10 * (11 - i / 2) + 2 * (i % 2));
    struct spread s = spread_of(even, 24); /* medians 111, 101, ..., 1 */
    CHECK(s.low == 21 && s.high == 91);
    CHECK(s.median == 56); /* between 52 and 60 */
    for (size_t i = 0; i < 35; i++)
        uneven[i] = (double)i;
    s = spread_of(uneven, 35); /* blocks 0 1, 2 3 4, 5 6 7, ..., 32 33 34 */
    CHECK(s.low == 6 && s.high == 27);
}

/* The same values in two orders.  Alternating values cancel out within a block, and lasting
   values move blocks apart. */
static void test_order_matters(void)
{
    double alternating[48], lasting[48];
    for (size_t i = 0; i < 48; i++) {
        alternating[i] = (double)(i % 2);
        lasting[i] = i < 24 ? 0 : 1;
    }
    struct spread a = spread_of(alternating, 48), l = spread_of(lasting, 48);
    CHECK(a.low == 0.5 && a.median == 0.5 && a.high == 0.5);
    CHECK(l.low == 0 && l.median == 0.5 && l.high == 1);
}

/* Ten blocks of seven values have three zeros each, so their median is 1, and two blocks have
   only zeros.  But 44 of the 84 values are zeros.  The interval must reach the median of all
   values. */
static void test_contains_median(void)
{
    double values[84];
    for (size_t i = 0; i < 84; i++)
        values[i] = i >= 70 || i % 7 < 3 ? 0 : 1;
    struct spread s = spread_of(values, 84);
    CHECK(s.median == 0 && s.low == 0 && s.high == 1);
    for (size_t i = 0; i < 84; i++)
        values[i] = i >= 70 || i % 7 < 3 ? 1 : 0;
    s = spread_of(values, 84);
    CHECK(s.median == 1 && s.low == 0 && s.high == 1);
}

/*
 * How often the interval contains the true median, 1, of x = u/(1-u), which has no mean.  The
 * coverage is 96.1 %, and 5 standard deviations of 2000 trials are 2.2 %.  Each value occurs
 * `held` times in a row, as if something disturbed several rounds.
 */
static void test_simulated(size_t rounds, size_t held)
{
    enum { TRIALS = 2000 };
    double values[1200], x = 0;
    int contained = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        for (size_t i = 0; i < rounds; i++) {
            double u = fake_random();
            x = i % held == 0 ? u / (1 - u) : x;
            values[i] = x;
        }
        struct spread s = spread_of(values, rounds);
        contained += s.low <= 1 && 1 <= s.high;
    }
    check_at("contained=%ld of %ld", contained, TRIALS, 0, 0);
    CHECK(contained > 0.939 * TRIALS && contained < 0.983 * TRIALS);
}

/* ------------------------------------------------------------------ noise -- */

static const struct noise_look start = {
    .preempted = 7, .ran = 10, .stolen = 5, .busy = 100, .tick = 0.01, .core = 1};

static struct noise after_a_second(double ran, double stolen, double busy)
{
    struct noise_look end = start;
    end.now += 1;
    end.preempted += 3;
    end.ran += ran;
    end.stolen += stolen;
    end.busy += busy;
    return noise_between(&start, &end);
}

static void test_causes(void)
{
    struct noise n = after_a_second(0.99, 0, 1.2);
    CHECK_INT(n.causes, 0);
    CHECK_INT(n.preempted, 3);
    CHECK(close_to(n.away, 0.01) && close_to(n.others, 0.21) && n.seconds == 1);
    CHECK_INT(after_a_second(0.97, 0, 1).causes, NOISE_PREEMPTED);
    /* Time that the hypervisor took does not count as preemption, and a single tick is no
       evidence. */
    n = after_a_second(0.90, 0.09, 0.9);
    CHECK_INT(n.causes, NOISE_STEAL);
    CHECK(close_to(n.stolen, 0.09) && close_to(n.away, 0.01));
    CHECK_INT(after_a_second(0.971, 0.029, 1).causes, 0);
    /* The busy time consists of five kinds of time, and each may be wrong by a tick. */
    CHECK_INT(after_a_second(1, 0, 1.56).causes, NOISE_NEIGHBOURS);
    CHECK_INT(after_a_second(1, 0, 1.54).causes, 0);
    CHECK_INT(after_a_second(0.5, 0.1, 3).causes,
              NOISE_PREEMPTED | NOISE_STEAL | NOISE_NEIGHBOURS);
    /* If nothing is known of the machine, the readings stay 0. */
    CHECK_INT(after_a_second(1, 0, 0).causes, 0);
    CHECK(after_a_second(1, 0, 0).others == 0);
}

/* Each core counts its own stolen time, so the counts of two cores have no difference. */
static void test_moved(void)
{
    struct noise_look end = start;
    end.now += 1;
    end.ran += 1;
    end.stolen += 3;
    end.core = 2;
    CHECK(noise_between(&start, &end).stolen == 0);
}

static void test_text(void)
{
    char text[NOISE_TEXT];
    CHECK_STR(noise_text(0, text), "");
    CHECK_STR(noise_text(NOISE_DRIFT, text), "drift");
    CHECK_STR(noise_text((1u << NOISE_CAUSES) - 1, text),
              "spread, drift, preempted, steal, busy neighbours");
}

/* Adds a measurement of one figure. */
static void add(struct noise_summary *s, const struct noise *n)
{
    noise_add(s, n);
    noise_judge(s, n->causes);
}

static void test_verdict(void)
{
    char text[NOISE_VERDICT];
    struct noise_summary s = {.measured = 0};
    struct noise quiet = {.seconds = 1, .preempted = 2, .away = 0.01, .others = 0.25};
    struct noise wide = {.causes = NOISE_SPREAD | NOISE_STEAL, .seconds = 1};
    struct noise busy = {.causes = NOISE_NEIGHBOURS, .seconds = 1, .others = 50};
    CHECK(!noise_is_noisy(&s));
    CHECK_STR(noise_verdict(&s, text), "machine: not judged (nothing was measured)");
    for (int i = 0; i < 9; i++)
        add(&s, &quiet);
    add(&s, &wide);
    CHECK(!noise_is_noisy(&s)); /* one of ten is noisy */
    CHECK_STR(noise_verdict(&s, text),
              "machine: quiet (1 of 10 noisy: 1 spread, 1 steal; core taken away 0.9 % of the "
              "time, 18 times, stolen 0.0 %; other work: 0.23 cores)");
    add(&s, &wide);
    CHECK(noise_is_noisy(&s));
    CHECK(strncmp(noise_verdict(&s, text), "machine: NOISY (2 of 11 ", 24) == 0);
    /* Few shapes are noisy, but they took much of the time. */
    s = (struct noise_summary){.measured = 100};
    add(&s, &busy);
    CHECK(noise_is_noisy(&s));
    /* In a short run, one tick is no evidence, either. */
    s = (struct noise_summary){.measured = 0};
    struct noise brief = {.seconds = 0.1, .stolen = 0.01, .tick = 0.01};
    add(&s, &brief);
    CHECK(!noise_is_noisy(&s));
    add(&s, &brief);
    CHECK(noise_is_noisy(&s));
}

static void test_look(void)
{
    struct noise_look before, after;
    volatile unsigned work = 0;
    noise_look(&before);
    while (work < 1000000)
        work++;
    noise_look(&after);
    CHECK(after.ran > before.ran);
    CHECK(after.now > before.now);
    CHECK(after.preempted >= before.preempted);
    CHECK(after.busy >= before.busy);
    CHECK(after.tick > 0 && after.tick <= 0.1);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*test)(void);
    } cases[] = {
        {"five numbers", test_five_numbers},
        {"widen", test_widen},
        {"drift", test_drift},
        {"coverage", test_coverage},
        {"left out", test_left_out},
        {"few values", test_few_values},
        {"blocks", test_blocks},
        {"order matters", test_order_matters},
        {"contains median", test_contains_median},
        {"causes", test_causes},
        {"moved to another core", test_moved},
        {"text", test_text},
        {"verdict", test_verdict},
        {"look", test_look},
    };
    check_start("test_stats", argc, argv);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (check_case("%s", cases[i].name))
            cases[i].test();
    if (check_case("simulated, blocks of one"))
        test_simulated(12, 1);
    if (check_case("simulated, blocks of eleven"))
        test_simulated(132, 1);
    if (check_case("simulated, dependent rounds"))
        test_simulated(1188, 9);
    return check_finish();
}
