// SPDX-License-Identifier: BSD-3-Clause
//
// The same as encode.c in C++: owners free the code, and failures are exceptions.
//
//     c++ encode.cc $(pkg-config --cflags --libs permxor) -o encode_cc
//
// It prints:
//
//     encode.cc: lost shards 0 and 9 of 14, rebuilt both
//
#include <permxor.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

struct free_code {
    void operator()(pxr_code *code) const
    {
        pxr_code_free(code);
    }
};
using code_ptr = std::unique_ptr<pxr_code, free_code>;

code_ptr make_code(unsigned k, unsigned m)
{
    pxr_code *code;
    pxr_error why;
    if (pxr_code_create(&code, k, m, PXR_ISAL_CAUCHY, &why) != PXR_OK)
        throw std::runtime_error(why.text);
    return code_ptr(code);
}

void check(int status)
{
    if (status != PXR_OK)
        throw std::runtime_error(pxr_strerror(status));
}

void run()
{
    const unsigned k = 10, m = 4;
    const std::size_t len = 10000;
    const code_ptr code = make_code(k, m);

    std::vector<std::vector<std::uint8_t>> shards(k + m, std::vector<std::uint8_t>(len));
    for (unsigned i = 0; i < k; i++)
        for (std::size_t j = 0; j < len; j++)
            shards[i][j] = static_cast<std::uint8_t>(i + j);

    std::vector<std::uint8_t *> have, want(k + m, nullptr);
    for (auto &shard : shards)
        have.push_back(shard.data());
    check(pxr_encode(code.get(), len, have.data(), have.data() + k));

    // A null pointer says that a shard is lost.
    std::vector<std::uint8_t> first(len), second(len);
    have[0] = have[9] = nullptr;
    want[0] = first.data();
    want[9] = second.data();
    check(pxr_reconstruct(code.get(), len, have.data(), want.data()));
    if (first != shards[0] || second != shards[9])
        throw std::runtime_error("a rebuilt shard differs from the lost one");
    std::printf("encode.cc: lost shards 0 and 9 of %u, rebuilt both\n", k + m);
}

} // namespace

int main()
{
    try {
        run();
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "encode.cc: %s\n", failure.what());
        return 1;
    }
    return 0;
}
