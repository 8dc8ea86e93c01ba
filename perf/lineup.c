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

/* Take what follows the last such sign in a file's name, and end the name before the sign.
   Returns "" where there is no such sign. */
static char *take_ending(char *file, int sign, bool *found)
{
    char *const at = strrchr(file, sign);
    *found = at != NULL;
    if (at == NULL)
        return file + strlen(file);
    *at = '\0';
    return at + 1;
}

/* Take a kernel set and the settings behind it.  A comma between settings becomes a line end.
 */
static void take_settings(struct entry *entry, char *set)
{
    entry->set = set;
    set += strcspn(set, ",");
    if (*set == '\0')
        return;
    *set++ = '\0';
    entry->settings = set;
    while ((set = strchr(set, ',')) != NULL)
        *set = '\n';
}

/* Names are limited because they stand in a CSV file and in lists. */
static bool is_name(const char *word, const char *name)
{
    if (*name == '\0' || strlen(name) > LINEUP_LONGEST_NAME)
        return wrong(word, "a name has 1 to " TEXT(
                               LINEUP_LONGEST_NAME) " characters; use NAME=PATH to give one");
    if (strpbrk(name, ",\"\n") != NULL)
        return wrong(
            word,
            "a name must not contain commas, quotes or line ends; use NAME=PATH to give one");
    return true;
}

/*
 * Take a word apart.  A '=', '@' or ':' among the folders of a path does not separate parts,
 * and neither does a '=' of a setting, which follows a comma.  Returns the path, or NULL with a
 * message.
 */
static const char *take_apart(struct entry *entry, const char *word)
{
    char *path = entry->copy, *const equals = strchr(path, '=');
    const char *settings = path + strcspn(path, "@");
    settings += strcspn(settings, ",");
    if (equals != NULL && equals < path + strcspn(path, "/") && equals < settings) {
        *equals = '\0';
        path = equals + 1;
    }
    char *const slash = strrchr(path, '/'), *const file = slash != NULL ? slash + 1 : path;
    bool has_set, has_suffix = false;
    char *const set = take_ending(file, '@', &has_set);
    entry->suffix = has_set ? "" : take_ending(file, ':', &has_suffix);
    take_settings(entry, set);
    /* The default name is the path without its folders, and the set or suffix. */
    entry->name = path > entry->copy ? entry->copy : word + (file - entry->copy);
    if (*path == '\0')
        wrong(word, "names no library ([NAME=]PATH[@SET|:SUFFIX])");
    else if (has_set && *entry->set == '\0' && *entry->settings == '\0')
        wrong(word, "there is no kernel set of this name");
    else if (has_suffix && *entry->suffix == '\0')
        wrong(word, "this is not a suffix of function names");
    else if (is_name(word, entry->name))
        return path;
    return NULL;
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

static bool take_word(struct lineup *lineup, const char *word)
{
    if (lineup->count == LINEUP_MOST)
        return wrong("subjects", "at most " TEXT(LINEUP_MOST) " are possible");
    struct entry *entry = &lineup->entry[lineup->count++];
    *entry = (struct entry){.copy = strdup(word), .settings = ""};
    if (entry->copy == NULL)
        return wrong(word, out_of_memory);
    const char *path = take_apart(entry, word);
    return path != NULL && library_open(&entry->library, path);
}

static void close_entry(struct entry *entry)
{
    library_close(&entry->library);
    free(entry->copy);
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
    close_entry(&all);
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
        close_entry(&lineup->entry[i]);
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

const char *lineup_variant(const struct lineup *lineup)
{
    const char *common = "";
    for (size_t i = 0; i < lineup->count; i++) {
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
    static const struct entry *current;
    if (entry == current)
        return;
    current = entry;
    if (entry->select != NULL)
        entry->select(entry->selection);
    if (entry->apply != NULL)
        entry->apply(entry->settings);
}
