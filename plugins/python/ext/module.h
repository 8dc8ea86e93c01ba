/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts that permxor._core is put together from.
 */
#ifndef PERMXOR_PYTHON_MODULE_H
#define PERMXOR_PYTHON_MODULE_H

#include <nanobind/nanobind.h>

void bind_code(nanobind::module_ &module);
void bind_raid(nanobind::module_ &module);
void bind_kernels(nanobind::module_ &module);

#endif
