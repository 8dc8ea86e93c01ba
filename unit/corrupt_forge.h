/* SPDX-License-Identifier: BSD-3-Clause */
/* Headers whose checksum is right, but whose content is wrong. */
#ifndef PXR_UNIT_CORRUPT_FORGE_H
#define PXR_UNIT_CORRUPT_FORGE_H

#include "corrupt_folder.h"
#include "corrupt_random.h"

/* Changes a field of a shard's header, of its trailer or of both, and corrects their checksums.
   `what` gets a text that says what was changed. */
void forge_header(struct bytes *bytes, struct dice *dice, char *what, size_t size);

#endif
