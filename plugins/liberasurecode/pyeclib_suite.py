# SPDX-License-Identifier: BSD-3-Clause
"""Runs PyECLib's own tests, which it finds in ./test, except for those named:

    pyeclib_suite.py [NAME...]

Fails unless both backends of ISA-L that every version has were tested."""
import sys
import syslog
import types
import unittest

from pyeclib.ec_iface import VALID_EC_TYPES


def each_test(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from each_test(test)
        else:
            yield test


class StrictVersion(tuple):
    """The part of distutils that the tests of 1.6 use.  Python has no distutils since 3.12."""
    def __new__(cls, text):
        return tuple.__new__(cls, map(int, text.split(".")))


sys.modules["distutils"] = types.ModuleType("distutils")
sys.modules["distutils.version"] = types.ModuleType("distutils.version")
sys.modules["distutils.version"].StrictVersion = StrictVersion

# liberasurecode logs each call that it refuses.  If no daemon takes the message, the C library
# writes it to the console, which takes longer than all calls.
syslog.setlogmask(syslog.LOG_UPTO(syslog.LOG_EMERG))

missing = {"isa_l_rs_vand", "isa_l_rs_cauchy"} - set(VALID_EC_TYPES)
if missing:
    sys.exit("no backend " + ", ".join(missing))
found = unittest.defaultTestLoader.discover("test", top_level_dir=".")
left_out = set(sys.argv[1:])
chosen = unittest.TestSuite(test for test in each_test(found)
                            if test.id().split(".", 2)[-1] not in left_out)
result = unittest.TextTestRunner(buffer=True).run(chosen)
print("said: %d tests, %d of them skipped by the suite, on %s"
      % (result.testsRun, len(result.skipped), ", ".join(VALID_EC_TYPES)))
sys.exit(not result.wasSuccessful())
