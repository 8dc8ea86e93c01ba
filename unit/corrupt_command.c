/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "corrupt_command.h"

#include "corrupt_random.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A command that takes longer hangs.  With files of these sizes it takes milliseconds. */
enum { DEADLINE_SECONDS = 120 };

/*
 * No file of a case is that large.  But if only forged headers are left, repair writes shards,
 * and salvage writes a file, of the size that these headers state.
 */
static const struct rlimit file_size = {4 << 20, 4 << 20};

static struct dice command_dice;

/*
 * This function replaces the system's in this program.  So the random numbers of a command
 * follow from the seed, and a failure can be repeated.
 */
ssize_t getrandom(void *buffer, size_t length, unsigned flags)
{
    (void)flags;
    dice_fill(&command_dice, buffer, length);
    return (ssize_t)length;
}

void command_begin(struct command *command, const char *word)
{
    bytes_free(&command->out);
    bytes_free(&command->err);
    command->count = 0;
    command_add(command, "permxor");
    command_add(command, "%s", word);
}

void command_add(struct command *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = command->count < COMMAND_WORDS
                     ? vsnprintf(command->word[command->count], COMMAND_WORD, format, arguments)
                     : -1;
    va_end(arguments);
    if (length < 0 || length >= COMMAND_WORD) {
        fputs("corruptions: a command is too long\n", stderr);
        exit(2);
    }
    command->count++;
}

static void redirect(const char *path, int flags, int fd)
{
    int opened = open(path, flags | O_CLOEXEC, 0666);
    if (opened < 0 || dup2(opened, fd) < 0) {
        perror(path);
        _exit(99);
    }
}

static void be_command(struct command *command, const char *out, const char *err)
{
    char *words[COMMAND_WORDS + 1] = {NULL};
    for (unsigned i = 0; i < command->count; i++)
        words[i] = command->word[i];
    redirect("/dev/null", O_RDONLY, STDIN_FILENO);
    redirect(out, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect(err, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    setrlimit(RLIMIT_FSIZE, &file_size);
    alarm(DEADLINE_SECONDS);
    /* Without the library's work at exit.  AddressSanitizer would write to the memory of all
       global variables there, and the system would copy these pages for a process that ends. */
    int status = permxor_main((int)command->count, words);
    fflush(NULL);
    _exit(status);
}

void command_run(struct command *command, const char *folder, uint64_t seed)
{
    char out[COMMAND_WORD], err[COMMAND_WORD];
    int status = 0;
    must_printf(out, sizeof out, "%s/stdout", folder);
    must_printf(err, sizeof err, "%s/stderr", folder);
    command_dice = (struct dice){seed};
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        be_command(command, out, err);
    if (child < 0 || waitpid(child, &status, 0) != child) {
        perror("corruptions: fork");
        exit(2);
    }
    command->status = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    command->out = bytes_read(out);
    command->err = bytes_read(err);
}

void command_free(struct command *command)
{
    bytes_free(&command->out);
    bytes_free(&command->err);
}
