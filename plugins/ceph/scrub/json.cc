/* SPDX-License-Identifier: BSD-3-Clause */
#include "json.h"

#include <cstring>

#include "trouble.h"

namespace permxor_ceph
{

const Json &Json::at(const std::string &key) const
{
    auto entry = object.find(key);
    if (kind != Kind::object || entry == object.end())
        throw Trouble("the JSON has no key \"" + key + "\" where one is expected");
    return entry->second;
}

namespace
{

class Parser
{
  public:
    explicit Parser(const std::string &text) : text_(text)
    {
    }

    Json whole()
    {
        Json json = value(0);
        if (next() != '\0')
            fail();
        return json;
    }

  private:
    static constexpr unsigned deepest = 64;
    const std::string &text_;
    size_t at_ = 0;

    [[noreturn]] void fail() const
    {
        throw Trouble("not JSON at byte " + std::to_string(at_));
    }

    /* The next character that is not white space; '\0' at the end. */
    char next()
    {
        at_ = text_.find_first_not_of(" \t\r\n", at_);
        if (at_ == std::string::npos)
            at_ = text_.size();
        return at_ < text_.size() ? text_[at_] : '\0';
    }

    bool take(char c)
    {
        bool there = next() == c;
        at_ += there;
        return there;
    }

    void need(char c)
    {
        if (!take(c))
            fail();
    }

    Json value(unsigned depth)
    {
        if (depth > deepest)
            fail();
        Json json;
        switch (next()) {
        case '{':
            json.kind = Json::Kind::object;
            read_object(json, depth);
            break;
        case '[':
            json.kind = Json::Kind::list;
            read_list(json, depth);
            break;
        case '"':
            json.kind = Json::Kind::text;
            json.text = string();
            break;
        default:
            json.text = word();
        }
        return json;
    }

    void read_object(Json &json, unsigned depth)
    {
        need('{');
        if (take('}'))
            return;
        do {
            if (next() != '"')
                fail();
            std::string key = string();
            need(':');
            json.object[key] = value(depth + 1);
        } while (take(','));
        need('}');
    }

    void read_list(Json &json, unsigned depth)
    {
        need('[');
        if (take(']'))
            return;
        do
            json.list.push_back(value(depth + 1));
        while (take(','));
        need(']');
    }

    std::string word()
    {
        size_t end = text_.find_first_of(" \t\r\n,]}", at_);
        if (end == std::string::npos)
            end = text_.size();
        if (end == at_)
            fail();
        std::string found = text_.substr(at_, end - at_);
        at_ = end;
        return found;
    }

    unsigned hex4()
    {
        unsigned code = 0;
        for (int i = 0; i < 4; i++, at_++) {
            static const char digits[] = "0123456789abcdef0123456789ABCDEF";
            char c = at_ < text_.size() ? text_[at_] : '\0';
            const char *digit = c != '\0' ? std::strchr(digits, c) : nullptr;
            if (!digit)
                fail();
            code = code << 4 | unsigned((digit - digits) & 15);
        }
        return code;
    }

    /* Ceph escapes control characters like this; names of pools and profiles have no others. */
    void put_unicode(std::string &out)
    {
        unsigned code = hex4();
        if (code >= 0x80)
            fail();
        out += static_cast<char>(code);
    }

    std::string string()
    {
        std::string out;
        for (at_++; at_ < text_.size() && text_[at_] != '"';) {
            char c = text_[at_++];
            if (c != '\\') {
                out += c;
                continue;
            }
            char escape = at_ < text_.size() ? text_[at_++] : '\0';
            static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
            const char *known = escape != '\0' ? std::strchr(from, escape) : nullptr;
            if (known)
                out += to[known - from];
            else if (escape == 'u')
                put_unicode(out);
            else
                fail();
        }
        need('"');
        return out;
    }
};

} // namespace

Json read_json(const std::string &text)
{
    return Parser(text).whole();
}

} // namespace permxor_ceph
