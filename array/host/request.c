/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "request.h"

#include "report.h"
#include "why.h"

#include <inttypes.h>
#include <string.h>

struct order {
    struct host *host;
    unsigned role;
    const char *path;
    FILE *answer;
};

static int answer_status(const struct order *order,
                         void (*report)(FILE *file, const struct host_status *status),
                         struct pxr_error *why)
{
    struct host_status status;
    const int result = host_status(order->host, &status);
    if (result != PXR_OK)
        return pxa_because(why, result, "there is not enough memory");
    fputs("ok\n", order->answer);
    report(order->answer, &status);
    host_status_free(&status);
    return PXR_OK;
}

static int status_text(const struct order *order, struct pxr_error *why)
{
    return answer_status(order, report_text, why);
}

static int status_json(const struct order *order, struct pxr_error *why)
{
    return answer_status(order, report_json, why);
}

static int status_metrics(const struct order *order, struct pxr_error *why)
{
    return answer_status(order, report_metrics, why);
}

static int ok(const struct order *order, int status)
{
    if (status == PXR_OK)
        fputs("ok\n", order->answer);
    return status;
}

static int fail(const struct order *order, struct pxr_error *why)
{
    return ok(order, host_fail(order->host, order->role, why));
}

static int readd(const struct order *order, struct pxr_error *why)
{
    return ok(order, host_readd(order->host, order->role, order->path, why));
}

static int replace(const struct order *order, struct pxr_error *why)
{
    return ok(order, host_replace(order->host, order->role, order->path, false, why));
}

static int replace_force(const struct order *order, struct pxr_error *why)
{
    return ok(order, host_replace(order->host, order->role, order->path, true, why));
}

static int scrub_with(const struct order *order, bool repair, struct pxr_error *why)
{
    struct core_status found;
    const int status = ok(order, host_scrub(order->host, repair, &found, why));
    if (status == PXR_OK)
        fprintf(order->answer,
                "%" PRIu64 " rows, %" PRIu64 " bad blocks, %" PRIu64
                " wrong blocks of parity, %" PRIu64 " repaired, %" PRIu64 " rows lost\n",
                found.scrub_rows, found.scrub_bad, found.scrub_parity, found.scrub_repaired,
                found.scrub_lost);
    return status;
}

static int scrub(const struct order *order, struct pxr_error *why)
{
    return scrub_with(order, false, why);
}

static int scrub_repair(const struct order *order, struct pxr_error *why)
{
    return scrub_with(order, true, why);
}

static const struct word {
    const char *name;
    bool has_role, has_path;
    int (*run)(const struct order *order, struct pxr_error *why);
} words[] = {
    {"status", false, false, status_text},
    {"status-json", false, false, status_json},
    {"status-metrics", false, false, status_metrics},
    {"fail", true, false, fail},
    {"re-add", true, true, readd},
    {"replace", true, true, replace},
    {"replace-force", true, true, replace_force},
    {"scrub", false, false, scrub},
    {"scrub-repair", false, false, scrub_repair},
};

/* Cuts the next word off a line.  Returns what is behind it, or NULL. */
static char *cut(char *line)
{
    char *blank = strchr(line, ' ');
    if (blank == NULL)
        return NULL;
    *blank = 0;
    return blank + 1;
}

/* A number of a member: one or two digits. */
static bool parse_role(const char *text, unsigned *role)
{
    const size_t length = strlen(text);
    *role = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        *role = 10 * *role + (unsigned)(text[i] - '0');
    }
    return length >= 1 && length <= 2 && *role < PXA_MAX_MEMBERS;
}

static int run_word(const struct word *word, char *rest, struct order *order,
                    struct pxr_error *why)
{
    char *path = rest != NULL && word->has_role ? cut(rest) : NULL;
    if ((rest != NULL) != word->has_role || (path != NULL) != word->has_path)
        return pxa_because(why, PXR_EINVAL, "%s has other arguments", word->name);
    if (word->has_role && !parse_role(rest, &order->role))
        return pxa_because(why, PXR_EINVAL, "a member is a number from 0 to %d",
                           PXA_MAX_MEMBERS - 1);
    if (word->has_path && path[0] != '/')
        return pxa_because(why, PXR_EINVAL, "the path of a member begins with a slash");
    order->path = path;
    return word->run(order, why);
}

void request_answer(struct host *host, char *line, FILE *answer)
{
    struct order order = {.host = host, .answer = answer};
    struct pxr_error why = {"the request is not known"};
    char *rest = cut(line);
    int status = PXR_EINVAL;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(line, words[i].name) == 0)
            status = run_word(&words[i], rest, &order, &why);
    if (status != PXR_OK)
        fprintf(answer, "error %d %s\n", status, why.text);
}
