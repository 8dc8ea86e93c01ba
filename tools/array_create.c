/* SPDX-License-Identifier: BSD-3-Clause */
/* permxor array create */
#include "config.h"

#include "cmd_array.h"

#include "hex.h"
#include "host/create.h"
#include "message.h"
#include "output.h"

#include <inttypes.h>
#include <stdio.h>

static int check(const struct options *options)
{
    const unsigned count = (unsigned)options->operand_count;
    if (options->m == 0)
        return complain(STATUS_USAGE,
                        "array create: use -m to say how many members may be lost");
    if (count > PXA_MAX_MEMBERS)
        return complain(STATUS_USAGE,
                        "array create: %u members are given, but an array has at most %d",
                        count, PXA_MAX_MEMBERS);
    if (count <= options->m)
        return complain(STATUS_USAGE,
                        "array create: %u members are given, but -m %u needs at least %u",
                        count, options->m, options->m + 1);
    if (options->k != 0 && options->k + options->m != count)
        return complain(STATUS_USAGE,
                        "array create: %u members are given, but -k %u -m %u need %u", count,
                        options->k, options->m, options->k + options->m);
    return STATUS_OK;
}

int array_create(const struct options *options)
{
    struct pxr_error why;
    uint8_t uuid[16];
    char text[33];
    uint64_t capacity;
    const int usage = check(options);
    if (usage != STATUS_OK)
        return usage;
    const unsigned k = (unsigned)options->operand_count - options->m;
    const struct host_shape shape = {.data = k,
                                     .parity = options->m,
                                     .chunk = options->chunk,
                                     .name = options->name != NULL ? options->name : "",
                                     .force = options->output_flags & OUTPUT_REPLACE};
    const int status = host_create(options->operands, &shape, uuid, &capacity, &why);
    if (status != PXR_OK)
        return complain(array_exit_code(status), "array create: %s", why.text);
    hex_text(uuid, sizeof uuid, text);
    say_line("array %s: %u + %u members, chunk %" PRIu32 ", %" PRIu64 " bytes", text, k,
             options->m, options->chunk, capacity);
    warn("arrays are experimental: keep a copy of all data that you store in them");
    return STATUS_OK;
}
