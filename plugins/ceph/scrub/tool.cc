/* SPDX-License-Identifier: BSD-3-Clause */
#include "tool.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <spawn.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trouble.h"

extern "C" char **environ;

namespace permxor_ceph
{

static int spawn(pid_t *pid, const std::vector<std::string> &command, int out, int errors)
{
    std::vector<char *> words;
    for (const std::string &word : command)
        words.push_back(const_cast<char *>(word.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    int status = posix_spawnp(pid, words[0], &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return status;
}

Tool::Tool(const std::vector<std::string> &command) : name_(command[0])
{
    int ends[2];
    errors_ = std::tmpfile();
    if (!errors_ || pipe2(ends, O_CLOEXEC) != 0)
        throw Trouble(std::string("cannot make a pipe: ") + std::strerror(errno));
    int status = spawn(&pid_, command, ends[1], fileno(errors_));
    close(ends[1]);
    out_ = fdopen(ends[0], "rb");
    if (status != 0) {
        pid_ = -1;
        throw Trouble("cannot run " + name_ + ": " + std::strerror(status));
    }
}

Tool::~Tool()
{
    if (pid_ > 0) {
        kill(pid_, SIGTERM);
        await();
    }
    if (out_)
        fclose(out_);
    if (errors_)
        fclose(errors_);
}

int Tool::await()
{
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
}

bool Tool::read(uint8_t *buffer, size_t n)
{
    return fread(buffer, 1, n, out_) == n;
}

std::string Tool::rest()
{
    std::string text;
    char buffer[4096];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, out_)) > 0;)
        text.append(buffer, n);
    return text;
}

void Tool::finish()
{
    int status = await();
    if (status != 0)
        throw Trouble(name_ + " failed: " + last_words());
}

std::string Tool::last_words()
{
    std::string text;
    char buffer[4096];
    rewind(errors_);
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, errors_)) > 0;)
        text.append(buffer, n);
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text.substr(text.rfind('\n') + 1);
}

} // namespace permxor_ceph
