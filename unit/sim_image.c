/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim_image.h"

#include "sim_memory.h"

#include <stdlib.h>
#include <string.h>

struct sim_page {
    unsigned users;
    uint8_t bytes[SIM_PAGE];
};

static void drop_page(struct sim_page *page)
{
    if (page != NULL && --page->users == 0)
        free(page);
}

struct sim_image sim_image_new(uint64_t size)
{
    struct sim_image image = {(size_t)(size / SIM_PAGE), NULL};
    image.page = sim_allocate(image.pages * sizeof(struct sim_page *));
    return image;
}

struct sim_image sim_image_copy(const struct sim_image *from)
{
    struct sim_image image = {from->pages, NULL};
    image.page = sim_allocate(image.pages * sizeof(struct sim_page *));
    if (image.pages > 0)
        memcpy(image.page, from->page, image.pages * sizeof(struct sim_page *));
    for (size_t i = 0; i < image.pages; i++)
        if (image.page[i] != NULL)
            image.page[i]->users++;
    return image;
}

void sim_image_free(struct sim_image *image)
{
    for (size_t i = 0; i < image->pages; i++)
        drop_page(image->page[i]);
    free(image->page);
    *image = (struct sim_image){0, NULL};
}

/* A page that only this image uses. */
static struct sim_page *own_page(struct sim_image *image, size_t number)
{
    struct sim_page *old = image->page[number];
    if (old != NULL && old->users == 1)
        return old;
    struct sim_page *page = sim_allocate(sizeof *page);
    page->users = 1;
    if (old != NULL)
        memcpy(page->bytes, old->bytes, SIM_PAGE);
    drop_page(old);
    image->page[number] = page;
    return page;
}

static size_t part_of_page(uint64_t offset, size_t len)
{
    const size_t rest = SIM_PAGE - (size_t)(offset % SIM_PAGE);
    return len < rest ? len : rest;
}

void sim_image_read(const struct sim_image *image, uint64_t offset, size_t len, void *bytes)
{
    uint8_t *to = bytes;
    while (len > 0) {
        const size_t part = part_of_page(offset, len);
        const struct sim_page *page = image->page[offset / SIM_PAGE];
        if (page == NULL)
            memset(to, 0, part);
        else
            memcpy(to, page->bytes + offset % SIM_PAGE, part);
        to += part;
        offset += part;
        len -= part;
    }
}

void sim_image_write(struct sim_image *image, uint64_t offset, size_t len, const void *bytes)
{
    const uint8_t *from = bytes;
    while (len > 0) {
        const size_t part = part_of_page(offset, len);
        memcpy(own_page(image, (size_t)(offset / SIM_PAGE))->bytes + offset % SIM_PAGE, from,
               part);
        from += part;
        offset += part;
        len -= part;
    }
}
