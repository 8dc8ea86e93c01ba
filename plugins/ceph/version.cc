/* SPDX-License-Identifier: BSD-3-Clause */
#include "version.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>

#include "ceph_abi.h"

namespace permxor_ceph
{

/* Major and minor number.  The numbers that follow change no interface. */
static const struct {
    int major, minor;
    Interface interface;
} known[] = {
    {16, 2, Interface::classic_16},
    {18, 2, Interface::classic_18},
    {20, 2, Interface::flat_20},
};

/*
 * A vtable holds the offset to the top, the type, and the functions.  The functions are those
 * of the interface, among which the destructor counts as two, and those that ErasureCode adds:
 * _minimum_to_decode() and _decode(), which 20.2 has for either kind of sets.
 */
size_t expected_base_size(Interface interface)
{
    const size_t functions = interface == Interface::flat_20 ? 30 + 4 : 18 + 2;
    return (2 + functions) * sizeof(void *);
}

const char *host_version()
{
    return dlsym(RTLD_DEFAULT, "_Z19ceph_version_to_strv") ? ceph_version_to_str() : nullptr;
}

static const Interface *known_interface()
{
    const char *version = host_version();
    int major, minor;
    if (!version || std::sscanf(version, "%d.%d", &major, &minor) != 2)
        return nullptr;
    for (auto &row : known)
        if (row.major == major && row.minor == minor)
            return &row.interface;
    return nullptr;
}

/* ------------------------------------------------------------- symbols -- */

static bool has_symbols(const Interface interface)
{
#define PRESENT(name) dlsym(RTLD_DEFAULT, #name) &&
    if (!(PXR_HOST_SYMBOLS(PRESENT) true))
        return false;
    return interface == Interface::flat_20 ? (PXR_HOST_SYMBOLS_FLAT(PRESENT) true)
                                           : (PXR_HOST_SYMBOLS_CLASSIC(PRESENT) true);
#undef PRESENT
}

/* -------------------------------------------------------------- layout -- */

/*
 * rados/buffer.h compiles parts of the buffers into the plugin, and the host contains the other
 * parts.  Here our parts read a list that the host has filled, and the other way round.
 */
static bool buffers_agree()
{
    const unsigned length = 100, cut = 30;
    char text[length];
    for (unsigned i = 0; i < length; i++)
        text[i] = char(i);

    bufferptr whole(text, length);
    bufferlist list;
    list.append(bufferptr(whole, 0, cut));
    list.append(bufferptr(whole, cut, length - cut));
    if (whole.length() != length || list.length() != length || list.get_num_buffers() != 2)
        return false;

    unsigned at = 0;
    for (auto &piece : list.buffers()) {
        if (at + piece.length() > length ||
            std::memcmp(piece.c_str(), text + at, piece.length()))
            return false;
        at += piece.length();
    }
    if (at != length)
        return false;

    bufferlist part, ours;
    part.substr_of(list, cut - 10, 20);
    ours.push_back(bufferptr(whole, cut - 10, 20));
    if (part.get_num_buffers() != 2 || !part.contents_equal(ours))
        return false;
    part.rebuild();
    return part.get_num_buffers() == 1 && part.length() == 20 &&
           !std::memcmp(part.front().c_str(), text + cut - 10, 20);
}

const Interface *host_interface(const char **why)
{
    const Interface *interface = known_interface();
    *why = "";
    if (!interface)
        *why = "made for Ceph 16.2, 18.2 and 20.2";
    else if (!has_symbols(*interface))
        *why = "this Ceph does not have all functions of its release";
    else if (!buffers_agree())
        *why = "the layout of buffers in this Ceph is not that of its release";
    return **why ? nullptr : interface;
}

} // namespace permxor_ceph
