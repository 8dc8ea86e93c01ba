/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of permxor._core. */
#ifndef PERMXOR_PYTHON_MODULE_H
#define PERMXOR_PYTHON_MODULE_H

#include <nanobind/nanobind.h>

void bind_code(nanobind::module_ &module);
void bind_hash(nanobind::module_ &module);
void bind_raid(nanobind::module_ &module);
void bind_kernels(nanobind::module_ &module);

#endif
