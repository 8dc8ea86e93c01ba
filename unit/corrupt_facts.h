/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known about a corrupted folder without the command. */
#ifndef PXR_UNIT_CORRUPT_FACTS_H
#define PXR_UNIT_CORRUPT_FACTS_H

#include "corrupt_folder.h"

/* How a command is told which shards to take. */
enum choice {
    CHOOSE_FOLDER, /* all that are in the folder */
    CHOOSE_SET,    /* those, but of one set: --set=ID */
    CHOOSE_NAMES   /* the files that are named after the first set */
};

struct facts {
    /*
     * No forged header speaks for more shards than an honest one does: else a
     * command may believe it, since it has nothing better, and the bytes are
     * not judged.
     */
    bool honest;
    /* Shards of the first set hold enough, and nothing speaks against them. */
    bool must_decode;
    /* The first set's shards that are there, byte for byte. */
    bool pristine[SET_SHARDS];
};

/* Does a command that is told so look at this file? */
bool is_considered(const struct folder_file *file, enum choice choice);

struct facts folder_facts(const struct folder *folder, const struct original *set,
                          const struct original *other, enum choice choice);

#endif
