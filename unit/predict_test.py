# SPDX-License-Identifier: BSD-3-Clause
"""Tests how perf/predict.py finds the loops and blocks to simulate, on made-up listings.

    predict_test.py SOURCE
"""
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(sys.argv[1]) / "perf"))

from predict import our_function  # noqa: E402
from predict_blocks import (MatrixPass, StructuredPass, block, stack_registers,  # noqa: E402
                            stored, turns_of)
from predict_cores import CODES, CORES, PEERS, SETS, STRUCTURED, limit  # noqa: E402
from predict_loops import Unknown, main_loop  # noqa: E402
from predict_turns import Insn, turns  # noqa: E402


def listing(text):
    """A list of instructions of four bytes from a text with one instruction a line.

    LABEL: before an instruction names it, and @LABEL stands for its address as llvm-objdump
    writes it.
    """
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


# In this loop two rows share the code of a product, and a branch chooses the accumulator.
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
        # One vector is for two rows of two look-ups.  The tables are loaded as whole vectors.
        loop = main_loop(CORES["Neoverse V1"], "sve", listing(ROWS_IN_A_LOOP), 2)
        self.assertEqual((loop.source_bytes, loop.reloads), (32, 0))

    def test_other_numbers_of_rows(self):
        for rows in (1, 3):
            with self.assertRaises(Unknown):
                main_loop(CORES["Neoverse V1"], "sve", listing(ROWS_IN_A_LOOP), rows)


# A NEON block with 2 outputs, groups of 2 sources, and one coset.  The loop over groups has 3
# products.  The loop over sources that fill no group has 2 products.  Rare code is after the
# end.
BLOCK = """
    block:  ldr q0, [x1]
            tbl v1.16b, { v3.16b }, v0.16b
            tbl v2.16b, { v3.16b }, v0.16b
            tbl v1.16b, { v3.16b }, v0.16b
            tbl v2.16b, { v3.16b }, v0.16b
            cmp w17, #0x1
            b.eq @alone
    group:  tbl v1.16b, { v3.16b }, v0.16b
            tbl v2.16b, { v3.16b }, v0.16b
            tbl v1.16b, { v3.16b }, v0.16b
            tbl v2.16b, { v3.16b }, v0.16b
            tbl v1.16b, { v3.16b }, v0.16b
            tbl v2.16b, { v3.16b }, v0.16b
            str q1, [sp, #0x10]
            ldr q1, [sp, #0x10]
            subs x8, x8, #0x1
            b.ne @group
    close:  tbl v1.16b, { v3.16b }, v0.16b
            tbl v2.16b, { v3.16b }, v0.16b
            cbz x12, @stores
    direct: tbl v1.16b, { v3.16b }, v0.16b
            tbl v2.16b, { v3.16b }, v0.16b
            tbl v1.16b, { v3.16b }, v0.16b
            tbl v2.16b, { v3.16b }, v0.16b
            subs x7, x7, #0x1
            b.ne @direct
    stores: cmp w13, w1
            b.hs @none
            str q1, [x5, x6]
    second: cmp w19, w1
            b.hs @next
            str q2, [x5, x6]
    next:   add x6, x6, #0x10
            cmp x6, x16
            b.ne @block
            ret
    none:   cmp w21, w1
            b.lo @second
            b @next
    alone:  mov x7, x4
            b @close
"""


class Names(unittest.TestCase):
    def test_passes_are_functions_of_the_kernels(self):
        body = (Path(sys.argv[1]) / "kernels/kernel_dot.inc.h").read_text()
        for kind, last in (("GENERAL", "FLAGGED_GENERAL(dot_general, general)"),
                           ("SPECIAL", "DOT_SPECIAL(PXR_SPECIAL_PQ, dot_pq, 0)")):
            self.assertTrue(f"UNFLAGGED_{kind}(upwards, " in body, kind)
            self.assertTrue(last in body, last)
        self.assertEqual(our_function("P+Q"), "upwards_dot_pq_0")
        for function in (our_function("m=4"), MatrixPass(8, 4).function):
            self.assertEqual(function, "upwards_dot_general_4")


class Blocks(unittest.TestCase):
    def find(self, k, text=BLOCK, outputs=2):
        job = StructuredPass(k, outputs, 1, 1)
        return block(CORES["Neoverse N1"], "neon", listing(text), job)

    def products(self, found):
        return len([text for text in names(found.insns) if text.startswith("tbl")]) // 2

    def test_products_are_those_of_the_structure(self):
        # doc/structured.md: products for each source byte.
        for code, products in {"8+4": 2.1, "10+4": 2.6, "12+6": 3.7, "16+16": 4.6}.items():
            shape = STRUCTURED[code]
            job = StructuredPass(shape.k, sum(shape.passes), shape.levels, shape.cosets)
            self.assertAlmostEqual(job.products / shape.k, products, delta=0.05)

    def test_loops_turn_as_often_as_a_code_says(self):
        # Products: 2 of the first group, 3 of each other group, 1 of the coset, and 2 of a
        # source that fills no group.
        for k, products in ((2, 3), (4, 6), (6, 9), (7, 11)):
            found = self.find(k)
            self.assertEqual((self.products(found), found.source_bytes), (products, 16 * k))
            self.assertEqual(found.reloads, k // 2 - 1)

    def test_stores_of_all_outputs(self):
        for outputs in (1, 2):
            stores = [text for text in names(self.find(4, outputs=outputs).insns)
                      if text.startswith("str") and "sp" not in text]
            self.assertEqual(len(stores), outputs)

    def test_what_does_more_or_less_is_not_understood(self):
        for text in (BLOCK.replace("close:  tbl", "close:  eor"),
                     BLOCK.replace("str q2", "ldr q2")):
            with self.assertRaises(Unknown):
                self.find(4, text)

    def test_two_sources_at_once(self):
        self.assertEqual(turns_of(MatrixPass(9, 4).loops, {8, 4}), {8: 4, 4: 1})
        self.assertEqual(turns_of(MatrixPass(9, 4).loops, {4}), {4: 9})
        # With 2 cosets there are 5 products of a group of 2, and 4 of a source that fills no
        # group.
        self.assertEqual(turns_of(StructuredPass(11, 4, 1, 2).loops, {10, 5, 4}),
                         {10: 2, 5: 0, 4: 1})

    def test_addresses_on_the_stack(self):
        for core, text in (
                ("Neoverse V1", "add x5, sp, #0x180\nincb x5, all, mul #0xe\nstr z0, [x5]"),
                ("Zen 4", "movq %rsp, %rbp\nvmovdqa64 %zmm1, -0x70(%rbp)"),
                ("POWER9", "addi 9, 1, 48\nstxv 63, 16(9)")):
            insns, core = listing(text), CORES[core]
            stack = stack_registers(core, insns)[insns[-1].address]
            self.assertEqual(stored(core, insns[-1].text, stack), 0)
            self.assertEqual(stored(core, insns[-1].text, set()), 1)


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
