/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "machine.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cpu.h"
#include "hand_over.h"
#include "permxor.h"

#define SYSFS "/sys/devices/system/cpu/cpu0"

#ifdef PXR_ARCH_PORTABLE
void pxr_cpu_identify(struct pxr_core *core)
{
    *core = (struct pxr_core){.maker = PXR_MAKER_UNKNOWN};
}
#endif

/* Returns whether everything is known that must be.  There need not be a third level. */
static bool complete(const struct pxr_core *core)
{
    return core->cache[PXR_L1].bytes && core->cache[PXR_L2].bytes;
}

struct pxr_record pxr_record_of_this_machine(void)
{
    const int error = errno;
    struct pxr_core core;
    pxr_cpu_identify(&core);
    if (!complete(&core))
        pxr_core_ask_sysfs(&core, SYSFS);
    if (!complete(&core))
        pxr_core_ask_sysconf(&core);
    errno = error;
    return pxr_record_of(&core);
}

/* --------------------------------------------------------- publication -- */

#define LOAD(from) __atomic_load_n(&(from), __ATOMIC_RELAXED)
#define STORE(to, value) __atomic_store_n(&(to), value, __ATOMIC_RELAXED)

/* What pxr_tune_apply() goes back to, and where the values in use come from. */
static struct pxr_record chosen = {.family = NULL};
static unsigned char origins[PXR_SETTINGS];

static size_t *number(unsigned i)
{
    static size_t *const numbers[PXR_SET_WAYS] = {
        [PXR_SET_L1] = &pxr_machine.l1_bytes,
        [PXR_SET_OWN] = &pxr_machine.own_bytes,
        [PXR_SET_SHARED] = &pxr_machine.shared_bytes,
        [PXR_SET_AHEAD_FROM] = &pxr_machine.ahead_from,
        [PXR_SET_WIDE_FROM] = &pxr_machine.wide_from,
        [PXR_SET_FAR_WIDE_FROM] = &pxr_machine.far_wide_from,
        [PXR_SET_FEW_SOURCES] = &pxr_machine.few_sources,
        [PXR_SET_CROWD_FROM] = &pxr_machine.crowd_from,
        [PXR_SET_PIECE] = &pxr_machine.piece_bytes,
        [PXR_SET_GROUPS_FROM] = &pxr_machine.groups_from,
        [PXR_SET_LOOK_FROM] = &pxr_machine.look_from,
        [PXR_SET_LOOK_OUTPUTS] = &pxr_machine.look_outputs,
        [PXR_SET_FAR] = &pxr_machine.far_ticks,
    };
    return numbers[i];
}

static uint32_t *way(unsigned i)
{
    return &pxr_machine.way[(i - PXR_SET_WAYS) / PXR_PLACES][(i - PXR_SET_WAYS) % PXR_PLACES];
}

static size_t value_in_use(unsigned i)
{
    return i < PXR_SET_WAYS ? LOAD(*number(i)) : LOAD(*way(i));
}

static void use(const struct pxr_record *record)
{
    for (unsigned i = 0; i < PXR_SETTINGS; i++) {
        if (i < PXR_SET_WAYS)
            STORE(*number(i), record->value[i]);
        else
            STORE(*way(i), (uint32_t)record->value[i]);
        STORE(origins[i], record->origin[i]);
    }
}

void pxr_record_publish(const struct pxr_record *record)
{
    for (unsigned i = 0; i < PXR_SETTINGS; i++) {
        STORE(chosen.value[i], record->value[i]);
        STORE(chosen.origin[i], record->origin[i]);
    }
    for (unsigned level = 0; level < PXR_LEVELS; level++)
        STORE(chosen.told[level], record->told[level]);
    __atomic_store_n(&chosen.family, record->family, __ATOMIC_RELEASE);
    use(record);
}

/* Returns the record as it was published, or before that, the values that the library begins
   with. */
static struct pxr_record chosen_record(void)
{
    struct pxr_record record = {.family = __atomic_load_n(&chosen.family, __ATOMIC_ACQUIRE)};
    for (unsigned i = 0; i < PXR_SETTINGS; i++) {
        record.value[i] = record.family ? LOAD(chosen.value[i]) : value_in_use(i);
        record.origin[i] = LOAD(chosen.origin[i]);
    }
    return record;
}

/* --------------------------------------------------------------- public -- */

static bool take_lines(struct pxr_settings *settings, const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, "\n"), blanks = strspn(text, " ");
        if (blanks < length && text[blanks] != '#' &&
            !pxr_settings_take(settings, text, length))
            return false;
        text += length + (text[length] == '\n');
    }
    return true;
}

int pxr_tune_apply(const char *text)
{
    struct pxr_settings settings = {.wanted = {false}};
    struct pxr_record record = chosen_record();
    if (text && !take_lines(&settings, text))
        return PXR_EINVAL;
    pxr_settings_apply(&settings, &record, PXR_ORIGIN_PROGRAM);
    use(&record);
    return PXR_OK;
}

static const char *const tellers[] = {
    [PXR_ORIGIN_NOBODY] = "a guess: the system does not report it",
    [PXR_ORIGIN_CPUID_4] = "cpuid leaf 4",
    [PXR_ORIGIN_CPUID_8000001D] = "cpuid leaf 0x8000001d",
    [PXR_ORIGIN_SYSFS] = "sysfs",
    [PXR_ORIGIN_SYSCONF] = "the C library",
    [PXR_ORIGIN_FAMILY] = "the rules",
    [PXR_ORIGIN_FILE] = "the tune file",
    [PXR_ORIGIN_PROGRAM] = "pxr_tune_apply()",
};

static void write_reason(unsigned index, char *text, size_t size)
{
    const struct pxr_family *family = LOAD(chosen.family);
    const unsigned origin = LOAD(origins[index]);
    const size_t told = index < PXR_LEVELS ? LOAD(chosen.told[index]) : 0;
    if (origin == PXR_ORIGIN_FAMILY && index == PXR_SET_PIECE)
        snprintf(text, size, "half of the value of own");
    else if (origin == PXR_ORIGIN_FAMILY && family)
        snprintf(text, size, "%s: %s", family->name, family->evidence);
    else if (origin < PXR_ORIGIN_FAMILY && told && family)
        snprintf(text, size, "%s reports %zu, which is more than a core of %s has",
                 tellers[origin], told, family->name);
    else
        snprintf(text, size, "%s", tellers[origin]);
}

int pxr_tune_setting(unsigned index, struct pxr_tune_setting *setting, size_t size)
{
    if (!setting || index >= PXR_SETTINGS)
        return PXR_EINVAL;
    struct pxr_tune_setting found = {.name = ""};
    pxr_setting_name(index, found.name, sizeof found.name);
    pxr_setting_value(index, value_in_use(index), found.value, sizeof found.value);
    write_reason(index, found.reason, sizeof found.reason);
    PXR_HAND_OVER(setting, size, found, reason);
    return PXR_OK;
}
