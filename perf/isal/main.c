/* SPDX-License-Identifier: BSD-3-Clause */
/* The main function of every program.  PROGRAM is the program's description in isal_perf.h. */
#include "isal_perf.h"

int main(int argc, char **argv)
{
    return isal_perf(&PROGRAM, argc, argv);
}
