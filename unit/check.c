/* SPDX-License-Identifier: BSD-3-Clause */
/* Cases, checks and random numbers. unit/guard.c has the buffers. */
#include "check.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MESSAGES_PER_CASE 3

static struct {
    const char *program;
    char **select;
    bool verbose, bench;
    uint64_t seed;
    unsigned effort;      /* percent */
    char name[160];       /* of the running case; "" between cases */
    unsigned long checks; /* of the running case */
    unsigned long wrong;  /* failed ones among them */
    unsigned passed, failed, skipped;
} state;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static _Thread_local struct {
    const char *format;
    long value[4];
} place;

static _Thread_local struct {
    uint64_t state;
    bool started;
} random_stream;

/* ---------------------------------------------------------------- crash -- */

static void print_place(void)
{
    if (place.format == NULL)
        return;
    fputs("    at ", stdout);
    printf(place.format, place.value[0], place.value[1], place.value[2], place.value[3]);
    putchar('\n');
}

/*
 * Reports a crash, usually an access to a guard page.  C and POSIX do not promise that stdio
 * works in a signal handler.  Here the signals come from the code under test, outside of stdio,
 * and the program ends anyway, so the message is worth the risk.
 */
static void on_crash(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    printf("FAILED: %s: %s at address %p\n", state.name, strsignal(signal_number),
           info->si_addr);
    print_place();
    printf("    repeat with PXR_SEED=%llu\n", (unsigned long long)state.seed);
    printf("%s: %u passed, %u failed, %u skipped\n", state.program, state.passed,
           state.failed + 1, state.skipped);
    fflush(stdout);
    _exit(1);
}

static void catch_crashes(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_RESETHAND};
    const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction before;
        /* A handler that is already there emulates instructions (gfni_cpu.c).  Keep it. */
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    }
#else
    (void)on_crash; /* the sanitizer's own report tells more */
#endif
}

/* ---------------------------------------------------------------- cases -- */

static void end_case(void)
{
    if (state.name[0] == '\0')
        return;
    if (state.wrong > MESSAGES_PER_CASE)
        printf("    and %lu more in %s\n", state.wrong - MESSAGES_PER_CASE, state.name);
    if (state.checks == 0) {
        printf("FAILED: %s: checked nothing\n", state.name);
        state.wrong = 1;
    }
    if (state.wrong > 0)
        state.failed++;
    else
        state.passed++;
    if (state.verbose)
        printf("%s: %s (%lu checks)\n", state.wrong ? "FAILED" : "passed", state.name,
               state.checks);
    state.name[0] = '\0';
    place.format = NULL;
}

static bool selected(const char *name)
{
    bool any = false;
    for (char **argument = state.select; *argument != NULL; argument++) {
        if ((*argument)[0] == '-')
            continue;
        if (strstr(name, *argument) != NULL)
            return true;
        any = true;
    }
    return !any;
}

bool check_case(const char *format, ...)
{
    va_list values;
    end_case();
    state.checks = state.wrong = 0;
    va_start(values, format);
    vsnprintf(state.name, sizeof state.name, format, values);
    va_end(values);
    if (selected(state.name))
        return true;
    state.name[0] = '\0';
    return false;
}

void check_skip(const char *name, const char *why, ...)
{
    va_list values;
    end_case();
    if (!selected(name))
        return;
    state.skipped++;
    printf("skipped: %s (", name);
    va_start(values, why);
    vprintf(why, values);
    va_end(values);
    puts(")");
}

static void read_seed(void)
{
    const char *text = getenv("PXR_SEED");
    if (text != NULL && *text != '\0') {
        state.seed = strtoull(text, NULL, 0);
        return;
    }
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    state.seed = ((uint64_t)now.tv_sec * 1000003u + (uint64_t)now.tv_nsec) & 0xffffffffu;
}

static void read_effort(void)
{
    const char *text = getenv("PXR_EFFORT");
    char *end = NULL;
    state.effort = 100;
    if (text == NULL || *text == '\0')
        return;
    const unsigned long percent = strtoul(text, &end, 10);
    if (*end != '\0' || percent < 1 || percent > 100) {
        fprintf(stderr, "%s: PXR_EFFORT=%s is not a percentage, 1 to 100\n", state.program,
                text);
        exit(2);
    }
    state.effort = (unsigned)percent;
}

void check_start(const char *program, int argc, char **argv)
{
    state.program = program;
    state.select = argv + 1;
    for (int i = 1; i < argc; i++) {
        state.verbose |= strcmp(argv[i], "-v") == 0;
        state.bench |= strcmp(argv[i], "--bench") == 0;
        if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0) {
            printf("usage: %s [-v] [part of a case's name]...\n"
                   "environment: PXR_SEED=number, PXR_EFFORT=percent, PERMXOR_KERNELS=set\n",
                   program);
            exit(0);
        }
    }
    /* With line buffering, a crash loses no complete line, and the lines stay in order with the
       messages of the library. */
    setvbuf(stdout, NULL, _IOLBF, 0);
    read_seed();
    read_effort();
    printf("%s: PXR_SEED=%llu", program, (unsigned long long)state.seed);
    if (state.effort != 100)
        printf(" PXR_EFFORT=%u", state.effort);
    putchar('\n');
    catch_crashes();
}

int check_finish(void)
{
    end_case();
    if (state.passed + state.failed + state.skipped == 0) {
        puts("FAILED: no case was run: either there is none, or none is selected");
        state.failed++;
    }
    if (state.failed > 0)
        printf("    repeat with PXR_SEED=%llu\n", (unsigned long long)state.seed);
    printf("%s: %u passed, %u failed, %u skipped\n", state.program, state.passed, state.failed,
           state.skipped);
    return state.failed > 0;
}

bool check_bench(void)
{
    return state.bench;
}

void check_at(const char *format, long a, long b, long c, long d)
{
    place.format = format;
    place.value[0] = a;
    place.value[1] = b;
    place.value[2] = c;
    place.value[3] = d;
}

/* --------------------------------------------------------------- checks -- */

/* Counts a check.  Returns true when the check failed and its message is to be printed. */
static bool count(bool held)
{
    __atomic_fetch_add(&state.checks, 1, __ATOMIC_RELAXED);
    if (held)
        return false;
    return __atomic_add_fetch(&state.wrong, 1, __ATOMIC_RELAXED) <= MESSAGES_PER_CASE;
}

static void describe(const char *file, int line, const char *format, ...) CHECK_PRINTF(3);

static void describe(const char *file, int line, const char *format, ...)
{
    va_list values;
    pthread_mutex_lock(&lock);
    printf("FAILED: %s: %s:%d: ", state.name, file, line);
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    putchar('\n');
    print_place();
    pthread_mutex_unlock(&lock);
}

bool check_true(bool held, const char *what, const char *file, int line)
{
    if (count(held))
        describe(file, line, "%s", what);
    return held;
}

bool check_int(long long got, long long want, const char *what, const char *file, int line)
{
    if (count(got == want))
        describe(file, line, "%s is %lld, not %lld", what, got, want);
    return got == want;
}

bool check_str(const char *got, const char *want, const char *what, const char *file, int line)
{
    bool held = got != NULL && strcmp(got, want) == 0;
    if (count(held))
        describe(file, line, "%s is \"%s\", not \"%s\"", what, got ? got : "(null)", want);
    return held;
}

bool check_bytes(const void *got, const void *want, size_t len, const char *what,
                 const char *file, int line)
{
    const uint8_t *a = got, *b = want;
    bool held = len == 0 || memcmp(a, b, len) == 0;
    if (count(held)) {
        size_t first = 0, differing = 0;
        while (a[first] == b[first])
            first++;
        for (size_t i = 0; i < len; i++)
            differing += a[i] != b[i];
        describe(file, line, "%s[%zu] is 0x%02x, not 0x%02x; %zu of %zu bytes differ", what,
                 first, a[first], b[first], differing, len);
    }
    return held;
}

/* --------------------------------------------------------------- random -- */

/* The finalizer of splitmix64: two multiplications spread each bit over the word.  The random
   numbers are this function of a Weyl sequence. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

void check_stream(uint64_t stream)
{
    random_stream.state = mix(state.seed + mix(stream));
    random_stream.started = true;
}

uint64_t check_random(void)
{
    if (!random_stream.started)
        check_stream(0);
    random_stream.state += 0x9e3779b97f4a7c15u;
    return mix(random_stream.state);
}

uint64_t check_seed(void)
{
    return state.seed;
}

size_t check_below(size_t limit)
{
    return (size_t)(check_random() % limit);
}

bool check_thorough(void)
{
    return state.effort == 100;
}

unsigned check_effort(unsigned rounds)
{
    const unsigned reduced = (unsigned)((uint64_t)rounds * state.effort / 100);
    return reduced > 0 ? reduced : 1;
}

bool check_sampled(void)
{
    return state.effort == 100 || check_below(100) < state.effort;
}

bool check_border(size_t len, size_t block)
{
    return (len + 1) % block <= 2;
}

void check_fill(void *bytes, size_t len)
{
    uint8_t *to = bytes;
    for (; len >= 8; len -= 8, to += 8) {
        uint64_t word = check_random();
        memcpy(to, &word, 8);
    }
    for (uint64_t word = check_random(); len > 0; len--, word >>= 8)
        *to++ = (uint8_t)word;
}
