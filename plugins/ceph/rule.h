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

/*
 * The number of the new rule, or a negative errno with the reason in *ss.
 *
 * In 16.2 a rule states for how many chunks it is good.  CrushWrapper makes it 20, and how its
 * own plugins then set k+m is compiled into them, out of our reach: for more than 20 chunks
 * the rule is left to `original`, a plugin of Ceph that codes the profile, or refused if that
 * is null.
 */
int create_rule(const Code &code, Interface interface, ceph::ErasureCodePlugin *original,
                const std::string &name, CrushWrapper &crush, std::ostream *ss);

} // namespace permxor_ceph

#endif
