/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "hex.h"

#include <string.h>

static const char digits[] = "0123456789abcdef0123456789ABCDEF";

void hex_text(const uint8_t *bytes, size_t length, char *out)
{
    for (size_t i = 0; i < length; i++) {
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 15];
    }
    *out = '\0';
}

bool hex_parse(const char *text, size_t length, uint8_t *out)
{
    if (strlen(text) != 2 * length || strspn(text, digits) != 2 * length)
        return false;
    for (size_t i = 0; i < length; i++) {
        size_t high = (size_t)(strchr(digits, text[2 * i]) - digits) % 16;
        size_t low = (size_t)(strchr(digits, text[2 * i + 1]) - digits) % 16;
        out[i] = (uint8_t)(high * 16 + low);
    }
    return true;
}
