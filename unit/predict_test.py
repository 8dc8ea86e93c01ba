# SPDX-License-Identifier: BSD-3-Clause
"""The turns of loops that perf/predict.py simulates, on made-up listings.

    predict_test.py SOURCE
"""
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(sys.argv[1]) / "perf"))

from predict_cores import CODES, CORES, PEERS, SETS, limit  # noqa: E402
from predict_loops import Unknown, main_loop  # noqa: E402
from predict_turns import Insn, turns  # noqa: E402


def listing(text):
    """Instructions of four bytes, one a line; LABEL: stands before one, and @LABEL for the
    address of one, as llvm-objdump writes it."""
    insns, labels = [], {}
    for line in text.split("\n"):
        label, colon, rest = line.strip().rpartition(":")
        if colon:
            labels[label] = 4 * len(insns)
        if rest.strip():
            insns.append(rest.strip().replace(" ", "\t", 1))
    for label, address in labels.items():
        insns = [insn.replace("@" + label, f"{address:#x} <f>") for insn in insns]
    return [Insn(4 * i, insn) for i, insn in enumerate(insns)]


def names(turn):
    return [insn.text for insn in turn]


# Two rows share the code of a product, and a branch chooses the accumulator.
ROWS_IN_A_LOOP = """
    source: mov w6, #0x0
            ld1b { z0.b }, p0/z, [x1, x2]
    row:    ld1b { z1.b }, p0/z, [x3]
            ld1b { z2.b }, p0/z, [x4]
            tbl z3.b, { z1.b }, z0.b
            tbl z4.b, { z2.b }, z0.b
            cmp w6, #0x1
            b.eq @second
            eor z5.d, z5.d, z3.d
            add w6, w6, #0x1
            b @row
    second: eor z6.d, z6.d, z3.d
            subs x9, x9, #0x1
            b.ne @source
            st1b { z5.b }, p0, [x5]
            ret
"""


class Turns(unittest.TestCase):
    def test_runs_that_end_in_a_branch_back(self):
        text = """
            outer: movq %rax, %rcx
            inner: vpxor %ymm0, %ymm1, %ymm1
                   jne @inner
                   jne @outer
        """
        self.assertEqual(list(map(len, turns("x86_64", listing(text)))), [2])

    def test_rows_by_branches(self):
        found = turns("aarch64", listing(ROWS_IN_A_LOOP))
        whole = names(max(found, key=len))
        self.assertEqual(len([text for text in whole if text.startswith("tbl")]), 4)
        self.assertIn("eor\tz5.d, z5.d, z3.d", whole)
        self.assertIn("eor\tz6.d, z6.d, z3.d", whole)
        self.assertTrue(whole[-1].startswith("b.ne"))

    def test_what_is_rare_is_passed_by(self):
        text = """
            loop: cbnz w12, @rare
                  ldr q0, [x1]
            back: subs x2, x2, #0x1
                  b.ne @loop
                  ret
            rare: prfm pldl2keep, [x1]
                  b @back
        """
        self.assertIn(["cbnz", "ldr", "subs", "b.ne"],
                      [[text.split("\t")[0] for text in names(turn)]
                       for turn in turns("aarch64", listing(text))])

    def test_a_loop_of_unknown_length_inside(self):
        text = """
            outer: mov x3, x4
            inner: ldr q0, [x1]
                   subs x2, x2, #0x1
                   b.ne @inner
                   cbnz x5, @outer
        """
        self.assertEqual([names(turn)[0] for turn in turns("aarch64", listing(text))],
                         ["ldr\tq0, [x1]"])

    def test_numbers_that_are_overwritten_are_unknown(self):
        text = """
            loop: mov w6, #0x0
                  ldr w6, [x1]
                  cbz w6, @next
                  ldr q0, [x2]
            next: subs x2, x2, #0x1
                  b.ne @loop
        """
        self.assertEqual(len(turns("aarch64", listing(text))[0]), 6)


class Loops(unittest.TestCase):
    def test_source_of_a_turn(self):
        # A vector for two rows of two look-ups; tables are loaded as whole vectors.
        loop = main_loop(CORES["Neoverse V1"], "sve", listing(ROWS_IN_A_LOOP), 2)
        self.assertEqual((loop.source_bytes, loop.reloads), (32, 0))

    def test_other_numbers_of_rows(self):
        for rows in (1, 3):
            with self.assertRaises(Unknown):
                main_loop(CORES["Neoverse V1"], "sve", listing(ROWS_IN_A_LOOP), rows)


class Tables(unittest.TestCase):
    def test_limits_are_there(self):
        for core in CORES.values():
            for name in core.units:
                for code in CODES:
                    self.assertGreater(limit(core, name, code), 0)

    def test_peers_have_sets_and_cores(self):
        for peer in PEERS:
            self.assertLessEqual({peer.set, peer.pq}, set(SETS))
            for name in peer.cores or []:
                self.assertIn(peer.set, CORES[name].units)


if __name__ == "__main__":
    done = unittest.main(argv=sys.argv[:1], exit=False, verbosity=0).result
    failed = len(done.failures) + len(done.errors)
    print(f"predict_test: {done.testsRun - failed} passed, {failed} failed, 0 skipped")
    sys.exit(failed > 0)
