/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cmd_array.h"

#include "message.h"
#include "permxor_array.h"
#include "subcommand.h"

#include <stdio.h>
#include <string.h>

static const struct subcommand words[] = {
    {"array create", IN_ARRAY_CREATE, array_create, "-m M FILE...",
     "make an array of files or devices",
     "Makes a new array of k + m members, which are files or block devices that exist\n"
     "already.  ALL THEIR CONTENTS ARE LOST.  Any m of them may fail later.  'permxor\n"
     "array serve FILE...' serves the array.  Arrays are experimental: keep a\n"
     "copy of all data that you store in them.\n"},
    {"array examine", IN_ARRAY_EXAMINE, array_examine, "FILE...",
     "show the superblocks of members",
     "Prints the superblock of each file.  Writes nothing.\n"},
    {"array verify", IN_ARRAY_VERIFY, array_verify, "FILE...",
     "compare checksums and parity offline",
     "Reads the members of an array that no server uses.  Compares all blocks that\n"
     "were ever written with their checksums, and the parity with the data.  Writes\n"
     "nothing.\n"},
    {"array assemble", IN_ARRAY_ASSEMBLE, array_assemble, "FILE...",
     "say how members would be assembled",
     "Says which members are current, stale or missing, and whether a server would\n"
     "start with these files.  It reads only the superblocks, and writes nothing.\n"
     "'permxor array serve' assembles the array.\n"},
    {"array serve", IN_ARRAY_SERVE, array_serve, "FILE...", "serve an array by nbdkit",
     "Starts nbdkit with the plugin of permxor, which serves the array over NBD until\n"
     "SIGTERM.  Up to m members may be left out.  The server itself writes to the\n"
     "members also with --read-only: it replays the log, and rebuilds members.\n"},
    {"array status", IN_ARRAY_STATUS, array_status, "SOCKET",
     "show the state of a served array",
     "Asks the server of an array, which 'permxor array serve --control SOCKET' has\n"
     "started.\n"},
    {"array fail", IN_ARRAY_FAIL, array_fail, "SOCKET MEMBER", "take a member out",
     "Takes the member with this number out of a served array, as after a write\n"
     "error.\n"},
    {"array add", IN_ARRAY_ADD, array_add, "SOCKET FILE", "add a spare",
     "Adds a spare to a served array: a file or device that takes the place of the\n"
     "next member that fails, by itself.  ALL ITS CONTENTS ARE LOST THEN.  If a member\n"
     "has failed already, its rebuild begins at once.  The server knows its spares\n"
     "until it ends; 'permxor array serve --spare FILE' names them for each start.\n"},
    {"array remove", IN_ARRAY_REMOVE, array_remove, "SOCKET MEMBER|FILE",
     "close a failed member or a spare",
     "Makes the server close the file of a member that has failed, or a spare, so that\n"
     "the device can be pulled.  An argument of digits only is a MEMBER.  A member\n"
     "that works is refused: use 'permxor array fail' first.\n"},
    {"array replace", IN_ARRAY_REPLACE, array_replace, "SOCKET MEMBER FILE",
     "put a new file in its place",
     "Puts a file or device in the place of a member that has failed, and begins to\n"
     "rebuild the member.  ALL CONTENTS OF THE FILE ARE LOST.\n"},
    {"array re-add", IN_ARRAY_READD, array_readd, "SOCKET MEMBER FILE",
     "take a member back with its contents",
     "Takes back a member that had failed or was missing.  Only the regions that were\n"
     "written since then, or shortly before, are rebuilt.\n"},
    {"array scrub", IN_ARRAY_SCRUB, array_scrub, "SOCKET", "compare all checksums and parity",
     "Compares all blocks that were ever written with their checksums, and the parity\n"
     "with the data.  Returns when all blocks were compared; 'permxor array status'\n"
     "shows the progress.\n"},
    {"array limits", IN_ARRAY_LIMITS, array_limits, "SOCKET", "limit rebuilds and scrubs",
     "Limits the speed of rebuilds and scrubs.  It sets all limits: if an option is\n"
     "left out, there is no such limit.  The limits are in force until the server\n"
     "ends, and 'permxor array status' shows them.\n"},
};

enum { WORDS = sizeof words / sizeof words[0] };

static void print_words(FILE *file)
{
    fputs("usage: permxor array WORD [OPTION...] ...\n"
          "Make and manage arrays of k + m files or devices that can be written while up to\n"
          "m of them are lost.  Arrays are experimental: keep a copy of all data that you\n"
          "store in them.\n\n",
          file);
    subcommand_list(file, words, WORDS, 14, 18);
    fputs("\nMore: permxor help array WORD, man permxor-array\n", file);
}

static const struct subcommand *find_word(const char *word)
{
    const struct subcommand *s = subcommand_find(words, WORDS, word);
    if (s == NULL)
        complain(STATUS_USAGE, "array: unknown word '%s': see 'permxor array --help'", word);
    return s;
}

int array_help(int argc, char **argv)
{
    if (argc == 1) {
        print_words(stdout);
        return STATUS_OK;
    }
    const struct subcommand *s = find_word(argv[1]);
    if (s == NULL)
        return STATUS_USAGE;
    subcommand_help(s);
    return STATUS_OK;
}

int array_dispatch(int argc, char **argv)
{
    if (argc == 1) {
        print_words(stderr);
        return STATUS_USAGE;
    }
    if (strcmp(argv[1], "help") == 0)
        return array_help(argc - 1, argv + 1);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return array_help(1, argv);
    const struct subcommand *s = find_word(argv[1]);
    return s != NULL ? subcommand_run(s, argc - 1, argv + 1) : STATUS_USAGE;
}

int array_exit_code(int status)
{
    switch (status) {
    case PXR_OK:
        return STATUS_OK;
    case PXR_EINVAL:
        return STATUS_USAGE;
    case PXR_ETOOFEW:
    case PXA_EDAMAGED:
        return STATUS_LOST;
    case PXA_ENONE:
    case PXA_EREFUSED:
        return STATUS_REFUSED;
    default:
        return STATUS_SYSTEM;
    }
}

int array_need_files(const struct options *options, const char *word)
{
    return options->operand_count > 0
               ? STATUS_OK
               : complain(STATUS_USAGE, "array %s: no file given: name the members", word);
}

int array_complain_devices(const struct options *options, const char *word, int status,
                           const struct pxr_error *why)
{
    return complain(array_exit_code(status),
                    "array %s: %s (device 0 is %s, and so on in this order)", word, why->text,
                    options->operands[0]);
}
