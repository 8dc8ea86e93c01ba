/* SPDX-License-Identifier: BSD-3-Clause */
/* What is lost, and what decoding reads instead. */
#ifndef PXR_JERASURE_ERASURES_H
#define PXR_JERASURE_ERASURES_H

/* The region of a device. */
static inline char *jer_device(int k, char **data_ptrs, char **coding_ptrs, int id)
{
    return id < k ? data_ptrs[id] : coding_ptrs[id - k];
}

/* The first k devices that are not erased, of k + m.  0, or -1: there are fewer. */
int jer_survivors(int k, int m, const int *erased, int *ids);

/* How many of the devices from `first` on, before `end`, are erased. */
int jer_count_erased(const int *erased, int first, int end);

#endif
