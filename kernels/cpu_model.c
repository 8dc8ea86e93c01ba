/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the model of CPU that /proc/cpuinfo describes.  Lines that depend on the machine's
 * state, its serial number or the kernel's version are left out, so that a reboot does not make
 * it look like another CPU.
 */
#include <stdio.h>
#include <string.h>

#include "tune.h"

/* The lines that tell models apart, on any architecture.  Keys that are absent are skipped.
   `after`: the value begins behind this mark. */
static const struct field {
    const char *key, *after;
} fields[] = {
    /* x86 */
    {"vendor_id", ""},
    {"cpu family", ""},
    {"model", ""},
    {"stepping", ""},
    {"model name", ""},
    /* arm64 */
    {"CPU implementer", ""},
    {"CPU architecture", ""},
    {"CPU variant", ""},
    {"CPU part", ""},
    {"CPU revision", ""},
    /* ppc64 */
    {"cpu", ""},
    {"revision", ""},
    /* s390x: "version = FF,  identification = SERIAL,  machine = 8561" */
    {"processor 0", "machine = "},
    /* loongarch64 */
    {"CPU Family", ""},
    {"Model Name", ""},
    {"CPU Revision", ""},
    /* riscv64; isa comes last because it is long */
    {"mvendorid", ""},
    {"marchid", ""},
    {"mimpid", ""},
    {"uarch", ""},
    {"isa", ""},
};

static size_t line_length(const char *line)
{
    return strcspn(line, "\n");
}

static const char *next_line(const char *line)
{
    line += line_length(line);
    return *line ? line + 1 : line;
}

/* The lines of the first processor end at an empty line. loongarch64 also has an empty line
   before them. */
static const char *first_processor_end(const char *text)
{
    bool inside = false;
    for (; *text && !(inside && line_length(text) == 0); text = next_line(text))
        inside |= strncmp(text, "processor", strlen("processor")) == 0;
    return text;
}

/* Returns whether the line "KEY : VALUE" has this key. */
static bool has_key(const char *line, const char *colon, const char *key)
{
    while (colon > line && (colon[-1] == ' ' || colon[-1] == '\t'))
        colon--;
    return (size_t)(colon - line) == strlen(key) && memcmp(line, key, strlen(key)) == 0;
}

struct span {
    const char *start;
    size_t length;
};

/* Returns the field's value in a line, without the blanks around it; empty when the line is
   another one. */
static struct span value_in_line(const char *line, const struct field *field)
{
    const char *end = line + line_length(line), *colon = line + strcspn(line, ":\n");
    if (colon == end || !has_key(line, colon, field->key))
        return (struct span){line, 0};
    const char *start = colon + 1, *mark = strstr(start, field->after);
    if (!mark || mark >= end)
        return (struct span){line, 0};
    start = mark + strlen(field->after);
    while (start < end && (*start == ' ' || *start == '\t'))
        start++;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    return (struct span){start, (size_t)(end - start)};
}

/* Appends "; KEY VALUE" as far as there is room. */
static void add(char model[PXR_CPU_MODEL], const char *key, struct span value)
{
    size_t used = strlen(model);
    snprintf(model + used, PXR_CPU_MODEL - used, "%s%s %.*s", used ? "; " : "", key,
             (int)value.length, value.start);
}

void pxr_cpu_model(const char *cpuinfo, char model[PXR_CPU_MODEL])
{
    const char *end = first_processor_end(cpuinfo);
    model[0] = '\0';
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        struct span value = {cpuinfo, 0};
        for (const char *line = cpuinfo; line < end && !value.length; line = next_line(line))
            value = value_in_line(line, &fields[i]);
        if (value.length)
            add(model, fields[i].key, value);
    }
    size_t length = strlen(model);
    for (size_t i = 0; i < length; i++)
        if (model[i] < ' ' || model[i] > '~')
            model[i] = '?';
    /* A line of the tune file does not end in a blank, so a cut text must not end in one. */
    while (length > 0 && model[length - 1] == ' ')
        model[--length] = '\0';
}
