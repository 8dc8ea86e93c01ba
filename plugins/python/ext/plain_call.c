/* SPDX-License-Identifier: BSD-3-Clause */
#include "plain_call.h"

void plain_call(void (*function)(void *), void *argument)
{
    function(argument);
    /* The call must not become a jump, with which this frame would be gone. */
    __asm__ volatile("");
}
