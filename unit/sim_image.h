/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contents of a simulated disk.  Images share their pages, so a copy costs a pointer a
 * page, and a crash can be tried at every write.
 */
#ifndef PXR_UNIT_SIM_IMAGE_H
#define PXR_UNIT_SIM_IMAGE_H

#include <stddef.h>
#include <stdint.h>

enum { SIM_PAGE = 4096, SIM_SECTOR = 512 };

struct sim_page;

struct sim_image {
    size_t pages;
    struct sim_page **page; /* NULL stands for a page of zeros */
};

/* Makes an image of zeros.  The size is a multiple of a page. */
struct sim_image sim_image_new(uint64_t size);
struct sim_image sim_image_copy(const struct sim_image *from);
void sim_image_free(struct sim_image *image);

static inline uint64_t sim_image_size(const struct sim_image *image)
{
    return (uint64_t)image->pages * SIM_PAGE;
}

/* The range has to be inside the image. */
void sim_image_read(const struct sim_image *image, uint64_t offset, size_t len, void *bytes);
void sim_image_write(struct sim_image *image, uint64_t offset, size_t len, const void *bytes);

#endif
