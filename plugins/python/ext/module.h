/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of permxor._core. */
#ifndef PERMXOR_PYTHON_MODULE_H
#define PERMXOR_PYTHON_MODULE_H

#include <nanobind/nanobind.h>

#include <permxor.h>

/* The code of a permxor.Code, which lives as long as the object.  Throws TypeError for another
   object. */
const pxr_code *code_of(nanobind::handle object);

/* What pickle stores of an object that has __getstate__ and __setstate__.  Without it,
   protocols 0 and 1 refuse a class that is not written in Python. */
nanobind::object reduced(nanobind::handle object);

void bind_code(nanobind::module_ &module);
void bind_hash(nanobind::module_ &module);
void bind_raid(nanobind::module_ &module);
void bind_kernels(nanobind::module_ &module);

#endif
