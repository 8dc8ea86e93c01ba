/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * array_cat FILE...: writes the contents of an md array to standard output.  The files are
 * images of its members, in any order.  As long as there is parity to compare, it has to agree.
 */
#include "permxor_array_md.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 64, PIECE = 1 << 20 };

static int read_file(void *self, uint64_t offset, size_t len, void *buffer)
{
    const int *fd = self;
    return pread(*fd, buffer, len, (off_t)offset) == (ssize_t)len ? 0 : EIO;
}

static const struct pxa_member_calls calls = {sizeof calls, read_file};

static int files[MOST_FILES];
static struct pxa_md_super supers[MOST_FILES];
static enum pxa_md_use use[MOST_FILES];
static uint8_t buffer[PIECE];

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "array_cat: %s: %s\n", what, why);
    return 1;
}

static int copy(const pxa_array *array, uint64_t size)
{
    struct pxa_report report = {0};
    for (uint64_t at = 0; at < size; at += PIECE) {
        const size_t len = size - at < PIECE ? (size_t)(size - at) : PIECE;
        const int status = pxa_read(array, at, len, buffer, PXA_VERIFY, &report, sizeof report);
        if (status != PXR_OK)
            return fail("read", pxa_strerror(status));
        if (fwrite(buffer, 1, len, stdout) != len)
            return fail("write", "failed");
    }
    return fflush(stdout) == 0 ? 0 : 1;
}

static int examine(int i, const char *path)
{
    struct pxr_error why;
    struct stat status;
    files[i] = open(path, O_RDONLY);
    if (files[i] < 0 || fstat(files[i], &status) != 0)
        return fail(path, "cannot be opened");
    if (pxa_md_examine(&calls, &files[i], (uint64_t)status.st_size, &supers[i],
                       sizeof supers[i], &why) != PXR_OK)
        return fail(path, why.text);
    return 0;
}

int main(int argc, char **argv)
{
    struct pxa_member members[PXA_MAX_MEMBERS] = {{0}};
    struct pxa_md_set set;
    struct pxr_error why;
    pxa_array *array;
    if (argc < 2 || argc > MOST_FILES)
        return fail("usage", "array_cat FILE...");
    for (int i = 0; i < argc - 1; i++)
        if (examine(i, argv[i + 1]) != 0)
            return 1;
    if (pxa_md_assemble(supers, sizeof supers[0], (unsigned)argc - 1, &set, sizeof set, use,
                        &why) != PXR_OK)
        return fail("assemble", why.text);
    for (unsigned i = 0; i < PXA_MAX_MEMBERS; i++)
        if (set.device[i] >= 0)
            members[i] = (struct pxa_member){.calls = &calls,
                                             .self = &files[set.device[i]],
                                             .start = supers[set.device[i]].start,
                                             .valid = supers[set.device[i]].valid};
    if (pxa_array_create(&array, &set.geometry, PXR_ISAL_VAND, members, sizeof members[0],
                         &why) != PXR_OK)
        return fail("array", why.text);
    const int status = copy(array, pxa_capacity(&set.geometry));
    pxa_array_free(array);
    return status;
}
