/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permxor.h - erasure codes over GF(2^8) as objects.
 *
 * A code of k data shards and m parity shards is made once from a coding
 * matrix and then used from any number of threads:
 *
 *     pxr_code *code;
 *     struct pxr_error why;
 *     if (pxr_code_create(&code, 10, 4, PXR_ISAL_CAUCHY, &why) != PXR_OK)
 *         give_up(why.text);
 *     if (pxr_encode(code, len, data, parity) != PXR_OK)
 *         ...
 *     int status = pxr_reconstruct(code, len, have, want);
 *     if (status != PXR_OK)
 *         give_up(pxr_strerror(status));
 *     pxr_code_free(code);
 *
 * RAID-5 and RAID-6 have a header of their own, permxor_raid.h, which includes this one and
 * has comparing, looking for zeros and Adler-32, too.  ISA-L's functions for all of this are
 * in another library, the drop-in libisal.so.2: libpermxor has the names of these two headers
 * and no other.
 *
 * Terms.  A shard is a buffer of len bytes.  Shards are numbered 0..k-1 for
 * data and k..k+m-1 for parity.  Parity row r is the dot product
 *
 *     shard[k + r][i] = sum over j < k of  rows[r*k + j] * shard[j][i]
 *
 * in GF(2^8) = GF(2)[x]/(x^8+x^4+x^3+x^2+1), polynomial 0x11d, generator 2.
 *
 * Conventions of every function below, unless its comment says otherwise:
 *   lengths    in bytes, any value including 0 (which does nothing and is OK)
 *   alignment  any; 64-byte aligned buffers are a little faster
 *   aliasing   outputs may not overlap inputs or one another
 *   errors     the status is returned, PXR_OK is 0; on any status that is not
 *              documented to write something, no output byte has been written
 *   threads    every function may be called from any thread at any time; a
 *              pxr_code is immutable and may be shared without locking, except
 *              that pxr_code_free() must be the last call on it; so is a pxr_plan
 *   locks      this library takes none, so no call waits for another thread, but
 *              for what malloc() does in a call that allocates
 *   fork       codes and plans may be used in a forked child, whatever the parent's
 *              other threads were doing, and each process frees its own; a call that
 *              allocates needs a malloc() that works there, as those of glibc, musl
 *              and the BSDs do
 *   signals    pxr_encode, pxr_update, pxr_verify, pxr_plan_apply, their forms for shards
 *              in pieces and the functions of permxor_raid.h do not allocate and are
 *              async-signal-safe once a kernel set has been chosen (see
 *              pxr_kernel_select); pxr_reconstruct, pxr_reconstruct_iov and pxr_locate are
 *              not, as they allocate when a pattern of losses is new
 *   leaving    once a kernel set has been chosen, no call that codes is a cancellation
 *              point.  An async-signal-safe one may also be left by asynchronous
 *              cancellation or siglongjmp(), say because a mapped file turns out to
 *              end within a shard: then its outputs are undefined, and nothing else.
 *              Left while it codes, pxr_reconstruct also keeps its plan in the code
 *              until pxr_code_free
 *   clock      on x86-64 long calls may read the time stamp counter (doc/machine.md:
 *              look-from), but not where that is an error when the library is loaded.  A
 *              process that makes it one later (Linux: PR_SET_TSC, seccomp's strict mode)
 *              applies "look-from = 1024M" by pxr_tune_apply() before
 *   stack      pxr_verify, pxr_locate and the functions of shards in pieces need at most
 *              64 KiB, every other function at most 48 KiB, as unit/test_stack.c measures
 */
#ifndef PERMXOR_H
#define PERMXOR_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library's own files are compiled with hidden symbols; these are not. */
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* Behind a function whose status tells whether its outputs are valid: compilers warn of a call
   that ignores it. */
#ifdef __GNUC__
#define PXR_CHECKED __attribute__((warn_unused_result))
#else
#define PXR_CHECKED
#endif

#define PXR_VERSION_MAJOR 0
#define PXR_VERSION_MINOR 1
#define PXR_VERSION_PATCH 0

/* k + m of any code is at most this, for the field has so many points (Cauchy, Vandermonde). */
#define PXR_MAX_SHARDS 256

/*
 * The addresses of shards that a call reads, and does not write.  `uint8_t *shards[]` can be
 * given without a cast.  So can `const uint8_t *shards[]` in C++, which converts the former to
 * the latter; C has no such conversion, and there that array is cast to pxr_inputs.
 */
#ifdef __cplusplus
typedef const uint8_t *const *pxr_inputs;
#else
typedef uint8_t *const *pxr_inputs;
#endif

enum pxr_status {
    PXR_OK = 0,
    PXR_EINVAL = 1,     /* an argument is NULL or out of range */
    PXR_ENOMEM = 2,     /* memory ran out */
    PXR_ENOTMDS = 3,    /* some k of the k+m shards would not suffice */
    PXR_EUNPROVEN = 4,  /* custom matrix too large to be proved MDS */
    PXR_ETOOFEW = 5,    /* too few shards or blocks survive */
    PXR_ESINGULAR = 6,  /* survivors do not determine the data (a custom
                           matrix made with PXR_ASSUME_MDS only) */
    PXR_EMISMATCH = 7,  /* parity and data disagree */
    PXR_EAMBIGUOUS = 8, /* they disagree, and no single shard explains it */
    PXR_EUNUSABLE = 9   /* this CPU cannot run the kernel set */
};

/* One line of English for a status; never NULL, never freed. */
const char *pxr_strerror(int status);

/* Version of the library at run time, as "major.minor.patch". */
const char *pxr_version(void);

/* ------------------------------------------------------------ matrices -- */

/*
 * Coding matrices, byte-compatible with the programs that they are named for.
 * Row r in 0..m-1, column j in 0..k-1.
 */
enum pxr_matrix {
    /* ISA-L gf_gen_rs_matrix: 2^(r*j).  MDS only for m <= 3 (any k), m = 4
       with k <= 21, m = 5 with k <= 5, m <= 21 with k <= 4, and k <= 3. */
    PXR_ISAL_VAND = 0,
    /* ISA-L gf_gen_cauchy1_matrix, HDFS RS: 1/((k+r) ^ j).  Always MDS. */
    PXR_ISAL_CAUCHY = 1,
    /* jerasure reed_sol_van, w = 8: extended Vandermonde made systematic,
       first row and first column scaled to ones.  Always MDS. */
    PXR_JERASURE_VAN = 2,
    /* jerasure reed_sol_r6_op, w = 8, and RAID-6: ones; 2^j.  m = 2. */
    PXR_JERASURE_R6 = 3,
    /* klauspost/reedsolomon's default: the Vandermonde matrix i^j of k+m rows
       times the inverse of its top square.  Always MDS. */
    PXR_KLAUSPOST_VAND = 4,
    /* rows given by the caller (pxr_code_create_custom) */
    PXR_CUSTOM = 5
};

/* "isal_vand", "isal_cauchy", ...; NULL for a value that is no matrix. */
const char *pxr_matrix_name(enum pxr_matrix matrix);

/* The reverse; PXR_EINVAL for an unknown name, *matrix untouched. */
int pxr_matrix_parse(const char *name, enum pxr_matrix *matrix);

/* ---------------------------------------------------------------- codes -- */

typedef struct pxr_code pxr_code;

/* Why a call failed, in words that name the values concerned. */
struct pxr_error {
    char text[192];
};

/*
 * Make a code.  k >= 1, m >= 1, k + m <= PXR_MAX_SHARDS.  On failure *code is
 * NULL and *why (may be NULL) holds a message.
 *   PXR_EINVAL   k, m or matrix out of range (PXR_CUSTOM included)
 *   PXR_ENOTMDS  the matrix is not MDS at this size
 *   PXR_ENOMEM
 */
int pxr_code_create(pxr_code **code, unsigned k, unsigned m, enum pxr_matrix matrix,
                    struct pxr_error *why) PXR_CHECKED;

/*
 * Make a code from m*k matrix bytes, row by row (the parity rows only; they
 * are copied).  Every square submatrix is tested for singularity, which takes
 * C(k+m, k) steps; beyond some millions of them the test is not attempted and
 * PXR_EUNPROVEN returned.  With PXR_ASSUME_MDS the test is left out, and a
 * reconstruction may return PXR_ESINGULAR.
 */
#define PXR_ASSUME_MDS 1u
int pxr_code_create_custom(pxr_code **code, unsigned k, unsigned m, const uint8_t *rows,
                           unsigned flags, struct pxr_error *why) PXR_CHECKED;

/* NULL is allowed. */
void pxr_code_free(pxr_code *code);

/* What the code was made of; the matrix is m*k bytes, valid as long as code. */
unsigned pxr_code_k(const pxr_code *code);
unsigned pxr_code_m(const pxr_code *code);
enum pxr_matrix pxr_code_matrix(const pxr_code *code);
const uint8_t *pxr_code_rows(const pxr_code *code);

/* --------------------------------------------------------------- coding -- */

/*
 * Compute all m parity shards from the k data shards.
 * data: k pointers, parity: m pointers, none NULL.
 */
int pxr_encode(const pxr_code *code, size_t len, pxr_inputs data,
               uint8_t *const *parity) PXR_CHECKED;

/*
 * Rebuild shards.  Both arrays have k+m entries.
 *   have[i]  shard i, or NULL where it is lost; at least k are present
 *   want[i]  where to write shard i, or NULL where it is not wanted
 * A shard both present and wanted is PXR_EINVAL.  Of more than k survivors
 * data shards are preferred, then parity shards in order; for a code made with
 * PXR_ASSUME_MDS, parity shards that are made of fewer data shards come first.
 * Survivors that are not needed are not read (pxr_plan_reads tells which are).
 *   PXR_ETOOFEW, PXR_EINVAL, PXR_ESINGULAR, PXR_ENOMEM
 *
 * What is worked out for a pattern of losses is kept in the code, so that repeated
 * calls neither invert a matrix nor allocate.  Up to 1024 patterns and 8 MiB are
 * kept, besides 90 KB from the first one on; then a new pattern takes the place of
 * one that has not been used for long and that no call is using.
 */
int pxr_reconstruct(const pxr_code *code, size_t len, pxr_inputs have,
                    uint8_t *const *want) PXR_CHECKED;

/*
 * Bring parity up to date after data shard `index` changed from old_data to
 * new_data: parity[r] ^= rows[r*k+index] * (old_data ^ new_data).
 * old_data NULL stands for zeros: new_data is then the difference itself, or
 * the first contents of a shard that was all zeros.
 * parity: m pointers; a NULL entry leaves that parity out.
 * old_data and new_data may be the same buffer (then nothing changes).
 *   PXR_EINVAL
 */
int pxr_update(const pxr_code *code, size_t len, unsigned index, const uint8_t *old_data,
               const uint8_t *new_data, uint8_t *const *parity) PXR_CHECKED;

/*
 * The same after several data shards changed, in one pass over the parity: index, old_data
 * and new_data have `count` entries each, one for each changed shard.  The indices are
 * distinct, in any order.
 * old_data: NULL, or NULL entries, stand for zeros, as above.
 *   PXR_EINVAL
 */
int pxr_update_many(const pxr_code *code, size_t len, unsigned count, const unsigned *index,
                    pxr_inputs old_data, pxr_inputs new_data,
                    uint8_t *const *parity) PXR_CHECKED;

/*
 * Compare parity with what the data would give, writing no shard.
 * shards: k+m pointers; data shards must all be present, a parity shard may
 * be NULL and is then not looked at.
 * first: NULL, or m entries: first[r] becomes the offset of the first byte at
 * which parity shard k+r disagrees with the data, or len where it agrees (or
 * is NULL).
 * PXR_OK when everything agrees, PXR_EMISMATCH when not, PXR_EINVAL.
 */
int pxr_verify(const pxr_code *code, size_t len, pxr_inputs shards, size_t *first) PXR_CHECKED;

/*
 * Find the one shard that is wrong.  shards: k+m pointers, none NULL; m >= 2.
 *   PXR_OK          all agree; *index = k+m
 *   PXR_EMISMATCH   changing shard *index alone, in any of its bytes, makes
 *                   all agree, and no other single shard would do
 *   PXR_EAMBIGUOUS  more than one shard is wrong (or, for a code that is not
 *                   MDS, two shards explain it equally); *index = k+m
 *   PXR_EINVAL, PXR_ENOMEM
 * An MDS code with m >= 2 tells any one wrong shard.  With m = 2, two wrong
 * shards may pass for a third one; each further parity shard makes such an
 * accident 255 times less likely per wrong byte.
 */
int pxr_locate(const pxr_code *code, size_t len, pxr_inputs shards,
               unsigned *index) PXR_CHECKED;

/* ---------------------------------------------------------------- plans -- */

/*
 * How certain shards follow from certain others, worked out once and then applied to any
 * number of stripes:
 *
 *     pxr_plan *plan;
 *     const uint8_t *shards;
 *     if (pxr_plan_create(&plan, code, have, want, &why) != PXR_OK)
 *         give_up(why.text);
 *     for (unsigned i = 0, n = pxr_plan_reads(plan, &shards); i < n; i++)
 *         buffer[shards[i]] = read_shard(shards[i]);
 *     if (pxr_plan_apply(plan, len, buffer, rebuilt) != PXR_OK)
 *         give_up("a shard is missing");
 *     pxr_plan_free(plan);
 *
 * A plan says which shards have to be read before any of them is, and with these there,
 * applying it cannot fail: it takes no lock, allocates nothing, and is async-signal-safe.
 * pxr_reconstruct() is the same in one call, with the code's own plans.
 *
 * A plan is immutable: any threads may apply it at the same time, until pxr_plan_free(), the
 * last call on it.  It does not refer to its code, which may be freed before, and it suits
 * every kernel set, so it stays right after pxr_kernel_select().
 */
typedef struct pxr_plan pxr_plan;

/*
 * Make a plan.  have and want are k+m flags each, shard by shard, any value but 0 meaning
 * yes: flags, since there need not be any buffer yet.
 *   have[i]  shard i is there and may be read; at least k are, and those that are not
 *            needed will be left out
 *   want[i]  shard i is to be rebuilt
 * On failure *plan is NULL and *why (may be NULL) holds a message.
 *   PXR_EINVAL     a pointer is NULL, or a shard both there and wanted
 *   PXR_ETOOFEW    fewer than k shards are there
 *   PXR_ESINGULAR  those that are there do not determine the data
 *   PXR_ENOMEM
 */
int pxr_plan_create(pxr_plan **plan, const pxr_code *code, const uint8_t *have,
                    const uint8_t *want, struct pxr_error *why) PXR_CHECKED;

/* NULL is allowed. */
void pxr_plan_free(pxr_plan *plan);

/*
 * How many shards the plan reads; *shards (shards may be NULL) becomes their numbers in
 * ascending order, valid as long as the plan.  With an MDS code and a lost data shard they
 * are k.  A shard that no wanted shard depends on is not among them: with local parity rows
 * in a custom matrix, a shard of one group is rebuilt from its group alone.
 */
unsigned pxr_plan_reads(const pxr_plan *plan, const uint8_t **shards);

/* The same for the shards that the plan writes, which are those that were wanted. */
unsigned pxr_plan_writes(const pxr_plan *plan, const uint8_t **shards);

/*
 * Rebuild the wanted shards of one stripe.  Both arrays have k+m entries by shard number, as
 * for pxr_reconstruct(), but only these are looked at:
 *   have[i]  shard i, for each one that the plan reads
 *   want[i]  where to write shard i, for each one that it writes
 *   PXR_EINVAL  one of these, or an argument, is NULL
 */
int pxr_plan_apply(const pxr_plan *plan, size_t len, pxr_inputs have,
                   uint8_t *const *want) PXR_CHECKED;

/* ----------------------------------------------------- shards in pieces -- */

/*
 * A shard whose bytes lie in memory in pieces, one behind the other, as in a list of buffers.
 * It is the first len bytes of iovcnt pieces; pieces of no bytes are passed over, and what is
 * behind len bytes is not looked at.  The pieces of different shards need not end at the same
 * bytes.  A call works on as many bytes at a time as are in one piece of every shard, so pieces
 * of less than some 200 bytes cost more than copying them into memory that is in a cache.
 */
struct pxr_iov {
    const struct iovec *iov;
    unsigned iovcnt; /* 0: no shard */
};

/*
 * What pxr_encode(), pxr_reconstruct() and pxr_plan_apply() do, for shards in pieces.  The
 * arrays have the same entries; a shard without pieces is what a NULL is there.  All pieces
 * are looked at before anything is written.  Besides the other functions' errors, it is
 * PXR_EINVAL where the pieces of a shard hold less than len bytes, or where one that holds
 * bytes is NULL.
 */
int pxr_encode_iov(const pxr_code *code, size_t len, const struct pxr_iov *data,
                   const struct pxr_iov *parity) PXR_CHECKED;
int pxr_reconstruct_iov(const pxr_code *code, size_t len, const struct pxr_iov *have,
                        const struct pxr_iov *want) PXR_CHECKED;
int pxr_plan_apply_iov(const pxr_plan *plan, size_t len, const struct pxr_iov *have,
                       const struct pxr_iov *want) PXR_CHECKED;

/* -------------------------------------------------------------- kernels -- */

/* One row of the registry of kernel sets. */
struct pxr_kernel_info {
    const char *name;  /* also the value that PERMXOR_KERNELS takes */
    const char *needs; /* CPU features it asks for, e.g. "avx2 gfni" */
    int usable;        /* this CPU and operating system have them */
    int selected;      /* the set that calls use */
};

/* Row `index` of the registry, best first; PXR_EINVAL beyond its end. */
int pxr_kernel_info(unsigned index, struct pxr_kernel_info *info);

/*
 * The library chooses a kernel set, and fills in its record of the machine (below), when it
 * is loaded: a constructor reads the environment, the tune file and, where the CPU does not
 * tell its caches, sysfs.  From then on
 *   signals      every function that codes, checks or recovers may be called in a signal
 *                handler, but for pxr_code_create(), pxr_reconstruct(),
 *                pxr_reconstruct_iov() and pxr_locate(): it takes no lock, allocates nothing
 *                and calls nothing of the system.  This holds of the first call, too.
 *   fork         a child may go on with codes and selections of its parent, whatever the
 *                parent's other threads were doing
 *   cancellation none of these functions is a cancellation point
 * and only pxr_kernel_select(NULL) and pxr_tune_info() read the environment, which no other
 * thread may change at that time (setenv, putenv), and open files.  A call before the
 * constructor, from that of another library, obeys the same rules: it uses the best set that
 * the CPU can run, and takes the machine for one that nothing is known of.
 */

/*
 * Why the selected set was selected: one English phrase.  In this order:
 *   - the environment variable PERMXOR_KERNELS=name forces a set
 *   - the tune file names one (see pxr_tune_info)
 *   - the first row of the registry that is usable, and preferred on this CPU
 * The environment is ignored in set-user-ID programs.  A PERMXOR_KERNELS that is
 * unknown or not usable here, or a PERMXOR_TUNE whose file is ignored, is
 * reported once on standard error, when the library is loaded, and in this
 * phrase, and the best usable set is taken.
 */
const char *pxr_kernel_reason(void);

/*
 * Make all later calls of this library use this set.  The drop-in libisal.so.2 and
 * libpermxor-preload are copies of their own, which choose for themselves when they are
 * loaded.  NULL chooses anew by the rules above, with the environment and the tune file as
 * they are now, and takes back what pxr_tune_apply() did.
 *
 * Atomic, so any thread may call it at any time; a call in flight goes on with
 * the set that it began with, which gives the same bytes.  Of threads that
 * select at the same time one prevails, and pxr_kernel_reason() may be another's.
 *   PXR_EINVAL     no set has this name; the selection stays
 *   PXR_EUNUSABLE  this CPU cannot run it; the selection stays
 */
int pxr_kernel_select(const char *name);

/*
 * The tune file: which set `permxor tune` found to be the fastest on this model
 * of CPU, and which values of the machine record.  Its path is the environment
 * variable PERMXOR_TUNE (set but empty: no tune file), else the default one.
 */
struct pxr_tune_info {
    const char *path;         /* NULL: none; valid while the environment stays as it is */
    const char *default_path; /* where it is looked for without PERMXOR_TUNE */
    const char *state;        /* "used", "none", "ignored: it is malformed", ... */
    int used;                 /* a choice made now would follow it */
    char cpu[512];            /* the model of this CPU, "" where the system does not tell */
    const char *family;       /* whose rules the machine record follows: "intel_server", ... */
    const char *evidence;     /* what they rest on, one English phrase */
};

/* Looks at the file, and at /proc/cpuinfo, each time; selects nothing.
   PERMXOR_KERNELS is not looked at.  PXR_EINVAL for NULL. */
int pxr_tune_info(struct pxr_tune_info *info);

/*
 * The machine record: sizes of caches, and how calls use memory that are too long for
 * some of them.  One value of it, as the tune file has it (doc/tune.md), and why it is
 * what it is.
 */
struct pxr_tune_setting {
    char name[32];    /* "own", "way dot memory", ... */
    char value[64];   /* "2097152", "sources 8 outputs 4 stream", ... */
    char reason[160]; /* one English phrase */
};

/* Value `index`; PXR_EINVAL beyond the last one. */
int pxr_tune_setting(unsigned index, struct pxr_tune_setting *setting);

/*
 * Change values of the machine record for all later calls: text has lines NAME = VALUE like
 * those of pxr_tune_setting(); empty lines and those that begin with # are passed over.  The
 * values that it does not name become what they were when the library was loaded, or
 * selected by pxr_kernel_select(NULL); so do all with NULL.
 *
 * Any thread may call it at any time: results are the same with any values.  Of threads that
 * call it at the same time each value is one's of them.
 *   PXR_EINVAL  a line is none of these, or names a value again; nothing has changed
 */
int pxr_tune_apply(const char *text);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
