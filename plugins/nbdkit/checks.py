# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the plugin count, and how they end."""
import sys

passed = failed = skipped = 0


def check(name, held, detail=""):
    global passed, failed
    passed += bool(held)
    failed += not held
    if not held:
        print(f"FAILED: {name}\n    {detail}")


def skip(name, reason):
    global skipped
    skipped += 1
    print(f"skipped: {name} ({reason})")


def finish(suite):
    print(f"{suite}: {passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(failed > 0)
