/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "request.h"

#include "remote.h"
#include "report.h"
#include "server.h"
#include "why.h"

#include <inttypes.h>
#include <string.h>

enum arguments { NOTHING, MEMBER, MEMBER_AND_PATH, PATH, MEMBER_OR_PATH, LIMITS };

struct order {
    struct host *host;
    unsigned role;
    const char *path;
    struct core_limits limits;
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

static int add(const struct order *order, struct pxr_error *why)
{
    return ok(order, host_add(order->host, order->path, false, why));
}

static int add_force(const struct order *order, struct pxr_error *why)
{
    return ok(order, host_add(order->host, order->path, true, why));
}

static int remove_one(const struct order *order, struct pxr_error *why)
{
    return ok(order, order->path != NULL ? host_remove_file(order->host, order->path, why)
                                         : host_remove(order->host, order->role, why));
}

/* What a scrub leaves. */
static const char *verdict_on(const struct core_status *found)
{
    return found->scrub_lost > 0                                            ? "lost"
           : found->scrub_bad + found->scrub_parity > found->scrub_repaired ? "damaged"
                                                                            : "ok";
}

static int scrub_with(const struct order *order, bool repair, struct pxr_error *why)
{
    struct core_status found;
    const int status = host_scrub(order->host, repair, &found, why);
    if (status == PXR_OK)
        fprintf(order->answer,
                "%s\n%" PRIu64 " rows, %" PRIu64 " bad blocks, %" PRIu64
                " wrong blocks of parity, %" PRIu64 " repaired, %" PRIu64 " rows lost\n",
                verdict_on(&found), found.scrub_rows, found.scrub_bad, found.scrub_parity,
                found.scrub_repaired, found.scrub_lost);
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

static int limit(const struct order *order, struct pxr_error *why)
{
    return ok(order, host_limit(order->host, &order->limits, why));
}

static const struct word {
    const char *name;
    enum arguments arguments;
    int (*run)(const struct order *order, struct pxr_error *why);
} words[] = {
    {"status", NOTHING, status_text},
    {"status-json", NOTHING, status_json},
    {"status-metrics", NOTHING, status_metrics},
    {"fail", MEMBER, fail},
    {"add", PATH, add},
    {"add-force", PATH, add_force},
    {"remove", MEMBER_OR_PATH, remove_one},
    {"re-add", MEMBER_AND_PATH, readd},
    {"replace", MEMBER_AND_PATH, replace},
    {"replace-force", MEMBER_AND_PATH, replace_force},
    {"scrub", NOTHING, scrub},
    {"scrub-repair", NOTHING, scrub_repair},
    {"limits", LIMITS, limit},
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

/* A number of at most nine digits. */
static bool parse_number(const char *text, uint64_t most, uint64_t *number)
{
    const size_t length = strlen(text);
    *number = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        *number = 10 * *number + (uint64_t)(text[i] - '0');
    }
    return length >= 1 && length <= 9 && *number <= most;
}

static int other_arguments(const struct word *word, struct pxr_error *why)
{
    return pxa_because(why, PXR_EINVAL, "%s needs other arguments", word->name);
}

static bool names_file(const char *text)
{
    return text[0] == '/' || remote_is_uri(text);
}

static int parse_member(const struct word *word, char *text, struct order *order,
                        struct pxr_error *why)
{
    uint64_t role;
    char *path = cut(text);
    if ((path != NULL) != (word->arguments == MEMBER_AND_PATH))
        return other_arguments(word, why);
    if (!parse_number(text, PXA_MAX_MEMBERS - 1, &role))
        return pxa_because(why, PXR_EINVAL, "a member must be a number from 0 to %d",
                           PXA_MAX_MEMBERS - 1);
    if (path != NULL && !names_file(path))
        return pxa_because(why, PXR_EINVAL,
                           "the path of a member must begin with a slash, or be a URI of NBD");
    order->role = (unsigned)role;
    order->path = path;
    return PXR_OK;
}

static int parse_path(const char *text, struct order *order, struct pxr_error *why)
{
    if (!names_file(text))
        return pxa_because(why, PXR_EINVAL,
                           "the path of a spare must begin with a slash, or be a URI of NBD");
    order->path = text;
    return PXR_OK;
}

static int parse_limits(const struct word *word, char *least, struct order *order,
                        struct pxr_error *why)
{
    struct core_limits *limits = &order->limits;
    char *most = cut(least);
    char *latency = most != NULL ? cut(most) : NULL;
    if (latency == NULL)
        return other_arguments(word, why);
    if (!parse_number(least, SERVER_MOST_RATE, &limits->least) ||
        !parse_number(most, SERVER_MOST_RATE, &limits->most) ||
        !parse_number(latency, SERVER_MOST_LATENCY, &limits->latency))
        return pxa_because(why, PXR_EINVAL,
                           "a rate must be a number up to %d, and a latency one up to %d",
                           SERVER_MOST_RATE, SERVER_MOST_LATENCY);
    limits->least <<= 20;
    limits->most <<= 20;
    limits->latency *= 1000;
    return PXR_OK;
}

static int run_word(const struct word *word, char *rest, struct order *order,
                    struct pxr_error *why)
{
    if ((rest != NULL) != (word->arguments != NOTHING))
        return other_arguments(word, why);
    int status = PXR_OK;
    if (word->arguments == LIMITS)
        status = parse_limits(word, rest, order, why);
    else if (word->arguments == PATH || (word->arguments == MEMBER_OR_PATH && names_file(rest)))
        status = parse_path(rest, order, why);
    else if (word->arguments != NOTHING)
        status = parse_member(word, rest, order, why);
    return status == PXR_OK ? word->run(order, why) : status;
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
