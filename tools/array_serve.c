/* SPDX-License-Identifier: BSD-3-Clause */
/* permxor array serve: becomes nbdkit with the plugin of permxor. */
#include "config.h"

#include "cmd_array.h"

#include "message.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *plugin_of(const struct options *options)
{
    return options->plugin != NULL ? options->plugin : "permxor";
}

static int no_nbdkit(int error)
{
    return complain(STATUS_SYSTEM, "array serve: nbdkit cannot be started: %s%s",
                    strerror(error), error == ENOENT ? "; install nbdkit" : "");
}

/* Starts a program, and waits for it.  Its output is not shown, but its messages are. */
static int run_quietly(char *const *words, int *status)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (error == 0)
        error = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        return error;
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR)
            return errno;
    return 0;
}

/* nbdkit's own message about a plugin that is not there does not say what to do. */
static int check_plugin(const struct options *options)
{
    char nbdkit[] = "nbdkit", dump[] = "--dump-plugin";
    char *words[] = {nbdkit, (char *)plugin_of(options), dump, NULL};
    int status = 0;
    const int error = run_quietly(words, &status);
    if (error != 0)
        return no_nbdkit(error);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return STATUS_OK;
    return complain(STATUS_SYSTEM,
                    "array serve: nbdkit cannot load the plugin '%s': install the plugin of "
                    "permxor, or name its file with --plugin",
                    plugin_of(options));
}

/* The words of a command, of which each is allocated. */
struct words {
    char **word;
    size_t count, room;
    bool failed; /* there was no memory */
};

static void add(struct words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(struct words *words, const char *format, ...)
{
    va_list arguments;
    if (words->count + 1 >= words->room) {
        const size_t room = 2 * words->room + 16;
        char **grown = realloc(words->word, room * sizeof *grown);
        if (grown == NULL) {
            words->failed = true;
            return;
        }
        words->word = grown;
        words->room = room;
    }
    va_start(arguments, format);
    if (vasprintf(&words->word[words->count], format, arguments) < 0)
        words->failed = true;
    else
        words->word[++words->count] = NULL;
    va_end(arguments);
}

static void make_command(struct words *words, const struct options *options)
{
    add(words, "nbdkit");
    if (options->foreground)
        add(words, "--foreground");
    if (options->read_only)
        add(words, "--readonly");
    add(words, "--unix");
    add(words, "%s", options->socket);
    add(words, "%s", plugin_of(options));
    add(words, "write=true");
    if (options->control != NULL)
        add(words, "control=%s", options->control);
    if (options->cache != NULL)
        add(words, "cache=%s", options->cache);
    for (unsigned i = 0; i < options->spare_count; i++)
        add(words, "spare=%s", options->spares[i]);
    for (int i = 0; i < options->operand_count; i++)
        add(words, "member=%s", options->operands[i]);
}

static int become(const struct options *options)
{
    struct words words = {.word = NULL};
    make_command(&words, options);
    const int status = words.failed ? complain(STATUS_SYSTEM, "there is not enough memory")
                                    : (execvp(words.word[0], words.word), no_nbdkit(errno));
    for (size_t i = 0; i < words.count; i++)
        free(words.word[i]);
    free(words.word);
    return status;
}

int array_serve(const struct options *options)
{
    int status = array_need_files(options, "serve");
    if (status != STATUS_OK)
        return status;
    if (options->socket == NULL)
        return complain(STATUS_USAGE,
                        "array serve: use --socket to say where NBD clients connect");
    status = check_plugin(options);
    return status == STATUS_OK ? become(options) : status;
}
