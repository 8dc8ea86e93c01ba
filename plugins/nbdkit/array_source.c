/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include "array_source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Messages about wrong pages may be as many as there are pages. */
enum { MOST_MESSAGES = 100, PREFERRED = 4096 };

struct array_source {
    struct source source; /* first, so that a pointer to it is one to this, too */
    pxa_array *array;
    enum pxa_trust check;
    const char *name[PXA_MAX_MEMBERS]; /* of the members */
    atomic_uint_fast64_t told;         /* members of which a failed read was reported */
    atomic_uint messages;
    atomic_bool told_unchecked;
};

/* What a check cannot do with the members that are there. */
static void warn_unchecked(unsigned missing, unsigned parity, enum pxa_trust check)
{
    if (check == PXA_VERIFY && missing >= parity)
        source_warn("check=verify compares nothing: %u members are missing, and all of the "
                    "parity is needed in their place",
                    missing);
    if (check == PXA_CORRECT && missing + 2 > parity)
        source_warn("check=correct corrects nothing: that needs two blocks of parity more than "
                    "members are missing, and there are %u blocks of parity and %u missing "
                    "members",
                    parity, missing);
}

static void tell_failed(struct array_source *self, pxa_mask failed)
{
    const pxa_mask fresh = failed & ~(pxa_mask)atomic_fetch_or(&self->told, failed);
    for (unsigned i = 0; i < PXA_MAX_MEMBERS; i++)
        if (fresh >> i & 1)
            nbdkit_error("%s: a read failed; from now on, what cannot be read here is computed "
                         "from the other members",
                         self->name[i]);
}

static void tell_wrong(struct array_source *self, const struct pxa_report *report)
{
    if (report->disagreeing == 0 || atomic_fetch_add(&self->messages, 1) >= MOST_MESSAGES)
        return;
    nbdkit_error("row %" PRIu64 ": parity and data disagree in %" PRIu64
                 " pages, of which %" PRIu64 " are explained by one wrong block",
                 report->last_row, report->disagreeing, report->located);
    for (unsigned i = 0; i < PXA_MAX_MEMBERS; i++)
        if (report->wrong >> i & 1)
            nbdkit_error("%s: it holds a wrong block", self->name[i]);
}

static void tell_unchecked(struct array_source *self, uint64_t unchecked, uint64_t offset)
{
    if (unchecked == 0 || atomic_exchange(&self->told_unchecked, true))
        return;
    nbdkit_error("%" PRIu64 " of the bytes from %" PRIu64 " on were not checked, because no "
                 "parity is left to compare there; this message comes only once",
                 unchecked, offset);
}

static int read_array(struct source *source, void *buffer, uint32_t count, uint64_t offset)
{
    struct array_source *self = (struct array_source *)source;
    struct pxa_report report = {0};
    const int status =
        pxa_read(self->array, offset, count, buffer, self->check, &report, sizeof report);
    if (report.failed != 0)
        tell_failed(self, report.failed);
    tell_wrong(self, &report);
    tell_unchecked(self, report.unchecked, offset);
    if (status == PXR_OK)
        return 0;
    nbdkit_error("%" PRIu32 " bytes from %" PRIu64 " on: %s", count, offset,
                 pxa_strerror(status));
    nbdkit_set_error(status == PXR_ENOMEM ? ENOMEM : EIO);
    return -1;
}

static void close_array(struct source *source)
{
    struct array_source *self = (struct array_source *)source;
    pxa_array_free(self->array);
    free(self);
}

static const struct source_calls calls = {.read = read_array, .close = close_array};

struct source *array_source(const struct pxa_geometry *geometry, enum pxr_matrix matrix,
                            const struct pxa_member *members, const char *const *names,
                            enum pxa_trust check)
{
    struct pxr_error why;
    struct array_source *self = calloc(1, sizeof *self);
    if (self == NULL) {
        nbdkit_error("there is not enough memory");
        return NULL;
    }
    if (pxa_array_create(&self->array, geometry, matrix, members, sizeof *members, &why) !=
        PXR_OK) {
        nbdkit_error("%s", why.text);
        free(self);
        return NULL;
    }
    unsigned missing = 0;
    for (unsigned i = 0; i < geometry->data + geometry->parity; i++) {
        self->name[i] = names[i];
        missing += members[i].calls == NULL;
    }
    warn_unchecked(missing, geometry->parity, check);
    self->check = check;
    self->source = (struct source){
        .calls = &calls, .size = pxa_capacity(geometry), .preferred = PREFERRED};
    return &self->source;
}
