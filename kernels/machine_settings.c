/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of the machine record as text that people read and edit. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "machine.h"

static const char *const works[PXR_WORKS] = {
    [PXR_WORK_DOT] = "dot",
    [PXR_WORK_DOT_WIDE] = "dot-wide",
    [PXR_WORK_ONE] = "one",
    [PXR_WORK_ONE_WIDE] = "one-wide",
    [PXR_WORK_P] = "p",
    [PXR_WORK_P_WIDE] = "p-wide",
    [PXR_WORK_PQ] = "pq",
    [PXR_WORK_PQ_WIDE] = "pq-wide",
    [PXR_WORK_STRUCTURED] = "structured",
    [PXR_WORK_STRUCTURED_WIDE] = "structured-wide",
    [PXR_WORK_UPDATE] = "update",
    [PXR_WORK_STEPS] = "steps",
};

static const char *const places[PXR_PLACES] = {
    [PXR_PLACE_L1] = "l1",         [PXR_PLACE_SHORT] = "short",
    [PXR_PLACE_OWN] = "own",       [PXR_PLACE_UNALIGNED] = "unaligned",
    [PXR_PLACE_SHARED] = "shared", [PXR_PLACE_MEMORY] = "memory",
};

/* The bounds keep sums and products of a few values from overflowing, and keep a typing error
   from being taken for a cache size. */
static const struct number {
    const char *name;
    size_t least, most;
} numbers[PXR_SET_WAYS] = {
    [PXR_SET_L1] = {"l1", 1 << 10, 1 << 30},
    [PXR_SET_OWN] = {"own", 1 << 10, 1 << 30},
    [PXR_SET_SHARED] = {"shared", 1 << 10, 1 << 30},
    [PXR_SET_AHEAD_FROM] = {"ahead-from", 0, 1 << 30},
    [PXR_SET_WIDE_FROM] = {"wide-from", 1, 1 << 30},
    [PXR_SET_FAR_WIDE_FROM] = {"far-wide-from", 1, 1 << 30},
    [PXR_SET_FEW_SOURCES] = {"few-sources", 0, 1 << 30},
    [PXR_SET_CROWD_FROM] = {"crowd-from", 2, PXR_NEVER},
    [PXR_SET_PIECE] = {"piece", 1 << 10, 1 << 30},
    [PXR_SET_GROUPS_FROM] = {"groups-from", 0, 1 << 30},
    [PXR_SET_LOOK_FROM] = {"look-from", 1 << 10, PXR_NEVER},
    [PXR_SET_LOOK_OUTPUTS] = {"look-outputs", 1 << 10, PXR_NEVER},
    [PXR_SET_FAR] = {"far", 0, 1 << 30},
};

/* The words of a way.  Each is a flag, or a number up to `most`, which is a power of two. */
static const struct word {
    const char *name;
    unsigned shift, most; /* where the number stands; 0, 0: a flag */
    uint32_t flag;
} words[] = {
    {"sources", 8, 64, 0},
    {"outputs", 16, 64, 0},
    {"groups", 24, PXR_MOST_OF_GROUP, 0},
    {"into-l2", 0, 0, PXR_AHEAD_L2},
    {"stream", 0, 0, PXR_STREAM},
    {"by-matrix", 0, 0, PXR_BY_MATRIX},
    {"small-blocks", 0, 0, PXR_SMALL_BLOCKS},
    {"downwards", 0, 0, PXR_DOWNWARDS},
};
#define WORDS (sizeof words / sizeof words[0])
_Static_assert(PXR_AHEAD_SOURCES(1) == 1 << 8 && PXR_AHEAD_OUTPUTS(1) == 1 << 16 &&
                   PXR_IN_GROUPS(1) == 1 << 24,
               "where the numbers stand");

/* -------------------------------------------------------------- reading -- */

/* The rest of a line. */
struct rest {
    const char *at, *end;
};

/* Takes the next word.  A word ends at a blank or at '='; '=' is a word by itself.  An empty
   word means the end. */
static struct rest take_word(struct rest *rest)
{
    while (rest->at < rest->end && *rest->at == ' ')
        rest->at++;
    struct rest word = {rest->at, rest->at};
    while (word.end < rest->end && *word.end != ' ' && *word.end != '=')
        word.end++;
    if (word.end == word.at && word.end < rest->end)
        word.end++;
    rest->at = word.end;
    return word;
}

static bool is(struct rest word, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(word.end - word.at) == length && memcmp(word.at, text, length) == 0;
}

/* Takes digits, with K or M behind them, whose value is at most `most`. */
static bool take_number(struct rest word, size_t most, size_t *value)
{
    size_t number = 0;
    if (word.at == word.end)
        return false;
    const char unit = word.end[-1];
    const unsigned shift = unit == 'K' ? 10 : unit == 'M' ? 20 : 0;
    const size_t limit = most >> shift;
    word.end -= shift != 0;
    if (word.at == word.end)
        return false;
    for (; word.at < word.end; word.at++) {
        if (*word.at < '0' || *word.at > '9')
            return false;
        const size_t digit = (size_t)(*word.at - '0');
        if (digit > limit || number > (limit - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    *value = number << shift;
    return true;
}

/* Takes one word of a way, and the number that follows it. */
static bool add_word(struct rest word, struct rest *rest, size_t *way, unsigned *seen)
{
    size_t number;
    for (unsigned i = 0; i < WORDS; i++) {
        if (!is(word, words[i].name) || *seen & 1u << i)
            continue;
        *seen |= 1u << i;
        *way |= words[i].flag;
        if (words[i].shift == 0)
            return true;
        if (!take_number(take_word(rest), words[i].most, &number))
            return false;
        *way |= number << words[i].shift;
        return true;
    }
    return false;
}

static bool take_way(struct rest *rest, size_t *way)
{
    unsigned seen = 0;
    struct rest word = take_word(rest);
    *way = 0;
    if (is(word, "none"))
        return true;
    do {
        if (!add_word(word, rest, way, &seen))
            return false;
        word = take_word(rest);
    } while (word.at < word.end);
    return true;
}

/* Returns the index of the word among `count` names, or count if it is none of them. */
static unsigned find(struct rest word, const char *const *names, unsigned count)
{
    unsigned i = 0;
    while (i < count && !is(word, names[i]))
        i++;
    return i;
}

/* Returns the setting that the line names, or PXR_SETTINGS if it names none. */
static unsigned take_name(struct rest *rest)
{
    const struct rest word = take_word(rest);
    if (is(word, "way")) {
        const unsigned work = find(take_word(rest), works, PXR_WORKS);
        const unsigned place = find(take_word(rest), places, PXR_PLACES);
        return work < PXR_WORKS && place < PXR_PLACES ? PXR_SET_WAY(work, place) : PXR_SETTINGS;
    }
    for (unsigned i = 0; i < PXR_SET_WAYS; i++)
        if (is(word, numbers[i].name))
            return i;
    return PXR_SETTINGS;
}

static bool take_value(unsigned index, struct rest *rest, size_t *value)
{
    if (index >= PXR_SET_WAYS)
        return take_way(rest, value);
    return take_number(take_word(rest), numbers[index].most, value) &&
           *value >= numbers[index].least;
}

bool pxr_settings_take(struct pxr_settings *settings, const char *line, size_t length)
{
    struct rest rest = {line, line + length};
    const unsigned index = take_name(&rest);
    size_t value;
    if (index == PXR_SETTINGS || settings->wanted[index] || !is(take_word(&rest), "=") ||
        !take_value(index, &rest, &value) || !is(take_word(&rest), ""))
        return false;
    settings->wanted[index] = true;
    settings->value[index] = value;
    return true;
}

/* -------------------------------------------------------------- writing -- */

void pxr_setting_name(unsigned index, char *text, size_t size)
{
    const unsigned way = index - PXR_SET_WAYS;
    if (index < PXR_SET_WAYS)
        snprintf(text, size, "%s", numbers[index].name);
    else
        snprintf(text, size, "way %s %s", works[way / PXR_PLACES], places[way % PXR_PLACES]);
}

static void write_way(uint32_t way, char *text, size_t size)
{
    size_t used = 0;
    for (unsigned i = 0; i < WORDS && used < size; i++) {
        const unsigned mask = words[i].shift ? 2 * words[i].most - 1 : 0;
        const unsigned number = way >> words[i].shift & mask;
        const char *const blank = used ? " " : "";
        if (number)
            used += (size_t)snprintf(text + used, size - used, "%s%s %u", blank, words[i].name,
                                     number);
        else if (way & words[i].flag)
            used += (size_t)snprintf(text + used, size - used, "%s%s", blank, words[i].name);
    }
}

void pxr_setting_value(unsigned index, size_t value, char *text, size_t size)
{
    if (index < PXR_SET_WAYS)
        snprintf(text, size, "%zu", value);
    else if (value == 0)
        snprintf(text, size, "none");
    else
        write_way((uint32_t)value, text, size);
}

/* ------------------------------------------------------------- applying -- */

void pxr_settings_apply(const struct pxr_settings *settings, struct pxr_record *record,
                        enum pxr_origin origin)
{
    for (unsigned i = 0; i < PXR_SETTINGS; i++)
        if (settings->wanted[i]) {
            record->value[i] = settings->value[i];
            record->origin[i] = (unsigned char)origin;
        }
    if (settings->wanted[PXR_SET_OWN] && !settings->wanted[PXR_SET_PIECE] &&
        record->origin[PXR_SET_PIECE] == PXR_ORIGIN_FAMILY)
        record->value[PXR_SET_PIECE] = PXR_PIECE_OF(settings->value[PXR_SET_OWN]);
}
