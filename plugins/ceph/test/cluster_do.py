# SPDX-License-Identifier: BSD-3-Clause
"""Sends the tests' requests to a running cluster, over librados.

    cluster_do.py CLUSTER VERB ARGUMENT...

CLUSTER is the folder of cluster.sh.  A verb prints what it counted and ends with status 0, or
prints what is wrong and ends with status 1.
"""
import sys

sys.dont_write_bytecode = True

import rados  # noqa: E402
from cluster_fastec import (  # noqa: E402
    compare_ranges,
    make_fast_pool,
    overwrite_fast,
    remove_pool,
)
from cluster_image import change_image, compare_image, make_image  # noqa: E402
from cluster_objects import compare, overwrite, stream, write  # noqa: E402
from cluster_profiles import profiles, refused  # noqa: E402
from cluster_scrub import (  # noqa: E402
    cost_of_reading,
    cost_of_scrubbing,
    found_by_scrub,
    largest,
    repair_all,
)
from cluster_state import (  # noqa: E402
    Cluster,
    Wrong,
    add_osd,
    deep_scrub,
    inconsistent,
    make_pool,
    repair,
    shard,
    wait_clean,
    wait_up,
)

VERBS = (add_osd, change_image, compare, compare_image, compare_ranges, cost_of_reading,
         cost_of_scrubbing, deep_scrub, found_by_scrub, inconsistent, largest, make_fast_pool,
         make_image, make_pool, overwrite, overwrite_fast, profiles, refused, remove_pool,
         repair, repair_all, shard, stream, wait_clean, wait_up, write)


def main():
    folder, verb, *arguments = sys.argv[1:]
    verbs = {f.__name__: f for f in VERBS}
    try:
        with Cluster(folder) as cluster:
            print(verbs[verb](cluster, *arguments) or "")
    except (Wrong, rados.Error) as wrong:
        sys.exit(f"{verb} {' '.join(arguments)}: {wrong}")


main()
