/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tune file.  It names the kernel set, and the values of the machine record, that `permxor
 * tune` found to be the fastest on one model of CPU. doc/tune.md has the format and the rules.
 */
#ifndef PXR_TUNE_H
#define PXR_TUNE_H

#include <stddef.h>

#include "kernels.h"
#include "machine.h"

/* Room for the model of a CPU, and for the name of a set. */
#define PXR_CPU_MODEL 512
#define PXR_KERNELS_NAME 64

/* A longer file is refused without being read. */
#define PXR_TUNE_BYTES 16384

/* The reason when the registry alone decided. */
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
    const char *path;                  /* NULL: there is none */
    const char *named;                 /* the path if PERMXOR_TUNE gave it, else NULL */
    const struct pxr_kernels *kernels; /* USED: the set that the file names, or NULL if it names
                                          none */
    struct pxr_settings settings;      /* USED: the values of the machine record in the file;
                                          else none */
    const char *reason;                /* one English phrase for pxr_kernel_reason() */
    const char *what;                  /* one English phrase for the state alone */
};

/* Looks for the tune file and reads it. errno is left as it was. */
struct pxr_tune pxr_tune_read(void);

/* The contents of a tune file. */
struct pxr_tune_text {
    char cpu[PXR_CPU_MODEL];
    char kernels[PXR_KERNELS_NAME]; /* "": the file names none */
    struct pxr_settings settings;
};

/* Parses the contents of a file.  Returns PXR_TUNE_USED, PXR_TUNE_VERSION or
   PXR_TUNE_MALFORMED; *what is complete only with PXR_TUNE_USED. */
enum pxr_tune_state pxr_tune_parse(const char *text, size_t length, struct pxr_tune_text *what);

/*
 * Finds the model of the first processor in the text of /proc/cpuinfo.  The result is one line
 * of printable ASCII, cut to the size.  It is empty when nothing in the text tells the model.
 */
void pxr_cpu_model(const char *cpuinfo, char model[PXR_CPU_MODEL]);

/* Returns a variable of the environment; NULL when it is not set, and in set-user-ID programs.
 */
const char *pxr_environment(const char *name);

#endif
