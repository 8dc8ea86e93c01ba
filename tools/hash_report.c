/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "hash_check.h"

#include "message.h"
#include "survey.h"

#include <inttypes.h>
#include <stdio.h>

/* Returns the level that tells most about which shards are wrong. */
static const struct hash_level *telling_level(const struct hash_check *c)
{
    return c->stripes.disagreeing.count > 0 ? &c->stripes : &c->whole;
}

static int add_wrong(const struct hash_check *c, unsigned index, char *out)
{
    char stripes[TALLY_TEXT];
    const struct hash_level *level = telling_level(c);
    const struct tally *wrong = &level->shard[index].wrong;
    if (wrong->count == 0)
        return 0;
    int at = snprintf(out, STATE_TEXT, "WRONG, although its checksums are right: ");
    if (level == &c->whole)
        return at + snprintf(out + at, (size_t)(STATE_TEXT - at),
                             "its hash does not match the other shards");
    tally_text(wrong, stripes);
    return at + snprintf(out + at, (size_t)(STATE_TEXT - at),
                         "%" PRIu64 " cells do not match the other shards (stripes %s)",
                         wrong->count, stripes);
}

/* Says why a shard has no hash.  Hashes of stripes say more than those of the whole shard. */
static int add_bad_cells(const struct tally *stripes, const struct tally *whole,
                         const char *kind, char *out, int at)
{
    if (stripes->count > 0)
        return cells_text(stripes, kind, true, out, at);
    if (whole->count > 0)
        at += snprintf(out + at, (size_t)(STATE_TEXT - at), "%s%s cells", at > 0 ? ", " : "",
                       kind);
    return at;
}

/* What the shards of a set amount to. */
struct verdict {
    bool damaged, unreadable, absent, partial;
    unsigned present; /* shards that have a record */
    unsigned wrong;   /* shards that are wrong by either kind of hashes, */
    unsigned last;    /* and the last one of these */
};

/* Whether shards are wrong that are not named.  Several shards that hashes of stripes name also
   explain why the hashes of whole shards disagree. */
static bool is_unexplained(const struct hash_check *c, const struct verdict *v)
{
    return telling_level(c)->unexplained.count > 0 ||
           (c->whole.unexplained.count > 0 && v->wrong < 2);
}

/* Returns whether there is any shard that was not compared with the others as a whole. */
static bool is_incomplete(const struct verdict *v)
{
    return v->damaged || v->unreadable || v->absent || v->partial;
}

static void judge_shard(const struct hash_check *c, unsigned index, struct verdict *v)
{
    const struct hash_level_shard *stripes = &c->stripes.shard[index];
    const struct hash_level_shard *whole = &c->whole.shard[index];
    bool damaged = stripes->damaged.count + whole->damaged.count > 0;
    bool unreadable = stripes->unreadable.count + whole->unreadable.count > 0;
    bool absent = c->first[index] == NULL;
    v->damaged |= damaged;
    v->unreadable |= unreadable;
    v->absent |= absent;
    v->partial |= !damaged && !unreadable && !absent && !hash_check_compared(c, index);
    v->present += !absent;
    if (stripes->wrong.count + whole->wrong.count > 0) {
        v->wrong++;
        v->last = index;
    }
}

static void shard_text(const struct hash_check *c, const struct verdict *v, unsigned index,
                       char out[STATE_TEXT])
{
    const struct hash_level_shard *stripes = &c->stripes.shard[index];
    const struct hash_level_shard *whole = &c->whole.shard[index];
    int at = add_wrong(c, index, out);
    at = add_bad_cells(&stripes->damaged, &whole->damaged, "corrupt", out, at);
    at = add_bad_cells(&stripes->unreadable, &whole->unreadable, "unreadable", out, at);
    if (at > 0)
        return;
    const bool suspect = is_unexplained(c, v);
    if (hash_check_compared(c, index))
        snprintf(out, STATE_TEXT, "%s", suspect ? "may be wrong" : "ok");
    else
        snprintf(out, STATE_TEXT,
                 "%scompared with other shards in %" PRIu64 " of %" PRIu64 " stripes",
                 suspect ? "may be wrong, " : "", stripes->compared, shard_stripes(&c->header));
}

static void report_shard(const struct hash_check *c, const struct verdict *v, unsigned index)
{
    const struct hash_record *first = c->first[index];
    char text[STATE_TEXT];
    if (first == NULL) {
        printf("shard %03u: no hash\n", index);
        return;
    }
    shard_text(c, v, index, text);
    say_line("shard %03u: %s:%" PRIu64 ": %s", index, first->source->file, first->line, text);
}

static int report_lost(const struct hash_check *c)
{
    char stripes[TALLY_TEXT];
    tally_text(&c->lost, stripes);
    printf("NOT REPAIRABLE: %" PRIu64 " stripes have fewer than %u intact cells (stripes %s)\n",
           c->lost.count, c->header.k, stripes);
    return STATUS_LOST;
}

static int report_unhashed(const struct hash_check *c, const struct verdict *v)
{
    char stripes[TALLY_TEXT];
    tally_text(&c->unhashed, stripes);
    if (v->present < c->header.k)
        printf("TOO FEW HASHES: %u shards have one, but %u shards are needed to restore the "
               "file\n",
               v->present, c->header.k);
    else
        printf("TOO FEW HASHES: in %" PRIu64 " stripes fewer than %u shards have one "
               "(stripes %s)\n",
               c->unhashed.count, c->header.k, stripes);
    return STATUS_LOST;
}

static int report_hidden(const struct hash_check *c)
{
    char stripes[TALLY_TEXT];
    tally_text(&c->hidden, stripes);
    printf("NOT KNOWN whether it can be repaired: %" PRIu64 " stripes have fewer than %u cells "
           "that are certainly intact (stripes %s)\n"
           "hash the shards with bad cells by 'permxor hash --stripes', and check again\n",
           c->hidden.count, c->header.k, stripes);
    return STATUS_LOST;
}

static int report_disagreeing(const struct hash_check *c, const struct verdict *v)
{
    char stripes[TALLY_TEXT];
    const struct hash_level *level = telling_level(c);
    /* One shard explains everything, and no other one is bad: it can be written again. */
    const bool one = v->wrong == 1 && !is_unexplained(c, v) && !is_incomplete(v);
    if (is_unexplained(c, v))
        puts(c->header.m < 2 ? "one parity shard is too few to find the wrong shard"
                             : "more than one shard is wrong, or too few hashes are there to "
                               "find the wrong one");
    tally_text(&level->disagreeing, stripes);
    printf("%s: the shards do not belong together, although their checksums are right",
           one ? "ONE SHARD IS WRONG" : "NOT REPAIRABLE");
    if (level == &c->stripes)
        printf(" (stripes %s)", stripes);
    putchar('\n');
    if (one)
        printf("move shard %03u away; then 'permxor repair' writes it again from the others\n",
               v->last);
    return STATUS_LOST;
}

static int report_blocked(const struct hash_check *c)
{
    char stripes[TALLY_TEXT];
    tally_text(&c->blocked, stripes);
    printf("UNREADABLE: %" PRIu64 " stripes have fewer than %u cells that can be read "
           "(stripes %s)\n",
           c->blocked.count, c->header.k, stripes);
    return STATUS_SYSTEM;
}

static int report_verdict(const struct hash_check *c, const struct verdict *v)
{
    if (v->damaged)
        puts("damaged; use 'permxor repair' with all shards to heal it");
    if (v->unreadable)
        puts("read errors, but the cells may be intact");
    if (v->absent || v->partial)
        printf("incomplete: not all shards have a hash that could be compared; give the hashes "
               "of all %u shards\n",
               hash_check_size(c));
    if (v->damaged || v->absent)
        return STATUS_DAMAGE;
    if (v->unreadable)
        return STATUS_SYSTEM;
    if (v->partial)
        return STATUS_DAMAGE;
    puts("no damage");
    return STATUS_OK;
}

int hash_check_report(const struct hash_check *check, bool quiet)
{
    struct verdict v = {0};
    const bool disagreeing =
        check->stripes.disagreeing.count + check->whole.disagreeing.count > 0;
    for (unsigned i = 0; i < hash_check_size(check); i++)
        judge_shard(check, i, &v);
    if (quiet && !disagreeing && !is_incomplete(&v))
        return STATUS_OK;
    coding_say_set(&check->header);
    for (unsigned i = 0; i < hash_check_size(check); i++)
        report_shard(check, &v, i);
    int status = disagreeing ? report_disagreeing(check, &v) : STATUS_OK;
    if (check->lost.count > 0)
        status = report_lost(check);
    else if ((v.present < check->header.k && shard_stripes(&check->header) > 0) ||
             check->unhashed.count > 0)
        status = report_unhashed(check, &v);
    else if (check->hidden.count > 0)
        status = report_hidden(check);
    if (status != STATUS_OK)
        return status;
    if (check->blocked.count > 0)
        return report_blocked(check);
    return report_verdict(check, &v);
}
