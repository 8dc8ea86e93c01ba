/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The measuring engine on a simulated machine: what it does and in which order, whether its
 * figures are the true ones, and how it judges disturbances.
 */
#include "config.h"

#include "check.h"
#include "fake_machine.h"

#include "../perf/samples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if __has_include(<linux/perf_event.h>)
#include <linux/perf_event.h>
#endif

static bool close_to(double got, double want)
{
    double difference = got > want ? got - want : want - got;
    return difference <= 1e-7 * want;
}

static struct engine_result measure(struct fake_subject *subjects, unsigned count,
                                    const struct engine_options *options)
{
    struct engine_subject run[ENGINE_MAX_SUBJECTS];
    struct engine_result result;
    for (unsigned i = 0; i < count; i++) {
        subjects[i].number = i;
        run[i] = (struct engine_subject){fake_run, &subjects[i]};
    }
    CHECK(engine_measure(run, count, options, &result));
    return result;
}

/* Returns the batch in the log with which the rounds begin.  Each turn of a round has two
   batches: the first is not timed.  The log must hold all batches. */
static const struct fake_batch *rounds_of(const struct engine_result *result, unsigned count)
{
    size_t batches = result->rounds * count * 2;
    CHECK(fake_machine.batches <= FAKE_LOG && batches < fake_machine.batches);
    return fake_machine.log + fake_machine.batches - batches;
}

/* ------------------------------------------------------------- what it does -- */

static void test_batches(void)
{
    struct engine_options options = fake_machine_start();
    struct fake_subject s[] = {{.seconds = 1e-6}, {.seconds = 7e-6}, {.seconds = 1e-3}};
    struct engine_result r = measure(s, 3, &options);
    CHECK(r.calls[0] >= 199 && r.calls[0] <= 200);
    CHECK_INT(r.calls[1], 28); /* 200 us / 7 us */
    CHECK_INT(r.calls[2], 1);
    const struct fake_batch *log = rounds_of(&r, 3);
    for (size_t i = 0; i < 3 * r.rounds; i++) {
        CHECK_INT(log[2 * i].calls, 1);
        CHECK_INT(log[2 * i + 1].calls, r.calls[log[2 * i + 1].subject]);
    }
    /* A round takes 1.396 ms and 1.008 ms for the untimed calls, and all rounds together 0.2 s.
     */
    CHECK(r.rounds >= 83 && r.rounds <= 84);
}

/* The order of the subjects is A B C, C B A, A B C, ... */
static void test_order(void)
{
    struct engine_options options = fake_machine_start();
    struct fake_subject s[] = {{.seconds = 1e-6}, {.seconds = 2e-6}, {.seconds = 3e-6}};
    struct engine_result r = measure(s, 3, &options);
    const struct fake_batch *log = rounds_of(&r, 3);
    for (size_t round = 0; round < r.rounds; round++)
        for (unsigned turn = 0; turn < 6; turn++)
            CHECK_INT(log[6 * round + turn].subject, round % 2 == 0 ? turn / 2 : 2 - turn / 2);
}

/* The first batch is four times as slow as usual, and each of the next ones is a little faster.
   After twelve batches the speed is the usual one. */
static double cold_start(size_t n, double now)
{
    (void)now;
    return n < 12 ? 4 - 0.25 * (double)n : 1;
}

static void test_warm_up(void)
{
    struct engine_options options = fake_machine_start();
    struct fake_subject s[] = {{.seconds = 1e-6, .factor = cold_start}};
    struct engine_result r = measure(s, 1, &options);
    CHECK(r.calls[0] >= 199 && r.calls[0] <= 200);
    CHECK(close_to(r.seconds[0].max, 1e-6));
    CHECK_INT(r.noise.causes, 0);
}

static double never_alike(size_t n, double now)
{
    (void)now;
    return n % 2 == 0 ? 1 : 1.03;
}

static double nearly_alike(size_t n, double now)
{
    (void)now;
    return n % 2 == 0 ? 1 : 1.01;
}

/* Returns the seconds from the first batch to the first round. */
static double warmed_for(fake_factor *factor, unsigned count)
{
    struct engine_options options = fake_machine_start();
    struct fake_subject s[] = {{.seconds = 1e-6, .factor = factor},
                               {.seconds = 1e-6, .factor = factor}};
    struct engine_result r = measure(s, count, &options);
    return rounds_of(&r, count)->start - fake_machine.log[0].start;
}

/* The engine doubles the calls of a batch up to 64, which takes 127 us.  If two further batches
   agree with the last one, the warm-up ends after 255 us.  If batches never agree, it ends
   after a tenth of 0.2 s, for all subjects together. */
static void test_warm_up_ends(void)
{
    CHECK(close_to(warmed_for(NULL, 1), 255e-6));
    double nearly = warmed_for(nearly_alike, 1);
    CHECK(nearly > 255e-6 && nearly < 260e-6);
    double alone = warmed_for(never_alike, 1), both = warmed_for(never_alike, 2);
    CHECK(alone > 0.02 && alone < 0.0203);
    CHECK(both > 0.02 && both < 0.0206);
}

static void test_bounded(void)
{
    struct engine_options options = fake_machine_start();
    struct fake_subject s[] = {{.seconds = 0.5}, {.seconds = 0.5}};
    CHECK_INT(measure(s, 2, &options).rounds, 12);
    options = fake_machine_start();
    options.bounded = true;
    CHECK_INT(measure(s, 2, &options).rounds, 1);
    options.total_seconds = 2; /* the limit is 6 s; the calibration takes at least 2 s of it */
    size_t rounds = measure(s, 2, &options).rounds;
    CHECK(rounds >= 2 && rounds <= 4);
    /* The first batch takes longer than the whole measurement may.  Only one batch of the other
       subject and one round of two batches a turn follow. */
    struct fake_subject slow[] = {{.seconds = 10}, {.seconds = 10}};
    options = fake_machine_start();
    options.bounded = true;
    CHECK_INT(measure(slow, 2, &options).rounds, 1);
    CHECK_INT(fake_machine.batches, 6);
}

/* ------------------------------------------------------------------ walking -- */

static void test_whole_pass(void)
{
    struct engine_options options = fake_machine_start();
    struct fake_subject s[] = {{.seconds = 1e-6}, {.seconds = 2e-6}};
    options.pass = 100;
    struct engine_result r = measure(s, 2, &options);
    CHECK_INT(r.calls[0], 100);
    CHECK_INT(r.calls[1], 100);
    CHECK(close_to(r.relative[1].median, 2));
    /* Each batch runs once untimed, and then timed. */
    const struct fake_batch *log = rounds_of(&r, 2);
    for (size_t i = 0; i < 4 * r.rounds; i++) {
        size_t turn = i / 2 % 2;
        CHECK_INT(log[i].subject, i / 4 % 2 == 0 ? turn : 1 - turn);
        CHECK_INT(log[i].calls, 100);
    }
}

/* For each subject, a pass takes `times` times as long as a batch may.  So the engine must cut
   the pass into `parts` parts, and time every subject about equally often on each part. */
static void expect_parts(unsigned count, double times, unsigned parts)
{
    enum { MOST = 7 };
    struct engine_options options = fake_machine_start();
    struct fake_subject s[MOST] = {{0}};
    unsigned timed[MOST][MOST] = {{0}};
    options.pass = 3 * 5 * 7;
    options.total_seconds = 4 * count * parts * options.pass_seconds;
    for (unsigned i = 0; i < count; i++)
        s[i].seconds = times * options.pass_seconds / (double)options.pass;
    struct engine_result r = measure(s, count, &options);
    for (unsigned i = 0; i < count; i++)
        CHECK_INT(r.calls[i], options.pass / parts);
    const struct fake_batch *log = rounds_of(&r, count);
    for (size_t i = 1; i < 2 * count * r.rounds; i += 2)
        timed[log[i].subject][i % parts]++;
    for (unsigned i = 0; i < count; i++)
        for (unsigned part = 0; part < parts; part++) {
            check_at("subject %ld part %ld: %ld of %ld", i, part, timed[i][part],
                     (long)r.rounds);
            CHECK(parts * timed[i][part] + 2 * parts >= r.rounds &&
                  parts * timed[i][part] <= r.rounds + 2 * parts);
        }
}

static void test_parts_of_a_pass(void)
{
    expect_parts(2, 2.1, 3); /* two would be about right, but the number must be odd */
    expect_parts(3, 2.1, 5); /* with three, each subject would always get the same part */
    expect_parts(5, 2.1, 3);
    expect_parts(5, 4.1, 7);
    expect_parts(6, 2.1, 5);
}

/* --------------------------------------------------------- what it measures -- */

static void test_exact(void)
{
    struct engine_options options = fake_machine_start();
    struct fake_subject s[ENGINE_MAX_SUBJECTS] = {{0}};
    for (unsigned i = 0; i < ENGINE_MAX_SUBJECTS; i++)
        s[i].seconds = 1e-6 * (1 + i);
    struct engine_result r = measure(s, ENGINE_MAX_SUBJECTS, &options);
    CHECK_INT(r.noise.causes, 0);
    CHECK_INT(r.noise.preempted, 0);
    for (unsigned i = 0; i < ENGINE_MAX_SUBJECTS; i++) {
        const struct spread *t = &r.seconds[i], *q = &r.relative[i];
        check_at("subject %ld", i, 0, 0, 0);
        CHECK(close_to(t->min, 1e-6 * (1 + i)) && close_to(t->max, 1e-6 * (1 + i)));
        CHECK(close_to(q->min, 1 + i) && close_to(q->max, 1 + i));
        CHECK(close_to(q->low, 1 + i) && close_to(q->high, 1 + i));
    }
}

static double five_values(size_t n, double now)
{
    static const double value[] = {1.04, 0.98, 1, 1.02, 0.96};
    (void)now;
    return value[n % 5];
}

/* Each of the five factors, 0.96 to 1.04, holds for a fifth of the rounds.  So the median and
   the quartiles are known. */
static void test_known_noise(void)
{
    struct engine_options options = fake_machine_start();
    struct fake_subject s[] = {{.seconds = 1e-6}, {.seconds = 2e-6, .factor = five_values}};
    struct engine_result r = measure(s, 2, &options);
    const struct spread *q = &r.relative[1];
    CHECK(close_to(q->min, 1.92) && close_to(q->q1, 1.96) && close_to(q->median, 2));
    CHECK(close_to(q->q3, 2.04) && close_to(q->max, 2.08));
    CHECK(close_to(r.seconds[1].median, 2e-6));
    CHECK(q->low < 2.0001 && q->low > 1.9599 && q->high > 1.9999 && q->high < 2.0401);
    CHECK_INT(r.noise.causes, 0);
}

/* The CPU's clock slows down during the measurement: in the end, after 0.2 s, every call takes
   about 30 % longer. */
static double slower_clock(size_t n, double now)
{
    (void)n;
    return now < 1000 ? 1 : 1 + 1.5 * (now - 1000);
}

static void test_common_drift(void)
{
    struct engine_options options = fake_machine_start();
    struct fake_subject s[] = {{.seconds = 1e-6, .factor = slower_clock},
                               {.seconds = 2e-6, .factor = slower_clock}};
    struct engine_result r = measure(s, 2, &options);
    CHECK_INT(r.noise.causes, 0);
    CHECK(r.relative[1].median > 1.999 && r.relative[1].median < 2.001);
    CHECK(r.seconds[0].high > 1.1 * r.seconds[0].low);
}

/* Most delays are small, and some are long: u/(1-u) has no mean. */
static double delays(size_t n, double now)
{
    (void)n, (void)now;
    double u = fake_random();
    return 1 + 0.004 * u / (1 - u);
}

/*
 * The delays of both subjects have the same distribution, so the median of the ratios is the
 * true ratio.  The interval contains it in 96.1 % of the runs; 5 standard deviations of 1000
 * runs are 3.1 %.  The engine must judge such a machine as quiet.
 */
static void test_interval(void)
{
    enum { RUNS = 1000 };
    int contained = 0, off = 0, noisy = 0;
    for (int i = 0; i < RUNS; i++) {
        struct engine_options options = fake_machine_start();
        struct fake_subject s[] = {{.seconds = 1e-6, .factor = delays},
                                   {.seconds = 1.1e-6, .factor = delays}};
        options.total_seconds = 0.06;
        struct engine_result r = measure(s, 2, &options);
        const struct spread *q = &r.relative[1];
        contained += q->low <= 1.1 && 1.1 <= q->high;
        off += q->low < 1.094 || q->high > 1.106;
        noisy += r.noise.causes != 0;
    }
    check_at("contained=%ld off=%ld noisy=%ld of %ld", contained, off, noisy, RUNS);
    CHECK(contained > 0.93 * RUNS && contained < 0.992 * RUNS);
    CHECK(off < RUNS / 20);
    CHECK_INT(noisy, 0);
}

/* -------------------------------------------------------------------- noise -- */

/* Measures two quiet subjects on a machine that the caller has made noisy. */
static struct engine_result measure_two(const struct engine_options *options)
{
    struct fake_subject s[] = {{.seconds = 1e-6}, {.seconds = 2e-6, .factor = five_values}};
    return measure(s, 2, options);
}

static double seconds_of(const struct engine_result *r)
{
    return r->noise.seconds;
}

static void test_preempted(void)
{
    struct engine_options options = fake_machine_start();
    fake_machine.run_for = 4e-3;
    fake_machine.away = 4e-3;
    struct engine_result r = measure_two(&options);
    CHECK_INT(r.noise.causes, NOISE_PREEMPTED);
    CHECK(seconds_of(&r) > 0.6 && seconds_of(&r) < 0.61);
    CHECK(r.noise.preempted >= 74 && r.noise.preempted <= 77);
    CHECK(r.noise.away > 0.29 && r.noise.away < 0.31);
    /* The figures are still right, and the intervals reach the quartiles. */
    CHECK(close_to(r.relative[1].median, 2));
    CHECK(r.relative[1].low == r.relative[1].q1 && r.relative[1].high == r.relative[1].q3);
    CHECK(r.seconds[1].low == r.seconds[1].q1 && r.seconds[1].high == r.seconds[1].q3);
}

static void test_rarely_preempted(void)
{
    struct engine_options options = fake_machine_start();
    fake_machine.run_for = 10e-3;
    fake_machine.away = 50e-6;
    struct engine_result r = measure_two(&options);
    CHECK_INT(r.noise.causes, 0);
    CHECK(r.noise.preempted >= 19 && r.noise.preempted <= 20);
    CHECK(seconds_of(&r) < 0.201);
}

static void test_stolen(void)
{
    struct engine_options options = fake_machine_start();
    fake_machine.run_for = 10e-3;
    fake_machine.away = 1.5e-3;
    fake_machine.stolen = true;
    struct engine_result r = measure_two(&options);
    CHECK_INT(r.noise.causes, NOISE_STEAL);
    CHECK_INT(r.noise.preempted, 0);
}

/* Busy neighbours do not go away by waiting, so the measurement is not extended. */
static void test_neighbours(void)
{
    struct engine_options options = fake_machine_start();
    fake_machine.others = 1;
    struct engine_result r = measure_two(&options);
    CHECK_INT(r.noise.causes, NOISE_NEIGHBOURS);
    CHECK(seconds_of(&r) > 0.2 && seconds_of(&r) < 0.201);
    CHECK(close_to(r.noise.others, seconds_of(&r)));
    CHECK(r.relative[1].low == r.relative[1].q1);
}

/* An untimed call comes before each batch that is timed. */
static double wide(size_t n, double now)
{
    (void)now;
    return n / 2 % 2 == 0 ? 1 : 1.06;
}

static void test_spread(void)
{
    struct engine_options options = fake_machine_start();
    struct fake_subject s[] = {{.seconds = 1e-6}, {.seconds = 2e-6, .factor = wide}};
    struct engine_result r = measure(s, 2, &options);
    CHECK(r.noise.causes & NOISE_SPREAD);
    CHECK(seconds_of(&r) > 0.6);
    CHECK(close_to(r.relative[1].low, 2) && close_to(r.relative[1].high, 2.12));
    /* A single subject has no ratio, so the engine judges its times. */
    r = measure(s + 1, 1, &options);
    CHECK(r.noise.causes & NOISE_SPREAD);
    r = measure(s, 1, &options);
    CHECK_INT(r.noise.causes, 0);
}

/* The noise ends after about half the usual time.  The engine extends the measurement until it
   is no longer noisy. */
static double wide_at_first(size_t n, double now)
{
    return now < 1000.12 ? wide(n, now) : 1;
}

static void test_noise_that_ends(void)
{
    struct engine_options options = fake_machine_start();
    struct fake_subject s[] = {{.seconds = 1e-6}, {.seconds = 2e-6, .factor = wide_at_first}};
    struct engine_result r = measure(s, 2, &options);
    CHECK_INT(r.noise.causes, 0);
    CHECK(seconds_of(&r) > 0.4 && seconds_of(&r) < 0.41);
}

/* Returns the causes of noise of the last subject, which is slower by `step` in the second half
   of the rounds.  The other subjects are quiet. */
static unsigned causes_of_step(double step, unsigned count)
{
    struct samples samples;
    struct engine_result result;
    CHECK(samples_open(&samples, count));
    samples.rounds = 100;
    for (unsigned i = 0; i < count; i++)
        for (size_t r = 0; r < samples.rounds; r++) {
            bool slow = i + 1 == count && r >= samples.rounds / 2;
            samples.seconds[i][r] = slow ? 1 + step : 1;
            samples.cycles[i][r] = samples.instructions[i][r] = 1;
        }
    samples_summarise(&samples, 0.05, &result);
    samples_close(&samples);
    for (unsigned i = 0; i + 1 < count; i++)
        CHECK_INT(result.causes[i], 0);
    return result.causes[count - 1];
}

static void test_drift(void)
{
    CHECK_INT(causes_of_step(0.02, 2), 0);
    CHECK_INT(causes_of_step(0.03, 2), NOISE_DRIFT);
    CHECK_INT(causes_of_step(0.03, 1), NOISE_DRIFT);
    CHECK_INT(causes_of_step(0.03, 7), NOISE_DRIFT);
    CHECK_INT(causes_of_step(0.08, 2), NOISE_DRIFT | NOISE_SPREAD);
}

/* ----------------------------------------------------------------- counters -- */

#if __has_include(<linux/perf_event.h>)
/* Causes three page faults in each call.  A subject can cause exactly as many of these events
   as it wants. */
static void touch_pages(void *pages, size_t calls)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    while (calls-- > 0) {
        madvise(pages, 3 * page, MADV_DONTNEED);
        for (size_t i = 0; i < 3; i++)
            ((volatile char *)pages)[i * page] = 1;
    }
}

static void touch_nothing(void *pages, size_t calls)
{
    (void)pages, (void)calls;
    fake_machine.now += 1e-3;
}

static void touch_and_wait(void *pages, size_t calls)
{
    touch_pages(pages, calls);
    fake_machine.now += 1e-6 * (double)calls;
}

static void count_faults(const struct counters_events *events, void *pages)
{
    const struct engine_subject run[] = {{touch_and_wait, pages}, {touch_nothing, pages}};
    struct engine_options options = fake_machine_start();
    struct engine_result r;
    options.events = events;
    CHECK(engine_measure(run, 2, &options, &r));
    CHECK(r.calls[0] > 100);
    CHECK(r.cycles[0] == 3 && r.instructions[0] == 3);
    CHECK(r.cycles[1] == 0 && r.instructions[1] == 0);
}

/* Page faults and minor page faults are nearly the same event.  They take the place of the
   processor's two events. */
static void test_counters(void)
{
    const struct counters_events faults = {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS,
                                           PERF_COUNT_SW_PAGE_FAULTS_MIN};
    struct counters counters;
    if (!counters_open(&counters, &faults)) {
        check_skip("counters", "%s", strerror(errno));
        return;
    }
    counters_close(&counters);
    size_t bytes = 3 * (size_t)sysconf(_SC_PAGESIZE);
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (check_case("counters") && CHECK(pages != MAP_FAILED)) {
        madvise(pages, bytes, MADV_NOHUGEPAGE);
        count_faults(&faults, pages);
        munmap(pages, bytes);
    }
}
#else
static void test_counters(void)
{
    check_skip("counters", "linux/perf_event.h is missing");
}
#endif

static void test_no_counters(void)
{
    const struct counters_events none = {0xffff, 0, 0};
    struct engine_options options = fake_machine_start();
    struct counters counters;
    struct counts counts = {1, 1};
    CHECK(!counters_open(&counters, &none));
    CHECK(!counters_read(&counters, &counts));
    CHECK(counts.first == 0 && counts.second == 0);
    counters_close(&counters);
    options.events = &none;
    struct engine_result r = measure_two(&options);
    CHECK(r.cycles[0] == 0 && r.instructions[0] == 0);
    CHECK(close_to(r.relative[1].median, 2));
}

static void test_describe(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    counters_describe(out);
    fclose(out);
    CHECK(strncmp(text, "counters: ", 10) == 0);
    CHECK(strchr(text, '\n') == text + size - 1);
    free(text);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*test)(void);
    } cases[] = {
        {"batches", test_batches},
        {"order", test_order},
        {"warm-up", test_warm_up},
        {"warm-up ends", test_warm_up_ends},
        {"bounded", test_bounded},
        {"whole pass", test_whole_pass},
        {"parts of a pass", test_parts_of_a_pass},
        {"exact", test_exact},
        {"known noise", test_known_noise},
        {"common drift", test_common_drift},
        {"interval", test_interval},
        {"preempted", test_preempted},
        {"rarely preempted", test_rarely_preempted},
        {"stolen", test_stolen},
        {"neighbours", test_neighbours},
        {"spread", test_spread},
        {"noise that ends", test_noise_that_ends},
        {"drift", test_drift},
        {"no counters", test_no_counters},
        {"describe", test_describe},
    };
    check_start("test_engine", argc, argv);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (check_case("%s", cases[i].name))
            cases[i].test();
    test_counters();
    return check_finish();
}
