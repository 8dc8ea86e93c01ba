/* SPDX-License-Identifier: BSD-3-Clause */
/* What is lost, and what decoding reads instead. */
#ifndef PXR_JERASURE_ERASURES_H
#define PXR_JERASURE_ERASURES_H

/* Returns the region of a device. */
static inline char *jer_device(int k, char **data_ptrs, char **coding_ptrs, int id)
{
    return id < k ? data_ptrs[id] : coding_ptrs[id - k];
}

/* Lists the first k of k + m devices that are not erased.  Returns 0, or -1 if there are fewer.
 */
int jer_survivors(int k, int m, const int *erased, int *ids);

/* Returns how many of the devices from `first` to before `end` are erased. */
int jer_count_erased(const int *erased, int first, int end);

#endif
