/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of permxor array that ask the server of an array.  array/host/server.h has the
   lines. */
#include "config.h"

#include "cmd_array.h"

#include "host/remote.h"
#include "host/server.h"
#include "message.h"
#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int connect_to(const char *path, int *fd)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return complain(STATUS_USAGE, "%s: a path of a socket has at most %zu bytes", path,
                        sizeof address.sun_path - 1);
    strcpy(address.sun_path, path);
    *fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (*fd >= 0 && connect(*fd, (const struct sockaddr *)&address, sizeof address) == 0)
        return STATUS_OK;
    const int status =
        complain(STATUS_SYSTEM, "%s: no server answers: %s", path, strerror(errno));
    if (*fd >= 0)
        close(*fd);
    return status;
}

/* The server ends each answer by closing the connection.  If it is busy, it does so before it
   has read the question. */
static char *receive_all(int fd)
{
    char *text = NULL;
    size_t length = 0, room = 0;
    for (;;) {
        if (length + 1 >= room) {
            room = room > 0 ? 2 * room : 4096;
            char *grown = realloc(text, room);
            if (grown == NULL)
                break;
            text = grown;
        }
        const ssize_t got = recv(fd, text + length, room - length - 1, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno != ECONNRESET)
            break;
        if (got <= 0) {
            text[length] = 0;
            return text;
        }
        length += (size_t)got;
    }
    free(text);
    return NULL;
}

static int print_error(const char *socket, const char *word, char *answer)
{
    char *end = NULL;
    const long status =
        strncmp(answer, "error ", 6) == 0 ? strtol(answer + 6, &end, 10) : PXR_OK;
    if (end == NULL || *end != ' ')
        return complain(STATUS_SYSTEM, "%s: the server ended without an answer", socket);
    end[strcspn(end, "\n")] = 0;
    return complain(array_exit_code((int)status), "array %s:%s", word, end);
}

static int print_answer(const char *socket, const char *word, char *answer)
{
    static const struct {
        const char *line;
        int status;
    } verdicts[] = {{"ok\n", STATUS_OK}, {"damaged\n", STATUS_DAMAGE}, {"lost\n", STATUS_LOST}};
    const size_t length = strlen(answer);
    if (length == 0 || answer[length - 1] != '\n')
        return complain(STATUS_SYSTEM, "%s: the server ended within an answer", socket);
    for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++) {
        const size_t head = strlen(verdicts[i].line);
        if (strncmp(answer, verdicts[i].line, head) == 0) {
            fputs(answer + head, stdout);
            return verdicts[i].status;
        }
    }
    return print_error(socket, word, answer);
}

static int ask(const char *socket, const char *word, const char *line)
{
    int fd = -1;
    int status = connect_to(socket, &fd);
    if (status != STATUS_OK)
        return status;
    const size_t length = strlen(line);
    char *answer = NULL;
    if (send(fd, line, length, MSG_NOSIGNAL) == (ssize_t)length || errno == EPIPE)
        answer = receive_all(fd);
    status = answer != NULL ? print_answer(socket, word, answer)
                            : complain(STATUS_SYSTEM, "%s: the server cannot be asked: %s",
                                       socket, strerror(errno));
    free(answer);
    close(fd);
    return status;
}

static int check_operands(const struct options *options, const char *word, int count,
                          const char *names)
{
    return options->operand_count == count
               ? STATUS_OK
               : complain(STATUS_USAGE, "array %s: give %s", word, names);
}

static int ask_word(const struct options *options, const char *word, const char *request)
{
    char line[64];
    const int status = check_operands(options, word, 1, "SOCKET");
    snprintf(line, sizeof line, "%s\n", request);
    return status == STATUS_OK ? ask(options->operands[0], word, line) : status;
}

static int ask_path(const char *socket, const char *word, const char *request, const char *path)
{
    char line[SERVER_LINE];
    const int length = snprintf(line, sizeof line, "%s %s\n", request, path);
    return strchr(path, '\n') == NULL && (size_t)length < sizeof line
               ? ask(socket, word, line)
               : complain(STATUS_USAGE,
                          "array %s: the path of the file is too long, or has line ends", word);
}

/* The server has another working folder, so it gets the whole path. */
static int ask_file(const char *socket, const char *word, const char *request, const char *file)
{
    if (remote_is_uri(file))
        return ask_path(socket, word, request, file);
    char *path = realpath(file, NULL);
    if (path == NULL)
        return complain(STATUS_SYSTEM, "%s: %s", file, strerror(errno));
    const int status = ask_path(socket, word, request, path);
    free(path);
    return status;
}

static int ask_member(const struct options *options, const char *word, const char *request)
{
    char text[64];
    const int status = check_operands(options, word, 3, "SOCKET, MEMBER and FILE");
    snprintf(text, sizeof text, "%s %.20s", request,
             status == STATUS_OK ? options->operands[1] : "");
    return status == STATUS_OK
               ? ask_file(options->operands[0], word, text, options->operands[2])
               : status;
}

int array_status(const struct options *options)
{
    if (options->json && options->metrics)
        return complain(STATUS_USAGE, "array status: --json: omit --metrics");
    return ask_word(options, "status",
                    options->json      ? "status-json"
                    : options->metrics ? "status-metrics"
                                       : "status");
}

int array_fail(const struct options *options)
{
    char line[64];
    const int status = check_operands(options, "fail", 2, "SOCKET and MEMBER");
    if (status != STATUS_OK)
        return status;
    snprintf(line, sizeof line, "fail %.20s\n", options->operands[1]);
    return ask(options->operands[0], "fail", line);
}

int array_add(const struct options *options)
{
    const bool force = options->output_flags & OUTPUT_REPLACE;
    const int status = check_operands(options, "add", 2, "SOCKET and FILE");
    return status == STATUS_OK ? ask_file(options->operands[0], "add",
                                          force ? "add-force" : "add", options->operands[1])
                               : status;
}

/* A device that was pulled has no path any more, but the server still knows it by its path. */
int array_remove(const struct options *options)
{
    const int status = check_operands(options, "remove", 2, "SOCKET, and MEMBER or FILE");
    if (status != STATUS_OK)
        return status;
    const char *what = options->operands[1];
    const bool number = what[0] != 0 && what[strspn(what, "0123456789")] == 0;
    return number || (what[0] == '/' && access(what, F_OK) != 0)
               ? ask_path(options->operands[0], "remove", "remove", what)
               : ask_file(options->operands[0], "remove", "remove", what);
}

int array_replace(const struct options *options)
{
    const bool force = options->output_flags & OUTPUT_REPLACE;
    return ask_member(options, "replace", force ? "replace-force" : "replace");
}

int array_readd(const struct options *options)
{
    return ask_member(options, "re-add", "re-add");
}

int array_scrub(const struct options *options)
{
    return ask_word(options, "scrub", options->repair ? "scrub-repair" : "scrub");
}

int array_limits(const struct options *options)
{
    char line[64];
    const int status = check_operands(options, "limits", 1, "SOCKET");
    snprintf(line, sizeof line, "limits %u %u %u\n", options->least, options->most,
             options->latency);
    return status == STATUS_OK ? ask(options->operands[0], "limits", line) : status;
}
