/* SPDX-License-Identifier: BSD-3-Clause */
#include "jerasure_pair.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

struct jerasure_library theirs;
struct devices devices;

bool pair_open(void)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < MOST_DEVICES; i++)
            devices.region[side][i] = aligned_alloc(64, MOST_BYTES);
    return jerasure_open_theirs(&theirs);
}

void fill_devices(int k, int m, int size)
{
    devices.k = k;
    devices.m = m;
    devices.size = size;
    for (int i = 0; i < k + m; i++) {
        check_fill(devices.region[0][i], (size_t)size);
        memcpy(devices.region[1][i], devices.region[0][i], (size_t)size);
    }
}

void lose(const int *erasures)
{
    for (; *erasures >= 0; erasures++) {
        memset(devices.region[0][*erasures], 0x5a, (size_t)devices.size);
        memset(devices.region[1][*erasures], 0x5a, (size_t)devices.size);
    }
}

void same_devices(void)
{
    double got[3], want[3];
    for (int i = 0; i < devices.k + devices.m; i++)
        CHECK_BYTES(devices.region[0][i], devices.region[1][i], (size_t)devices.size);
    ours->jerasure_get_stats(got);
    theirs.jerasure_get_stats(want);
    for (int i = 0; i < 3; i++)
        CHECK_INT((long long)got[i], (long long)want[i]);
}

void same_ints(int *got, int *want, size_t count)
{
    CHECK((got == NULL) == (want == NULL));
    if (got != NULL && want != NULL)
        CHECK_BYTES(got, want, count * sizeof(int));
    free(got);
    free(want);
}

void same_schedules(int **got, int **want)
{
    int i = 0;
    CHECK(got != NULL && want != NULL);
    if (got == NULL || want == NULL)
        return;
    for (; want[i][0] >= 0 && got[i][0] >= 0; i++)
        if (!CHECK(memcmp(got[i], want[i], 5 * sizeof(int)) == 0))
            break;
    CHECK_INT(got[i][0], want[i][0]);
}

void fill_numbers(int *numbers, int count, int w)
{
    for (int i = 0; i < count; i++)
        numbers[i] = (int)(check_random() & (((uint64_t)1 << w) - 1));
}
