/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The compiler includes this file before each source of unit/corruptions, which contains the
 * whole command.  The command's main() becomes a function that a test can call.
 */
#ifndef PXR_UNIT_CORRUPT_MAIN_H
#define PXR_UNIT_CORRUPT_MAIN_H

#define main permxor_main
int permxor_main(int argc, char **argv);

#endif
