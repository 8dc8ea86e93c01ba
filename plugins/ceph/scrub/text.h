/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - bytes and numbers as words of a line.
 */
#ifndef PERMXOR_CEPH_TEXT_H
#define PERMXOR_CEPH_TEXT_H

#include <cstdint>
#include <string>
#include <vector>

namespace permxor_ceph
{

using Bytes = std::vector<uint8_t>;

/* Letters, digits, '.', '_' and '-' stay.  Any other byte becomes % and two digits. */
std::string escaped(const std::string &text);

std::string to_hex(const Bytes &bytes);

/* Throws a Trouble for a text that is not pairs of hexadecimal digits. */
Bytes from_hex(const std::string &text);

/* The number that the whole text spells in base 10.  Throws a Trouble if it spells none. */
uint64_t to_unsigned(const std::string &text);

/* The words between spaces. */
std::vector<std::string> split(const std::string &line, char separator = ' ');

} // namespace permxor_ceph

#endif
