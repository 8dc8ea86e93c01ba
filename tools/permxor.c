/* SPDX-License-Identifier: BSD-3-Clause */
/* permxor: turns files into shards that survive losses. */
#include "config.h"

#include "cmd.h"
#include "cmd_array.h"
#include "message.h"
#include "subcommand.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct subcommand subcommands[] = {
    {"encode", IN_ENCODE, cmd_encode, "FILE|-", "cut a file into shards",
     "Writes K data and M parity shards NAME.000.pxr, NAME.001.pxr, ...; any K of\n"
     "them are enough to restore the file.  Writes either all shards or none.\n"},
    {"decode", IN_DECODE, cmd_decode, "SHARD...|DIR", "restore the file",
     "Writes the file under its recorded name into the current folder, unless -o\n"
     "names another place.  Restores missing and corrupt data on the way.\n"},
    {"verify", IN_VERIFY, cmd_verify, "SHARD...|DIR", "look for damage",
     "Reads all shards and reports what is missing or corrupt, and whether it can\n"
     "be repaired.  With --hashes: reads output of 'permxor hash', and reports\n"
     "whether the shards belong together, and which one is wrong.\n"},
    {"repair", IN_REPAIR, cmd_repair, "SHARD...|DIR", "heal damaged shards, write missing ones",
     "Writes missing shards again and heals corrupt cells.  A shard with few corrupt\n"
     "cells is changed in place, protected by a journal.  A shard with many is\n"
     "replaced as soon as the new shard is complete.\n"},
    {"hash", IN_HASH, cmd_hash, "SHARD...|DIR", "hash shards, for verify --hashes",
     "Prints a linear hash of each shard.  'permxor verify --hashes' checks the parity\n"
     "from these hashes, without the shards: collect the output of all machines.\n"},
    {"info", IN_INFO, cmd_info, "[SHARD...|DIR]", "describe this machine, or shards",
     "Without shards: shows the CPU, the kernel sets, which one is used and why.\n"},
    {"bench", IN_BENCH, cmd_bench, "", "measure speed in memory",
     "Measures encoding, reconstruction, verification and checksums in memory, on\n"
     "one thread.  GB/s counts the K * SIZE bytes of data of each call.\n"},
    {"tune", IN_TUNE, cmd_tune, "", "find the fastest kernel set for all programs",
     "Measures every kernel set on K+M shards in memory, and the values of the\n"
     "machine record.  Writes the fastest into a file that the library reads when\n"
     "it is loaded.  Give the K, M and SIZE that your programs use.  Takes about\n"
     "two minutes.\n"},
};

enum { SUBCOMMANDS = sizeof subcommands / sizeof subcommands[0] };

static void print_overview(FILE *file)
{
    fputs("usage: permxor SUBCOMMAND [OPTION...] FILES\n"
          "Protect files with erasure codes: cut a file into shards, and restore it even if\n"
          "some shards are lost.\n\n",
          file);
    subcommand_list(file, subcommands, SUBCOMMANDS, 7, 15);
    fprintf(file, "  permxor %-7s %-15s %s\n", "array", "WORD ...",
            "make and manage arrays (experimental)");
    fprintf(file,
            "\nExamples:\n"
            "  permxor encode -k 10 -m 4 FILE\n"
            "  permxor decode -o COPY FILE.*.pxr\n"
            "More: permxor help SUBCOMMAND, permxor --version, man permxor\n\n%s",
            subcommand_exit_codes);
}

/* Output that could not be written is an error, too: a full disk, for example. */
static int close_stdout(int status)
{
    if (ferror(stdout) | fclose(stdout) && status == STATUS_OK)
        return complain(STATUS_SYSTEM, "standard output: cannot write: %s", strerror(errno));
    return status;
}

static const struct subcommand *find_subcommand(const char *name)
{
    return subcommand_find(subcommands, SUBCOMMANDS, name);
}

static int no_subcommand(const char *name)
{
    return complain(STATUS_USAGE, "unknown subcommand '%s': see 'permxor --help'", name);
}

/* permxor help [SUBCOMMAND] */
static int help(int argc, char **argv)
{
    if (argc == 1) {
        print_overview(stdout);
        return STATUS_OK;
    }
    if (strcmp(argv[1], "array") == 0)
        return array_help(argc - 1, argv + 1);
    if (argc > 2)
        return complain(STATUS_USAGE, "help: give only one subcommand");
    const struct subcommand *s = find_subcommand(argv[1]);
    if (s == NULL)
        return no_subcommand(argv[1]);
    subcommand_help(s);
    return STATUS_OK;
}

static bool is_one_of(const char *word, const char *one, const char *other)
{
    return strcmp(word, one) == 0 || strcmp(word, other) == 0;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_overview(stderr);
        return STATUS_USAGE;
    }
    if (strcmp(argv[1], "help") == 0 || is_one_of(argv[1], "--help", "-h"))
        return help(argc - 1, argv + 1);
    if (is_one_of(argv[1], "--version", "-V")) {
        printf("permxor %s\n", PACKAGE_VERSION);
        return STATUS_OK;
    }
    if (strcmp(argv[1], "array") == 0)
        return array_dispatch(argc - 1, argv + 1);
    const struct subcommand *s = find_subcommand(argv[1]);
    return s != NULL ? subcommand_run(s, argc - 1, argv + 1) : no_subcommand(argv[1]);
}

/*
 * A file must not get the number of a standard stream that the caller has closed, because
 * messages would go into the file.  The replacement is open for the other direction, so that
 * using the stream is still an error.
 */
static void occupy_standard_streams(void)
{
    static const int wrong_way[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", wrong_way[fd]); /* gets the lowest free number */
}

int main(int argc, char **argv)
{
    occupy_standard_streams();
    return close_stdout(dispatch(argc, argv));
}
