/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "options.h"

#include "coding.h"
#include "host/server.h"
#include "message.h"
#include "output.h"
#include "shard.h"
#include "threads.h"
#include "values.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum {
    IN_SHARDS = IN_DECODE | IN_VERIFY | IN_REPAIR,
    /* ids of the options that have no letter */
    ID_MATRIX = 256,
    ID_PACKETSIZE,
    ID_CELL,
    ID_NAME,
    ID_SET,
    ID_NO_SYNC,
    ID_NO_HASH,
    ID_REPRODUCIBLE,
    ID_DEEP,
    ID_DIRECT,
    ID_SALVAGE,
    ID_LENGTH,
    ID_SECONDS,
    ID_WARM,
    ID_COLD,
    ID_DRY_RUN,
    ID_SIZE,
    ID_KEY,
    ID_STRIPES,
    ID_HASHES,
    ID_CHUNK,
    ID_JSON,
    ID_METRICS,
    ID_REPAIR,
    ID_LEAST,
    ID_MOST,
    ID_LATENCY,
    ID_SOCKET,
    ID_CONTROL,
    ID_SPARE,
    ID_CACHE,
    ID_READ_ONLY,
    ID_FOREGROUND,
    ID_PLUGIN
};

static const struct option_row {
    int id;
    const char *name;
    const char *argument;
    unsigned subcommands;
    const char *help;
} rows[] = {
    {'k', "data", "K", IN_ENCODE | IN_BENCH, "data shards (10)"},
    {'m', "parity", "M", IN_ENCODE | IN_BENCH, "parity shards (4)"},
    {'k', "data", "K", IN_TUNE, "data shards (24)"},
    {'m', "parity", "M", IN_TUNE, "parity shards (4)"},
    {'k', "data", "K", IN_ARRAY_CREATE, "capacity, in members (number of files minus M)"},
    {'m', "parity", "M", IN_ARRAY_CREATE, "how many members may be lost"},
    {ID_CHUNK, "chunk", "SIZE", IN_ARRAY_CREATE,
     "bytes on one member before the next one follows:\n"
     "a power of two from 4K to 256K (64K)"},
    {ID_NAME, "name", "NAME", IN_ARRAY_CREATE, "name of the array, up to 31 bytes"},
    {'f', "force", NULL, IN_ARRAY_CREATE, "overwrite arrays that the files are part of"},
    {'f', "force", NULL, IN_ARRAY_REPLACE | IN_ARRAY_ADD,
     "overwrite an array that the file is part of"},
    {ID_SOCKET, "socket", "SOCKET", IN_ARRAY_SERVE, "the Unix socket for NBD clients (needed)"},
    {ID_CONTROL, "control", "SOCKET", IN_ARRAY_SERVE,
     "the socket for 'permxor array status' and so on"},
    {ID_SPARE, "spare", "FILE", IN_ARRAY_SERVE,
     "a file that takes the place of a member that\n"
     "fails; give it several times for several files"},
    {ID_CACHE, "cache", "SIZE", IN_ARRAY_SERVE,
     "memory for blocks that were read or written (16M)"},
    {ID_READ_ONLY, "read-only", NULL, IN_ARRAY_SERVE, "let no client write"},
    {ID_FOREGROUND, "foreground", NULL, IN_ARRAY_SERVE,
     "stay in the foreground, for a service manager"},
    {ID_PLUGIN, "plugin", "FILE", IN_ARRAY_SERVE,
     "the plugin's file, if nbdkit does not find it"},
    {ID_JSON, "json", NULL, IN_ARRAY_STATUS, "print one line of JSON"},
    {ID_METRICS, "metrics", NULL, IN_ARRAY_STATUS,
     "print metrics for the textfile collector of\nPrometheus' node exporter"},
    {ID_REPAIR, "repair", NULL, IN_ARRAY_SCRUB, "compute wrong blocks again and write them"},
    {ID_LEAST, "least", "MIB", IN_ARRAY_LIMITS,
     "MiB of each member in a second; below this rate,\n--latency has no effect (none)"},
    {ID_MOST, "most", "MIB", IN_ARRAY_LIMITS,
     "the most MiB of each member in a second\n(no limit)"},
    {ID_LATENCY, "latency", "MS", IN_ARRAY_LIMITS,
     "milliseconds that reads and writes of clients\n"
     "may take before rebuilds and scrubs do less\n"
     "work at a time (no limit)"},
    {ID_MATRIX, "matrix", "NAME", IN_ENCODE | IN_BENCH,
     "isal_cauchy (the default), isal_vand,\n"
     "jerasure_van, jerasure_r6, klauspost_vand;\n"
     "matrices of packets: jerasure_cauchy_orig,\n"
     "jerasure_cauchy_good, jerasure_liberation,\n"
     "jerasure_blaum_roth, jerasure_liber8tion"},
    {ID_MATRIX, "matrix", "NAME", IN_TUNE,
     "isal_cauchy (the default), isal_vand,\n"
     "jerasure_van, jerasure_r6 or klauspost_vand"},
    {'w', "word", "W", IN_ENCODE | IN_BENCH,
     "bits in a word for jerasure_van and jerasure_r6:\n"
     "8 (the default), 16 or 32;\n"
     "for matrices of packets: packets in a unit"},
    {ID_PACKETSIZE, "packetsize", "SIZE", IN_ENCODE | IN_BENCH, "bytes in a packet (1K)"},
    {ID_CELL, "cell", "SIZE", IN_ENCODE, "bytes per checksum (256K)"},
    {ID_NAME, "name", "NAME", IN_ENCODE, "file name to record; needed for standard input"},
    {'o', "output", "DIR", IN_ENCODE,
     "folder for the shards (FILE's folder); give it\n"
     "several times to spread them over disks"},
    {'o', "output", "FILE", IN_DECODE, "file or folder to write to, or - for standard output"},
    {'o', "output", "DIR", IN_REPAIR,
     "folder for missing shards (beside the others);\n"
     "give it several times for several disks"},
    {'o', "output", "FILE", IN_TUNE, "file to write (for root: the default tune file)"},
    {ID_SET, "set", "ID", IN_SHARDS, "use the shards of the set whose id starts with ID"},
    {ID_DEEP, "deep", NULL, IN_VERIFY, "also compute parity and SHA-256 again and compare"},
    {ID_HASHES, "hashes", NULL, IN_VERIFY, "read output of 'permxor hash' in place of shards"},
    {ID_SIZE, "size", "BYTES", IN_HASH, "bytes of a hash: 4, 8 or 16 (8)"},
    {ID_KEY, "key", "HEX", IN_HASH, "key: as many bytes, the same for all shards of a set"},
    {ID_STRIPES, "stripes", NULL, IN_HASH, "also print a hash for each stripe"},
    {ID_DIRECT, "direct", NULL, IN_VERIFY | IN_HASH,
     "read from the disk itself, past the page cache"},
    {ID_SALVAGE, "salvage", NULL, IN_DECODE, "write the rest of a file that is partly lost"},
    {'f', "force", NULL, IN_ENCODE | IN_DECODE | IN_REPAIR | IN_TUNE,
     "replace files that exist"},
    {'j', "threads", "N", IN_ENCODE | IN_SHARDS | IN_HASH,
     "number of threads (one per CPU, if memory allows)"},
    {ID_NO_SYNC, "no-sync", NULL, IN_ENCODE | IN_DECODE | IN_REPAIR,
     "do not wait until everything is on the disk"},
    {ID_NO_HASH, "no-hash", NULL, IN_ENCODE, "record no SHA-256 of the file"},
    {ID_REPRODUCIBLE, "reproducible", NULL, IN_ENCODE,
     "write the same shards each time from the same file"},
    {'q', "quiet", NULL, IN_ENCODE | IN_DECODE | IN_HASH, "print no progress line"},
    {'q', "quiet", NULL, IN_VERIFY | IN_REPAIR,
     "print no progress line, and report damage only"},
    {ID_LENGTH, "len", "SIZE", IN_BENCH, "bytes per shard (64K)"},
    {ID_SECONDS, "time", "SECONDS", IN_BENCH, "time per measurement (0.5)"},
    {ID_LENGTH, "len", "SIZE", IN_TUNE, "bytes per shard (256K)"},
    {ID_WARM, "warm", NULL, IN_TUNE, "encode the same shards again and again"},
    {ID_COLD, "cold", NULL, IN_TUNE, "encode more shards than the caches hold (the default)"},
    {ID_SECONDS, "time", "SECONDS", IN_TUNE,
     "time for each of two comparisons (5); up to 3 times\n"
     "as long if the machine is noisy"},
    {ID_DRY_RUN, "dry-run", NULL, IN_TUNE, "measure, but write no file"},
    {'h', "help", NULL, ~0u, "print this text"},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

/* -------------------------------------------------------------- setting -- */

static int add_output(struct options *o, const char *text)
{
    if (o->output_count == PXR_MAX_SHARDS)
        return complain(STATUS_USAGE, "--output: given more than %d times", PXR_MAX_SHARDS);
    int status = value_path("output", text, &o->outputs[o->output_count]);
    o->output_count += status == STATUS_OK;
    return status;
}

static int add_spare(struct options *o, const char *path)
{
    if (o->spare_count == PXA_MAX_MEMBERS)
        return complain(STATUS_USAGE, "--spare: an array has at most %d spares",
                        PXA_MAX_MEMBERS);
    o->spares[o->spare_count++] = path;
    return STATUS_OK;
}

static int set_option(struct options *o, int id, const char *text)
{
    switch (id) {
    case 'k':
        return value_number("data", text, PXR_MAX_SHARDS - 1, &o->k);
    case 'm':
        return value_number("parity", text, PXR_MAX_SHARDS - 1, &o->m);
    case 'j':
        return value_number("threads", text, THREADS_MAX, &o->threads);
    case ID_MATRIX:
        return value_matrix(text, &o->matrix);
    case 'w':
        return value_number("word", text, CODING_W_MOST, &o->w);
    case ID_PACKETSIZE:
        return value_packetsize(text, &o->packetsize);
    case ID_CHUNK:
        return value_chunk(text, &o->chunk);
    case ID_CELL:
        return value_cell(text, &o->cell);
    case ID_LENGTH:
        return value_length(text, &o->length);
    case ID_SECONDS:
        return value_seconds(text, &o->seconds);
    case ID_SET:
        return value_set(text, &o->set);
    case ID_NAME:
        o->name = text;
        break;
    case 'o':
        return add_output(o, text);
    case 'f':
        o->output_flags |= OUTPUT_REPLACE;
        break;
    case 'q':
        o->quiet = true;
        break;
    case ID_NO_SYNC:
        o->output_flags &= ~OUTPUT_SYNC;
        break;
    case ID_NO_HASH:
        o->no_hash = true;
        break;
    case ID_REPRODUCIBLE:
        o->reproducible = true;
        break;
    case ID_DEEP:
        o->deep = true;
        break;
    case ID_DIRECT:
        o->direct = true;
        break;
    case ID_JSON:
        o->json = true;
        break;
    case ID_METRICS:
        o->metrics = true;
        break;
    case ID_REPAIR:
        o->repair = true;
        break;
    case ID_SOCKET:
        o->socket = text;
        break;
    case ID_CONTROL:
        o->control = text;
        break;
    case ID_PLUGIN:
        o->plugin = text;
        break;
    case ID_SPARE:
        return add_spare(o, text);
    case ID_CACHE:
        o->cache = text;
        break;
    case ID_READ_ONLY:
        o->read_only = true;
        break;
    case ID_FOREGROUND:
        o->foreground = true;
        break;
    case ID_LEAST:
        return value_number("least", text, SERVER_MOST_RATE, &o->least);
    case ID_MOST:
        return value_number("most", text, SERVER_MOST_RATE, &o->most);
    case ID_LATENCY:
        return value_number("latency", text, SERVER_MOST_LATENCY, &o->latency);
    case ID_HASHES:
        o->hashes = true;
        break;
    case ID_SIZE:
        return value_hash_size(text, &o->hash_size);
    case ID_KEY:
        o->key = text;
        break;
    case ID_STRIPES:
        o->stripes = true;
        break;
    case ID_SALVAGE:
        o->salvage = true;
        break;
    case ID_WARM:
    case ID_COLD:
        o->warm = id == ID_WARM;
        break;
    case ID_DRY_RUN:
        o->dry_run = true;
        break;
    case 'h':
        o->help = true;
        break;
    }
    return STATUS_OK;
}

/* --------------------------------------------------------------- parser -- */

/* What getopt_long() needs to know about the options of one subcommand. */
struct getopt_tables {
    char letters[2 * ROWS + 2];
    struct option names[ROWS + 1];
};

static void fill_tables(struct getopt_tables *tables, unsigned subcommand)
{
    char *letter = tables->letters;
    struct option *name = tables->names;
    *letter++ = ':'; /* distinguishes a missing argument from an unknown option */
    for (const struct option_row *row = rows; row < rows + ROWS; row++) {
        if (!(row->subcommands & subcommand))
            continue;
        if (row->id < 256) {
            *letter++ = (char)row->id;
            if (row->argument != NULL)
                *letter++ = ':';
        }
        *name++ = (struct option){row->name, row->argument != NULL, NULL, row->id};
    }
    *letter = '\0';
    *name = (struct option){0};
}

static int check_outputs(const struct options *options, unsigned subcommand, const char *name)
{
    if (options->output_count > 1 && !(subcommand & (IN_ENCODE | IN_REPAIR)))
        return complain(STATUS_USAGE, "%s: --output: give it only once", name);
    return STATUS_OK;
}

/* Where the output of hash is read, there are no shards. */
static int check_hashes(const struct options *options, const char *name)
{
    if (options->hashes && (options->deep || options->direct))
        return complain(STATUS_USAGE, "%s: --hashes: omit --%s, which reads shards", name,
                        options->deep ? "deep" : "direct");
    return STATUS_OK;
}

/* tune measures how bytes are multiplied. */
static int check_matrix(const struct options *options, unsigned subcommand, const char *name)
{
    if (subcommand == IN_TUNE && shard_has_packets(options->matrix))
        return complain(STATUS_USAGE,
                        "%s: --matrix: %s is a matrix of packets, but tune measures codes of "
                        "bytes only",
                        name, pxr_matrix_name(options->matrix));
    return STATUS_OK;
}

static int check_operands(const struct options *options, const char *subcommand)
{
    for (int i = 0; i < options->operand_count; i++)
        if (options->operands[i][0] == '\0')
            return complain(STATUS_USAGE, "%s: operand %d is empty; give a path", subcommand,
                            i + 1);
    return STATUS_OK;
}

/*
 * Names the option that getopt_long() does not accept.  Of letters that share a word with it,
 * the word may not have been passed yet.  The other words are long options: unknown ones, and
 * known ones with a value that they do not take.
 */
static int bad_option(const struct getopt_tables *tables, const char *subcommand,
                      const char *word)
{
    const bool letter = optopt != 0 && optopt < 256 && strchr(tables->letters, optopt) == NULL;
    const char name[] = {'-', (char)optopt, '\0'};
    return complain(STATUS_USAGE, "%s: unknown or ambiguous option '%s'", subcommand,
                    letter ? name : word);
}

int options_parse(struct options *options, unsigned subcommand, int argc, char **argv)
{
    struct getopt_tables tables;
    fill_tables(&tables, subcommand);
    *options = (struct options){.k = 10,
                                .m = 4,
                                .matrix = PXR_ISAL_CAUCHY,
                                .output_flags = OUTPUT_SYNC,
                                .hash_size = 8,
                                .seconds = 0.5,
                                .chunk = 64 << 10};
    /* Wide, and larger than L1: see doc/tune.md. */
    if (subcommand == IN_TUNE) {
        options->k = 24;
        options->length = 256 << 10;
        options->seconds = 5;
    }
    /* Each default of these would be wrong for most arrays. */
    if (subcommand == IN_ARRAY_CREATE)
        options->k = options->m = 0;
    opterr = 0;
    for (;;) {
        int id = getopt_long(argc, argv, tables.letters, tables.names, NULL);
        if (id < 0)
            break;
        const char *text = argv[optind - 1];
        if (id == '?')
            return bad_option(&tables, argv[0], text);
        if (id == ':')
            return complain(STATUS_USAGE, "%s: option '%s' needs a value", argv[0], text);
        int status = set_option(options, id, optarg);
        if (status != STATUS_OK)
            return status;
    }
    options->operands = argv + optind;
    options->operand_count = argc - optind;
    int status = check_outputs(options, subcommand, argv[0]);
    if (status == STATUS_OK)
        status = check_matrix(options, subcommand, argv[0]);
    if (status == STATUS_OK)
        status = check_hashes(options, argv[0]);
    return status != STATUS_OK ? status : check_operands(options, argv[0]);
}

const char *options_output(const struct options *options)
{
    return options->output_count > 0 ? options->outputs[0] : NULL;
}

/* ----------------------------------------------------------------- help -- */

enum { HELP_COLUMN = 24 };

static void print_row(const struct option_row *row)
{
    int column = row->id < 256 ? printf("  -%c, ", row->id) : printf("      ");
    column += printf("--%s", row->name);
    if (row->argument != NULL)
        column += printf("=%s", row->argument);
    printf("%*s", column < HELP_COLUMN ? HELP_COLUMN - column : 1, "");
    for (const char *c = row->help; *c != '\0'; c++) {
        putchar(*c);
        if (*c == '\n')
            printf("%*s", HELP_COLUMN, "");
    }
    putchar('\n');
}

void options_help(unsigned subcommand)
{
    for (const struct option_row *row = rows; row < rows + ROWS; row++)
        if (row->subcommands & subcommand)
            print_row(row);
}
