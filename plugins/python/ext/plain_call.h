/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call that ends the unwinding of the stack.  setup.py compiles plain_call.c without tables
 * for unwinding, so to an unwinder the stack begins with the frame of plain_call().
 */
#ifndef PERMXOR_PYTHON_PLAIN_CALL_H
#define PERMXOR_PYTHON_PLAIN_CALL_H

#ifdef __cplusplus
extern "C" {
#endif

void plain_call(void (*function)(void *), void *argument);

#ifdef __cplusplus
}
#endif

#endif
