/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tune file: the kernel set, and the values of the machine record, that `permxor tune`
 * found to be the fastest on one model of CPU.  doc/tune.md has the format and the rules.
 */
#ifndef PXR_TUNE_H
#define PXR_TUNE_H

#include <stddef.h>

#include "kernels.h"
#include "machine.h"

/* Room for a CPU's model, and for the name of a set. */
#define PXR_CPU_MODEL 512
#define PXR_KERNELS_NAME 64

/* A longer file is refused unread. */
#define PXR_TUNE_BYTES 16384

/* Of what was chosen by the registry alone. */
#define PXR_REASON_BEST "the best set that this CPU can run"

enum pxr_tune_state {
    PXR_TUNE_USED,
    PXR_TUNE_OFF,     /* PERMXOR_TUNE is set, but empty */
    PXR_TUNE_NONE,    /* there is no file at the default path */
    PXR_TUNE_MISSING, /* there is no file where PERMXOR_TUNE says */
    PXR_TUNE_UNREADABLE,
    PXR_TUNE_LINK,
    PXR_TUNE_NOT_REGULAR,
    PXR_TUNE_OWNER,
    PXR_TUNE_WRITABLE,
    PXR_TUNE_TOO_LONG,
    PXR_TUNE_VERSION,
    PXR_TUNE_MALFORMED,
    PXR_TUNE_NO_MODEL,
    PXR_TUNE_OTHER_CPU,
    PXR_TUNE_UNKNOWN_SET,
    PXR_TUNE_UNUSABLE_SET,
    PXR_TUNE_STATES
};

struct pxr_tune {
    enum pxr_tune_state state;
    const char *path;                  /* NULL: none */
    const char *named;                 /* the path when PERMXOR_TUNE gave it, else NULL */
    const struct pxr_kernels *kernels; /* USED: the set that it names; NULL: none */
    struct pxr_settings settings;      /* USED: of the machine record; else none */
    const char *reason;                /* one English phrase for pxr_kernel_reason() */
    const char *what;                  /* and for the state alone */
};

/* Look for the tune file and read it.  errno is left as it was. */
struct pxr_tune pxr_tune_read(void);

/* What a tune file says. */
struct pxr_tune_text {
    char cpu[PXR_CPU_MODEL];
    char kernels[PXR_KERNELS_NAME]; /* "": it names none */
    struct pxr_settings settings;
};

/* Parse a file's contents: PXR_TUNE_USED, PXR_TUNE_VERSION or
   PXR_TUNE_MALFORMED; *what is complete only for the first. */
enum pxr_tune_state pxr_tune_parse(const char *text, size_t length, struct pxr_tune_text *what);

/*
 * The model of the first processor in the text of /proc/cpuinfo: one line of
 * printable ASCII, empty when nothing in the text tells it, cut at the size.
 */
void pxr_cpu_model(const char *cpuinfo, char model[PXR_CPU_MODEL]);

/* A variable of the environment; NULL when it is not set, and in set-user-ID
   programs. */
const char *pxr_environment(const char *name);

#endif
