/* SPDX-License-Identifier: BSD-3-Clause */
#include "operations.h"

#include <limits.h>
#include <stdio.h>

#include "lists.h"

const struct operation *operation_number(size_t number)
{
    const struct {
        const struct operation *rows;
        size_t count;
    } parts[] = {{coding_operations, coding_operation_count},
                 {code_operations, code_operation_count},
                 {raid_operations, raid_operation_count},
                 {gf_operations, gf_operation_count},
                 {hash_operations, hash_operation_count}};
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (number < parts[i].count)
            return &parts[i].rows[number];
        number -= parts[i].count;
    }
    return NULL;
}

const struct operation *operation_find(const char *name, size_t length)
{
    const struct operation *op = NULL;
    for (size_t i = 0; (op = operation_number(i)) != NULL; i++)
        if (name_is(name, length, op->name))
            break;
    return op;
}

const char *operation_group_name(enum group group)
{
    static const char *const names[GROUPS] = {"coding",   "raid", "own", "baseline",
                                              "jerasure", "gf",   "hash"};
    return names[group];
}

/* Rounds a length to the nearest whole number of units, at least one. */
static int whole_units(int len, int unit)
{
    const int below = len / unit, most = INT_MAX / unit;
    const int units = len % unit >= unit - unit / 2 && below < most ? below + 1 : below;
    return (units > 0 ? units : 1) * unit;
}

void operation_fix_shape(struct shape *shape)
{
    const struct operation *op = shape->operation;
    if (op->code == CODE_NONE)
        shape->k = shape->m = 1;
    if (op->code == CODE_DISKS)
        shape->m = op->parity;
    if (op->sized) {
        if (op->code == CODE_K_M)
            shape->len = whole_units(shape->len, matrix_unit(&shape->matrix));
        return;
    }
    shape->mode = WALK_WARM;
    shape->layout = LAYOUT_DISPLACED;
    shape->len = op->code == CODE_N ? shape->k * shape->k : 64;
}

/* ----------------------------------------------------------------- counts -- */

size_t operation_data(const struct shape *shape)
{
    const struct operation *op = shape->operation;
    const size_t k = (size_t)shape->k;
    switch (op->reads) {
    case READS_K:
        return k;
    case READS_ONE:
        return 1;
    case READS_TWO:
        return 2;
    case READS_SOME:
        break;
    }
    return op->count == COUNT_HALF     ? k / 2
           : op->count == COUNT_SECOND ? (k + 1) / 2
                                       : op->count;
}

size_t operation_parity(const struct shape *shape)
{
    const int parity = shape->operation->parity;
    return (size_t)(parity == PARITY_M ? shape->m : parity);
}

unsigned operation_span(const struct shape *shape)
{
    const struct operation *op = shape->operation;
    if (op->reads != READS_SOME)
        return 1;
    return op->count == COUNT_SECOND ? (unsigned)shape->k : (unsigned)operation_data(shape);
}

unsigned operation_first(const struct shape *shape)
{
    const unsigned room = (unsigned)shape->k - operation_span(shape);
    switch (shape->operation->place) {
    case PLACE_FRONT:
        return 0;
    case PLACE_MIDDLE:
        return room / 2;
    default:
        return room;
    }
}

size_t operation_bytes(const struct shape *shape)
{
    const struct operation *op = shape->operation;
    if (!op->sized)
        return 0;
    return (size_t)shape->len *
           (op->reads == READS_K || op->reads == READS_SOME ? operation_data(shape) : 1);
}

static const char *matrix_refuses(const struct shape *shape)
{
    const bool jerasure = shape->operation->group == GROUP_JERASURE;
    if (jerasure && matrix_of(&shape->matrix) == OF_BYTES)
        return "needs a matrix of jerasure (--matrix reed_sol_van/8 or cauchy_good/8/2048)";
    if (!jerasure && matrix_of(&shape->matrix) != OF_BYTES)
        return "needs a matrix of ISA-L";
    if (matrix_is_raid6(&shape->matrix) && shape->m != 2)
        return "the matrix needs m = 2";
    return NULL;
}

const char *operation_refuses(const struct shape *shape)
{
    const bool disks = shape->operation->code == CODE_DISKS;
    if (shape->operation->code == CODE_K_M && matrix_refuses(shape) != NULL)
        return matrix_refuses(shape);
    if (disks && (shape->k < 2 || operation_span(shape) > (unsigned)shape->k))
        return "too few disks";
    if (shape->k + shape->m > PXR_MAX_SHARDS)
        return "more shards than the field has elements";
    return NULL;
}

int operation_has_ones_row(const struct shape *shape)
{
    const struct operation *op = shape->operation;
    return shape->matrix.kind == MATRIX_VAND && op->code == CODE_K_M &&
           (op->generates || shape->m == 1);
}

void operation_code(const struct shape *shape, char *text, size_t size)
{
    switch (shape->operation->code) {
    case CODE_K_M:
        snprintf(text, size, "%d+%d", shape->k, shape->m);
        break;
    case CODE_N:
        snprintf(text, size, "n=%d", shape->k);
        break;
    case CODE_DISKS:
        snprintf(text, size, "%d disks", shape->k);
        break;
    case CODE_NONE:
        snprintf(text, size, "-");
        break;
    }
}
