# SPDX-License-Identifier: BSD-3-Clause
"""The lines of Python in README.md, as they stand there."""
import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def lines_after(first, text):
    """The indented lines from the first one on, up to an empty line."""
    found = re.search(rf"^    {re.escape(first)}.*\n(?:    .*\n)*", text, re.M)
    return "\n".join(line[4:] for line in found[0].splitlines())


def test_readme(rng):
    text = README.read_text()
    names = {"data": [rng.randbytes(1000) for _ in range(10)]}
    exec(lines_after("import permxor", text), names)
    assert names["shards"][0] == names["data"][0]
    exec(lines_after("from permxor import zfec", text), names)
    assert len(names["zfec"].Encoder(3, 5).encode(names["data"][:3])) == 5
