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
 * Returns the number of the new rule, or a negative errno with the reason in *ss.
 *
 * In 16.2 a rule states for how many chunks it is valid.  CrushWrapper makes it 20, and the
 * code by which Ceph's own plugins then set it to k+m is compiled into them, so we cannot call
 * it.  For more than 20 chunks, `original`, a plugin of Ceph that codes the profile, makes the
 * rule; if it is null, the rule is refused.
 */
int create_rule(const Code &code, Interface interface, ceph::ErasureCodePlugin *original,
                const std::string &name, CrushWrapper &crush, std::ostream *ss);

} // namespace permxor_ceph

#endif
