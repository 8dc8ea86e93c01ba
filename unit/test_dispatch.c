/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The choice of a kernel set.  The library makes it when it is loaded, and it depends on the
 * environment with which the process was started. pxr_kernel_select(NULL) makes the choice
 * anew, by the same function.  So each case asks a child process, which first changes its
 * environment and calls pxr_kernel_select(NULL).
 */
#include "config.h"

#include "check.h"
#include "cpu.h"
#include "dispatch.h"
#include "kernels.h"
#include "permxor.h"
#include "registry.h"
#include "tune_file.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 8

/* What a child reports: the set's name, the reason for it, and what it wrote to stderr. */
struct answer {
    char name[64], reason[256], errors[512];
    int status;
};

/* The child's PERMXOR_TUNE.  It names a file only in the cases about tune files. */
static const char *tune_file = "";

/* What a child does.  The result is the child's exit status. */
typedef int ask_fn(void);

static void read_all(int fd, char *text, size_t size)
{
    size_t used = 0;
    ssize_t got;
    while (used < size - 1 && (got = read(fd, text + used, size - 1 - used)) > 0)
        used += (size_t)got;
    text[used] = '\0';
    close(fd);
}

/* Makes a pipe, or ends the program. */
static void make_pipe(int ends[2])
{
    if (pipe(ends) != 0) {
        perror("pipe");
        exit(2);
    }
}

static void in_child(const char *forced, ask_fn *ask, int out, int errors)
{
    dup2(errors, STDERR_FILENO);
    if (forced != NULL)
        setenv("PERMXOR_KERNELS", forced, 1);
    else
        unsetenv("PERMXOR_KERNELS");
    setenv("PERMXOR_TUNE", tune_file, 1);
    const int status = pxr_kernel_select(NULL) != PXR_OK ? 99 : ask();
    dprintf(out, "%s\n%s\n", pxr_kernels()->name, pxr_kernel_reason());
    exit(status); /* not _exit, which would lose coverage counts */
}

static struct answer ask_child(const char *forced, ask_fn *ask)
{
    struct answer answer = {0};
    int out[2], errors[2], status;
    char text[512];
    make_pipe(out);
    make_pipe(errors);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        in_child(forced, ask, out[1], errors[1]);
    close(out[1]);
    close(errors[1]);
    read_all(out[0], text, sizeof text);
    read_all(errors[0], answer.errors, sizeof answer.errors);
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
        answer.status = -1;
        return answer;
    }
    answer.status = WEXITSTATUS(status);
    sscanf(text, "%63[^\n]\n%255[^\n]", answer.name, answer.reason);
    return answer;
}

/* ------------------------------------------------------------- children -- */

static int ask_once(void)
{
    return pxr_kernels() == NULL;
}

/* Asking again gives the same answer, and no further message. */
static int ask_often(void)
{
    const struct pxr_kernels *first = pxr_kernels();
    for (int i = 0; i < 100; i++)
        if (pxr_kernels() != first)
            return 1;
    return 0;
}

static pthread_barrier_t barrier;

static void *ask_at_once(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&barrier);
    return (void *)(uintptr_t)pxr_kernels();
}

/* Threads that ask at the same time get the same answer. */
static int ask_threads(void)
{
    pthread_t threads[THREADS];
    int differing = 0;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, ask_at_once, NULL) != 0)
            return 2;
    for (int i = 0; i < THREADS; i++) {
        void *answer;
        pthread_join(threads[i], &answer);
        differing += answer != (const void *)pxr_kernels();
    }
    return differing;
}

/* The constructor of another library may call before this library's constructor has run.  Then
   the CPU alone decides.  The environment does not: here it names base. */
static int ask_early_threads(void)
{
    setenv("PERMXOR_KERNELS", "base", 1);
    atomic_store(&pxr_chosen_kernels, NULL);
    return ask_threads();
}

/* Selects each set by name.  The last row is base, which every machine can run. */
static int ask_select(void)
{
    const struct pxr_kernels *first = pxr_kernels();
    if (pxr_kernel_select("no-such-set") != PXR_EINVAL || pxr_kernel_select("") != PXR_EINVAL)
        return 1;
    for (unsigned row = 0; pxr_registry[row] != NULL; row++) {
        const struct pxr_kernels *before = pxr_kernels(), *set = pxr_registry[row];
        const bool usable = pxr_kernels_usable(set);
        if (pxr_kernel_select(set->name) != (usable ? PXR_OK : PXR_EUNUSABLE))
            return 2;
        if (pxr_kernels() != (usable ? set : before))
            return 3;
    }
    if (pxr_kernels() != &pxr_kernels_base ||
        strstr(pxr_kernel_reason(), "pxr_kernel_select") == NULL)
        return 4;
    if (pxr_kernel_select(NULL) != PXR_OK || pxr_kernels() != first)
        return 5;
    return strstr(pxr_kernel_reason(), "pxr_kernel_select") != NULL ? 6 : 0;
}

/* Selects a set before anything else is asked. */
static int ask_select_first(void)
{
    return pxr_kernel_select("base") != PXR_OK || pxr_kernels() != &pxr_kernels_base ||
           pxr_kernel_select(NULL) != PXR_OK || pxr_kernel_select(NULL) != PXR_OK;
}

static void *select_often(void *name)
{
    intptr_t wrong = 0;
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 1000; i++) {
        wrong += pxr_kernel_select(name) != PXR_OK;
        wrong += !pxr_kernels_usable(pxr_kernels());
        wrong += pxr_kernel_reason()[0] == '\0';
    }
    return (void *)wrong;
}

/* Some threads select sets while others make their first call. */
static int ask_select_threads(void)
{
    static char base[] = "base";
    pthread_t threads[THREADS];
    intptr_t wrong = 0;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, i % 2 ? ask_at_once : select_often,
                           i % 4 ? NULL : base) != 0)
            return 2;
    for (int i = 0; i < THREADS; i++) {
        void *answer;
        pthread_join(threads[i], &answer);
        wrong += i % 2 ? answer == NULL : (intptr_t)answer;
    }
    return wrong != 0 || pxr_kernel_select(NULL) != PXR_OK;
}

/* pxr_kernel_info() says the same as the registry, and marks one set as selected. */
static int ask_info(void)
{
    struct pxr_kernel_info info;
    unsigned row = 0, selected = 0;
    for (; pxr_registry[row] != NULL; row++) {
        if (pxr_kernel_info(row, &info, sizeof info) != PXR_OK)
            return 1;
        if (strcmp(info.name, pxr_registry[row]->name) != 0 ||
            strcmp(info.needs, pxr_registry[row]->needs) != 0)
            return 2;
        if (!info.usable != !pxr_kernels_usable(pxr_registry[row]))
            return 3;
        if (!info.selected != (pxr_registry[row] != pxr_kernels()))
            return 4;
        selected += info.selected != 0;
    }
    if (selected != 1)
        return 5;
    if (pxr_kernel_info(row, &info, sizeof info) != PXR_EINVAL ||
        pxr_kernel_info(row + 1, &info, sizeof info) != PXR_EINVAL ||
        pxr_kernel_info(~0u, &info, sizeof info) != PXR_EINVAL ||
        pxr_kernel_info(0, NULL, 0) != PXR_EINVAL)
        return 6;
    return 0;
}

/* ---------------------------------------------------------------- cases -- */

/* The name of the first set that requires and prefers no feature that the CPU lacks. */
static const char *best_name(void)
{
    const uint32_t cpu = pxr_cpu_detect();
    unsigned row = 0;
    while ((pxr_registry[row]->requires | pxr_registry[row]->prefers) & ~cpu)
        row++;
    return pxr_registry[row]->name;
}

static void test_free_choice(const char *title, const char *forced, ask_fn *ask)
{
    if (!check_case("%s", title))
        return;
    const struct answer answer = ask_child(forced, ask);
    CHECK_INT(answer.status, 0);
    CHECK_STR(answer.name, best_name());
    CHECK_STR(answer.errors, "");
    CHECK(answer.reason[0] != '\0');
}

/* The named set is used, and there is no message. */
static void test_forced(const char *name)
{
    if (!check_case("forced %s", name))
        return;
    const struct answer answer = ask_child(name, ask_info);
    CHECK_INT(answer.status, 0);
    CHECK_STR(answer.name, name);
    CHECK_STR(answer.errors, "");
    CHECK(strstr(answer.reason, "PERMXOR_KERNELS") != NULL);
}

/* The message is one line.  It names what was asked for and what is used instead. */
static void check_refusal(const struct answer *answer, const char *asked, const char *reason)
{
    CHECK_INT(answer->status, 0);
    CHECK_STR(answer->name, best_name());
    CHECK(strstr(answer->errors, asked) != NULL);
    CHECK(strstr(answer->errors, best_name()) != NULL);
    const char *newline = strchr(answer->errors, '\n');
    CHECK(newline != NULL && newline[1] == '\0');
    CHECK(strstr(answer->reason, reason) != NULL);
}

static void test_refused(const char *title, const char *forced, ask_fn *ask)
{
    if (!check_case("%s", title))
        return;
    const struct answer answer = ask_child(forced, ask);
    check_refusal(&answer, forced, "PERMXOR_KERNELS");
}

static void test_refused_tune_file(const char *title, const char *path, ask_fn *ask)
{
    if (!check_case("%s", title))
        return;
    const struct answer answer = ask_child(NULL, ask);
    check_refusal(&answer, path, "ignored");
}

/* A tune file is used without a message.  PERMXOR_KERNELS takes precedence, even with a wrong
   name.  A tune file that is refused is reported once. */
static void test_tune_file(const char *path)
{
    struct pxr_tune_info info;
    if (pxr_tune_info(&info, sizeof info) != PXR_OK || info.cpu[0] == '\0') {
        check_skip("tune file", "/proc/cpuinfo does not name the CPU's model");
        return;
    }
    tune_file = path;
    if (check_case("tune file")) {
        CHECK(tune_file_write(info.cpu, "base", 0644));
        const struct answer answer = ask_child(NULL, ask_info);
        CHECK_INT(answer.status, 0);
        CHECK_STR(answer.name, "base");
        CHECK_STR(answer.errors, "");
        CHECK_STR(answer.reason, "the tune file names it");
    }
    tune_file_write(info.cpu, "base", 0644);
    test_free_choice("forced, with a tune file", best_name(), ask_often);
    test_refused("unknown name, with a tune file", "no-such-set", ask_often);
    if (check_case("select, with a tune file"))
        CHECK_STR(ask_child(NULL, ask_select).name, "base");
    tune_file_write(info.cpu, "base", 0666);
    test_refused_tune_file("tune file refused", path, ask_often);
    test_refused_tune_file("tune file refused, from threads", path, ask_threads);
    test_refused_tune_file("tune file refused, select", path, ask_select_first);
    unlink(path);
    test_refused_tune_file("tune file missing", path, ask_once);
    tune_file = "";
}

/* What kernels.h promises about every set, whether or not this machine can run it. */
static void test_registry(void)
{
    if (!check_case("registry"))
        return;
    const struct pxr_kernels *last = NULL;
    for (unsigned row = 0; pxr_registry[row] != NULL; row++) {
        const struct pxr_kernels *set = last = pxr_registry[row];
        check_at("registry row %ld", row, 0, 0, 0);
        for (unsigned other = 0; other < row; other++)
            CHECK(strcmp(set->name, pxr_registry[other]->name) != 0);
        CHECK(set->step > 0);
        CHECK(set->needs != NULL && (set->requires != 0) == (set->needs[0] != '\0'));
        for (unsigned generals = 0; generals < PXR_MAX_ROWS; generals++)
            CHECK(set->dot[PXR_SPECIAL_NONE][generals + 1] != NULL &&
                  set->dot[PXR_SPECIAL_P][generals] != NULL &&
                  set->mad[PXR_SPECIAL_NONE][generals + 1] != NULL &&
                  set->add[generals + 1] != NULL);
        CHECK(set->dot[PXR_SPECIAL_PQ][0] != NULL && set->mad[PXR_SPECIAL_P][1] != NULL &&
              set->check[PXR_SPECIAL_P] != NULL && set->check[PXR_SPECIAL_PQ] != NULL &&
              set->plain_one != NULL && set->add_one != NULL && set->adler32 != NULL);
        CHECK(pxr_kernels_usable(pxr_kernels_at_most(set->name)));
        if (pxr_kernels_usable(set))
            CHECK(pxr_kernels_at_most(set->name) == set);
    }
    if (CHECK(last != NULL)) {
        CHECK_STR(last->name, "base");
        CHECK(pxr_kernels_usable(last));
    }
}

int main(int argc, char **argv)
{
    check_start("test_dispatch", argc, argv);
    test_registry();
    test_free_choice("unforced", NULL, ask_once);
    test_free_choice("forced to an empty name", "", ask_often);
    test_free_choice("from threads", NULL, ask_threads);
    test_free_choice("from threads, before the constructor", NULL, ask_early_threads);
    test_free_choice("pxr_kernel_info", NULL, ask_info);
    test_free_choice("pxr_kernel_select", NULL, ask_select);
    test_free_choice("pxr_kernel_select first", NULL, ask_select_first);
    test_free_choice("pxr_kernel_select from threads", NULL, ask_select_threads);
    test_refused("unknown name, then pxr_kernel_select", "no-such-set", ask_select_first);
    test_refused("unknown name", "no-such-set", ask_often);
    test_refused("unknown name, from threads", "no-such-set", ask_threads);
    test_refused("part of a name", "bas", ask_once);
    for (unsigned row = 0; pxr_registry[row] != NULL; row++) {
        const char *name = pxr_registry[row]->name;
        char title[96];
        if (pxr_kernels_usable(pxr_registry[row])) {
            test_forced(name);
            continue;
        }
        snprintf(title, sizeof title, "unusable %s", name);
        test_refused(title, name, ask_once);
    }
    test_tune_file(tune_file_begin());
    tune_file_end();
    return check_finish();
}
