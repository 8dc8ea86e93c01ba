# SPDX-License-Identifier: BSD-3-Clause
"""The lines of Python in README.md, as they stand there."""
import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def lines_after(first, text):
    """The indented lines from the first one on, up to an empty line."""
    found = re.search(rf"^    {re.escape(first)}.*\n(?:    .*\n)*", text, re.M)
    return "\n".join(line[4:] for line in found[0].splitlines())


def test_readme():
    text = README.read_text()
    names = {}
    exec(lines_after("import os, permxor", text), names)
    assert names["shards"][0] == names["data"][0]
    exec(lines_after("hashing = permxor.Hash", text), names)
    assert names["hashing"].locate(names["code"], names["sums"]) == 7
    exec(lines_after("from permxor import zfec", text), names)
    assert len(names["zfec"].Encoder(3, 5).encode(names["data"][:3])) == 5


def test_stand_in(child):
    child(lines_after("import permxor.zfec", README.read_text()) + """
import zfec
assert zfec is permxor.zfec
""")
