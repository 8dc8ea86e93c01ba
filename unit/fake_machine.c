/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "fake_machine.h"

struct fake_machine fake_machine;

static double now(void)
{
    return fake_machine.now;
}

static void look(struct noise_look *look)
{
    *look = fake_machine.look;
    look->now = fake_machine.now;
}

struct engine_options fake_machine_start(void)
{
    struct engine_options options = ENGINE_DEFAULTS;
    fake_machine = (struct fake_machine){.now = 1000, .look = {.tick = 0.01}};
    options.now = now;
    options.look = look;
    return options;
}

static void pass(double seconds)
{
    fake_machine.now += seconds;
    fake_machine.look.busy += seconds * fake_machine.others;
}

static void lose_the_core(void)
{
    struct fake_machine *m = &fake_machine;
    pass(m->away);
    if (m->stolen)
        m->look.stolen += m->away;
    else
        m->look.preempted++;
}

static void run(double seconds)
{
    struct fake_machine *m = &fake_machine;
    double before = m->look.ran;
    pass(seconds);
    m->look.ran += seconds;
    m->look.busy += seconds;
    if (m->run_for > 0 && (size_t)(before / m->run_for) != (size_t)(m->look.ran / m->run_for))
        lose_the_core();
}

void fake_run(void *context, size_t calls)
{
    struct fake_machine *m = &fake_machine;
    struct fake_subject *s = context;
    double factor = s->factor != NULL ? s->factor(s->batches, m->now) : 1;
    if (m->batches < FAKE_LOG)
        m->log[m->batches] = (struct fake_batch){s->number, calls, m->now};
    m->batches++;
    s->batches++;
    run((double)calls * s->seconds * factor);
}

/* A linear congruential generator modulo 2^64.  Its upper bits are random enough here.  The
   multiplier is MMIX's: D. E. Knuth, The Art of Computer Programming, vol. 2, 3.3.4. */
double fake_random(void)
{
    static uint64_t state = 2024;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 9007199254740992.0;
}
