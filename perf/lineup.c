/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "lineup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "permxor.h"
#include "setting.h"

_Static_assert(LINEUP_MOST <= ENGINE_MAX_SUBJECTS, "all can be measured together");

/* The value of a macro that stands for a number, as text. */
#define TEXT_OF(x) #x
#define TEXT(macro) TEXT_OF(macro)

const char out_of_memory[] = "out of memory";

/* Writes to standard error what is wrong with a subject.  Returns false. */
static bool wrong(const char *subject, const char *what)
{
    fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, subject, what);
    return false;
}

/* ----------------------------------------------------------- command line -- */

/* The parts of a word.  Only the settings and the suffix are terminated. */
struct parts {
    /* each but the path may be NULL: it is missing */
    const char *name, *path, *set, *settings, *suffix;
    size_t name_length, path_length, set_length;
};

/* Take what follows the last such sign in the file's own name, and end the path before the
   sign. */
static const char *take_ending(struct parts *p, int sign)
{
    const char *at = strrchr(p->path, sign);
    if (at == NULL || strchr(at, '/') != NULL)
        return NULL;
    p->path_length = (size_t)(at - p->path);
    return at + 1;
}

/* A '=', '@' or ':' among the folders of a path does not separate parts, and neither does a '='
   of a setting, which follows a comma. */
static struct parts take_apart(const char *word)
{
    struct parts p = {.path = word};
    const char *equals = strchr(word, '='), *settings = word + strcspn(word, "@");
    settings += strcspn(settings, ",");
    if (equals != NULL && equals < word + strcspn(word, "/") && equals < settings) {
        p.name = word;
        p.name_length = (size_t)(equals - word);
        p.path = equals + 1;
    }
    p.path_length = strlen(p.path);
    p.set = take_ending(&p, '@');
    if (p.set == NULL) {
        p.suffix = take_ending(&p, ':');
    } else {
        p.set_length = strcspn(p.set, ",");
        p.settings = p.set[p.set_length] == ',' ? p.set + p.set_length + 1 : NULL;
    }
    return p;
}

/* The default name is the path without its folders, and the set or suffix. */
static void take_default_name(struct parts *p)
{
    p->name = p->path;
    p->name_length = strlen(p->path);
    for (size_t i = 0; i < p->path_length; i++)
        if (p->path[i] == '/') {
            p->name = p->path + i + 1;
            p->name_length = strlen(p->name);
        }
}

/* Names are limited because they stand in a CSV file and in lists. */
static bool take_name(struct entry *entry, const char *word, const struct parts *p)
{
    if (p->name_length == 0 || p->name_length >= sizeof(entry->name))
        return wrong(word, "a name has 1 to " TEXT(
                               LINEUP_LONGEST_NAME) " characters; use NAME=PATH to give one");
    memcpy(entry->name, p->name, p->name_length);
    if (strpbrk(entry->name, ",\"\n") != NULL)
        return wrong(
            word,
            "a name must not contain commas, quotes or line ends; use NAME=PATH to give one");
    return true;
}

static bool take_suffix(struct entry *entry, const char *word, const struct parts *p)
{
    if (p->suffix == NULL)
        return true;
    if (*p->suffix == '\0' || strlen(p->suffix) >= sizeof(entry->suffix))
        return wrong(word, "this is not a suffix of function names");
    strcpy(entry->suffix, p->suffix);
    return true;
}

/* A comma between settings becomes a line end. */
static bool take_set(struct entry *entry, const char *word, const struct parts *p)
{
    if (p->set == NULL)
        return true;
    if ((p->set_length == 0 && p->settings == NULL) || p->set_length >= sizeof(entry->set))
        return wrong(word, "there is no kernel set of this name");
    memcpy(entry->set, p->set, p->set_length);
    if (p->settings == NULL)
        return true;
    if (strlen(p->settings) >= sizeof(entry->settings))
        return wrong(word, "too many settings");
    strcpy(entry->settings, p->settings);
    for (char *c = entry->settings; *c != '\0'; c++)
        *c = *c == ',' ? '\n' : *c;
    return true;
}

/* ---------------------------------------------------------------- opening -- */

static bool same_file(const struct entry *a, const struct entry *b)
{
    return a->library.base == b->library.base;
}

static bool names_differ(const struct lineup *lineup)
{
    for (size_t i = 0; i < lineup->count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(lineup->entry[i].name, lineup->entry[j].name) == 0)
                return wrong(lineup->entry[i].name,
                             "two subjects have this name; use NAME=PATH to give another one");
    return true;
}

/* Returns whether some subject of the entry's file has a set, or settings.  Then an entry
   without a set must restore the library's own choice, which another entry changed, and an
   entry without settings must restore the library's own settings. */
static bool is_changed(const struct lineup *lineup, const struct entry *entry, bool by_settings)
{
    for (size_t i = 0; i < lineup->count; i++) {
        const struct entry *other = &lineup->entry[i];
        if (same_file(other, entry) && *(by_settings ? other->settings : other->set) != '\0')
            return true;
    }
    return false;
}

const char *selected_set(kernel_info_fn *info)
{
    struct pxr_kernel_info row;
    for (unsigned i = 0; info(i, &row, sizeof row) == PXR_OK; i++)
        if (row.selected)
            return row.name;
    return NULL;
}

/* The name of the library's own choice.  To select it by name takes 20 ns; NULL selects it too,
   but takes 230 ns because it looks at the environment. */
static const char *own_choice(const struct entry *entry)
{
    kernel_info_fn *info;
    library_lookup(&entry->library, "pxr_kernel_info", "", &info);
    entry->select(NULL);
    return info != NULL ? selected_set(info) : NULL;
}

static bool find_selection(const struct lineup *lineup, struct entry *entry)
{
    if (!is_changed(lineup, entry, false))
        return true;
    library_lookup(&entry->library, "pxr_kernel_select", "", &entry->select);
    if (entry->select == NULL)
        return wrong(entry->library.path, "has no pxr_kernel_select(), which @SET needs");
    entry->selection = *entry->set != '\0' ? entry->set : own_choice(entry);
    if (entry->select(entry->selection) != PXR_OK)
        return wrong(entry->name, "the library has no such kernel set, or this CPU cannot "
                                  "run it");
    return true;
}

static bool find_settings(const struct lineup *lineup, struct entry *entry)
{
    if (!is_changed(lineup, entry, true))
        return true;
    library_lookup(&entry->library, "pxr_tune_apply", "", &entry->apply);
    if (entry->apply == NULL)
        return wrong(entry->library.path, "has no pxr_tune_apply(), which settings need");
    if (entry->apply(entry->settings) != PXR_OK)
        return wrong(entry->name, "the library knows no such setting");
    return true;
}

static bool open_entry(struct entry *entry, const char *word)
{
    struct parts p = take_apart(word);
    char path[PATH_MAX];
    if (p.name == NULL)
        take_default_name(&p);
    if (p.path_length == 0)
        return wrong(word, "names no library ([NAME=]PATH[@SET|:SUFFIX])");
    if (!take_name(entry, word, &p) || !take_set(entry, word, &p) ||
        !take_suffix(entry, word, &p))
        return false;
    snprintf(path, sizeof(path), "%.*s", (int)p.path_length, p.path);
    return library_open(&entry->library, path);
}

static bool take_word(struct lineup *lineup, const char *word)
{
    if (lineup->count == LINEUP_MOST)
        return wrong("subjects", "at most " TEXT(LINEUP_MOST) " are possible");
    struct entry *entry = &lineup->entry[lineup->count];
    *entry = (struct entry){.name = ""};
    if (!open_entry(entry, word))
        return false;
    lineup->count++;
    return true;
}

/* Put an entry for each set that runs here in place of the last entry, which stands for all
   sets of its library.  The entries have the names of the sets. */
static bool take_all_sets(struct lineup *lineup)
{
    struct entry all = lineup->entry[--lineup->count];
    struct pxr_kernel_info row;
    kernel_info_fn *info;
    bool taken = *all.settings == '\0' || wrong(all.name, "@all takes no settings");
    library_lookup(&all.library, "pxr_kernel_info", "", &info);
    if (info == NULL)
        taken = wrong(all.library.path, "has no pxr_kernel_info(), which @all needs");
    for (unsigned i = 0; taken && info(i, &row, sizeof row) == PXR_OK; i++) {
        char word[PATH_MAX + 2 * LINEUP_LONGEST_NAME];
        snprintf(word, sizeof word, "%s=%s@%s", row.name, all.library.path, row.name);
        taken = !row.usable || take_word(lineup, word);
    }
    library_close(&all.library);
    return taken;
}

static bool open_all(struct lineup *lineup, char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!take_word(lineup, words[i]))
            return false;
        if (strcmp(lineup->entry[lineup->count - 1].set, "all") == 0 && !take_all_sets(lineup))
            return false;
    }
    if (!names_differ(lineup))
        return false;
    for (size_t i = 0; i < lineup->count; i++)
        if (!find_selection(lineup, &lineup->entry[i]) ||
            !find_settings(lineup, &lineup->entry[i]))
            return false;
    return true;
}

bool lineup_open(struct lineup *lineup, char *const *words, size_t count)
{
    *lineup = (struct lineup){.count = 0};
    if (open_all(lineup, words, count))
        return true;
    lineup_close(lineup);
    return false;
}

void lineup_close(struct lineup *lineup)
{
    for (size_t i = 0; i < lineup->count; i++)
        library_close(&lineup->entry[i].library);
    lineup->count = 0;
}

/* -------------------------------------------------------------------- use -- */

static const struct entry *earlier(const struct lineup *lineup, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (same_file(&lineup->entry[j], &lineup->entry[i]))
            return &lineup->entry[j];
    return NULL;
}

void lineup_describe(const struct lineup *lineup)
{
    for (size_t i = 0; i < lineup->count; i++) {
        const struct entry *e = &lineup->entry[i], *same = earlier(lineup, i);
        printf("%s: %s (%s", e->name, e->library.path, e->library.version);
        if (*e->set != '\0')
            printf(", kernel set %s", e->set);
        for (const char *line = e->settings; *line != '\0';) {
            const size_t length = strcspn(line, "\n");
            printf(", %.*s", (int)length, line);
            line += length + (line[length] == '\n');
        }
        if (*e->suffix != '\0')
            printf(", functions called _%s", e->suffix);
        if (same != NULL)
            printf(", the same file as %s", same->name);
        printf(")%s\n", i == 0 ? ": the reference" : "");
    }
    if (getenv("PERMXOR_KERNELS") != NULL)
        printf("PERMXOR_KERNELS=%s (permxor's own functions use it)\n",
               getenv("PERMXOR_KERNELS"));
}

const char *entry_refuses(const struct entry *entry, const char *suffix)
{
    if (*suffix != '\0' && *entry->set != '\0')
        return "functions of one instruction set cannot be combined with @SET";
    if (*suffix != '\0' && *entry->suffix != '\0' && strcmp(suffix, entry->suffix) != 0)
        return "it is limited to functions of another instruction set";
    return NULL;
}

const char *entry_suffix(const struct entry *entry, const char *suffix)
{
    return *entry->suffix != '\0' ? entry->suffix : suffix;
}

const char *lineup_variant(const struct lineup *lineup, const char *suffix)
{
    const char *common = suffix;
    for (size_t i = 0; i < lineup->count && *suffix == '\0'; i++) {
        const struct entry *e = &lineup->entry[i];
        const char *own = *e->set != '\0' ? e->set : e->suffix;
        if (i > 0 && strcmp(own, common) != 0)
            return "dispatched";
        common = own;
    }
    return *common != '\0' ? common : "dispatched";
}

void entry_select(const struct entry *entry)
{
    if (entry->select != NULL)
        entry->select(entry->selection);
    if (entry->apply != NULL)
        entry->apply(entry->settings);
}
