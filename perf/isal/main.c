/* SPDX-License-Identifier: BSD-3-Clause */
/* Every program: PROGRAM is its description in isal_perf.h. */
#include "isal_perf.h"

int main(int argc, char **argv)
{
    return isal_perf(&PROGRAM, argc, argv);
}
