/* SPDX-License-Identifier: BSD-3-Clause */
/* The shapes that the lists of raid_perf's command line mean. */
#include "lists.h"
#include "raid_session.h"

static void each_length(struct raid_session *session, const struct raid_op *op,
                        struct raid_shape shape, raid_visitor *visit)
{
    const char *at = session->options.lengths;
    long previous = 0;
    while (lengths_next(&at, &previous, &shape.len))
        visit(session, op, &shape);
}

static void each_count(struct raid_session *session, const struct raid_op *op,
                       struct raid_shape shape, raid_visitor *visit)
{
    const char *at = session->options.disks;
    long previous = 0;
    int n;
    while (lengths_next(&at, &previous, &n)) {
        /* Without disks the number is of no meaning; one time will do. */
        shape.n = raid_op_has_disks(op) ? (unsigned)n : 2;
        each_length(session, op, shape, visit);
        if (!raid_op_has_disks(op))
            break;
    }
}

void raid_each_shape(struct raid_session *session, const struct raid_op *op,
                     raid_visitor *visit)
{
    const char *at = session->options.modes;
    struct raid_shape shape;
    while (modes_next(&at, &shape.mode))
        each_count(session, op, shape, visit);
}
