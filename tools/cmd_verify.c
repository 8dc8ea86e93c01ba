/* SPDX-License-Identifier: BSD-3-Clause */
/* permxor verify: read every shard and report what is damaged. */
#include "config.h"

#include "cmd.h"
#include "message.h"
#include "pipeline.h"
#include "survey.h"

#include <inttypes.h>
#include <stdio.h>

struct verification {
    const struct options *options;
    struct shard_set set;
    struct survey survey;
};

/* ----------------------------------------------------------------- work -- */

/*
 * Checksums tell that cells are as they were written.  That what was written
 * is one code word is seen by computing parity again: from the data, of which
 * missing cells are restored first.
 */
static int compare_parity(struct verification *v, struct stripe *stripe)
{
    const uint8_t *cells[PXR_MAX_SHARDS];
    unsigned k = v->set.header.k;
    int status = shard_set_rebuild(&v->set, stripe, k, NULL);
    if (status != STATUS_OK)
        return status;
    for (unsigned i = 0; i < shard_set_size(&v->set); i++)
        cells[i] = i < k ? stripe->cell[i] : stripe->have[i];
    int result = pxr_verify(v->set.code, stripe->length, cells, NULL);
    if (result == PXR_EMISMATCH)
        survey_add_disagreeing(&v->survey, stripe);
    else if (result != PXR_OK)
        return stripe_fail(stripe, STATUS_SYSTEM, "cannot verify: %s", pxr_strerror(result));
    return STATUS_OK;
}

static int verify_stripe(void *context, struct stripe *stripe)
{
    struct verification *v = context;
    shard_set_gather(&v->set, stripe, shard_set_size(&v->set));
    survey_add(&v->survey, &v->set, stripe);
    if (v->options->deep && stripe->good >= v->set.header.k)
        return compare_parity(v, stripe);
    return STATUS_OK;
}

static int run(struct verification *v)
{
    const struct shard_header *header = &v->set.header;
    /* A header may claim any length: the work is bounded by what there is. */
    uint64_t reach = shard_set_reach(&v->set);
    struct pipeline_job job = {.verb = "verify",
                               .quiet = v->options->quiet,
                               .threads = v->options->threads,
                               .stripes = reach,
                               .total = header->length,
                               .shards = shard_set_size(&v->set),
                               .cell = shard_cell_length(header, 0),
                               .context = v,
                               .work = verify_stripe};
    int status = pipeline_run(&job);
    survey_add_rest(&v->survey, &v->set, reach);
    return status;
}

/* --------------------------------------------------------------- report -- */

static void report_set(const struct shard_header *header)
{
    char id[SHARD_ID_TEXT_SIZE];
    shard_id_text(header, id);
    printf("set %s: %u+%u %s, %" PRIu64 " bytes in %" PRIu64 " stripes\n", id, header->k,
           header->m, pxr_matrix_name(header->matrix), header->length, shard_stripes(header));
}

/* One line per shard; true when it is damaged. */
static bool report_shard(const struct verification *v, unsigned index)
{
    char flaws[FLAWS_TEXT], stripes[TALLY_TEXT];
    const struct shard_file *file = v->set.shard[index];
    const struct tally *corrupt = &v->survey.corrupt[index];
    printf("shard %03u: ", index);
    if (file == NULL) {
        puts("missing");
        return true;
    }
    flaws_text(file->flaws, flaws);
    tally_text(corrupt, stripes);
    printf("%s: ", file->path);
    if (corrupt->count > 0)
        printf("%s%s%" PRIu64 " corrupt cells (stripes %s)\n", flaws,
               file->flaws != 0 ? ", " : "", corrupt->count, stripes);
    else
        puts(file->flaws != 0 ? flaws : "ok");
    return file->flaws != 0 || corrupt->count > 0;
}

static int report_lost(const struct verification *v)
{
    char stripes[TALLY_TEXT];
    tally_text(&v->survey.lost, stripes);
    printf("NOT REPAIRABLE: %" PRIu64 " stripes have fewer than %u intact cells, one has %u "
           "(stripes %s)\n",
           v->survey.lost.count, v->set.header.k, v->survey.fewest, stripes);
    return STATUS_LOST;
}

static int report_disagreeing(const struct verification *v)
{
    char stripes[TALLY_TEXT];
    tally_text(&v->survey.disagreeing, stripes);
    printf("NOT REPAIRABLE: parity does not belong to the data, though the checksums are "
           "right (stripes %s)\n",
           stripes);
    return STATUS_LOST;
}

static int report(const struct verification *v)
{
    bool damaged = false;
    report_set(&v->set.header);
    for (unsigned i = 0; i < shard_set_size(&v->set); i++)
        damaged |= report_shard(v, i);
    if (v->survey.lost.count > 0)
        return report_lost(v);
    if (v->survey.disagreeing.count > 0)
        return report_disagreeing(v);
    puts(damaged ? "damaged, repairable: 'permxor repair' heals it" : "no damage");
    return damaged ? STATUS_DAMAGE : STATUS_OK;
}

int cmd_verify(const struct options *options)
{
    struct verification v = {.options = options};
    if (options->operand_count == 0)
        return complain(STATUS_USAGE, "verify: give the shard files, or their directory");
    survey_init(&v.survey);
    int status = shard_set_open(&v.set, options);
    if (status == STATUS_OK)
        status = run(&v);
    if (status == STATUS_OK)
        status = report(&v);
    shard_set_close(&v.set);
    return status;
}
