/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decoding by schedules.
 *
 * The first k places hold the survivors that decoding reads.  A data device is in its own
 * place.  In the place of each lost data device is the next coding device that is left.  The
 * lost data devices follow, and then the lost coding devices.  The schedule makes these, all
 * from the first k places.
 */
#include <stdlib.h>
#include <string.h>

#include "erasures.h"
#include "jerasure.h"
#include "schedule.h"

/* Finds the device for each place; the first k are survivors.  Returns 0, or -1 when there are
   too few. */
static int place_devices(int k, int m, const int *erased, int *ids)
{
    int spare = k, end = k;
    for (int j = 0; j < k; j++) {
        ids[j] = j;
        if (!erased[j])
            continue;
        while (spare < k + m && erased[spare])
            spare++;
        if (spare == k + m)
            return -1;
        ids[j] = spare++;
    }
    for (int id = 0; id < k + m; id++)
        if (erased[id])
            ids[end++] = id;
    return 0;
}

/* Reads the w rows of a device in terms of the data. */
static void read_device(struct pxr_bits *rows, unsigned at, int id, int k, int w,
                        const int *bitmatrix)
{
    for (int x = 0; x < w; x++) {
        const unsigned r = at * (unsigned)w + (unsigned)x;
        if (id < k)
            jer_bits_set(rows, r, (unsigned)(id * w + x));
        else
            jer_bits_read(rows, r, bitmatrix + (size_t)((id - k) * w + x) * rows->columns);
    }
}

/*
 * Computes the rows of `lost` devices in terms of the first k places: their rows in terms of
 * the data, times the inverse of the rows of these places.
 */
static bool rows_of_lost(struct pxr_bits *product, int k, int w, const int *bitmatrix,
                         const int *ids, int lost)
{
    const unsigned columns = (unsigned)(k * w);
    struct pxr_bits from = jer_bits_new(columns, columns);
    struct pxr_bits inverse = jer_bits_new(columns, columns);
    struct pxr_bits wanted = jer_bits_new(product->rows, columns);
    bool found = from.word && inverse.word && wanted.word;
    if (found) {
        for (int i = 0; i < k; i++)
            read_device(&from, (unsigned)i, ids[i], k, w, bitmatrix);
        for (int i = 0; i < lost; i++)
            read_device(&wanted, (unsigned)i, ids[k + i], k, w, bitmatrix);
        found = jer_bits_invert(&from, &inverse);
    }
    if (found)
        jer_bits_multiply(&wanted, &inverse, product);
    free(from.word);
    free(inverse.word);
    free(wanted.word);
    return found;
}

/* Makes the schedule for what is lost.  NULL: it cannot be decoded, or there is no memory. */
static int **decoding_schedule(int k, int m, int w, const int *bitmatrix, const int *erased,
                               int *ids, bool smart)
{
    const int lost = jer_count_erased(erased, 0, k + m);
    int **schedule = NULL;
    if (place_devices(k, m, erased, ids) != 0)
        return NULL;
    struct pxr_bits rows = jer_bits_new((unsigned)(lost * w), (unsigned)(k * w));
    if (rows.word && rows_of_lost(&rows, k, w, bitmatrix, ids, lost))
        schedule = jer_schedule_make(&rows, w, k, smart);
    free(rows.word);
    return schedule;
}

static int run(int **schedule, int k, int m, const int *ids, struct jer_units units,
               char **data_ptrs, char **coding_ptrs, int lost)
{
    char **const devices = malloc(sizeof *devices * (size_t)(k + m));
    if (!devices)
        return -1;
    for (int i = 0; i < k + lost; i++)
        devices[i] = jer_device(k, data_ptrs, coding_ptrs, ids[i]);
    jer_schedule_run(schedule, units, devices);
    free(devices);
    return 0;
}

int jerasure_schedule_decode_lazy(int k, int m, int w, int *bitmatrix, int *erasures,
                                  char **data_ptrs, char **coding_ptrs, int size,
                                  int packetsize, int smart)
{
    struct jer_units units;
    if (k < 1 || m < 1 || !jer_units_of(&units, __func__, w, size, packetsize))
        return -1;
    int *const erased = jerasure_erasures_to_erased(k, m, erasures);
    int *const ids = malloc(sizeof *ids * (size_t)(k + m));
    const int lost = erased ? jer_count_erased(erased, 0, k + m) : 0;
    int status = erased && ids ? 0 : -1;
    if (status == 0 && lost > 0) {
        int **const schedule = decoding_schedule(k, m, w, bitmatrix, erased, ids, smart != 0);
        status = schedule ? run(schedule, k, m, ids, units, data_ptrs, coding_ptrs, lost) : -1;
        jerasure_free_schedule(schedule);
    }
    free(erased);
    free(ids);
    return status;
}

/* ------------------------------------------------------------- cache ---- */

#define CACHED_CODING 2

/* Makes the schedule for the loss of devices a and b, which may be the same device. */
static int **schedule_of_pair(int k, int w, const int *bitmatrix, int a, int b, bool smart,
                              int *erased, int *ids)
{
    erased[a] = erased[b] = 1;
    int **const schedule =
        decoding_schedule(k, CACHED_CODING, w, bitmatrix, erased, ids, smart);
    erased[a] = erased[b] = 0;
    return schedule;
}

int ***jerasure_generate_schedule_cache(int k, int m, int w, int *bitmatrix, int smart)
{
    if (m != CACHED_CODING || k < 1 || w < 1)
        return NULL;
    const int n = k + m;
    int ***const cache = calloc((size_t)n * (size_t)n, sizeof *cache);
    int *const erased = calloc((size_t)n, sizeof *erased);
    int *const ids = malloc(sizeof *ids * (size_t)n);
    for (int a = 0; cache && erased && ids && a < n; a++) {
        for (int b = a; b < n; b++) {
            cache[a * n + b] = schedule_of_pair(k, w, bitmatrix, a, b, smart != 0, erased, ids);
            cache[b * n + a] = cache[a * n + b];
        }
    }
    free(erased);
    free(ids);
    return cache;
}

void jerasure_free_schedule_cache(int k, int m, int ***cache)
{
    const int n = k + m;
    for (int a = 0; cache && a < n; a++)
        for (int b = a; b < n; b++)
            jerasure_free_schedule(cache[a * n + b]);
    free(cache);
}

/* Reads the one or two losses.  Returns false when there are more, or when a number is no
   device. */
static bool read_pair(const int *erasures, int n, int *a, int *b, bool *any)
{
    int count = 0;
    for (; erasures[count] != -1; count++)
        if (count == CACHED_CODING || erasures[count] < 0 || erasures[count] >= n)
            return false;
    *any = count > 0;
    *a = *any ? erasures[0] : 0;
    *b = count > 1 ? erasures[1] : *a;
    return true;
}

int jerasure_schedule_decode_cache(int k, int m, int w, int ***scache, int *erasures,
                                   char **data_ptrs, char **coding_ptrs, int size,
                                   int packetsize)
{
    struct jer_units units;
    const int n = k + m;
    int a, b, status = -1;
    bool any;
    if (k < 1 || m != CACHED_CODING || !scache || !read_pair(erasures, n, &a, &b, &any) ||
        !jer_units_of(&units, __func__, w, size, packetsize))
        return -1;
    if (!any)
        return 0;
    int **const schedule = scache[a * n + b];
    int *const erased = calloc((size_t)n, sizeof *erased);
    int *const ids = malloc(sizeof *ids * (size_t)n);
    if (schedule && erased && ids) {
        erased[a] = erased[b] = 1;
        place_devices(k, m, erased, ids);
        status = run(schedule, k, m, ids, units, data_ptrs, coding_ptrs, a == b ? 1 : 2);
    }
    free(erased);
    free(ids);
    return status;
}
