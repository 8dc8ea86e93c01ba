/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "corrupt_trial.h"

#include "message.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------- failures -- */

static void print_command(const struct command *command)
{
    printf("   ");
    for (unsigned i = 0; i < command->count; i++)
        printf(" %s", command->word[i]);
    printf("\n    exit status %d\n", command->status);
    if (command->err.at != NULL)
        printf("%.*s\n", (int)command->err.size, (const char *)command->err.at);
}

void trial_fail(struct trial *trial, const char *format, ...)
{
    const struct shard_header *h = &trial->set->header;
    va_list arguments;
    if (trial->failed)
        return;
    trial->failed = true;
    trial->count[TRIAL_FAILED]++;
    printf("FAILED: case %" PRIu64 ": ", trial->number);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n    repeat with: unit/corruptions %" PRIu64 " 1 %" PRIu64 "\n", trial->seed,
           trial->number);
    printf("    %u+%u %s, %" PRIu64 " bytes, cells of %" PRIu32 ":%s\n", h->k, h->m,
           pxr_matrix_name(h->matrix), h->length, h->cell, trial->story);
    print_command(&trial->command);
    fflush(stdout);
}

/* ------------------------------------------------------------- messages -- */

/* Whether the line is the sanitizer's note that malloc() fails.  This is no fault. */
static bool is_note(const char *line, size_t length)
{
    static const char note[] = "AddressSanitizer failed to allocate";
    return memmem(line, length, note, strlen(note)) != NULL;
}

/* Every line must be a message of the command.  Any other line comes from a sanitizer or from
   the C library, and shows a fault. */
static void judge_messages(struct trial *trial)
{
    const struct command *c = &trial->command;
    const char *at = (const char *)c->err.at, *end = at + c->err.size;
    /* verify prints what it finds on standard output, and needs no message. */
    bool said = at < end || (strcmp(c->word[1], "verify") == 0 && c->out.size > 0);
    if (c->status != STATUS_OK && !said)
        trial_fail(trial, "an error without a message");
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((newline != NULL ? newline : end) - at);
        if (length < 9 || (memcmp(at, "permxor: ", 9) != 0 && !is_note(at, length)))
            trial_fail(trial, "a message that is not the command's");
        at += length + (newline != NULL);
    }
}

/* ------------------------------------------------------------- commands -- */

static void begin(struct trial *trial, const char *word)
{
    command_begin(&trial->command, word);
    command_add(&trial->command, "-j%u", 1 + (unsigned)dice_below(&trial->dice, 2));
}

static void add_operands(struct trial *trial)
{
    char id[SHARD_ID_TEXT_SIZE];
    shard_id_text(&trial->set->header, id);
    if (trial->choice == CHOOSE_SET)
        command_add(&trial->command, "--set=%s", id);
    if (trial->choice != CHOOSE_NAMES) {
        command_add(&trial->command, "%s/s", trial->root);
        return;
    }
    unsigned before = trial->command.count;
    for (unsigned i = 0; i < trial->folder.count; i++)
        if (is_considered(&trial->folder.file[i], trial->choice))
            command_add(&trial->command, "%s/s/%s", trial->root, trial->folder.file[i].name);
    if (trial->command.count == before) /* all are gone: name one that does not exist */
        command_add(&trial->command, "%s/s/f.000.pxr", trial->root);
}

/* Runs the command and judges its messages.  `statuses` has a digit for each exit status that
   is allowed.  Returns the exit status. */
static int run(struct trial *trial, const char *statuses)
{
    struct command *c = &trial->command;
    add_operands(trial);
    command_run(c, trial->root, dice_next(&trial->dice));
    trial->count[TRIAL_COMMANDS]++;
    if (c->status > 9 || strchr(statuses, '0' + c->status) == NULL)
        trial_fail(trial, "exit status %d", c->status);
    judge_messages(trial);
    return c->status;
}

static bool is_content(const struct trial *trial, struct bytes bytes)
{
    return bytes_equal(bytes, trial->set->content) ||
           (trial->other->used && bytes_equal(bytes, trial->other->content));
}

static bool starts(struct bytes start, struct bytes whole)
{
    return start.size <= whole.size &&
           (start.size == 0 || memcmp(start.at, whole.at, start.size) == 0);
}

/* Whether the bytes are the start of a set's file.  Output before an error must be that. */
static bool is_start(const struct trial *trial, struct bytes bytes)
{
    return starts(bytes, trial->set->content) ||
           (trial->other->used && starts(bytes, trial->other->content));
}

static int decode_to_stream(struct trial *trial)
{
    begin(trial, "decode");
    command_add(&trial->command, "-qo-");
    int status = run(trial, "0345");
    struct bytes out = trial->command.out;
    if (trial->facts.honest && status == STATUS_OK && !is_content(trial, out))
        trial_fail(trial, "wrong bytes on standard output");
    if (trial->facts.honest && !is_start(trial, out))
        trial_fail(trial, "wrong bytes on standard output before an error");
    return status;
}

/* Reads the file that a command has written, and removes it. */
static struct bytes take_output(const char *path)
{
    struct bytes bytes = bytes_read(path);
    unlink(path);
    return bytes;
}

static int decode_to_file(struct trial *trial)
{
    char path[COMMAND_WORD];
    must_printf(path, sizeof path, "%s/out", trial->root);
    begin(trial, "decode");
    command_add(&trial->command, "-qo%s", path);
    if (dice_percent(&trial->dice, 90))
        command_add(&trial->command, "--no-sync");
    int status = run(trial, "0345");
    struct bytes out = take_output(path);
    if (trial->facts.honest && status == STATUS_OK && !is_content(trial, out))
        trial_fail(trial, "wrong bytes in the file");
    if (status != STATUS_OK && out.at != NULL)
        trial_fail(trial, "decode has left a file in spite of an error");
    bytes_free(&out);
    return status;
}

static int decode(struct trial *trial)
{
    int file = decode_to_file(trial);
    int stream = decode_to_stream(trial);
    if (trial->facts.honest && file != stream)
        trial_fail(trial, "decode: exit status %d with a stream, %d with a file", stream, file);
    return file;
}

static int verify(struct trial *trial)
{
    begin(trial, "verify");
    if (dice_percent(&trial->dice, 30))
        command_add(&trial->command, "--deep");
    return run(trial, "01345");
}

static int repair(struct trial *trial)
{
    begin(trial, "repair");
    if (dice_percent(&trial->dice, 50))
        command_add(&trial->command, "-f");
    if (dice_percent(&trial->dice, 90))
        command_add(&trial->command, "--no-sync");
    return run(trial, "0345");
}

/* -------------------------------------------------------------- salvage -- */

/* If the line names a lost range, writes zeros there into the bytes that are expected. */
static void forget_lost(struct trial *trial, const char *line, struct bytes want)
{
    static const char word[] = ": lost: ";
    const char *at = strstr(line, word);
    char *end;
    if (at == NULL)
        return;
    uint64_t first = strtoull(at + strlen(word), &end, 10), last = first;
    if (*end == '-')
        last = strtoull(end + 1, NULL, 10);
    if (last < first || last >= want.size) {
        trial_fail(trial, "a lost range that is not in the file");
        return;
    }
    memset(want.at + first, 0, (size_t)(last - first + 1));
}

static void judge_salvaged(struct trial *trial, struct bytes out)
{
    struct bytes want = bytes_copy(trial->set->content);
    struct bytes text = {must_allocate(trial->command.err.size + 1), 0};
    memcpy(text.at, trial->command.err.at, trial->command.err.size);
    text.at[trial->command.err.size] = '\0';
    char *rest = (char *)text.at;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;)
        forget_lost(trial, line, want);
    if (!bytes_equal(out, want))
        trial_fail(trial,
                   "the salvaged file is wrong outside the ranges that are listed as lost");
    bytes_free(&text);
    bytes_free(&want);
}

static void salvage(struct trial *trial)
{
    char path[COMMAND_WORD];
    must_printf(path, sizeof path, "%s/salvaged", trial->root);
    begin(trial, "decode");
    command_add(&trial->command, "--salvage");
    command_add(&trial->command, "--no-sync");
    bool stream = dice_percent(&trial->dice, 30);
    command_add(&trial->command, "-qo%s", stream ? "-" : path);
    /* The status is 0 if all lost cells are beyond the end of the file. */
    int status = run(trial, "0345");
    bool done = status == STATUS_LOST || status == STATUS_OK;
    struct bytes out = stream && done ? bytes_copy(trial->command.out) : take_output(path);
    if (out.at != NULL && !done)
        trial_fail(trial, "decode --salvage has left a file in spite of an error");
    bool first = !trial->other->used || trial->choice == CHOOSE_SET;
    if (out.at != NULL && trial->facts.honest && first)
        judge_salvaged(trial, out);
    trial->count[TRIAL_SALVAGED] += out.at != NULL;
    bytes_free(&out);
}

/* --------------------------------------------------------------- repair -- */

static bool is_whole(const struct trial *trial, const struct facts *facts)
{
    for (unsigned i = 0; i < trial->set->header.k + trial->set->header.m; i++)
        if (!facts->pristine[i])
            return false;
    return true;
}

/* No repair may change or remove a shard that was good. */
static void judge_kept(struct trial *trial, const struct facts *after)
{
    for (unsigned i = 0; i < trial->set->header.k + trial->set->header.m; i++)
        if (trial->facts.pristine[i] && !after->pristine[i])
            trial_fail(trial, "repair has spoilt the good shard %u", i);
}

static void judge_tidy(struct trial *trial)
{
    for (unsigned i = 0; i < trial->folder.count; i++)
        if (trial->folder.file[i].name[0] == '.')
            trial_fail(trial, "repair has left %s behind", trial->folder.file[i].name);
}

/* Whether the command has certainly worked on the first set. */
static bool is_first(const struct trial *trial)
{
    return !trial->other->used || trial->choice == CHOOSE_SET || trial->facts.must_decode;
}

static int repair_and_look(struct trial *trial)
{
    char path[COMMAND_WORD];
    int status = repair(trial);
    must_printf(path, sizeof path, "%s/s", trial->root);
    folder_load(&trial->folder, path);
    judge_tidy(trial);
    struct facts after = folder_facts(&trial->folder, trial->set, trial->other, trial->choice);
    if (trial->facts.honest)
        judge_kept(trial, &after);
    if (trial->facts.honest && is_first(trial) && status == STATUS_OK &&
        !is_whole(trial, &after))
        trial_fail(trial, "repair reports success, but some shards are not the original ones");
    trial->count[TRIAL_HEALED] += status == STATUS_OK;
    return status;
}

/* ----------------------------------------------------------------- case -- */

static void judge_verdict(struct trial *trial, int verified, int decoded)
{
    bool promised = verified == STATUS_OK || verified == STATUS_DAMAGE;
    if (!trial->facts.honest)
        return;
    if (promised != (decoded == STATUS_OK))
        trial_fail(trial, "exit status %d of verify, but %d of decode", verified, decoded);
    if (verified == STATUS_OK && is_first(trial) && !is_whole(trial, &trial->facts))
        trial_fail(trial, "verify has not found the damage");
}

void trial_run(struct trial *trial)
{
    trial->failed = false;
    trial->count[TRIAL_CASES]++;
    trial->count[TRIAL_FORGED] += !trial->facts.honest;
    trial->count[TRIAL_OWED] += trial->facts.must_decode;
    int decoded = decode(trial);
    if (trial->facts.must_decode && decoded != STATUS_OK)
        trial_fail(trial, "enough cells are good, but decode fails");
    trial->count[decoded == STATUS_OK ? TRIAL_DECODED : TRIAL_REFUSED]++;
    if (decoded != STATUS_OK)
        salvage(trial);
    judge_verdict(trial, verify(trial), decoded);
    int repaired = repair_and_look(trial);
    int again = decode(trial);
    if (decoded == STATUS_OK && trial->facts.honest && again != STATUS_OK)
        trial_fail(trial, "decode succeeds before the repair and fails after it");
    int verified = verify(trial);
    /* If repair worked on the other set, verify may not get the names of the new shards. */
    bool all_given = trial->choice != CHOOSE_NAMES || is_first(trial);
    if (repaired == STATUS_OK && trial->facts.honest && all_given && verified != STATUS_OK)
        trial_fail(trial, "repair reports success, but verify has exit status %d", verified);
}
