/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tool.h - runs ceph-objectstore-tool on a stopped OSD.
 */
#ifndef PERMXOR_CEPH_TOOL_H
#define PERMXOR_CEPH_TOOL_H

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace permxor_ceph
{

/* The program, running, with its standard output in a pipe.  What it says on standard error is
   kept in a file without a name. */
class Tool
{
  public:
    /* Throws a Trouble if the program cannot be started. */
    explicit Tool(const std::vector<std::string> &command);
    Tool(const Tool &) = delete;
    Tool &operator=(const Tool &) = delete;

    /* Ends the program if it still runs. */
    ~Tool();

    /* Returns false if the output ends before n bytes. */
    bool read(uint8_t *buffer, size_t n);

    /* All that is left of the output. */
    std::string rest();

    /* Waits for the end.  Throws a Trouble with the program's last words if it has failed. */
    void finish();

    /* The last line on standard error. */
    std::string last_words();

  private:
    pid_t pid_ = -1;
    FILE *out_ = nullptr, *errors_ = nullptr;
    std::string name_;

    int await();
};

} // namespace permxor_ceph

#endif
