/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The choice among the kernel sets.  The library uses the set that PERMXOR_KERNELS names, else
 * the set that the tune file names, else the first set of the registry that this machine can
 * run and that is preferred on it.  The choice is made, and the machine record is filled in,
 * when the library is loaded.
 */
#include "config.h"

#include "dispatch.h"

#include <stdio.h>

#include "hand_over.h"
#include "machine.h"
#include "permxor.h"
#include "registry.h"
#include "tune.h"

struct choice {
    const struct pxr_kernels *kernels;
    const char *reason;
    /* The values of PERMXOR_KERNELS and of PERMXOR_TUNE, where they could not be followed, and
       why PERMXOR_TUNE was not followed. */
    const char *refused_name, *refused_path, *refused_why;
};

/* Chooses what PERMXOR_KERNELS asks for. */
static void choose_forced(const char *name, struct choice *choice)
{
    const struct pxr_kernels *forced = pxr_kernels_find(name);
    if (forced && pxr_kernels_usable(forced)) {
        choice->kernels = forced;
        choice->reason = "PERMXOR_KERNELS selects it";
        return;
    }
    choice->kernels = pxr_kernels_best();
    choice->refused_name = name;
    choice->reason =
        forced ? "PERMXOR_KERNELS names a kernel set that this CPU cannot run; " PXR_REASON_BEST
                 " is used"
               : "PERMXOR_KERNELS names no kernel set of this library; " PXR_REASON_BEST
                 " is used";
}

/* Chooses the set, and makes the record.  The tune file's values go into the record whoever
   names the set. */
static struct choice choose(struct pxr_record *record)
{
    const char *name = pxr_environment("PERMXOR_KERNELS");
    const struct pxr_tune tune = pxr_tune_read();
    struct choice choice = {.kernels = tune.kernels, .reason = tune.reason};
    if (tune.state != PXR_TUNE_USED && tune.named) {
        choice.refused_path = tune.named;
        choice.refused_why = tune.what;
    }
    if (name && *name)
        choose_forced(name, &choice);
    else if (!choice.kernels)
        choice.kernels = pxr_kernels_best();
    *record = pxr_record_of_this_machine();
    pxr_settings_apply(&tune.settings, record, PXR_ORIGIN_FILE);
    return choice;
}

/* Reports, once in a process, variables that could not be followed. */
static void report(const struct choice *choice)
{
    static atomic_flag reported = ATOMIC_FLAG_INIT;
    if (!(choice->refused_name || choice->refused_path) || atomic_flag_test_and_set(&reported))
        return;
    if (choice->refused_name)
        fprintf(stderr, "permxor: PERMXOR_KERNELS=%s: %s (%s)\n", choice->refused_name,
                choice->reason, choice->kernels->name);
    if (choice->refused_path)
        fprintf(stderr, "permxor: PERMXOR_TUNE=%s: %s (%s)\n", choice->refused_path,
                choice->refused_why, choice->kernels->name);
}

/* The set and the reason that were chosen.  The reason is stored first, so a thread that sees a
   chosen set also sees a reason. */
_Atomic(const struct pxr_kernels *) pxr_chosen_kernels;
static _Atomic(const char *) chosen_reason;

static void publish(const struct choice *choice)
{
    atomic_store(&chosen_reason, choice->reason);
    atomic_store(&pxr_chosen_kernels, choice->kernels);
    report(choice);
}

/* Calls come here only before the library's constructor has run, from the constructors of other
   libraries.  They may also come from a signal handler or a forked child.  So this function
   takes no lock, and asks nothing but the CPU.  It does not replace what pxr_kernel_select()
   has published meanwhile. */
static const char early_reason[] =
    PXR_REASON_BEST "; PERMXOR_KERNELS and the tune file are not read yet";

const struct pxr_kernels *pxr_choose_kernels(void)
{
    const struct pxr_kernels *kernels = NULL, *best = pxr_kernels_best();
    const char *reason = NULL;
    atomic_compare_exchange_strong(&chosen_reason, &reason, early_reason);
    return atomic_compare_exchange_strong(&pxr_chosen_kernels, &kernels, best) ? best : kernels;
}

/*
 * Runs when the library is loaded, so that no call opens a file, takes a lock or looks at the
 * environment.  It is in this file because every call refers to this file: so a program that
 * links the static library has it, too.  What a program has selected before stays.
 */
__attribute__((constructor)) static void choose_at_load(void)
{
    const char *reason = atomic_load(&chosen_reason);
    struct pxr_record record;
    const struct choice choice = choose(&record);
    pxr_record_publish(&record);
    if (!reason || reason == early_reason)
        publish(&choice);
}

int pxr_kernel_select(const char *name)
{
    struct choice choice = {.reason = "pxr_kernel_select() selected it"};
    if (!name) {
        struct pxr_record record;
        choice = choose(&record);
        pxr_record_publish(&record);
    } else {
        choice.kernels = pxr_kernels_find(name);
        if (!choice.kernels)
            return PXR_EINVAL;
        if (!pxr_kernels_usable(choice.kernels))
            return PXR_EUNUSABLE;
    }
    publish(&choice);
    return PXR_OK;
}

const char *pxr_kernel_reason(void)
{
    pxr_kernels();
    return atomic_load(&chosen_reason);
}

int pxr_kernel_info(unsigned index, struct pxr_kernel_info *info, size_t size)
{
    unsigned rows = 0;
    while (pxr_registry[rows])
        rows++;
    if (!info || index >= rows)
        return PXR_EINVAL;
    const struct pxr_kernels *row = pxr_registry[index];
    const struct pxr_kernel_info found = {row->name, row->needs, pxr_kernels_usable(row),
                                          row == pxr_kernels()};
    PXR_HAND_OVER(info, size, found, selected);
    return PXR_OK;
}
