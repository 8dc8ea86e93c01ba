/* SPDX-License-Identifier: BSD-3-Clause */
/* permxor info: prints what this machine runs, or what shard files contain. */
#include "config.h"

#include "../perf/machine.h"
#include "attributes.h"
#include "cmd.h"
#include "coding.h"
#include "message.h"
#include "recover.h"
#include "survey.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* -------------------------------------------------------------- machine -- */

/* Returns whether some kernel set asks for this feature. */
static bool is_relevant(const char *feature)
{
    struct pxr_kernel_info row;
    size_t length = strlen(feature);
    for (unsigned i = 0; pxr_kernel_info(i, &row, sizeof row) == PXR_OK; i++)
        for (const char *need = row.needs; *need != '\0';) {
            size_t word = strcspn(need, " ");
            if (word == length && memcmp(need, feature, length) == 0)
                return true;
            need += word + strspn(need + word, " ");
        }
    return false;
}

static void print_features(void)
{
    /* The names of the list of features on x86, arm64 and s390x.  Other architectures have no
       list. */
    static const char *const keys[] = {"flags", "Features", "features"};
    char features[8192], *rest = NULL;
    size_t i = 0;
    while (i < sizeof keys / sizeof keys[0] &&
           !machine_cpuinfo(keys[i], features, sizeof features))
        i++;
    if (i == sizeof keys / sizeof keys[0])
        return;
    printf("features ");
    for (char *f = strtok_r(features, " ", &rest); f != NULL; f = strtok_r(NULL, " ", &rest))
        if (is_relevant(f))
            printf(" %s", f);
    printf("\n");
}

static void print_tune_file(const struct pxr_tune_info *tune)
{
    say_line("tune file %s", tune->path != NULL ? tune->path : tune->default_path);
    printf("          %s\n", tune->state);
}

/* The column in which the reasons begin, counted from the first letter of a name. */
#define REASONS_AT 48

/* Prints the record.  When neighbours have the same reason, it is printed once. */
static void print_record(const struct pxr_tune_info *tune)
{
    struct pxr_tune_setting row;
    char told[sizeof row.reason] = "";
    printf("machine   rules for %s: %s\n", tune->family, tune->evidence);
    for (unsigned i = 0; pxr_tune_setting(i, &row, sizeof row) == PXR_OK; i++) {
        const bool again = strcmp(row.reason, told) == 0;
        printf("          %s = %s%*s%s\n", row.name, row.value,
               again ? 0 : REASONS_AT - (int)(strlen(row.name) + strlen(row.value)), "",
               again ? "" : row.reason);
        strcpy(told, row.reason);
    }
}

static void print_machine(void)
{
    struct pxr_kernel_info row;
    struct pxr_tune_info tune;
    pxr_tune_info(&tune, sizeof tune);
    printf("permxor   %s (library %s)\n", PACKAGE_VERSION, pxr_version());
    printf("cpu       %s\n", tune.cpu[0] != '\0' ? tune.cpu : "unknown");
    print_features();
    printf("kernels   %-14s %-10s %s\n", "set", "here", "needs");
    for (unsigned i = 0; pxr_kernel_info(i, &row, sizeof row) == PXR_OK; i++)
        printf("          %-14s %-10s %s\n", row.name,
               row.selected ? "selected"
               : row.usable ? "usable"
                            : "-",
               row.needs);
    printf("reason    %s\n", pxr_kernel_reason());
    print_tune_file(&tune);
    print_record(&tune);
}

/* --------------------------------------------------------------- shards -- */

static void print_shard(const struct shard_file *file)
{
    char id[SHARD_ID_TEXT_SIZE], name[SHARD_NAME_TEXT_SIZE], flaws[FLAWS_TEXT];
    char code[CODING_TEXT];
    const struct shard_header *h = &file->header;
    shard_id_text(h, id);
    shard_name_text(h, name);
    flaws_text(file->flaws, flaws);
    coding_text(h, code);
    say_line("%s:", file->path);
    printf("  set       %s\n", id);
    say_line("  file      %s (%" PRIu64 " bytes)", name, h->length);
    printf("  format    %u\n", h->format);
    printf("  shard     %u of %u: %s\n", h->index, h->k + h->m,
           h->index < h->k ? "data" : "parity");
    printf("  code      %s\n", code);
    printf("  stripes   %" PRIu64 " with cells of %" PRIu32 " bytes\n", shard_stripes(h),
           h->cell);
    attributes_print(h);
    printf("  state     %s\n", file->flaws != 0 ? flaws : "header and trailer intact");
}

static int print_shards(const struct shard_list *list)
{
    size_t usable = 0, flawed = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (!list->files[i].usable)
            continue;
        print_shard(&list->files[i]);
        usable++;
        flawed += list->files[i].flaws != 0;
    }
    if (usable == 0)
        return shard_list_useless(list);
    return usable < list->count || flawed > 0 ? STATUS_DAMAGE : STATUS_OK;
}

int cmd_info(const struct options *options)
{
    struct shard_list list;
    if (options->operand_count == 0) {
        print_machine();
        return STATUS_OK;
    }
    int status = shard_list_scan(&list, options->operands, options->operand_count);
    shard_list_unlock(&list); /* the reader of the printed text may take long */
    shard_list_tell(&list);
    recover_mention(&list);
    if (status == STATUS_OK)
        status = print_shards(&list);
    shard_list_free(&list);
    return status;
}
