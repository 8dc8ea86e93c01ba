/* SPDX-License-Identifier: BSD-3-Clause */
#include "text.h"

#include <cerrno>
#include <cstdlib>

#include "trouble.h"

namespace permxor_ceph
{

static const char digits[] = "0123456789abcdef";

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '.' || c == '_' || c == '-';
}

static void put_byte(std::string &text, uint8_t byte)
{
    text += digits[byte >> 4];
    text += digits[byte & 15];
}

std::string escaped(const std::string &text)
{
    std::string out;
    for (char c : text) {
        if (is_plain(c)) {
            out += c;
        } else {
            out += '%';
            put_byte(out, static_cast<uint8_t>(c));
        }
    }
    return out;
}

std::string to_hex(const Bytes &bytes)
{
    std::string text;
    for (uint8_t byte : bytes)
        put_byte(text, byte);
    return text;
}

static unsigned value_of_digit(char c, const std::string &text)
{
    if (c >= '0' && c <= '9')
        return unsigned(c - '0');
    if (c >= 'a' && c <= 'f')
        return unsigned(c - 'a' + 10);
    throw Trouble("'" + text + "' is not hexadecimal digits");
}

Bytes from_hex(const std::string &text)
{
    Bytes bytes;
    if (text.size() % 2 != 0)
        throw Trouble("'" + text + "' has an odd number of hexadecimal digits");
    for (size_t i = 0; i < text.size(); i += 2)
        bytes.push_back(static_cast<uint8_t>(value_of_digit(text[i], text) << 4 |
                                             value_of_digit(text[i + 1], text)));
    return bytes;
}

uint64_t to_unsigned(const std::string &text)
{
    bool right = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    errno = 0;
    uint64_t value = right ? std::strtoull(text.c_str(), nullptr, 10) : 0;
    if (!right || errno != 0)
        throw Trouble("'" + text + "' is not a number");
    return value;
}

std::vector<std::string> split(const std::string &line, char separator)
{
    std::vector<std::string> words;
    size_t begin = 0;
    for (size_t end; (end = line.find(separator, begin)) != std::string::npos; begin = end + 1)
        words.push_back(line.substr(begin, end - begin));
    words.push_back(line.substr(begin));
    return words;
}

} // namespace permxor_ceph
