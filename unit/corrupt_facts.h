/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts about a corrupted folder, which are found without the command. */
#ifndef PXR_UNIT_CORRUPT_FACTS_H
#define PXR_UNIT_CORRUPT_FACTS_H

#include "corrupt_folder.h"

/* How a command is told which shards to take. */
enum choice {
    CHOOSE_FOLDER, /* all shards in the folder */
    CHOOSE_SET,    /* the shards of one set in the folder: --set=ID */
    CHOOSE_NAMES   /* the files that are named after the first set */
};

struct facts {
    /*
     * No forged header is in more shards than the headers that encode wrote.  Otherwise a
     * command may believe the forged header, because it has nothing better.  Then the bytes
     * that the command writes are not judged.
     */
    bool honest;
    /* Decoding must succeed: the first set has enough good cells, and its headers are in more
       shards than any others. */
    bool must_decode;
    /* The shards of the first set that are present without any change. */
    bool pristine[SET_SHARDS];
};

/* Whether a command with this choice looks at the file. */
bool is_considered(const struct folder_file *file, enum choice choice);

struct facts folder_facts(const struct folder *folder, const struct original *set,
                          const struct original *other, enum choice choice);

#endif
