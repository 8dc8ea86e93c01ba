/* SPDX-License-Identifier: BSD-3-Clause */
#include "jerasure_code.h"

#include <stdlib.h>
#include <string.h>

#include "jerasure.h"
#include "jerasure/cauchy.h"
#include "jerasure/liberation.h"
#include "jerasure/reed_sol.h"
#include "lineup.h"
#include "operations.h"

/* free() is among them, because memory that the library allocated must go back to the library's
   own C library. */
#define CALLS(X)                            \
    X(cauchy_original_coding_matrix)        \
    X(cauchy_good_general_coding_matrix)    \
    X(liberation_coding_bitmatrix)          \
    X(blaum_roth_coding_bitmatrix)          \
    X(liber8tion_coding_bitmatrix)          \
    X(reed_sol_vandermonde_coding_matrix)   \
    X(reed_sol_r6_coding_matrix)            \
    X(jerasure_matrix_to_bitmatrix)         \
    X(jerasure_smart_bitmatrix_to_schedule) \
    X(jerasure_dumb_bitmatrix_to_schedule)  \
    X(jerasure_free_schedule)               \
    X(jerasure_schedule_encode)             \
    X(jerasure_schedule_decode_lazy)        \
    X(jerasure_matrix_encode)               \
    X(jerasure_matrix_decode)               \
    X(galois_w08_region_multiply)           \
    X(galois_w16_region_multiply)           \
    X(galois_w32_region_multiply)           \
    X(free)

#define CALL(name) __typeof__(name) *name;
struct jerasure_code {
    CALLS(CALL)
    int k, m;
    struct matrix matrix;
    int *rows;      /* m by k numbers; for packets m*w by k*w bits */
    int **schedule; /* for packets: to encode or to update */
    __typeof__(galois_w08_region_multiply) *multiply; /* for words */
    int lost[PXR_MAX_SHARDS + 1];                     /* -1 marks the end */
};

static bool find_calls(struct jerasure_code *code, const struct library *library)
{
    bool all = true;
#define FIND(name)                                   \
    library_lookup(library, #name, "", &code->name); \
    all = all && code->name != NULL;
    CALLS(FIND)
    return all;
}

/* ----------------------------------------------------------- the matrices -- */

/* Make the matrix of numbers or, for a technique that has none, of bits. */
static int *make_matrix(const struct jerasure_code *code)
{
    const int k = code->k, m = code->m, w = code->matrix.w;
    switch (code->matrix.kind) {
    case MATRIX_REED_SOL_VAN:
        return code->reed_sol_vandermonde_coding_matrix(k, m, w);
    case MATRIX_REED_SOL_R6_OP:
        return code->reed_sol_r6_coding_matrix(k, w);
    case MATRIX_CAUCHY_ORIG:
        return code->cauchy_original_coding_matrix(k, m, w);
    case MATRIX_CAUCHY_GOOD:
        return code->cauchy_good_general_coding_matrix(k, m, w);
    case MATRIX_LIBERATION:
        return code->liberation_coding_bitmatrix(k, w);
    case MATRIX_BLAUM_ROTH:
        return code->blaum_roth_coding_bitmatrix(k, w);
    case MATRIX_LIBER8TION:
        return code->liber8tion_coding_bitmatrix(k);
    default:
        return NULL;
    }
}

static int *make_rows(const struct jerasure_code *code)
{
    int *const matrix = make_matrix(code);
    if (matrix == NULL ||
        (code->matrix.kind != MATRIX_CAUCHY_ORIG && code->matrix.kind != MATRIX_CAUCHY_GOOD))
        return matrix;
    int *const bits =
        code->jerasure_matrix_to_bitmatrix(code->k, code->m, code->matrix.w, matrix);
    code->free(matrix);
    return bits;
}

/* Make the schedule of an update.  It comes from the last w of the k*w columns, taken as a code
   of one data shard, with an xor in place of every copy. */
static int **make_update(const struct jerasure_code *code)
{
    const size_t w = (size_t)code->matrix.w, columns = (size_t)code->k * w;
    const size_t rows = (size_t)code->m * w;
    int *const last = malloc(rows * w * sizeof *last);
    if (last == NULL)
        return NULL;
    for (size_t r = 0; r < rows; r++)
        memcpy(last + r * w, code->rows + (r + 1) * columns - w, w * sizeof *last);
    int **const schedule =
        code->jerasure_dumb_bitmatrix_to_schedule(1, code->m, code->matrix.w, last);
    free(last);
    for (int **step = schedule; schedule != NULL && (*step)[0] >= 0; step++)
        (*step)[4] = 1;
    return schedule;
}

/* ---------------------------------------------------------------- opening -- */

static void note_lost(struct jerasure_code *code, const struct workload *work)
{
    const bool decodes = work->shape.operation->writes == WRITES_LOST;
    const size_t count = decodes ? work->outputs : 0;
    for (size_t r = 0; r < count; r++)
        code->lost[r] = (int)work->written[r];
    code->lost[count] = -1;
}

static const char *make(struct jerasure_code *code, const struct workload *work)
{
    code->rows = make_rows(code);
    if (code->rows == NULL)
        return "jerasure cannot make this code";
    if (matrix_of(&code->matrix) == OF_PACKETS) {
        code->schedule = work->shape.operation->adds
                             ? make_update(code)
                             : code->jerasure_smart_bitmatrix_to_schedule(
                                   code->k, code->m, code->matrix.w, code->rows);
        return code->schedule != NULL ? NULL : out_of_memory;
    }
    code->multiply = code->matrix.w == 8    ? code->galois_w08_region_multiply
                     : code->matrix.w == 16 ? code->galois_w16_region_multiply
                                            : code->galois_w32_region_multiply;
    return NULL;
}

const char *jerasure_open(struct jerasure_code **opened, const struct library *library,
                          const struct workload *work)
{
    struct jerasure_code *const code = *opened = calloc(1, sizeof *code);
    if (code == NULL)
        return out_of_memory;
    if (!find_calls(code, library))
        return "has neither codes of packets and words nor jerasure's calls";
    code->k = work->shape.k;
    code->m = work->shape.m;
    code->matrix = work->shape.matrix;
    note_lost(code, work);
    return make(code, work);
}

void jerasure_close(struct jerasure_code *code)
{
    if (code == NULL)
        return;
    if (code->schedule != NULL)
        code->jerasure_free_schedule(code->schedule);
    if (code->rows != NULL)
        code->free(code->rows);
    free(code);
}

/* -------------------------------------------------------------------- use -- */

void jerasure_encode(const struct jerasure_code *code, int len, u8 **row)
{
    const int k = code->k, m = code->m, w = code->matrix.w;
    char **const data = (char **)row;
    if (code->schedule != NULL)
        code->jerasure_schedule_encode(k, m, w, code->schedule, data, data + k, len,
                                       code->matrix.packetsize);
    else
        code->jerasure_matrix_encode(k, m, w, code->rows, data, data + k, len);
}

/* Row 0 of both matrices of words is all ones, and jerasure_matrix_decode() is told so. */
void jerasure_decode(const struct jerasure_code *code, int len, u8 **row)
{
    const int k = code->k, m = code->m, w = code->matrix.w;
    char **const data = (char **)row;
    int *const lost = (int *)code->lost;
    if (code->schedule != NULL)
        code->jerasure_schedule_decode_lazy(k, m, w, code->rows, lost, data, data + k, len,
                                            code->matrix.packetsize, 1);
    else
        code->jerasure_matrix_decode(k, m, w, code->rows, 1, lost, data, data + k, len);
}

void jerasure_update(const struct jerasure_code *code, int len, u8 **row)
{
    const int k = code->k, m = code->m;
    char **const data = (char **)row;
    if (code->schedule != NULL) {
        code->jerasure_schedule_encode(1, m, code->matrix.w, code->schedule, data, data + 1,
                                       len, code->matrix.packetsize);
        return;
    }
    for (int r = 0; r < m; r++)
        code->multiply(data[0], code->rows[(r + 1) * k - 1], len, data[1 + r], 1);
}
