/* SPDX-License-Identifier: BSD-3-Clause */
/* The control socket: one thread accepts, and each client gets a thread, since a scrub takes
   long. */
#include "config.h"

#include "server.h"

#include "request.h"
#include "why.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

/* PAUSE: the milliseconds until a client is tried again for which there was no descriptor. */
enum { CLIENTS = 16, SECONDS = 10, PAUSE = 100 };

struct client {
    struct server *server;
    pthread_t thread;
    int fd;
    enum { FREE, ANSWERING, ANSWERED } state;
};

struct server {
    struct host *host;
    char *path;
    int listener;
    int wake[2]; /* a pipe: closing its end for writing ends the server */
    pthread_t thread;
    bool bound, running;  /* whether the socket exists, and the thread */
    pthread_mutex_t lock; /* of the clients' states */
    struct client clients[CLIENTS];
};

/* --------------------------------------------------------------- answering -- */

/* Receives a line.  Returns whether it is whole, and has no zero bytes. */
static bool receive(int fd, char *line)
{
    size_t length = 0;
    while (length < SERVER_LINE) {
        const ssize_t got = recv(fd, line + length, SERVER_LINE - length, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        length += (size_t)got;
        if (line[length - 1] == '\n')
            break;
    }
    if (line[length - 1] != '\n')
        return false;
    line[length - 1] = 0;
    return strlen(line) == length - 1;
}

/* A client that does not read its answer must not kill the process by a signal. */
static void send_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        const ssize_t sent = send(fd, text, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return;
        text += sent;
        length -= (size_t)sent;
    }
}

static void answer(struct host *host, int fd)
{
    char line[SERVER_LINE + 1];
    char *text = NULL;
    size_t length = 0;
    if (!receive(fd, line))
        return;
    FILE *file = open_memstream(&text, &length);
    if (file == NULL)
        return;
    request_answer(host, line, file);
    if (fclose(file) == 0)
        send_all(fd, text, length);
    free(text);
}

static void *serve(void *argument)
{
    struct client *client = argument;
    answer(client->server->host, client->fd);
    pthread_mutex_lock(&client->server->lock);
    close(client->fd);
    client->state = ANSWERED;
    pthread_mutex_unlock(&client->server->lock);
    return NULL;
}

/* --------------------------------------------------------------- accepting -- */

/* A slot for one more client, or NULL.  The threads of those that were answered are joined. */
static struct client *find_slot(struct server *server)
{
    struct client *slot = NULL;
    pthread_mutex_lock(&server->lock);
    for (unsigned i = 0; i < CLIENTS; i++) {
        struct client *client = &server->clients[i];
        if (client->state == ANSWERED) {
            pthread_join(client->thread, NULL);
            client->state = FREE;
        }
        if (client->state == FREE)
            slot = client;
    }
    pthread_mutex_unlock(&server->lock);
    return slot;
}

static void welcome(struct server *server, int fd)
{
    static const char busy[] = "error 64 too many requests are under way\n";
    const struct timeval limit = {SECONDS, 0};
    struct client *client = find_slot(server);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (client != NULL) {
        client->server = server;
        client->fd = fd;
        client->state = ANSWERING;
        if (pthread_create(&client->thread, NULL, serve, client) == 0)
            return;
        client->state = FREE;
    }
    send_all(fd, busy, sizeof busy - 1);
    close(fd);
}

static void *listen_on(void *argument)
{
    struct server *server = argument;
    struct pollfd events[] = {{.fd = server->listener, .events = POLLIN},
                              {.fd = server->wake[0], .events = POLLIN}};
    for (;;) {
        if (poll(events, 2, -1) < 0 && errno != EINTR)
            return NULL;
        if (events[1].revents != 0)
            return NULL;
        if (events[0].revents == 0)
            continue;
        const int fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0)
            welcome(server, fd);
        else
            (void)poll(&events[1], 1, PAUSE);
    }
}

/* ----------------------------------------------------------------- opening -- */

static int refuse(struct pxr_error *why, const char *path)
{
    return pxa_because(why, PXA_EIO, "%s: %s", path, strerror(errno));
}

/* A server that was killed leaves its socket behind.  One that listens is left alone. */
static int remove_old(const char *path, const struct sockaddr_un *address,
                      struct pxr_error *why)
{
    struct stat status;
    if (lstat(path, &status) != 0)
        return PXR_OK;
    if (!S_ISSOCK(status.st_mode))
        return pxa_because(why, PXA_EREFUSED,
                           "%s: it exists and is not a socket; use another path", path);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return refuse(why, path);
    const bool listens = connect(fd, (const struct sockaddr *)address, sizeof *address) == 0 ||
                         errno != ECONNREFUSED;
    close(fd);
    if (listens)
        return pxa_because(why, PXA_EREFUSED,
                           "%s: another program listens on this socket; use another path",
                           path);
    return unlink(path) == 0 ? PXR_OK : refuse(why, path);
}

/* Nobody can connect before listen(), so the mode holds from the beginning. */
static int bind_socket(struct server *server, struct pxr_error *why)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(server->path) >= sizeof address.sun_path)
        return pxa_because(why, PXR_EINVAL, "%s: a path of a socket has at most %zu bytes",
                           server->path, sizeof address.sun_path - 1);
    strcpy(address.sun_path, server->path);
    const int status = remove_old(server->path, &address, why);
    if (status != PXR_OK)
        return status;
    server->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (server->listener < 0 ||
        bind(server->listener, (const struct sockaddr *)&address, sizeof address) != 0)
        return refuse(why, server->path);
    server->bound = true;
    return chmod(server->path, 0600) == 0 && listen(server->listener, CLIENTS) == 0
               ? PXR_OK
               : refuse(why, server->path);
}

int server_open(struct server **server, const char *path, struct host *host,
                struct pxr_error *why)
{
    struct server *made = calloc(1, sizeof *made);
    char *copy = strdup(path);
    *server = NULL;
    if (made == NULL || copy == NULL) {
        free(made);
        free(copy);
        return pxa_because(why, PXR_ENOMEM, "there is not enough memory");
    }
    *made = (struct server){.host = host, .path = copy, .listener = -1, .wake = {-1, -1}};
    pthread_mutex_init(&made->lock, NULL);
    const int status = bind_socket(made, why);
    if (status == PXR_OK)
        *server = made;
    else
        server_close(made);
    return status;
}

/* The pipe is made after nbdkit has forked, since the other process would keep it open. */
int server_start(struct server *server, struct pxr_error *why)
{
    if (pipe2(server->wake, O_CLOEXEC) != 0)
        return refuse(why, server->path);
    const int error = pthread_create(&server->thread, NULL, listen_on, server);
    if (error != 0)
        return pxa_because(why, PXR_ENOMEM, "no thread can be started: %s", strerror(error));
    server->running = true;
    return PXR_OK;
}

static void close_one(int fd)
{
    if (fd >= 0)
        close(fd);
}

/* Clients that have not sent a whole line get no answer any more. */
static void stop_reading(struct server *server)
{
    pthread_mutex_lock(&server->lock);
    for (unsigned i = 0; i < CLIENTS; i++)
        if (server->clients[i].state == ANSWERING)
            shutdown(server->clients[i].fd, SHUT_RD);
    pthread_mutex_unlock(&server->lock);
}

void server_close(struct server *server)
{
    if (server == NULL)
        return;
    close_one(server->wake[1]);
    if (server->running)
        pthread_join(server->thread, NULL);
    if (server->bound)
        unlink(server->path);
    stop_reading(server);
    for (unsigned i = 0; i < CLIENTS; i++)
        if (server->clients[i].state != FREE)
            pthread_join(server->clients[i].thread, NULL);
    close_one(server->wake[0]);
    close_one(server->listener);
    pthread_mutex_destroy(&server->lock);
    free(server->path);
    free(server);
}
