/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "subcommand.h"

#include "message.h"
#include "temporary.h"

#include <stdio.h>

const char subcommand_exit_codes[] =
    "Exit status:\n"
    "  0  success\n"
    "  1  verify, hash, info, array verify: there is damage, and it can be repaired\n"
    "  2  wrong usage\n"
    "  3  input, output, memory or permission failed, or a file already exists\n"
    "  4  more is lost than the parity can restore, or shards or the file are wrong\n"
    "  5  no usable shard, shards of several sets, or hashes that do not fit together\n";

void subcommand_help(const struct subcommand *s)
{
    printf("usage: permxor %s [OPTION...] %s\n%s\n", s->name, s->operands, s->text);
    options_help(s->flag);
    printf("\nDefaults are in parentheses.  SIZE may end in K, M or G (powers of 1024).\n\n%s",
           subcommand_exit_codes);
}

int subcommand_run(const struct subcommand *s, int argc, char **argv)
{
    struct options options;
    int status = options_parse(&options, s->flag, argc, argv);
    if (status != STATUS_OK) {
        fprintf(stderr, "Try 'permxor %s --help'.\n", s->name);
        return status;
    }
    if (options.help) {
        subcommand_help(s);
        return STATUS_OK;
    }
    temporary_catch_signals();
    return s->run(&options);
}
