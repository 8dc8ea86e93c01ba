/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parses the values of options.  Each function returns STATUS_OK, or STATUS_USAGE with a
 * message that says what was expected.
 */
#ifndef PXR_TOOLS_VALUES_H
#define PXR_TOOLS_VALUES_H

#include "permxor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads a number from 0 to `most`, digits only.  Prints no message when it is none. */
bool value_digits(const char *text, uint64_t most, uint64_t *value);

/* 1 to `most`, digits only. */
int value_number(const char *option, const char *text, unsigned most, unsigned *value);

/* Sizes, which may end in K, M or G. */
int value_cell(const char *text, uint32_t *cell);
int value_chunk(const char *text, uint32_t *chunk);
int value_packetsize(const char *text, uint32_t *packetsize);
int value_length(const char *text, size_t *length);

int value_seconds(const char *text, double *seconds);
int value_set(const char *text, const char **set);
int value_path(const char *option, const char *text, const char **path);

/* The size of a linear hash. */
int value_hash_size(const char *text, unsigned *size);

/* A matrix by its name.  A matrix whose rows the caller would have to give is refused. */
int value_matrix(const char *text, enum pxr_matrix *matrix);

#endif
