/* SPDX-License-Identifier: BSD-3-Clause */
#include "module.h"

#include <permxor.h>

NB_MODULE(_core, module)
{
    /* What a program still has when it ends, a daemon thread's code say, is no leak. */
    nanobind::set_leak_warnings(false);
    /* The kernel set is chosen here, under the interpreter's lock: the choice reads the
       environment, which another thread may not change meanwhile. */
    pxr_kernel_reason();
    bind_code(module);
    bind_raid(module);
    bind_kernels(module);
}
