/* SPDX-License-Identifier: BSD-3-Clause */
#include "module.h"

#include <permxor.h>

namespace nb = nanobind;

nb::object reduced(nb::handle object)
{
    return nb::make_tuple(nb::module_::import_("copyreg").attr("__newobj__"),
                          nb::make_tuple(object.type()), object.attr("__getstate__")());
}

NB_MODULE(_core, module)
{
    /* An object that still exists when the program ends, such as a daemon thread's code, is no
       leak. */
    nb::set_leak_warnings(false);
    /* Choose the kernel set here, under the interpreter's lock: the choice reads the
       environment, which no other thread may change at that time. */
    pxr_kernel_reason();
    bind_code(module);
    bind_hash(module);
    bind_raid(module);
    bind_kernels(module);
}
