/* SPDX-License-Identifier: BSD-3-Clause */
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DESCRIPTORS = 4096, PATHS = 4, LOG_FD = 900 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *root, *folder, *lacks, *loss;
static int log_fd = -1;
static unsigned long number, at;
static enum verdict wanted;
static int wanted_error, error_now;
static bool stays, dying;
static char hit[32]; /* the name of the call that the fault began with */
static char *paths[DESCRIPTORS];

/* ------------------------------------------------------------ set up -- */

static void read_wanted(const char *text)
{
    static const struct {
        const char *name;
        enum verdict verdict;
    } names[] = {
        {"zero", ZERO}, {"short", SHORT}, {"kill", KILL}, {"torn", TORN}, {"stop", STOP}};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(text, names[i].name) == 0)
            wanted = names[i].verdict;
    wanted_error = atoi(text);
    if (wanted_error != 0)
        wanted = FAIL;
}

/* Gives the log a high descriptor number, so that the program's descriptors get the same
   numbers as without a log. */
static void open_log(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    log_fd = fcntl(fd, F_DUPFD_CLOEXEC, LOG_FD);
    close(fd);
}

__attribute__((constructor)) static void set_up(void)
{
    const char *log = getenv("FAULTS_LOG"), *call = getenv("FAULTS_AT");
    const char *what = getenv("FAULTS_DO");
    if (log != NULL)
        open_log(log);
    if (call != NULL && what != NULL) {
        at = strtoul(call, NULL, 10);
        read_wanted(what);
    }
    stays = getenv("FAULTS_STAYS") != NULL;
    lacks = getenv("FAULTS_LACKS");
    loss = getenv("FAULTS_LOSS");
    folder = getcwd(NULL, 0);
    root = getenv("FAULTS_ROOT"); /* from here on, calls are watched */
}

/* Without a kill, the power fails after the program has ended.  What the program said must
   still be true then. */
__attribute__((destructor)) static void after_exit(void)
{
    if (loss != NULL)
        loss_apply(loss);
}

/* ----------------------------------------------------------- watched -- */

bool is_watching(void)
{
    return root != NULL;
}

static const char *below_root(const char *path)
{
    size_t length = root != NULL ? strlen(root) : 0;
    bool below = length > 0 && strncmp(path, root, length) == 0 &&
                 (path[length] == '/' || path[length] == '\0');
    return below ? path : NULL;
}

const char *watched_path(int descriptor, const char *path)
{
    static _Thread_local char buffers[PATHS][PATH_MAX];
    static _Thread_local unsigned turn;
    const char *start = descriptor == AT_FDCWD ? folder : watched_fd(descriptor);
    if (path == NULL || path[0] == '/')
        return path != NULL ? below_root(path) : NULL;
    if (start == NULL || path[0] == '\0')
        return start != NULL ? below_root(start) : NULL;
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    char *buffer = buffers[turn++ % PATHS];
    bool itself = strcmp(path, ".") == 0;
    snprintf(buffer, PATH_MAX, "%s%s%s", start, itself ? "" : "/", itself ? "" : path);
    return below_root(buffer);
}

const char *watched_fd(int fd)
{
    return fd >= 0 && fd < DESCRIPTORS ? paths[fd] : NULL;
}

void watch_fd(int fd, const char *path)
{
    if (fd < 0 || fd >= DESCRIPTORS)
        return;
    free(paths[fd]);
    paths[fd] = path != NULL ? strdup(path) : NULL;
}

/* ------------------------------------------------------------- calls -- */

static bool is_meant(const char *name)
{
    if (number == at)
        snprintf(hit, sizeof hit, "%s", name);
    return number == at || (stays && at > 0 && number > at && strcmp(name, hit) == 0);
}

enum verdict call_begin(const char *name, const char *path)
{
    pthread_mutex_lock(&lock);
    number++;
    dprintf(log_fd, "%lu %s %s\n", number, name, path);
    bool meant = is_meant(name);
    if (meant && wanted == STOP) {
        raise(SIGSTOP);
        meant = false;
    }
    dying = meant && (wanted == KILL || wanted == TORN);
    if (meant && wanted == FAIL) {
        errno = error_now = wanted_error;
        return FAIL;
    }
    if (lacks != NULL && strcmp(name, lacks) == 0) {
        errno = error_now = EINVAL;
        return FAIL;
    }
    return meant ? wanted : PASS;
}

void call_end(enum verdict verdict)
{
    int error = verdict == FAIL ? error_now : errno;
    if (dying) {
        if (loss != NULL)
            loss_apply(loss);
        kill(getpid(), SIGKILL);
    }
    pthread_mutex_unlock(&lock);
    errno = error;
}

void *next_function(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL) {
        dprintf(STDERR_FILENO, "faults: this C library has no %s\n", name);
        abort();
    }
    return function;
}
