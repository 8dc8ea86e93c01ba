/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Serves the control socket of an array, and nothing else, for unit/cli_array.sh.
 *
 *     cli_array_server SOCKET MEMBER...
 *
 * It writes and flushes some blocks, prints "ready", and ends when its standard input ends.
 */
#include "host/host.h"
#include "host/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int give_up(const char *why)
{
    fprintf(stderr, "cli_array_server: %s\n", why);
    return 1;
}

static bool write_blocks(struct host *host)
{
    static uint8_t bytes[200000];
    memset(bytes, 'x', sizeof bytes);
    return host_write(host, bytes, sizeof bytes, 0, false) == PXR_OK &&
           host_flush(host) == PXR_OK;
}

int main(int argc, char **argv)
{
    const struct host_options options = {.pages = 0};
    struct pxr_error why;
    struct host *host;
    struct server *server;
    if (argc < 3)
        return give_up("usage: cli_array_server SOCKET MEMBER...");
    if (host_open(&host, argv + 2, (unsigned)argc - 2, &options, &why) != PXR_OK ||
        server_open(&server, argv[1], host, &why) != PXR_OK ||
        server_start(server, &why) != PXR_OK)
        return give_up(why.text);
    if (!write_blocks(host))
        return give_up("the blocks cannot be written");
    puts("ready");
    fflush(stdout);
    while (getchar() != EOF)
        ;
    const int status = host_stop(host);
    server_close(server);
    host_close(host);
    return status != PXR_OK;
}
