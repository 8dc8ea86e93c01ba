/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions in the fields of the process.  The default fields are those of gf256.h and words.h,
 * so the kernels compute on their regions.  A field that the program has supplied computes by
 * itself.
 */
#include "field.h"

#include "dispatch.h"
#include "encode.h"
#include "words.h"

bool jer_region_valid(const char *function, int w, int size)
{
    if (w != 8 && w != 16 && w != 32) {
        jer_complain(function, "w=%d: regions have words of 8, 16 or 32 bits", w);
        return false;
    }
    if (size < 0 || size % (w / 8) != 0) {
        jer_complain(function, "%d bytes are not a whole number of words of %d bits", size, w);
        return false;
    }
    return true;
}

void jer_region_sum(unsigned n, const uint8_t *const *src, uint8_t *dst, size_t size)
{
    pxr_kernels()->dot[PXR_SPECIAL_P][0](size, n, NULL, src, &dst, 0);
}

static void multiply_words(int w, uint32_t c, const uint8_t *src, uint8_t *dst, size_t size,
                           bool add)
{
    const struct pxr_word_field field = pxr_word_field_of((unsigned)w);
    const struct pxr_kernels *const kernels = pxr_kernels();
    uint64_t room[4 * 4 * PXR_TABLE / sizeof(uint64_t)];
    struct pxr_words words = {.k = 0};
    pxr_words_expand(&words, field, 1, 1, &c, kernels->form, room);
    pxr_words_dot(kernels, size, &words, &src, &dst, add);
}

void jer_region_multiply(int w, uint32_t c, const uint8_t *src, uint8_t *dst, size_t size,
                         bool add)
{
    gf_t *const field = jer_field(w);
    if (!field) {
        jer_complain("multiplying a region", "not enough memory for a field of %d bits", w);
    } else if (!jer_field_is_default(w)) {
        field->multiply_region.w32(field, (void *)(uintptr_t)src, dst, c, (int)size, add);
    } else if (w == 8 || c <= 1) {
        pxr_multiply_bytes(size, (uint8_t)c, src, dst, add);
    } else {
        multiply_words(w, c, src, dst, size, add);
    }
}
