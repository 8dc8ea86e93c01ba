/* SPDX-License-Identifier: BSD-3-Clause */
/* An array with threads and files: many clients, members that fail, and what is refused. */
#include "config.h"

#include "check.h"

#include "host/create.h"
#include "host/host.h"
#include "host/verify.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef HAVE_LIBURING
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

/* `what` may be a message. */
#define EXPECT(held, what) check_true(held, what, __FILE__, __LINE__)

enum {
    K = 3,
    M = 2,
    N = K + M,
    CLIENTS = 4,
    ROUNDS = 60,
    SIZE = 4 << 20,
    SHARE = 400000,
    CHUNK = 16384,
    MIB = 1 << 20,
    DEADLINE_SECONDS = 1200
};

static char folder[200];
static char path_text[N + 1][256];
static char *paths[N + 1]; /* the last one is a spare */

static void make_files(void)
{
    for (unsigned i = 0; i <= N; i++) {
        snprintf(path_text[i], sizeof path_text[i], "%s/member%u", folder, i);
        paths[i] = path_text[i];
        unlink(paths[i]);
        FILE *file = fopen(paths[i], "w");
        EXPECT(file != NULL && ftruncate(fileno(file), SIZE) == 0 && fclose(file) == 0,
               "a file is made");
    }
}

static void make_array(void)
{
    const struct host_shape shape = {.data = K, .parity = M, .chunk = CHUNK, .name = "unit"};
    uint8_t uuid[16];
    uint64_t capacity;
    struct pxr_error why = {""};
    make_files();
    EXPECT(host_create(paths, &shape, uuid, &capacity, &why) == PXR_OK, why.text);
    EXPECT(capacity > CLIENTS * SHARE, "the array is large enough");
}

static enum host_io io; /* of the arrays that are opened */

static enum host_io io_of(struct host *host)
{
    struct host_status status;
    EXPECT(host_status(host, &status) == PXR_OK, "the status");
    host_status_free(&status);
    return status.io;
}

static struct host *open_array(unsigned count)
{
    const struct host_options options = {.cache = SIZE / 8, .io = io};
    struct host *host = NULL;
    struct pxr_error why = {""};
    EXPECT(host_open(&host, paths, count, &options, &why) == PXR_OK, why.text);
    EXPECT(io == HOST_IO_AUTO || io_of(host) == io, "the way to use files that was wanted");
    return host;
}

static void close_array(struct host *host)
{
    EXPECT(host_stop(host) == PXR_OK, "the array stops");
    host_close(host);
}

/* All checksums and all parity, of members of which `missing` are not in sync. */
static void verify(unsigned missing)
{
    struct host_found found;
    struct pxr_error why = {""};
    EXPECT(host_verify(paths, N + 1, &found, &why) == PXR_OK, why.text);
    EXPECT(found.rows > 0 &&
               found.bad + found.unreadable + found.pages + found.parity_rows + found.lost == 0,
           "all checksums and all parity are right");
    EXPECT((unsigned)__builtin_popcountll(found.missing) == missing, "who is missing");
}

/* ----------------------------------------------------------------- clients -- */

struct client {
    struct host *host;
    pthread_t thread;
    unsigned number;
    uint8_t *want; /* SHARE bytes */
    uint32_t state;
    bool wrong;
};

/* A generator for each thread, since the tests' own one is for one thread. */
static uint32_t draw(struct client *client, uint32_t below)
{
    client->state = client->state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)client->state * below >> 32);
}

/* The rows become zeros that a trim covers as a whole. */
static void forget_rows(struct client *client, uint64_t address, uint32_t len)
{
    const uint64_t share = (uint64_t)client->number * SHARE, stripe = (uint64_t)K * CHUNK;
    for (uint64_t at = address; at < address + len; at++) {
        const uint64_t first = at / stripe * stripe + at % CHUNK / 4096 * 4096;
        if (first >= address && first + stripe - CHUNK + 4096 <= address + len)
            client->want[at - share] = 0;
    }
}

static bool step(struct client *client, uint8_t *buffer)
{
    const uint32_t at = draw(client, SHARE);
    const uint32_t most = SHARE - at < 60000 ? SHARE - at : 60000;
    const uint32_t len = 1 + draw(client, most);
    const uint64_t address = (uint64_t)client->number * SHARE + at;
    const bool fua = draw(client, 4) == 0;
    switch (draw(client, 8)) {
    case 0:
        memset(client->want + at, 0, len);
        return host_zero(client->host, len, address, fua) == PXR_OK;
    case 1:
        forget_rows(client, address, len);
        return host_flush(client->host) == PXR_OK &&
               host_trim(client->host, len, address, fua) == PXR_OK;
    case 2:
    case 3:
    case 4:
        for (uint32_t i = 0; i < len; i++)
            client->want[at + i] = (uint8_t)draw(client, 256);
        return host_write(client->host, client->want + at, len, address, fua) == PXR_OK;
    default:
        return host_read(client->host, buffer, len, address) == PXR_OK &&
               memcmp(buffer, client->want + at, len) == 0;
    }
}

static void *run(void *argument)
{
    struct client *client = argument;
    uint8_t *buffer = malloc(SHARE);
    client->wrong = buffer == NULL;
    for (unsigned i = 0; i < ROUNDS && !client->wrong; i++)
        client->wrong = !step(client, buffer);
    free(buffer);
    return NULL;
}

static void start(struct client *clients, struct host *host)
{
    for (unsigned i = 0; i < CLIENTS; i++) {
        clients[i].host = host;
        EXPECT(pthread_create(&clients[i].thread, NULL, run, &clients[i]) == 0, "a thread");
    }
}

static void join(struct client *clients, const char *name)
{
    for (unsigned i = 0; i < CLIENTS; i++) {
        pthread_join(clients[i].thread, NULL);
        EXPECT(!clients[i].wrong, name);
    }
}

static void make_clients(struct client *clients)
{
    for (unsigned i = 0; i < CLIENTS; i++) {
        clients[i] = (struct client){.number = i, .state = (uint32_t)check_random()};
        clients[i].want = calloc(1, SHARE);
        EXPECT(clients[i].want != NULL, "memory");
    }
}

static void free_clients(struct client *clients)
{
    for (unsigned i = 0; i < CLIENTS; i++)
        free(clients[i].want);
}

static void compare(struct client *clients, struct host *host)
{
    uint8_t *buffer = malloc(SHARE);
    for (unsigned i = 0; i < CLIENTS; i++)
        EXPECT(host_read(host, buffer, SHARE, (uint64_t)i * SHARE) == PXR_OK &&
                   memcmp(buffer, clients[i].want, SHARE) == 0,
               "what was written is read");
    free(buffer);
}

static void wait_until_whole(struct host *host, unsigned role)
{
    const struct timespec moment = {0, 10000000};
    for (unsigned i = 0; i < 6000; i++) {
        struct host_status status;
        EXPECT(host_status(host, &status) == PXR_OK, "the status");
        const bool whole = status.core.state[role] == CORE_IN_SYNC;
        host_status_free(&status);
        if (whole)
            return;
        nanosleep(&moment, NULL);
    }
    EXPECT(false, "the rebuild ends");
}

/* Members fail, are replaced, and come back while clients use the array. */
static void test_clients(void)
{
    struct client clients[CLIENTS];
    struct pxr_error why = {""};
    struct core_status found;
    make_array();
    make_clients(clients);
    struct host *host = open_array(N);
    start(clients, host);
    EXPECT(host_fail(host, 1, &why) == PXR_OK, why.text);
    join(clients, "clients while a member fails");
    start(clients, host);
    EXPECT(host_replace(host, 1, paths[N], false, &why) == PXR_OK, why.text);
    join(clients, "clients while a member is rebuilt");
    wait_until_whole(host, 1);
    EXPECT(host_fail(host, 2, &why) == PXR_OK && host_fail(host, 3, &why) == PXR_OK, why.text);
    EXPECT(host_fail(host, 4, &why) == PXR_ETOOFEW, "a member that is needed does not fail");
    start(clients, host);
    join(clients, "clients without two members");
    EXPECT(host_readd(host, 2, paths[2], &why) == PXR_OK, why.text);
    wait_until_whole(host, 2);
    start(clients, host);
    EXPECT(host_scrub(host, true, &found, &why) == PXR_OK, why.text);
    join(clients, "clients beside a scrub");
    EXPECT(found.scrub_rows > 0 && found.scrub_bad == 0 && found.scrub_parity == 0,
           "the scrub");
    compare(clients, host);
    close_array(host);
    verify(1);
    host = open_array(N + 1);
    host_pause(host);
    EXPECT(host_resume(host, &why) == PXR_OK, why.text);
    compare(clients, host);
    close_array(host);
    free_clients(clients);
}

/* ------------------------------------------------------------------ errors -- */

/* Pulls a disk out: this process's open descriptors of the file become a folder's, on which
   every read and every write fails. */
static void pull_out(const char *path)
{
    struct stat disk, other;
    const int nothing = open(folder, O_RDONLY);
    int pulled = 0;
    EXPECT(nothing >= 0 && stat(path, &disk) == 0, "a folder, and a disk");
    for (int file = 0; file < getdtablesize(); file++)
        if (fstat(file, &other) == 0 && other.st_dev == disk.st_dev &&
            other.st_ino == disk.st_ino)
            pulled += dup2(nothing, file) == file;
    close(nothing);
    EXPECT(pulled > 0, "the disk is open");
}

/* Reads all of the array, whose disk 2 no longer has its bytes. */
static void expect_errors(struct host *host)
{
    struct pxr_error why = {""};
    struct core_status found;
    struct host_status status;
    (void)host_scrub(host, false, &found, &why);
    EXPECT(host_status(host, &status) == PXR_OK, "the status");
    EXPECT(status.core.read_errors[2] > 0 || status.core.state[2] == CORE_FAILED,
           "the errors of the disk are known");
    host_status_free(&status);
}

static void test_error(void)
{
    struct client clients[CLIENTS];
    make_array();
    make_clients(clients);
    struct host *host = open_array(N);
    start(clients, host);
    pull_out(paths[2]);
    join(clients, "clients while a disk fails");
    start(clients, host);
    join(clients, "clients after a disk has failed");
    expect_errors(host);
    compare(clients, host);
    host_close(host); /* as a crash does */
    host = open_array(N);
    compare(clients, host);
    close_array(host);
    free_clients(clients);
}

/* A file that becomes shorter is a disk that fails.  Nobody writes meanwhile, since writes can
   make it as long as before. */
static void test_cut(void)
{
    struct client clients[CLIENTS];
    make_array();
    make_clients(clients);
    struct host *host = open_array(N);
    start(clients, host);
    join(clients, "clients");
    close_array(host);
    host = open_array(N);
    EXPECT(truncate(paths[2], 0) == 0, "a file is cut");
    expect_errors(host);
    compare(clients, host);
    host_close(host);
    free_clients(clients);
}

/* ---------------------------------------------------------------- messages -- */

struct told {
    pthread_mutex_t lock;
    char text[4000];
};

static void note_text(void *token, const char *text)
{
    struct told *told = token;
    pthread_mutex_lock(&told->lock);
    const size_t length = strlen(told->text);
    snprintf(told->text + length, sizeof told->text - length, "%s\n", text);
    pthread_mutex_unlock(&told->lock);
}

/* Whoever reads that members have failed also reads why. */
static void test_reason(void)
{
    static uint8_t bytes[MIB];
    struct told told = {.lock = PTHREAD_MUTEX_INITIALIZER};
    const struct host_options options = {.io = io, .say = note_text, .token = &told};
    struct pxr_error why = {""};
    struct rlimit before, limit;
    struct host *host;
    make_array();
    EXPECT(host_open(&host, paths, N, &options, &why) == PXR_OK, why.text);
    signal(SIGXFSZ, SIG_IGN);
    EXPECT(getrlimit(RLIMIT_FSIZE, &before) == 0, "a limit");
    limit = before;
    limit.rlim_cur = 2 * MIB; /* of the files of SIZE bytes */
    EXPECT(setrlimit(RLIMIT_FSIZE, &limit) == 0, "a limit");
    EXPECT(host_write(host, bytes, MIB, host_capacity(host) - MIB, true) == PXA_EIO,
           "a write that fails");
    EXPECT(setrlimit(RLIMIT_FSIZE, &before) == 0, "a limit");
    signal(SIGXFSZ, SIG_DFL);
    host_close(host);
    EXPECT(strstr(told.text, "has failed") != NULL, told.text);
    EXPECT(strstr(told.text, "member0: File too large") != NULL, told.text);
    EXPECT(strstr(told.text, "too many members have failed") != NULL, told.text);
}

/* ------------------------------------------------------------------ spares -- */

static void expect_idle(struct host *host, unsigned spares, unsigned others)
{
    struct host_status status;
    unsigned found = 0;
    EXPECT(host_status(host, &status) == PXR_OK, "the status");
    for (unsigned i = 0; i < status.idle_count; i++)
        found += status.idle[i].spare;
    EXPECT(found == spares && status.idle_count == spares + others,
           "the spares, and the files that nobody uses");
    host_status_free(&status);
}

/* Whether another program can open a file that nobody has locked. */
static bool is_closed(char *path)
{
    const struct host_options options = {.pages = 0};
    struct pxr_error why = {""};
    struct host *host = NULL;
    const int status = host_open(&host, &path, 1, &options, &why);
    return status != PXR_OK && strstr(why.text, "another program uses it") == NULL;
}

/* The state of a member that fails changes only when the core is turned again. */
static void wait_until_rebuilt(struct host *host, unsigned role)
{
    struct host_status status;
    bool taken = false;
    for (unsigned i = 0; i < 6000 && !taken; i++) {
        EXPECT(host_status(host, &status) == PXR_OK, "the status");
        taken = strcmp(status.path[role], paths[N]) == 0;
        host_status_free(&status);
        if (!taken)
            usleep(10000);
    }
    EXPECT(taken, "the spare takes the place");
    wait_until_whole(host, role);
}

/* A disk that fails is replaced, although nobody asks for it. */
static void test_spare(void)
{
    struct client clients[CLIENTS];
    struct pxr_error why = {""};
    make_array();
    make_clients(clients);
    struct host *host = open_array(N);
    EXPECT(host_add(host, paths[0], false, &why) == PXA_EREFUSED, "a member is no spare");
    EXPECT(host_add(host, paths[N], false, &why) == PXR_OK, why.text);
    EXPECT(host_add(host, paths[N], false, &why) == PXA_EREFUSED, "a spare is added once");
    expect_idle(host, 1, 0);
    EXPECT(host_remove(host, 2, &why) == PXA_EREFUSED, "a member in use stays");
    EXPECT(host_remove_file(host, paths[2], &why) == PXA_EREFUSED, "a member in use stays");
    start(clients, host);
    EXPECT(host_fail(host, 2, &why) == PXR_OK, why.text);
    join(clients, "clients while the spare is rebuilt");
    wait_until_rebuilt(host, 2);
    expect_idle(host, 0, 1);
    EXPECT(!is_closed(paths[2]), "the failed disk is still open");
    EXPECT(host_remove(host, 2, &why) == PXA_EREFUSED, "the spare is the member now");
    EXPECT(host_remove_file(host, paths[2], &why) == PXR_OK, why.text);
    EXPECT(is_closed(paths[2]), "the failed disk is closed");
    EXPECT(host_remove_file(host, paths[2], &why) == PXR_EINVAL, "it is gone");
    expect_idle(host, 0, 0);
    compare(clients, host);
    close_array(host);
    EXPECT(unlink(paths[2]) == 0 && rename(paths[N], paths[2]) == 0, "files change places");
    host = open_array(N);
    compare(clients, host);
    close_array(host);
    free_clients(clients);
}

/* A spare of the options fills a place at the start, and then is a member at the next start. */
static void test_spare_at_start(void)
{
    char nowhere[] = "/nowhere/at/all", *spares[] = {nowhere, paths[N]};
    const struct host_options options = {.io = io, .spares = spares, .spare_count = 2};
    struct pxr_error why = {""};
    struct host *host;
    uint8_t byte = 7;
    make_array();
    EXPECT(host_open(&host, paths, N - 1, &options, &why) == PXR_OK, why.text);
    EXPECT(host_write(host, &byte, 1, 0, false) == PXR_OK, "a byte");
    wait_until_whole(host, N - 1);
    EXPECT(host_remove(host, N - 1, &why) == PXA_EREFUSED, "the spare is a member");
    close_array(host);
    EXPECT(host_open(&host, paths, N - 1, &options, &why) == PXR_OK, why.text);
    expect_idle(host, 0, 0);
    wait_until_whole(host, N - 1);
    byte = 0;
    EXPECT(host_read(host, &byte, 1, 0) == PXR_OK && byte == 7, "the byte");
    EXPECT(host_fail(host, 1, &why) == PXR_OK, why.text);
    expect_idle(host, 0, 1);
    EXPECT(host_remove(host, 1, &why) == PXR_OK, why.text);
    EXPECT(host_remove(host, 1, &why) == PXR_EINVAL, "it is gone");
    EXPECT(truncate(paths[N - 1], MIB) == 0, "a file is cut");
    EXPECT(host_add(host, paths[N - 1], true, &why) == PXR_EINVAL, "a small file");
    EXPECT(host_add(host, paths[1], false, &why) == PXA_EREFUSED, "a former member");
    EXPECT(host_add(host, paths[1], true, &why) == PXR_OK, why.text);
    wait_until_whole(host, 1);
    close_array(host);
    verify(0);
}

static void test_small_spare(void)
{
    const struct host_options options = {.io = io, .spares = &paths[N], .spare_count = 1};
    struct pxr_error why = {""};
    struct host *host;
    make_array();
    EXPECT(truncate(paths[N], MIB) == 0, "a file is cut");
    EXPECT(host_open(&host, paths, N, &options, &why) == PXR_OK, why.text);
    expect_idle(host, 0, 1);
    close_array(host);
}

/* ------------------------------------------------------------------ limits -- */

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Writes all of the array, so that there is something to look at. */
static void write_all(struct host *host)
{
    static uint8_t bytes[1 << 18];
    const uint64_t end = host_capacity(host);
    memset(bytes, 'x', sizeof bytes);
    for (uint64_t at = 0; at < end; at += sizeof bytes) {
        const uint64_t len = end - at < sizeof bytes ? end - at : sizeof bytes;
        EXPECT(host_write(host, bytes, len, at, false) == PXR_OK, "a write");
    }
    EXPECT(host_flush(host) == PXR_OK, "a flush");
}

/*
 * With a rate a scrub takes its time, and it goes on although nobody else asks for anything.  A
 * tenth of a second of credit is there at once.
 */
static void test_limits(void)
{
    const struct core_limits slow = {.least = MIB, .most = 4 * MIB, .latency = 1000},
                             wrong = {.least = 2, .most = 1}, none = {0};
    struct host_status status;
    struct core_status found;
    struct pxr_error why = {""};
    make_array();
    struct host *host = open_array(N);
    write_all(host);
    EXPECT(host_limit(host, &slow, &why) == PXR_OK, why.text);
    EXPECT(host_limit(host, &wrong, &why) == PXR_EINVAL, "a least rate above the greatest");
    EXPECT(host_status(host, &status) == PXR_OK && status.limits.most == slow.most &&
               status.limits.least == slow.least && status.limits.latency == slow.latency,
           "the status has the limits");
    host_status_free(&status);
    const double began = seconds_now();
    EXPECT(host_scrub(host, false, &found, &why) == PXR_OK, why.text);
    const double took = seconds_now() - began;
    const double rate = (double)(found.scrub_rows * CORE_BLOCK) / took;
    EXPECT(found.scrub_rows * CORE_BLOCK > 2 * MIB, "the scrub has much to do");
    EXPECT(rate < 1.5 * (double)slow.most, "the scrub keeps to the greatest rate");
    EXPECT(host_limit(host, &none, &why) == PXR_OK, why.text);
    close_array(host);
}

/* ------------------------------------------------------------- in a second -- */

/* Waits until the log has something new, and until all of it is durable.  Nobody asks for that.
 *last is the last epoch, before and after it. */
static void expect_commit(struct host *host, uint64_t *last, const char *what)
{
    struct host_status status;
    const struct core_status *core = &status.core;
    bool committed = false;
    for (unsigned i = 0; i < 3000 && !committed; i++) {
        EXPECT(host_status(host, &status) == PXR_OK, "the status");
        committed = core->committed > *last && core->committed + 1 == core->epoch;
        host_status_free(&status);
        if (!committed)
            usleep(10000);
    }
    EXPECT(committed, what);
    *last = core->committed;
}

/* Changes the contents of a member where it has something. */
static void spoil(const char *path)
{
    static uint8_t block[CORE_BLOCK];
    const int fd = open(path, O_RDWR);
    EXPECT(fd >= 0, "a member");
    for (off_t at = MIB; at < SIZE - MIB; at += CORE_BLOCK) {
        EXPECT(pread(fd, block, sizeof block, at) == sizeof block, "a block is read");
        if (block[0] != 'x' || block[CORE_BLOCK - 1] != 'x')
            continue;
        block[0] = 'y';
        EXPECT(pwrite(fd, block, sizeof block, at) == sizeof block, "a block is changed");
    }
    close(fd);
}

/* Writes, repairs and trims become durable by themselves, also if nothing follows. */
static void test_commits(void)
{
    uint8_t bytes[K * CHUNK] = {0};
    uint64_t last = 0;
    make_array();
    struct host *host = open_array(N);
    write_all(host);
    expect_commit(host, &last, "writes and a flush");
    EXPECT(host_write(host, bytes, 1, 0, false) == PXR_OK, "a byte");
    expect_commit(host, &last, "a write becomes durable");
    close_array(host);
    spoil(paths[0]);
    host = open_array(N); /* with nothing in its cache */
    EXPECT(host_read(host, bytes, sizeof bytes, 4 * MIB) == PXR_OK, "a read of wrong blocks");
    expect_commit(host, &last, "repairs become durable");
    EXPECT(host_trim(host, 2 * sizeof bytes, 0, false) == PXR_OK, "a trim");
    expect_commit(host, &last, "a trim becomes durable");
    close_array(host);
}

/* What the members are doing then ends first, because it uses the memory of the core. */
static void test_close_in_use(void)
{
    struct pxr_error why = {""};
    make_array();
    struct host *host = open_array(N);
    write_all(host);
    EXPECT(host_fail(host, 1, &why) == PXR_OK, why.text);
    EXPECT(host_replace(host, 1, paths[N], false, &why) == PXR_OK, why.text);
    host_close(host);
    EXPECT(unlink(paths[1]) == 0 && rename(paths[N], paths[1]) == 0, "files change places");
    host = open_array(N);
    wait_until_whole(host, 1);
    close_array(host);
    host = open_array(N);
    close_array(host);
}

static void test_refused(void)
{
    const struct host_shape shape = {.data = K, .parity = M, .chunk = CHUNK, .name = ""};
    const struct host_options options = {.pages = 0};
    struct pxr_error why;
    struct host_found found;
    struct host *host, *other;
    uint8_t uuid[16], byte = 0;
    uint64_t capacity, end;
    make_array();
    EXPECT(host_create(paths, &shape, uuid, &capacity, &why) == PXA_EREFUSED, "a used file");
    host = open_array(N);
    EXPECT(host_open(&other, paths, N, &options, &why) == PXA_EREFUSED && other == NULL,
           "members in use");
    EXPECT(host_verify(paths, N, &found, &why) == PXA_EREFUSED,
           "members in use, to be verified");
    EXPECT(host_write(host, &byte, 1, host_capacity(host), false) == PXR_EINVAL, "a range");
    EXPECT(!host_is_written(host, 0, &end) && end == host_capacity(host), "nothing is written");
    EXPECT(host_write(host, &byte, 1, 0, false) == PXR_OK, "a byte");
    EXPECT(host_is_written(host, 0, &end), "something is written");
    EXPECT(host_replace(host, 0, paths[N], false, &why) == PXR_EINVAL,
           "a member that is there");
    EXPECT(host_stop(host) == PXR_OK, "the array stops");
    EXPECT(host_write(host, &byte, 1, 0, false) == PXR_EINVAL, "a write after the end");
    host_close(host);
    EXPECT(host_open(&host, paths, K - 1, &options, &why) == PXR_ETOOFEW, "too few members");
    const struct host_options large = {.cache = host_most_cache() + 1};
    EXPECT(host_usual_cache() <= host_most_cache(), "the usual cache");
    EXPECT(host_open(&host, paths, N, &large, &why) == PXR_EINVAL && host == NULL,
           "a cache that is too large");
    EXPECT(host_open(&host, &paths[N], 1, &options, &why) == PXA_ENONE, "no member");
    char nowhere[] = "/nowhere/at/all", *missing[] = {nowhere};
    EXPECT(host_open(&host, missing, 1, &options, &why) == PXA_EIO &&
               strstr(why.text, "/nowhere/at/all") != NULL,
           "a file that is not there");
}

/* --------------------------------------------------------- no io_uring -- */

/* From here on the kernel refuses io_uring, as it does in many containers. */
static bool forbid_io_uring(void)
{
#ifdef HAVE_LIBURING
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
#else
    return true;
#endif
}

static void test_forbidden(void)
{
    const struct host_options options = {.io = HOST_IO_URING};
    struct pxr_error why = {""};
    struct host *host;
    uint8_t byte = 7;
    io = HOST_IO_AUTO;
    make_array();
    EXPECT(host_open(&host, paths, N, &options, &why) == PXA_EIO && host == NULL &&
               strstr(why.text, "io_uring cannot be used") != NULL,
           "who asks for io_uring is told that there is none");
    host = open_array(N);
    EXPECT(io_of(host) == HOST_IO_THREADS, "threads do what io_uring cannot do");
    EXPECT(host_write(host, &byte, 1, 0, true) == PXR_OK, "a byte");
    byte = 0;
    EXPECT(host_read(host, &byte, 1, 0) == PXR_OK && byte == 7, "the byte");
    close_array(host);
    verify(0);
}

/* ---------------------------------------------------------------- all -- */

static void test_all(const char *name)
{
    char title[100];
    static const struct {
        const char *title;
        void (*test)(void);
    } tests[] = {{"clients while members leave and come", test_clients},
                 {"a disk fails", test_error},
                 {"a file is cut", test_cut},
                 {"why members fail", test_reason},
                 {"a spare takes the place of a disk that fails", test_spare},
                 {"a spare that is given at the start", test_spare_at_start},
                 {"a spare at the start that is too small", test_small_spare},
                 {"limits of a scrub", test_limits},
                 {"what is answered becomes durable", test_commits},
                 {"the array is closed during a rebuild", test_close_in_use},
                 {"refusals", test_refused}};
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        snprintf(title, sizeof title, "%s: %s", name, tests[i].title);
        if (check_case("%s", title))
            tests[i].test();
    }
}

/* Whether the kernel and this build have io_uring. */
static bool has_io_uring(void)
{
    const struct host_options options = {.io = HOST_IO_URING};
    struct pxr_error why = {""};
    struct host *host;
    make_array();
    const bool has = host_open(&host, paths, N, &options, &why) == PXR_OK;
    if (has)
        close_array(host);
    else
        check_skip("io_uring", "%s", why.text);
    return has;
}

static bool make_folder(void)
{
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/permxor-host.XXXXXX", where != NULL ? where : "/tmp");
    return mkdtemp(folder) != NULL;
}

int main(int argc, char **argv)
{
    check_start("test_array_host", argc, argv);
    alarm(DEADLINE_SECONDS); /* a request that is never answered must not stop all tests */
    if (!make_folder()) {
        check_skip("all", "no folder can be made in %s", folder);
        return check_finish();
    }
    io = HOST_IO_THREADS;
    test_all("threads");
    io = HOST_IO_URING;
    if (has_io_uring())
        test_all("io_uring");
    if (!forbid_io_uring())
        check_skip("a kernel that refuses io_uring", "no filter can be installed");
    else if (check_case("a kernel that refuses io_uring"))
        test_forbidden();
    for (unsigned i = 0; i <= N; i++)
        unlink(path_text[i]);
    rmdir(folder);
    return check_finish();
}
