/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "subcommand.h"

#include "message.h"
#include "temporary.h"

#include <string.h>

const char subcommand_exit_codes[] =
    "Exit status:\n"
    "  0  success\n"
    "  1  verify, hash, info, array verify: there is damage, and it can be repaired\n"
    "  2  wrong usage\n"
    "  3  input, output, memory or permission failed, or a file already exists\n"
    "  4  more is lost than the parity can restore, or shards or the file are wrong\n"
    "  5  no usable shard, shards of several sets, or contradicting hashes\n";

static const char *last_word(const char *name)
{
    const char *blank = strrchr(name, ' ');
    return blank != NULL ? blank + 1 : name;
}

const struct subcommand *subcommand_find(const struct subcommand *table, size_t count,
                                         const char *word)
{
    for (const struct subcommand *s = table; s < table + count; s++)
        if (strcmp(word, last_word(s->name)) == 0)
            return s;
    return NULL;
}

void subcommand_list(FILE *file, const struct subcommand *table, size_t count, int name_width,
                     int operands_width)
{
    for (const struct subcommand *s = table; s < table + count; s++)
        fprintf(file, "  permxor %-*s %-*s %s\n", name_width, s->name, operands_width,
                s->operands, s->summary);
}

void subcommand_help(const struct subcommand *s)
{
    printf("usage: permxor %s [OPTION...]%s%s\n%s\n", s->name, *s->operands ? " " : "",
           s->operands, s->text);
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
