/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the tune file: when the library is loaded, in pxr_kernel_select(NULL) and in
 * pxr_tune_info().  Nothing is allocated and no lock is taken.
 */
#include "config.h"

#include "tune.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hand_over.h"
#include "permxor.h"
#include "registry.h"

static const char magic[] = "permxor-tune ";
static const char version_1[] = "1", version_2[] = "2";

/* ---------------------------------------------------------------- states -- */

static const struct state_text {
    const char *state, *reason;
} texts[PXR_TUNE_STATES] = {
#define IGNORED(why)                                                        \
    {                                                                       \
        "ignored: " why, PXR_REASON_BEST "; the tune file is ignored: " why \
    }
    [PXR_TUNE_USED] = {"used", "the tune file names it"},
    [PXR_TUNE_OFF] = {"turned off: PERMXOR_TUNE is empty", PXR_REASON_BEST},
    [PXR_TUNE_NONE] = {"none", PXR_REASON_BEST},
    [PXR_TUNE_MISSING] = IGNORED("it does not exist"),
    [PXR_TUNE_UNREADABLE] = IGNORED("it cannot be read"),
    [PXR_TUNE_LINK] =
        IGNORED("it is a symbolic link, and there is no /proc, which is needed to follow it"),
    [PXR_TUNE_NOT_REGULAR] = IGNORED("it is not a regular file"),
    [PXR_TUNE_OWNER] = IGNORED("its owner is neither root nor the effective user"),
    [PXR_TUNE_WRITABLE] = IGNORED("its group or other users may write to it"),
    [PXR_TUNE_TOO_LONG] = IGNORED("it is longer than 16 KiB"),
    [PXR_TUNE_VERSION] = IGNORED("this version of the library does not know its format"),
    [PXR_TUNE_MALFORMED] = IGNORED("it is malformed"),
    [PXR_TUNE_NO_MODEL] = IGNORED("the system does not report the CPU model"),
    [PXR_TUNE_OTHER_CPU] = IGNORED("it was made on another CPU model"),
    [PXR_TUNE_UNKNOWN_SET] = IGNORED("it names a kernel set that this library does not have"),
    [PXR_TUNE_UNUSABLE_SET] = IGNORED("it names a kernel set that this CPU cannot run"),
#undef IGNORED
};

/* --------------------------------------------------------------- parsing -- */

struct line {
    const char *text;
    size_t length;
};

/* Takes the next line off the text, without its newline.  Returns false when there is no
   complete and printable line. */
static bool take_line(const char **text, const char *end, struct line *line)
{
    const char *newline = memchr(*text, '\n', (size_t)(end - *text));
    if (!newline)
        return false;
    *line = (struct line){*text, (size_t)(newline - *text)};
    *text = newline + 1;
    for (size_t i = 0; i < line->length; i++)
        if (line->text[i] < ' ' || line->text[i] > '~')
            return false;
    return true;
}

static bool skip(struct line *line, const char *start)
{
    size_t length = strlen(start);
    if (line->length < length || memcmp(line->text, start, length) != 0)
        return false;
    line->text += length;
    line->length -= length;
    return true;
}

/* Keeps a value, which must appear only once, not be empty, and fit. */
static bool keep(char *value, size_t size, const struct line *line)
{
    if (value[0] != '\0' || line->length == 0 || line->length >= size)
        return false;
    memcpy(value, line->text, line->length);
    value[line->length] = '\0';
    return true;
}

static bool parse_line(struct line line, bool with_settings, struct pxr_tune_text *what)
{
    if (line.length == 0 || line.text[0] == '#')
        return true;
    if (skip(&line, "cpu = "))
        return keep(what->cpu, sizeof what->cpu, &line);
    if (skip(&line, "kernels = "))
        return keep(what->kernels, sizeof what->kernels, &line);
    return with_settings && pxr_settings_take(&what->settings, line.text, line.length);
}

static bool is(const struct line *line, const char *text)
{
    return line->length == strlen(text) && memcmp(line->text, text, line->length) == 0;
}

enum pxr_tune_state pxr_tune_parse(const char *text, size_t length, struct pxr_tune_text *what)
{
    const char *end = text + length;
    struct line line;
    memset(what, 0, sizeof *what);
    if (!take_line(&text, end, &line) || !skip(&line, magic))
        return PXR_TUNE_MALFORMED;
    const bool with_settings = is(&line, version_2);
    if (!with_settings && !is(&line, version_1))
        return PXR_TUNE_VERSION;
    while (text < end)
        if (!take_line(&text, end, &line) || !parse_line(line, with_settings, what))
            return PXR_TUNE_MALFORMED;
    return what->cpu[0] && (with_settings || what->kernels[0]) ? PXR_TUNE_USED
                                                               : PXR_TUNE_MALFORMED;
}

/* --------------------------------------------------------------- reading -- */

/* Reads up to `size` bytes.  Returns -1 on an error. */
static ssize_t read_up_to(int fd, char *bytes, size_t size)
{
    size_t used = 0;
    while (used < size) {
        const ssize_t got = read(fd, bytes + used, size - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        used += (size_t)got;
    }
    return (ssize_t)used;
}

/* Whoever can change this file chooses the code that runs here: only among the sets of this
   library, but it could be a slow one. */
static enum pxr_tune_state judge_file(const struct stat *file)
{
    if (!S_ISREG(file->st_mode))
        return PXR_TUNE_NOT_REGULAR;
    if (file->st_uid != 0 && file->st_uid != geteuid())
        return PXR_TUNE_OWNER;
    if (file->st_mode & (S_IWGRP | S_IWOTH))
        return PXR_TUNE_WRITABLE;
    return file->st_size > PXR_TUNE_BYTES ? PXR_TUNE_TOO_LONG : PXR_TUNE_USED;
}

static enum pxr_tune_state read_descriptor(int fd, struct pxr_tune_text *what)
{
    char text[PXR_TUNE_BYTES + 1];
    struct stat file;
    if (fstat(fd, &file) != 0)
        return PXR_TUNE_UNREADABLE;
    const enum pxr_tune_state state = judge_file(&file);
    if (state != PXR_TUNE_USED)
        return state;
    const ssize_t length = read_up_to(fd, text, sizeof text);
    if (length < 0)
        return PXR_TUNE_UNREADABLE;
    return length > PXR_TUNE_BYTES ? PXR_TUNE_TOO_LONG
                                   : pxr_tune_parse(text, (size_t)length, what);
}

/* These flags avoid waiting at a pipe, and getting a controlling terminal. */
#define OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

/*
 * Opens the file that a link leads to.  Opening a device may do something to the device, so a
 * link that somebody put here must not have it opened.  O_PATH only finds the file.  When the
 * file is seen to be a regular one, it is opened by the descriptor, and not by the path once
 * more.  Returns -1 when the file is not there or must not be opened.
 */
static int open_linked(const char *path, enum pxr_tune_state *state)
{
    int fd = -1;
#ifdef O_PATH
    char self[32];
    struct stat file;
    const int found = open(path, O_PATH | O_CLOEXEC);
    if (found < 0) {
        *state = errno == ENOENT || errno == ENOTDIR ? PXR_TUNE_MISSING : PXR_TUNE_UNREADABLE;
        return -1;
    }
    *state = fstat(found, &file) != 0 ? PXR_TUNE_UNREADABLE
             : !S_ISREG(file.st_mode) ? PXR_TUNE_NOT_REGULAR
                                      : PXR_TUNE_LINK;
    if (*state == PXR_TUNE_LINK) {
        snprintf(self, sizeof self, "/proc/self/fd/%d", found);
        fd = open(self, OPEN_FLAGS);
        if (fd < 0 && errno != ENOENT)
            *state = PXR_TUNE_UNREADABLE;
    }
    close(found);
#else
    (void)path;
    *state = PXR_TUNE_LINK;
#endif
    return fd;
}

static enum pxr_tune_state read_file(const char *path, struct pxr_tune_text *what)
{
    enum pxr_tune_state state = PXR_TUNE_UNREADABLE;
    int fd = open(path, OPEN_FLAGS | O_NOFOLLOW);
    if (fd < 0 && errno == ELOOP)
        fd = open_linked(path, &state);
    else if (fd < 0)
        state = errno == ENOENT || errno == ENOTDIR ? PXR_TUNE_MISSING : PXR_TUNE_UNREADABLE;
    if (fd < 0)
        return state;
    state = read_descriptor(fd, what);
    close(fd);
    return state;
}

/* Finds the model of the CPU that this code runs on.  It is empty when the system does not
   tell. */
static void this_cpu_model(char model[PXR_CPU_MODEL])
{
    /* The lines that tell the model are at the beginning of the file. */
    char text[4096];
    ssize_t length = -1;
    const int fd = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        length = read_up_to(fd, text, sizeof text - 1);
        close(fd);
    }
    text[length > 0 ? length : 0] = '\0';
    pxr_cpu_model(text, model);
}

/* Takes what the file says, if the file is for this CPU. */
static enum pxr_tune_state take_text(const struct pxr_tune_text *what, struct pxr_tune *tune)
{
    char model[PXR_CPU_MODEL];
    this_cpu_model(model);
    if (model[0] == '\0')
        return PXR_TUNE_NO_MODEL;
    if (strcmp(model, what->cpu) != 0)
        return PXR_TUNE_OTHER_CPU;
    const struct pxr_kernels *found = pxr_kernels_find(what->kernels);
    if (what->kernels[0] && !found)
        return PXR_TUNE_UNKNOWN_SET;
    if (found && !pxr_kernels_usable(found))
        return PXR_TUNE_UNUSABLE_SET;
    tune->kernels = found;
    tune->settings = what->settings;
    return PXR_TUNE_USED;
}

const char *pxr_environment(const char *name)
{
#if defined(HAVE_SECURE_GETENV)
    return secure_getenv(name);
#elif defined(HAVE_ISSETUGID)
    return issetugid() ? NULL : getenv(name);
#else
    (void)name;
    return NULL;
#endif
}

static enum pxr_tune_state look(struct pxr_tune *tune)
{
    struct pxr_tune_text what;
    if (!tune->path)
        return PXR_TUNE_OFF;
    const enum pxr_tune_state state = read_file(tune->path, &what);
    if (state == PXR_TUNE_MISSING && !tune->named)
        return PXR_TUNE_NONE;
    return state == PXR_TUNE_USED ? take_text(&what, tune) : state;
}

struct pxr_tune pxr_tune_read(void)
{
    const int error = errno;
    const char *named = pxr_environment("PERMXOR_TUNE");
    struct pxr_tune tune = {.path = PXR_TUNE_FILE};
    if (named)
        tune.named = tune.path = *named ? named : NULL;
    tune.state = look(&tune);
    tune.reason = texts[tune.state].reason;
    tune.what = texts[tune.state].state;
    if (tune.state == PXR_TUNE_USED && !tune.kernels)
        tune.reason = PXR_REASON_BEST "; the tune file names no set";
    errno = error;
    return tune;
}

int pxr_tune_info(struct pxr_tune_info *info, size_t size)
{
    if (!info)
        return PXR_EINVAL;
    const int error = errno;
    const struct pxr_tune tune = pxr_tune_read();
    const struct pxr_record record = pxr_record_of_this_machine();
    struct pxr_tune_info found = {.path = tune.path,
                                  .default_path = PXR_TUNE_FILE,
                                  .state = tune.what,
                                  .used = tune.state == PXR_TUNE_USED,
                                  .family = record.family->name,
                                  .evidence = record.family->evidence};
    _Static_assert(sizeof found.cpu == PXR_CPU_MODEL, "permxor.h says how long a model is");
    this_cpu_model(found.cpu);
    PXR_HAND_OVER(info, size, found, used);
    errno = error;
    return PXR_OK;
}
