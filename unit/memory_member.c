/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory_member.h"

#include <errno.h>
#include <string.h>

static int memory_read(void *self, uint64_t offset, size_t len, void *buffer)
{
    struct memory_member *member = self;
    member->reads++;
    if (offset > member->size || len > member->size - offset)
        return EIO;
    if (offset < member->bad_end && member->bad_begin < offset + len)
        return EIO;
    memcpy(buffer, member->bytes + offset, len);
    return 0;
}

const struct pxa_member_calls memory_calls = {sizeof memory_calls, memory_read};
