/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rule.h - the CRUSH rule of a pool.
 */
#ifndef PERMXOR_CEPH_RULE_H
#define PERMXOR_CEPH_RULE_H

#include <iosfwd>
#include <string>

#include "ceph_abi.h"
#include "code.h"

namespace permxor_ceph
{

/* The number of the new rule, or a negative errno with the reason in *ss. */
int create_rule(const Code &code, Interface interface, const std::string &name,
                CrushWrapper &crush, std::ostream *ss);

} // namespace permxor_ceph

#endif
