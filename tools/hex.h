/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes as hexadecimal digits. */
#ifndef PXR_TOOLS_HEX_H
#define PXR_TOOLS_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes two digits for each byte, in lower case, and a terminator. */
void hex_text(const uint8_t *bytes, size_t length, char *out);

/*
 * Reads what hex_text() writes, in lower or upper case.  Returns false unless the text has
 * exactly 2 * length digits and nothing else.
 */
bool hex_parse(const char *text, size_t length, uint8_t *out);

#endif
