/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tune file: which lines of /proc/cpuinfo name a model of CPU, which files are tune files,
 * and which files are read at all.
 */
#include "config.h"

#include "check.h"
#include "kernels.h"
#include "permxor.h"
#include "registry.h"
#include "tune.h"
#include "tune_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -------------------------------------------------------------- CPU model -- */

/* Written for this test, in the form of each architecture's /proc/cpuinfo. */
static const struct sample {
    const char *arch, *text, *model;
} samples[] = {
    {"x86",
     "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n"
     "model name\t: Intel(R) Xeon(R) Gold  Example @ 2.00GHz\nstepping\t: 4\n"
     "microcode\t: 0x2006e05\ncpu MHz\t\t: 2000.012\nflags\t\t: fpu avx2\n\n"
     "processor\t: 1\nvendor_id\t: Another\n",
     "vendor_id GenuineIntel; cpu family 6; model 85; stepping 4; "
     "model name Intel(R) Xeon(R) Gold  Example @ 2.00GHz"},
    {"arm64",
     "processor\t: 0\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd sha3 sve sve2\n"
     "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x1\n"
     "CPU part\t: 0xd40\nCPU revision\t: 1\n\n"
     "processor\t: 1\nCPU part\t: 0xd41\n",
     "CPU implementer 0x41; CPU architecture 8; CPU variant 0x1; CPU part 0xd40; "
     "CPU revision 1"},
    {"ppc64",
     "processor\t: 0\ncpu\t\t: POWER9 (architected), altivec supported\n"
     "clock\t\t: 2500.000000MHz\nrevision\t: 2.2 (pvr 004e 1202)\n\n"
     "processor\t: 1\ncpu\t\t: POWER9 (architected), altivec supported\n\n"
     "timebase\t: 512000000\nplatform\t: pSeries\nmodel\t\t: IBM,0000-00A\n"
     "machine\t\t: CHRP IBM,0000-00A\n",
     "cpu POWER9 (architected), altivec supported; revision 2.2 (pvr 004e 1202)"},
    {"riscv64",
     "processor\t: 0\nhart\t\t: 3\nisa\t\t: rv64imafdcv_zicsr\nmmu\t\t: sv48\n"
     "uarch\t\t: vendor,core\nmvendorid\t: 0x489\nmarchid\t\t: 0x8000000000000007\n"
     "mimpid\t\t: 0x1\n\nprocessor\t: 1\nhart\t\t: 0\n",
     "mvendorid 0x489; marchid 0x8000000000000007; mimpid 0x1; uarch vendor,core; "
     "isa rv64imafdcv_zicsr"},
    {"s390x",
     "vendor_id       : IBM/S390\n# processors    : 2\nbogomips per cpu: 3241.00\n"
     "features\t: esan3 zarch vx vxe\nfacilities      : 0 1 2 3\n"
     "cache0          : level=1 type=Data scope=Private size=128K\n"
     "processor 0: version = FF,  identification = 123456,  machine = 8561\n"
     "processor 1: version = FF,  identification = 123456,  machine = 8562\n\n"
     "cpu number      : 0\ncpu MHz dynamic : 5200\n",
     "vendor_id IBM/S390; processor 0 8561"},
    {"loongarch64",
     "system type\t\t: generic-loongson-machine\n\nprocessor\t\t: 0\npackage\t\t\t: 0\n"
     "CPU Family\t\t: Loongson-64bit\nModel Name\t\t: Loongson-3A5000\n"
     "CPU Revision\t\t: 0x11\nFPU Revision\t\t: 0x00\nFeatures\t\t: lsx lasx\n\n"
     "processor\t\t: 1\nCPU Revision\t\t: 0x12\n",
     "CPU Family Loongson-64bit; Model Name Loongson-3A5000; CPU Revision 0x11"},
    {"nothing", "", ""},
    {"no whole line", "vendor_id", ""},
    {"no value", "vendor_id\t:\nmodel : \t\n", ""},
    {"cut off", "processor : 0\nvendor_id : Some", "vendor_id Some"},
    {"bytes that are not text",
     "vendor_id : a\xff\x01\x7f"
     "b\n",
     "vendor_id a???b"},
    {"a missing value", "processor 0: version = FF\nmachine = 1\n", ""},
};

static void test_model(const struct sample *sample)
{
    char model[PXR_CPU_MODEL];
    if (!check_case("model of %s", sample->arch))
        return;
    pxr_cpu_model(sample->text, model);
    CHECK_STR(model, sample->model);
}

static void test_long_model(void)
{
    char text[2 * PXR_CPU_MODEL], model[PXR_CPU_MODEL];
    if (!check_case("model that is too long"))
        return;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    memcpy(text, "isa : ", 6);
    pxr_cpu_model(text, model);
    CHECK_INT(strlen(model), PXR_CPU_MODEL - 1);
    text[6 + PXR_CPU_MODEL - 6] = ' ';
    memset(text + 500, ' ', 20);
    pxr_cpu_model(text, model);
    CHECK(model[strlen(model) - 1] != ' ');
}

/* ---------------------------------------------------------------- parser -- */

#define GOOD "permxor-tune 1\n# made for a test\n\ncpu = a b; c\nkernels = base\n"

#define GOOD_2                                                            \
    "permxor-tune 2\n# made for a test\n\ncpu = a b; c\nkernels = base\n" \
    "own = 1048576\nway dot own = sources 4 stream\n"

static const struct text {
    const char *title, *text;
    enum pxr_tune_state state;
} texts[] = {
    {"good", GOOD, PXR_TUNE_USED},
    {"other order", "permxor-tune 1\nkernels = base\ncpu = a b; c\n#", PXR_TUNE_MALFORMED},
    {"other order, complete", "permxor-tune 1\nkernels = base\ncpu = a b; c\n", PXR_TUNE_USED},
    {"empty", "", PXR_TUNE_MALFORMED},
    {"newline alone", "\n", PXR_TUNE_MALFORMED},
    {"no magic line", "cpu = a b; c\nkernels = base\n", PXR_TUNE_MALFORMED},
    {"magic line without newline", "permxor-tune 1", PXR_TUNE_MALFORMED},
    {"magic line alone", "permxor-tune 1\n", PXR_TUNE_MALFORMED},
    {"version 2", GOOD_2, PXR_TUNE_USED},
    {"version 2, CPU alone", "permxor-tune 2\ncpu = a b; c\n", PXR_TUNE_USED},
    {"version 2, no CPU", "permxor-tune 2\nkernels = base\nown = 1M\n", PXR_TUNE_MALFORMED},
    {"version 2, empty", "permxor-tune 2\n", PXR_TUNE_MALFORMED},
    {"version 2, setting twice", GOOD_2 "own = 1M\n", PXR_TUNE_MALFORMED},
    {"version 2, wrong setting", GOOD_2 "l1 = many\n", PXR_TUNE_MALFORMED},
    {"version 2, unknown key", GOOD_2 "threads = 4\n", PXR_TUNE_MALFORMED},
    {"version 2, set twice", GOOD_2 "kernels = base\n", PXR_TUNE_MALFORMED},
    {"version 2, cut", "permxor-tune 2\ncpu = a b; c\nown = 1M", PXR_TUNE_MALFORMED},
    {"version 1 with a setting", GOOD "own = 1M\n", PXR_TUNE_MALFORMED},
    {"version 3", "permxor-tune 3\ncpu = a b; c\nkernels = base\n", PXR_TUNE_VERSION},
    {"version 10", "permxor-tune 10\ncpu = a b; c\nkernels = base\n", PXR_TUNE_VERSION},
    {"version with a blank", "permxor-tune 1 \ncpu = a b; c\nkernels = base\n",
     PXR_TUNE_VERSION},
    {"no version", "permxor-tune \ncpu = a b; c\nkernels = base\n", PXR_TUNE_VERSION},
    {"cut in the last line", "permxor-tune 1\ncpu = a b; c\nkernels = base",
     PXR_TUNE_MALFORMED},
    {"no set", "permxor-tune 1\ncpu = a b; c\n", PXR_TUNE_MALFORMED},
    {"no CPU", "permxor-tune 1\nkernels = base\n", PXR_TUNE_MALFORMED},
    {"empty value", "permxor-tune 1\ncpu = a b; c\nkernels = \n", PXR_TUNE_MALFORMED},
    {"CPU twice", GOOD "cpu = a b; c\n", PXR_TUNE_MALFORMED},
    {"set twice", GOOD "kernels = base\n", PXR_TUNE_MALFORMED},
    {"unknown key", GOOD "threads = 4\n", PXR_TUNE_MALFORMED},
    {"no key", GOOD "base\n", PXR_TUNE_MALFORMED},
    {"blank before", GOOD " # comment\n", PXR_TUNE_MALFORMED},
    {"no blanks", "permxor-tune 1\ncpu=a b; c\nkernels=base\n", PXR_TUNE_MALFORMED},
    {"carriage return", "permxor-tune 1\ncpu = a b; c\r\nkernels = base\r\n",
     PXR_TUNE_MALFORMED},
    {"tab in a comment", GOOD "#\tx\n", PXR_TUNE_MALFORMED},
    {"escape in a comment", GOOD "# \033[m\n", PXR_TUNE_MALFORMED},
    {"beyond ASCII", GOOD "# \xc3\xa4\n", PXR_TUNE_MALFORMED},
};

static void test_text(const struct text *t)
{
    struct pxr_tune_text what;
    if (!check_case("text: %s", t->title))
        return;
    CHECK_INT(pxr_tune_parse(t->text, strlen(t->text), &what), t->state);
    if (t->state != PXR_TUNE_USED)
        return;
    CHECK_STR(what.cpu, "a b; c");
    CHECK_STR(what.kernels, strstr(t->text, "kernels") != NULL ? "base" : "");
}

static void test_nul(void)
{
    static const char text[] = GOOD "# \0\n";
    struct pxr_tune_text what;
    if (!check_case("text: a NUL"))
        return;
    CHECK_INT(pxr_tune_parse(text, sizeof text - 1, &what), PXR_TUNE_MALFORMED);
}

/* A file of format 2 sets what it names, and no more. */
static void test_settings(void)
{
    struct pxr_tune_text what;
    if (!check_case("text: settings"))
        return;
    CHECK_INT(pxr_tune_parse(GOOD_2, strlen(GOOD_2), &what), PXR_TUNE_USED);
    CHECK_STR(what.kernels, "base");
    for (unsigned i = 0; i < PXR_SETTINGS; i++)
        CHECK_INT(what.settings.wanted[i],
                  i == PXR_SET_OWN || i == PXR_SET_WAY(PXR_WORK_DOT, PXR_PLACE_OWN));
    CHECK_INT((long long)what.settings.value[PXR_SET_OWN], 1 << 20);
    CHECK_INT((long long)what.settings.value[PXR_SET_WAY(PXR_WORK_DOT, PXR_PLACE_OWN)],
              PXR_STREAM | PXR_AHEAD_SOURCES(4));
}

/* Values whose lengths are close to the room for them. */
static void test_long_values(void)
{
    static const size_t rooms[] = {PXR_CPU_MODEL, PXR_KERNELS_NAME};
    char value[PXR_CPU_MODEL + 2], text[2 * PXR_CPU_MODEL];
    struct pxr_tune_text what;
    if (!check_case("text: long values"))
        return;
    for (unsigned key = 0; key < 2; key++)
        for (size_t length = rooms[key] - 2; length < rooms[key] + 2; length++) {
            memset(value, 'x', length);
            value[length] = '\0';
            int size = snprintf(text, sizeof text, "permxor-tune 1\ncpu = %s\nkernels = %s\n",
                                key == 0 ? value : "c", key == 1 ? value : "base");
            check_at("key %ld of %ld bytes", key, (long)length, 0, 0);
            CHECK_INT(pxr_tune_parse(text, (size_t)size, &what),
                      length < rooms[key] ? PXR_TUNE_USED : PXR_TUNE_MALFORMED);
        }
}

/* Damages the text of a good file.  The text ends at a guard page, so reading beyond it
   crashes.  A text that is taken for good must have both values or be of format 2. */
static void test_damaged_text(const char *good)
{
    static const char pieces[] = "\n #=\0k1\xff";
    const size_t size = strlen(good) + 1;
    struct check_guard guard = check_guard_new(256);
    struct pxr_tune_text what;
    if (!check_case("text: random damage of %.14s", good))
        return;
    for (long round = 0; round < 20000; round++) {
        size_t length = check_below(size);
        char *text = (char *)check_to_end(&guard, length, 0);
        memcpy(text, good, length);
        for (size_t flips = check_below(4); flips > 0 && length > 0; flips--)
            text[check_below(length)] = pieces[check_below(sizeof pieces)];
        check_at("round %ld", round, 0, 0, 0);
        const enum pxr_tune_state state = pxr_tune_parse(text, length, &what);
        CHECK(state < PXR_TUNE_STATES);
        if (state == PXR_TUNE_USED)
            CHECK(what.cpu[0] != '\0' &&
                  (what.kernels[0] != '\0' || text[strlen("permxor-tune ")] == '2'));
    }
    check_guard_free(&guard);
}

/* ----------------------------------------------------------------- files -- */

static const char *path;

static void write_file(const char *cpu, const char *kernels, mode_t mode)
{
    CHECK(tune_file_write(cpu, kernels, mode));
}

/* What pxr_tune_info() reports.  A file with its cpu is good for this machine. */
static struct pxr_tune_info here(void)
{
    struct pxr_tune_info info;
    pxr_tune_info(&info, sizeof info);
    return info;
}

static bool begin(const char *title)
{
    if (here().cpu[0] == '\0') {
        check_skip(title, "/proc/cpuinfo does not tell the model");
        return false;
    }
    if (!check_case("file: %s", title))
        return false;
    setenv("PERMXOR_TUNE", path, 1);
    write_file(here().cpu, "base", 0644);
    return true;
}

/* The file must be ignored for this reason, and errno must stay as it is. */
static void is_ignored(const char *why)
{
    errno = 4711;
    const struct pxr_tune tune = pxr_tune_read();
    CHECK_INT(errno, 4711);
    CHECK(tune.kernels == NULL);
    CHECK(strstr(tune.reason, why) != NULL && strstr(tune.reason, "ignored") != NULL);
    const struct pxr_tune_info info = here();
    CHECK_INT(info.used, 0);
    CHECK(strstr(info.state, why) != NULL && strstr(info.state, "ignored") == info.state);
    CHECK_STR(info.path, path);
}

static void is_used(void)
{
    errno = 4711;
    const struct pxr_tune tune = pxr_tune_read();
    CHECK_INT(errno, 4711);
    CHECK(tune.kernels == &pxr_kernels_base);
    CHECK_STR(here().state, "used");
    CHECK_INT(here().used, 1);
}

static void test_good_file(void)
{
    if (!begin("good"))
        return;
    is_used();
    chmod(path, 0400);
    is_used();
}

static void test_no_file(void)
{
    if (begin("missing")) {
        unlink(path);
        is_ignored("does not exist");
    }
    if (begin("below a file")) {
        char below[256];
        snprintf(below, sizeof below, "%s/x", path);
        setenv("PERMXOR_TUNE", below, 1);
        CHECK_STR(here().state, "ignored: it does not exist");
    }
    if (begin("turned off")) {
        setenv("PERMXOR_TUNE", "", 1);
        const struct pxr_tune tune = pxr_tune_read();
        CHECK_INT(tune.state, PXR_TUNE_OFF);
        CHECK(tune.kernels == NULL && tune.named == NULL);
        CHECK(here().path == NULL);
    }
    if (begin("the default path")) {
        unsetenv("PERMXOR_TUNE");
        CHECK_STR(here().path, here().default_path);
        CHECK(strstr(here().path, "/permxor/tune") != NULL);
        CHECK(pxr_tune_read().named == NULL);
    }
    if (check_case("no argument"))
        CHECK_INT(pxr_tune_info(NULL, 0), PXR_EINVAL);
}

static void test_not_regular(void)
{
    char target[256];
    snprintf(target, sizeof target, "%s.target", path);
    if (begin("symbolic link")) {
        rename(path, target);
        CHECK_INT(symlink(target, path), 0);
        is_used();
        chmod(target, 0666);
        is_ignored("may write");
        unlink(target);
        is_ignored("does not exist");
    }
    if (begin("links, one after the other")) {
        char middle[264];
        snprintf(middle, sizeof middle, "%s.link", path);
        rename(path, target);
        CHECK_INT(symlink(target, middle), 0);
        CHECK_INT(symlink(middle, path), 0);
        is_used();
        unlink(middle);
        unlink(target);
    }
    if (begin("link to itself")) {
        unlink(path);
        CHECK_INT(symlink(path, path), 0);
        is_ignored("cannot be read");
    }
    if (begin("link to a device")) {
        unlink(path);
        CHECK_INT(symlink("/dev/null", path), 0);
        is_ignored("not a regular file");
    }
    if (begin("link to a pipe")) {
        unlink(path);
        CHECK_INT(mkfifo(target, 0644), 0);
        CHECK_INT(symlink(target, path), 0);
        is_ignored("not a regular file");
        unlink(target);
    }
    if (begin("pipe")) {
        unlink(path);
        CHECK_INT(mkfifo(path, 0644), 0);
        is_ignored("not a regular file");
    }
    if (begin("folder")) {
        unlink(path);
        CHECK_INT(mkdir(path, 0755), 0);
        is_ignored("not a regular file");
        rmdir(path);
    }
}

static void test_rights(void)
{
    static const mode_t writable[] = {0664, 0646, 0666, 0622};
    if (begin("writable"))
        for (unsigned i = 0; i < sizeof writable / sizeof writable[0]; i++) {
            check_at("mode %ld", (long)writable[i], 0, 0, 0);
            chmod(path, writable[i]);
            is_ignored("may write");
        }
    if (geteuid() != 0) {
        check_skip("file: of another user", "needs root");
        if (begin("not readable")) {
            chmod(path, 0);
            is_ignored("cannot be read");
        }
        return;
    }
    /* In a user namespace root may have no other user to give a file to. */
    if (tune_file_write("any", "base", 0644) && chown(path, 12345, 12345) != 0 &&
        (errno == EINVAL || errno == EPERM)) {
        check_skip("file: of another user", "root cannot change a file's owner: %s",
                   strerror(errno));
        return;
    }
    if (begin("of another user")) {
        CHECK_INT(chown(path, 12345, 12345), 0);
        is_ignored("owner");
    }
}

static void append(const char *text, size_t times)
{
    FILE *file = fopen(path, "a");
    while (file != NULL && times-- > 0)
        fputs(text, file);
    if (CHECK(file != NULL))
        fclose(file);
}

/* A file with only settings.  The library chooses the kernel set, and says so. */
static void test_settings_file(void)
{
    if (begin("settings without a set") &&
        CHECK(tune_file_settings(here().cpu, "own = 1M\n"))) {
        const struct pxr_tune tune = pxr_tune_read();
        CHECK_INT(tune.state, PXR_TUNE_USED);
        CHECK(tune.kernels == NULL);
        CHECK(strstr(tune.reason, "names no set") != NULL);
        CHECK_INT(here().used, 1);
        CHECK(here().family[0] != '\0' && here().evidence[0] != '\0');
        CHECK_INT(pxr_kernel_select(NULL), PXR_OK);
        struct pxr_tune_setting own;
        CHECK_INT(pxr_tune_setting(PXR_SET_OWN, &own, sizeof own), PXR_OK);
        CHECK_STR(own.value, "1048576");
        CHECK_STR(own.reason, "the tune file");
        setenv("PERMXOR_TUNE", "", 1);
        CHECK_INT(pxr_kernel_select(NULL), PXR_OK);
        CHECK_INT(pxr_tune_setting(PXR_SET_OWN, &own, sizeof own), PXR_OK);
        CHECK(strcmp(own.reason, "the tune file") != 0);
    }
}

static void test_contents(void)
{
    struct stat file;
    if (begin("malformed")) {
        append("more = 1\n", 1);
        is_ignored("malformed");
    }
    if (begin("the greatest length") && CHECK_INT(stat(path, &file), 0)) {
        append("#\n", (size_t)(PXR_TUNE_BYTES - file.st_size) / 2);
        is_used();
        append("#\n", 1);
        is_ignored("longer than");
    }
    if (begin("another CPU")) {
        write_file("somebody else's", "base", 0644);
        is_ignored("another CPU");
    }
    if (begin("unknown set")) {
        write_file(here().cpu, "no_such_set", 0644);
        is_ignored("does not have");
    }
}

static void test_unusable(void)
{
    for (unsigned row = 0; pxr_registry[row] != NULL; row++) {
        if (pxr_kernels_usable(pxr_registry[row]))
            continue;
        if (begin("unusable set")) {
            write_file(here().cpu, pxr_registry[row]->name, 0644);
            is_ignored("cannot run");
        }
        return;
    }
    check_skip("file: unusable set", "this CPU can run all of them");
}

int main(int argc, char **argv)
{
    check_start("test_tune", argc, argv);
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        test_model(&samples[i]);
    test_long_model();
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        test_text(&texts[i]);
    test_nul();
    test_long_values();
    test_settings();
    test_damaged_text(GOOD);
    test_damaged_text(GOOD_2);
    path = tune_file_begin();
    test_good_file();
    test_no_file();
    test_not_regular();
    test_rights();
    test_settings_file();
    test_contents();
    test_unusable();
    tune_file_end();
    return check_finish();
}
