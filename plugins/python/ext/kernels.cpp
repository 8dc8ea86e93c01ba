/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel sets and the version of permxor.h. */
#include "arguments.h"
#include "errors.h"
#include "module.h"

#include <permxor.h>

namespace nb = nanobind;

static nb::list kernels()
{
    nb::list rows;
    struct pxr_kernel_info row;
    for (unsigned i = 0; pxr_kernel_info(i, &row, sizeof row) == PXR_OK; i++)
        rows.append(nb::make_tuple(row.name, row.needs, (bool)row.usable, (bool)row.selected));
    return rows;
}

static void kernel_select(nb::handle set)
{
    const char *name = set.is_none() ? nullptr : text(set, "name");
    const int status = pxr_kernel_select(name);
    if (status == PXR_EINVAL)
        raise_invalid("there is no kernel set called '%.100s'", name);
    if (status != PXR_OK)
        raise_status(status);
}

void bind_kernels(nb::module_ &module)
{
    module.def("version", pxr_version, "The version of the library, \"major.minor.patch\".");
    module.def("kernels", kernels,
               "The kernel sets, best first: (name, needs, usable, selected).");
    module.def("kernel_reason", pxr_kernel_reason, "Why the selected set was selected.");
    module.def("kernel_select", kernel_select, nb::arg("name").none() = nb::none(),
               "Make all later calls use this kernel set; None chooses the default again.\n\n"
               "Raises InvalidError for an unknown name, UnusableError where this CPU cannot\n"
               "run it.");
}
