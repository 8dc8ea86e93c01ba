/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "report.h"

#include <inttypes.h>
#include <string.h>

unsigned report_count(const enum core_member_state *states, unsigned members,
                      enum core_member_state state)
{
    unsigned count = 0;
    for (unsigned role = 0; role < members; role++)
        count += states[role] == state;
    return count;
}

static unsigned count_in(const struct core_status *core, enum core_member_state state)
{
    return report_count(core->state, core->data + core->parity, state);
}

static unsigned count_spares(const struct host_status *status)
{
    unsigned count = 0;
    for (unsigned i = 0; i < status->idle_count; i++)
        count += status->idle[i].spare;
    return count;
}

static const char *state_of_array(const struct core_status *core)
{
    if (!core->assembled)
        return "stopped";
    if (core->dead)
        return "failed";
    if (count_in(core, CORE_REBUILDING) > 0)
        return "rebuilding";
    return count_in(core, CORE_FAILED) > 0 ? "degraded" : "clean";
}

const char *report_state(enum core_member_state state)
{
    static const char *const names[] = {"absent", "in-sync", "rebuilding", "failed"};
    return names[state];
}

static const char *name_of_io(enum host_io io)
{
    return io == HOST_IO_URING ? "uring" : "threads";
}

static void print_uuid(FILE *file, const struct host_status *status)
{
    for (unsigned i = 0; i < sizeof status->uuid; i++)
        fprintf(file, "%02x", status->uuid[i]);
}

/* ------------------------------------------------------------------- text -- */

static void print_member(FILE *file, const struct host_status *status, unsigned role)
{
    const struct core_status *core = &status->core;
    fprintf(file, "  member %u: %s", role, report_state(core->state[role]));
    if (core->state[role] == CORE_REBUILDING)
        fprintf(file, " (%" PRIu64 " of %" PRIu64 " stripes)", core->rebuilt[role],
                core->stripes);
    if (core->read_errors[role] > 0)
        fprintf(file, ", %" PRIu64 " read errors", core->read_errors[role]);
    if (core->bad_sums[role] > 0)
        fprintf(file, ", %" PRIu64 " wrong checksums", core->bad_sums[role]);
    fprintf(file, "%s%s\n", status->path[role][0] != 0 ? ": " : "", status->path[role]);
}

static void print_idle(FILE *file, const struct host_idle *idle)
{
    if (idle->spare)
        fprintf(file, "  spare: %s\n", idle->path);
    else if (idle->role >= 0)
        fprintf(file, "  not used: %s, which was member %d\n", idle->path, idle->role);
    else
        fprintf(file, "  not used: %s\n", idle->path);
}

/* A part of a sentence about limits; a limit of 0 is none. */
static void print_limit(FILE *file, const char **before, const char *name, uint64_t value,
                        const char *unit)
{
    if (value == 0)
        return;
    fprintf(file, "%s%s %" PRIu64 " %s", *before, name, value, unit);
    *before = ", ";
}

static void print_limits(FILE *file, const struct core_limits *limits)
{
    const char *before = "  limits of rebuilds and scrubs: ";
    print_limit(file, &before, "at least", limits->least >> 20, "MiB/s");
    print_limit(file, &before, "at most", limits->most >> 20, "MiB/s");
    print_limit(file, &before, "a latency of", limits->latency / 1000, "ms");
    if (limits->least + limits->most + limits->latency > 0)
        fputc('\n', file);
}

static void print_cache(FILE *file, const struct core_status *core)
{
    if (core->cache > 0)
        fprintf(file,
                "  cache: %" PRIu64 " MiB in use, %" PRIu64 " blocks found, %" PRIu64 " read\n",
                (uint64_t)core->cached * CORE_BLOCK >> 20, core->cache_hits,
                core->cache_misses);
}

void report_text(FILE *file, const struct host_status *status)
{
    const struct core_status *core = &status->core;
    fputs("array ", file);
    print_uuid(file, status);
    fprintf(file, "%s%s: %s\n", status->name[0] != 0 ? " " : "", status->name,
            state_of_array(core));
    fprintf(file,
            "  %u + %u members, chunk %" PRIu32 ", %" PRIu64 " bytes, %" PRIu64 " events\n",
            core->data, core->parity, core->chunk, core->capacity, core->events);
    for (unsigned role = 0; role < core->data + core->parity; role++)
        print_member(file, status, role);
    for (unsigned i = 0; i < status->idle_count; i++)
        print_idle(file, &status->idle[i]);
    fprintf(file, "  io: %s\n", name_of_io(status->io));
    print_limits(file, &status->limits);
    print_cache(file, core);
    if (core->lost_rows > 0)
        fprintf(file, "  rebuilds have lost %" PRIu64 " rows\n", core->lost_rows);
    if (core->scrubbing || core->scrub_rows > 0)
        fprintf(file,
                "  scrub%s: %" PRIu64 " of %" PRIu64 " stripes, %" PRIu64 " rows, %" PRIu64
                " bad blocks, %" PRIu64 " wrong blocks of parity, %" PRIu64
                " repaired, %" PRIu64 " rows lost\n",
                core->scrubbing ? " under way" : "", core->scrubbed, core->stripes,
                core->scrub_rows, core->scrub_bad, core->scrub_parity, core->scrub_repaired,
                core->scrub_lost);
}

/* ------------------------------------------------------------------- JSON -- */

/* The length of the valid UTF-8 sequence at the beginning of a text, or 0. */
static unsigned utf8_length(const unsigned char *text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned length = *text < 0x80             ? 1
                            : (*text & 0xe0) == 0xc0 ? 2
                            : (*text & 0xf0) == 0xe0 ? 3
                            : (*text & 0xf8) == 0xf0 ? 4
                                                     : 0;
    uint32_t value = length < 2 ? *text : *text & (0x7fu >> length);
    for (unsigned i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (text[i] & 0x3f);
    }
    return value < least[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)
               ? 0
               : length;
}

/* A byte that is not UTF-8 becomes U+FFFD, since JSON has nothing for it. */
static void print_string(FILE *file, const char *text)
{
    fputc('"', file);
    while (*text != 0) {
        const unsigned length = utf8_length((const unsigned char *)text);
        if (length == 0)
            fputs("\\ufffd", file);
        else if ((unsigned char)*text < 0x20 || *text == 0x7f)
            fprintf(file, "\\u%04x", (unsigned char)*text);
        else if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else
            fwrite(text, 1, length, file);
        text += length > 0 ? length : 1;
    }
    fputc('"', file);
}

static void print_json_member(FILE *file, const struct host_status *status, unsigned role)
{
    const struct core_status *core = &status->core;
    fprintf(file, "%s{\"member\": %u, \"state\": \"%s\", \"file\": ", role > 0 ? ", " : "",
            role, report_state(core->state[role]));
    print_string(file, status->path[role]);
    if (core->state[role] == CORE_REBUILDING)
        fprintf(file, ", \"rebuilt_stripes\": %" PRIu64, core->rebuilt[role]);
    fprintf(file, ", \"read_errors\": %" PRIu64 ", \"wrong_checksums\": %" PRIu64 "}",
            core->read_errors[role], core->bad_sums[role]);
}

/* The paths of the spares, or of the other files that no member has. */
static void print_json_idle(FILE *file, const struct host_status *status, bool spares)
{
    const char *before = "";
    for (unsigned i = 0; i < status->idle_count; i++) {
        if (status->idle[i].spare != spares)
            continue;
        fputs(before, file);
        print_string(file, status->idle[i].path);
        before = ", ";
    }
}

void report_json(FILE *file, const struct host_status *status)
{
    const struct core_status *core = &status->core;
    fputs("{\"uuid\": \"", file);
    print_uuid(file, status);
    fputs("\", \"name\": ", file);
    print_string(file, status->name);
    fprintf(file,
            ", \"state\": \"%s\", \"data\": %u, \"parity\": %u, \"chunk\": %" PRIu32
            ", \"bytes\": %" PRIu64 ", \"stripes\": %" PRIu64 ", \"events\": %" PRIu64
            ", \"lost_rows\": %" PRIu64 ", \"io\": \"%s\", \"members\": [",
            state_of_array(core), core->data, core->parity, core->chunk, core->capacity,
            core->stripes, core->events, core->lost_rows, name_of_io(status->io));
    for (unsigned role = 0; role < core->data + core->parity; role++)
        print_json_member(file, status, role);
    fputs("], \"spares\": [", file);
    print_json_idle(file, status, true);
    fputs("], \"not_used\": [", file);
    print_json_idle(file, status, false);
    fprintf(file,
            "], \"scrub\": {\"running\": %s, \"stripes\": %" PRIu64 ", \"rows\": %" PRIu64
            ", \"bad_blocks\": %" PRIu64 ", \"wrong_parity\": %" PRIu64
            ", \"repaired\": %" PRIu64 ", \"lost_rows\": %" PRIu64 "}",
            core->scrubbing ? "true" : "false", core->scrubbed, core->scrub_rows,
            core->scrub_bad, core->scrub_parity, core->scrub_repaired, core->scrub_lost);
    fprintf(file,
            ", \"limits\": {\"least_bytes_per_second\": %" PRIu64
            ", \"most_bytes_per_second\": %" PRIu64 ", \"latency_microseconds\": %" PRIu64
            ", \"window\": %u}",
            status->limits.least, status->limits.most, status->limits.latency,
            core->sync_window);
    fprintf(file,
            ", \"cache\": {\"bytes\": %" PRIu64 ", \"used_bytes\": %" PRIu64
            ", \"hits\": %" PRIu64 ", \"misses\": %" PRIu64 "}}\n",
            (uint64_t)core->cache * CORE_BLOCK, (uint64_t)core->cached * CORE_BLOCK,
            core->cache_hits, core->cache_misses);
}

/* ---------------------------------------------------------------- metrics -- */

static void print_metric(FILE *file, const struct host_status *status, const char *name,
                         const char *type, const char *help, uint64_t value)
{
    fprintf(file, "# HELP permxor_array_%s %s\n# TYPE permxor_array_%s %s\n", name, help, name,
            type);
    fprintf(file, "permxor_array_%s{array=\"", name);
    print_uuid(file, status);
    fprintf(file, "\"} %" PRIu64 "\n", value);
}

static void print_members(FILE *file, const struct host_status *status, const char *name,
                          const char *type, const char *help, const uint64_t *values)
{
    fprintf(file, "# HELP permxor_array_member_%s %s\n# TYPE permxor_array_member_%s %s\n",
            name, help, name, type);
    for (unsigned role = 0; role < status->core.data + status->core.parity; role++) {
        fprintf(file, "permxor_array_member_%s{array=\"", name);
        print_uuid(file, status);
        fprintf(file, "\",member=\"%u\"} %" PRIu64 "\n", role, values[role]);
    }
}

void report_metrics(FILE *file, const struct host_status *status)
{
    const struct core_status *core = &status->core;
    uint64_t in_sync[PXA_MAX_MEMBERS];
    for (unsigned role = 0; role < PXA_MAX_MEMBERS; role++)
        in_sync[role] = core->state[role] == CORE_IN_SYNC;
    print_metric(file, status, "failed", "gauge", "1 if too many members have failed",
                 core->dead);
    print_metric(file, status, "members_missing", "gauge",
                 "Members that have failed or are being rebuilt",
                 count_in(core, CORE_FAILED) + count_in(core, CORE_REBUILDING));
    print_metric(file, status, "spares", "gauge", "Spares that stand by", count_spares(status));
    print_metric(file, status, "lost_rows_total", "counter",
                 "Rows that rebuilds could not restore", core->lost_rows);
    print_metric(file, status, "scrub_running", "gauge", "1 while a scrub is under way",
                 core->scrubbing);
    print_metric(file, status, "scrub_bad_blocks_total", "counter",
                 "Blocks that could not be read or had a wrong checksum", core->scrub_bad);
    print_metric(file, status, "scrub_wrong_parity_total", "counter",
                 "Blocks of parity that did not fit the data", core->scrub_parity);
    print_metric(file, status, "scrub_repaired_total", "counter", "Blocks that were repaired",
                 core->scrub_repaired);
    print_metric(file, status, "scrub_lost_rows_total", "counter",
                 "Rows of which too little was left", core->scrub_lost);
    print_metric(file, status, "cache_used_bytes", "gauge", "Clean blocks in memory",
                 (uint64_t)core->cached * CORE_BLOCK);
    print_metric(file, status, "cache_hits_total", "counter",
                 "Blocks that reads and writes found in memory", core->cache_hits);
    print_metric(file, status, "cache_misses_total", "counter",
                 "Blocks that reads and writes had to read from members", core->cache_misses);
    print_members(file, status, "in_sync", "gauge", "1 if the member is in sync", in_sync);
    print_members(file, status, "read_errors_total", "counter", "Reads that have failed",
                  core->read_errors);
    print_members(file, status, "wrong_checksums_total", "counter",
                  "Blocks that did not match their checksums", core->bad_sums);
}
