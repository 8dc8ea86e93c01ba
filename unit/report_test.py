# SPDX-License-Identifier: BSD-3-Clause
"""Tests the report of perf/report: the statistics, the merging, and pages with made-up figures.

    report_test.py SOURCE WORK

WORK is an empty folder.  The expected statistics were computed by hand.  The tests that draw
are skipped by name if matplotlib or Jinja is missing, or if PXR_EFFORT is not 100.
"""
import base64
import contextlib
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

sys.dont_write_bytecode = True
SOURCE, WORK = Path(sys.argv[1]), Path(sys.argv[2])
# The pages with tables that ranges.py makes.
FIGURES = ("doc/performance.md", "doc/perf-tables.md", "README.md")
PROGRAM = SOURCE / "perf/report/perf_report.py"
sys.path[:0] = [str(PROGRAM.parent), str(SOURCE / "unit")]

import machine  # noqa: E402
import merge  # noqa: E402
import perf_report  # noqa: E402
import ranges  # noqa: E402
import record  # noqa: E402
import report_data  # noqa: E402
from grid import Grid, cliffs, geometric_mean, verdict  # noqa: E402
from measure import (Plan, Record, Runner, disturbance, keep_whole_lines,  # noqa: E402
                     measure_forced, measure_originals, measure_raid, measure_short, near)
from rows import (FormatError, Row, Shape, Spread, read_grid, read_table, size,  # noqa: E402
                  span)
from subjects import (DROPINS, find_originals, find_peers, is_another_isal,  # noqa: E402
                      told)

IMAGE = "data:image/svg+xml;base64,"
SHAPE = Shape("encode", "", "cauchy", 10, 4, "warm", 4096)


def row(ratio, subject="isal", shape=SHAPE, noisy=False, gbs=10.0):
    return Row(shape, subject, gbs, Spread(ratio, ratio * 0.99, ratio * 1.01), noisy, "", None)


def folder(name):
    path = WORK / name
    path.mkdir()
    return path


class Statistics(unittest.TestCase):
    def test_coverage_of_the_extremes(self):
        # All n values are on one side in 2 of the 2^n equally likely patterns.
        self.assertEqual(merge.coverage(6, 1), 1 - 2 / 64)
        self.assertEqual(merge.coverage(5, 1), 1 - 2 / 32)
        self.assertEqual(merge.coverage(1, 1), 0)

    def test_coverage_of_inner_ranks(self):
        # Of 9 values, 0 or 1 are below, or 0 or 1 are above: 2 * (1 + 9) of 512 patterns.
        self.assertEqual(merge.coverage(9, 2), 1 - 20 / 512)
        # Of 12 values, with rank 3: 2 * (1 + 12 + 66) of 4096 patterns.
        self.assertEqual(merge.coverage(12, 3), 1 - 158 / 4096)

    def test_rank(self):
        ranks = {1: 1, 5: 1, 6: 1, 8: 1, 9: 2, 11: 2, 12: 3}
        self.assertEqual({n: merge.sign_test_rank(n) for n in ranks}, ranks)

    def test_spread(self):
        self.assertEqual(merge.spread([6, 1, 5, 2, 4, 3]), (3.5, 1, 6))
        self.assertEqual(merge.spread(range(1, 10)), (5, 2, 8))


class Merging(unittest.TestCase):
    def test_passes(self):
        cell, = merge.merge([[row(ratio, gbs=10 * ratio)] for ratio in (2.0, 2.1, 2.05)])
        self.assertEqual(cell.ratio, (2.05, 2.0, 2.1))
        self.assertEqual((cell.passes, cell.gbs, cell.noisy), (3, 20.5, False))

    def test_single_pass_keeps_its_own_interval(self):
        cell, = merge.merge([[row(2.0)]])
        self.assertEqual(cell.ratio, (2.0, 1.98, 2.02))

    def test_the_later_line_of_a_sweep_counts(self):
        cell, = merge.merge([[row(2.0), row(3.0)]])
        self.assertEqual((cell.passes, cell.ratio.median), (1, 3.0))

    def test_noisy_by_width(self):
        def noisy(rows):
            return merge.merge([[r] for r in rows])[0].noisy
        self.assertFalse(noisy([row(2.0, noisy=True) for i in range(6)]))
        self.assertTrue(noisy([row(2.0, noisy=True)]))
        self.assertFalse(noisy([row(2.0)]))
        self.assertTrue(noisy([row(1.9), row(2.0), row(2.11)]))
        self.assertFalse(noisy([row(1.9), row(2.0), row(2.09)]))

    def test_behind_needs_the_whole_interval(self):
        self.assertTrue(merge.merge([[row(0.95)], [row(0.99)]])[0].behind)
        self.assertFalse(merge.merge([[row(0.95)], [row(1.0)]])[0].behind)

    def test_files_keep_what_was_merged(self):
        cells = merge.merge([[row(1, "permxor"), row(2.5)], [row(1, "permxor"), row(2.25)]])
        path = WORK / "kept.csv"
        merge.write_cells(path, cells)
        self.assertEqual(merge.read_cells(path), cells)

    def test_tables_without_layouts_are_of_displaced_shards(self):
        path = WORK / "old.csv"
        merge.write_cells(path, merge.merge([[row(2.5, shape=SHAPE._replace(layout="off1"))]]))
        self.assertEqual(merge.read_cells(path)[0].shape.layout, "off1")
        old = path.read_text(encoding="utf-8").replace(",layout", "").replace(",off1", "")
        path.write_text(old, encoding="utf-8")
        self.assertEqual(merge.read_cells(path)[0].shape, SHAPE)

    def test_layouts_are_shapes_of_their_own(self):
        cells = merge.merge([[row(2.0), row(0.5, shape=SHAPE._replace(layout="aligned"))]])
        grid = Grid(cells)
        self.assertEqual(len(cells), 2)
        self.assertEqual([len(part.cells) for part in (grid.plain, grid.placed)], [1, 1])
        self.assertEqual(str(grid.placed.cells[0].shape), "encode 10+4 cauchy aligned warm 4K")


class Agreement(unittest.TestCase):
    def table(self, name, ratios):
        cells = []
        for length, (low, high) in enumerate(ratios, 1):
            shape = SHAPE._replace(len=length)
            cells += merge.merge([[row(1, "permxor", shape), row(low, "isal", shape)],
                                  [row(1, "permxor", shape), row(high, "isal", shape)]])
        path = WORK / name
        merge.write_cells(path, cells)
        return path

    def agree(self, a, b):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            agreed = merge.agree(a, b)
        return agreed, said.getvalue()

    def test_overlap(self):
        one = self.table("a.csv", [(2.0, 2.2)] * 20)
        agreed, said = self.agree(one, self.table("b.csv", [(2.1, 2.3)] * 20))
        self.assertTrue(agreed)
        self.assertIn("the intervals of 100.0% overlap", said)

    def test_apart(self):
        one = self.table("c.csv", [(2.0, 2.2)] * 10)
        agreed, said = self.agree(one, self.table("d.csv", [(2.0, 2.2)] * 9 + [(4.0, 4.4)]))
        self.assertFalse(agreed)
        self.assertIn("worst: 100.0%, isal encode 10+4 cauchy warm 10", said)
        self.assertEqual(said.count("apart:"), 1)

    def test_nothing_in_common(self):
        one, other = self.table("e.csv", [(2, 2)]), WORK / "f.csv"
        other.write_text(one.read_text(encoding="utf-8").replace("warm", "cold"),
                         encoding="utf-8")
        self.assertRaisesRegex(FormatError, "no cell in common", merge.agree, one, other)


class Reading(unittest.TestCase):
    def broken(self, pattern, change):
        path = WORK / "broken.csv"
        report_data.write_grid(path, 1, ["permxor", "isal"], ((4, 2),), (64,))
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
        self.assertRaisesRegex(FormatError, pattern, read_grid, path)

    def test_malformed(self):
        self.broken("broken.csv: empty", lambda text: "")
        self.broken("no column ratio_low", lambda text: text.replace("ratio_low", "other", 1))
        self.broken(r"broken.csv:2: 3 fields, the head has 26",
                    lambda text: text.split("\n")[0] + "\na,b,c\n")
        self.broken("k: not a whole number: 'four'",
                    lambda text: text.replace(",4,2", ",four,2"))
        self.broken("gbs: not above zero: 'nan'",
                    lambda text: re.sub(r"(isal,\d+,[^,]*,[^,]*,[^,]*),[^,]*", r"\1,nan", text))

    def test_raid(self):
        path = WORK / "raid.csv"
        report_data.write_raid(path, 1)
        rows = read_grid(path)
        self.assertEqual([str(r.shape) for r in rows if r.subject == "isal"],
                         ["pq_gen 8 disks warm 4K", "pq_gen 8 disks warm 64K",
                          "isal_adler32 warm 4K", "isal_adler32 warm 64K"])

    def test_error_of_the_program(self):
        out = folder("nothing")
        said = subprocess.run([sys.executable, PROGRAM, "--agree", out / "a", out / "b"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(said.returncode, 2)
        self.assertIn("perf_report.py: ", said.stderr)
        self.assertNotIn("Traceback", said.stderr)

    def test_sizes(self):
        self.assertEqual([size(n) for n in (1, 4096, 87382, 8 << 20)],
                         ["1", "4K", "87382", "8M"])


class Verdicts(unittest.TestCase):
    def test_figures(self):
        shapes = [SHAPE, SHAPE._replace(len=64), SHAPE._replace(operation="update")]
        rows = [line for shape, ratio in zip(shapes, (2.0, 0.5, 3.0))
                for line in (row(1, "permxor", shape), row(ratio, "isal", shape))]
        grid = Grid(merge.merge([rows]))
        found = verdict(grid)
        peer, = found.peers
        self.assertEqual(peer.least.shape, shapes[1])
        self.assertEqual([cell.shape for cell in peer.behind], [shapes[1]])
        means = {group.name: group.mean for group in found.operations}
        self.assertAlmostEqual(means["encode"], 1.0)
        self.assertAlmostEqual(geometric_mean(grid.against("isal")), 3 ** (1 / 3))

    def test_cliffs_are_those_of_the_time(self):
        # A call takes 10 ns and 1 ns a byte, but 63 bytes take ten times as long.
        cells = merge.merge([[row(1, "permxor", SHAPE._replace(len=n),
                                  gbs=n / (10 + n) / (10 if n == 63 else 1))
                              for n in range(1, 129)]])
        self.assertEqual([cliff.len for cliff in cliffs(cells)], [63])


class Measuring(unittest.TestCase):
    def plan(self, name):
        build, out = folder(f"{name}-build"), folder(f"{name}-out")
        return Plan(build.resolve(), out.resolve(), False, 6, None, {})

    def test_missing_peers_are_named(self):
        build = folder("peers")
        (build / "perf/peers").mkdir(parents=True)
        (build / "perf/peers/zfec.so").touch()
        found, missing = find_peers(build, {"isal": "/usr/lib/libisal.so.2", "mine": "x.so"})
        self.assertEqual(found, {"isal": "/usr/lib/libisal.so.2", "mine": "x.so",
                                 "zfec": "perf/peers/zfec.so"})
        self.assertEqual(set(missing), {"isal-2.32", "isal-sid", "jerasure", "klauspost",
                                        "klauspost-1.14", "rusty_erasure"})

    def test_the_newest_isal_comes_first(self):
        build = folder("order")
        (build / "perf/peers").mkdir(parents=True)
        for name in ("isal-2.32", "isal-sid", "jerasure"):
            (build / f"perf/peers/{name}.so").touch()
        found, _ = find_peers(build, {"isal": "/a.so", "isal-main": "/b.so", "mine": "/c.so"})
        self.assertEqual(list(found), ["isal-2.32", "isal-main", "isal-sid", "isal", "jerasure",
                                       "mine"])

    def test_the_drop_in_library_is_not_isal(self):
        head = b"\x7fELF\x02\x01" + bytes(12)
        for name, content in (("ours", head + b">\0..PERMXOR_KERNELS.."), ("text", b""),
                              ("isal", head + b">\0"), ("arm", head + b"\xb7\0")):
            (WORK / name).write_bytes(content)
        self.assertEqual([name for name in ("ours", "isal", "arm", "text", "none")
                          if is_another_isal(WORK / name, WORK / "ours")], ["isal"])

    def test_originals_are_no_peers_of_the_grid(self):
        build = folder("originals")
        given = {"libJerasure": "/a.so", "libgf_complete": "/b.so"}
        self.assertFalse(set(find_peers(build, given)[0]) & set(DROPINS))
        (build / ".libs").mkdir()
        (build / DROPINS["libJerasure"]).touch()
        self.assertEqual(find_originals(build, given), (
            {"libJerasure": "/a.so"},
            {"libgf_complete": "this build has no library in its place"}))

    def test_what_the_subjects_say(self):
        self.assertEqual(told("command: x\nours: /a/b.so (does not tell its version): the "
                              "reference\ngo: /c/go.so (says version go v1, go1.2)\n"
                              "core: pinned to 1\n\nx: /y (says version 3)\n"),
                         {"ours": "b.so, does not tell its version",
                          "go": "go.so, says version go v1, go1.2"})

    def test_commands_name_no_folder_of_this_machine(self):
        plan = self.plan("shown")
        shown = Runner(plan).shown(["perf/ec_perf", "--csv", str(plan.out / "raw/a.csv"),
                                    f"x={plan.build}/x.so", "y=/home/someone/y.so",
                                    "isal=/usr/lib/libisal.so.2"])
        self.assertEqual(shown, "perf/ec_perf --csv OUT/raw/a.csv x=./x.so y=y.so "
                                "isal=/usr/lib/libisal.so.2")

    def test_disturbances_are_recognised(self):
        line = ("machine: quiet (0 of 9 noisy; core taken away {} % of the time, 7 times, "
                "stolen {} %; other work: {} cores)")
        self.assertEqual(disturbance(line.format(1.9, 0.0, 0.49)), "")
        self.assertEqual(disturbance("no verdict"), "")
        for figures in ((2.1, 0.0, 0.0), (0.0, 2.1, 0.0), (0.0, 0.0, 0.51)):
            self.assertIn("other work", disturbance(line.format(*figures)))

    def test_peers_far_behind_get_one_pass(self):
        path = self.plan("near").out / "grid-1.csv"
        report_data.write_grid(path, 1, ["permxor", "isal", "zfec"])
        peers = {row.subject: "x.so" for row in read_grid(path)} | {"unmeasured": "y.so"}
        left = near(path, peers)
        self.assertIn("unmeasured", left)
        self.assertIn("isal", left)
        self.assertNotIn("zfec", left)

    def commands(self, name, act):
        """The words of the command line of each program that would run."""
        runner = Runner(self.plan(name))
        found = []
        runner.run = lambda _, arguments, *rest: found.append(arguments) or True
        for log in ("short-1", "forced-avx2-1", "raid-1"):
            (runner.plan.out / f"log/{log}.txt").touch()
        act(runner)
        return found

    def test_parts_are_not_timed_on_who_does_them_wrong(self):
        peers = {"isal-2.32": "a.so", "isal-sid": "b.so", "zfec": "c.so"}
        command, = self.commands("shorts", lambda runner: measure_short(runner, 1, peers))
        self.assertEqual([word for word in command if ".so" in word],
                         ["permxor=perf/.libs/permxor.so", "isal-2.32=a.so", "zfec=c.so"])

    def test_both_sides_are_held_to_a_set_that_runs_here(self):
        command, = self.commands("forced", lambda runner: measure_forced(
            runner, 1, {"isal-2.32": "a.so", "zfec": "c.so"}, ["avx2", "ssse3"]))
        self.assertEqual([word for word in command if ".so" in word],
                         ["permxor=perf/.libs/permxor.so@avx2", "isal-2.32=a.so:avx2"])

    def test_raid_is_of_who_has_it(self):
        command, = self.commands("raids", lambda runner: measure_raid(
            runner, 1, {"isal": "a.so", "rusty_erasure": "b.so", "zfec": "c.so"}))
        self.assertEqual(command[:3], ["perf/ec_perf", "--op", "raid"])
        self.assertEqual([word for word in command if ".so" in word][1:],
                         ["isal=a.so", "rusty_erasure=b.so"])

    def test_originals_stand_beside_what_does_their_work(self):
        runner = Runner(self.plan("beside"))
        found = []
        runner.ec_perf = lambda *words: found.append(words)
        measure_originals(runner, 2, {"libJerasure": "a.so", "libgf_complete": "b.so"})
        self.assertEqual(found, [
            (f"{table}-{grid}-2", ["--grid", grid], [f"permxor={ours}", theirs])
            for table, grid, ours, theirs in (
                ("codes", "jerasure", "perf/.libs/permxor.so", "libJerasure=a.so"),
                ("dropins", "jerasure", ".libs/libJerasure.so.2", "libJerasure=a.so"),
                ("dropins", "gf", ".libs/libgf_complete.so.1", "libgf_complete=b.so"))])

    def test_failures_are_recorded(self):
        runner = Runner(self.plan("failed"))
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertFalse(runner.run("absent", ["perf/absent"]))
            self.assertFalse(runner.run("false", ["/bin/false"]))
            self.assertFalse(runner.run("wrong", ["/bin/false"], meanings={1: "wrong"}))
        self.assertEqual(runner.record.failed[1:], ["false: exit status 1", "wrong: wrong"])
        self.assertEqual(runner.record.cut, [])

    def test_the_end_of_a_short_run_is_no_failure(self):
        plan = self.plan("short")
        plan.quick = True
        runner = Runner(plan)
        runner.started -= 1000
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertFalse(runner.run("sleep", ["/bin/sleep", "9"]))
        self.assertEqual(runner.record.failed, [])
        self.assertEqual(runner.record.cut, ["sleep: stopped, the time was up"])

    def test_only_files_of_its_own_are_deleted(self):
        plan = self.plan("old")
        (plan.out / "raw").mkdir()
        names = ("summary.csv", "raw/grid-1.csv", "heat-isal.svg", "mine.csv", "raw/mine.csv")
        for name in names:
            (plan.out / name).touch()
        Runner(plan)
        self.assertEqual([name for name in names if (plan.out / name).exists()],
                         ["mine.csv", "raw/mine.csv"])

    def test_half_a_line_is_cut_off(self):
        path = WORK / "half.csv"
        path.write_text("a,b\n1,2\n3", encoding="utf-8")
        keep_whole_lines(path)
        self.assertEqual(path.read_text(encoding="utf-8"), "a,b\n1,2\n")


class Records(unittest.TestCase):
    def run_of(self, name, model, ratio=0.95, **about):
        out = folder(name)
        cells = [[row(1, "permxor", gbs=9.5), row(ratio, gbs=10),
                  row(1, "permxor", SHAPE._replace(layout="contiguous")),
                  row(1.5, shape=SHAPE._replace(layout="contiguous"))]] * 6
        merge.write_cells(out / "summary.csv", merge.merge(cells))
        lengths = [SHAPE._replace(len=length) for length in (1, 2, 3)]
        merge.write_cells(out / "sweep.csv", merge.merge(
            [[line for shape, speedup in zip(lengths, (2, 0.5, 1))
              for line in (row(1, "permxor", shape), row(speedup, shape=shape))]]))
        (out / "heat-isal.svg").touch()
        Record(date="2026-01-02 03:04 UTC", machine={"family-model": model}, **about
               ).save(out / "run.json")
        return out

    def test_a_run_replaces_its_own_folder_alone(self):
        records = folder("records")
        record.put(self.run_of("run-a", "6-1"), records, "")
        record.put(self.run_of("run-b", "25-17"), records, "a Zen 4")
        kept = sorted(path.name for path in (records / "6-1").iterdir())
        self.assertEqual(kept, ["heat-isal.svg", "run.json", "summary.csv", "sweep-means.csv"])
        (records / "25-17/old.svg").touch()
        (records / "6-1/mine").touch()
        record.put(self.run_of("run-c", "25-17", 1.25), records, "")
        self.assertTrue((records / "6-1/mine").exists())
        self.assertFalse((records / "25-17/old.svg").exists())
        self.assertEqual([cpu.name for cpu in ranges.read_cpus(records)], ["6-1", "25-17"])
        self.assertEqual(Record.load_from(records / "25-17/run.json").note, "a Zen 4")

    def test_the_sweep_is_kept_as_means(self):
        folder_of = record.put(self.run_of("run-d", "6-2"), folder("records-d"), "")
        mean, = read_table(folder_of / record.SWEEP, record.SweepMean)
        self.assertEqual(mean, ("10+4", "isal", 3, 1, 1.0, (0.5, 0.495, 0.505), 2))

    def test_what_is_no_record(self):
        self.assertRaisesRegex(FormatError, "a short run cannot be recorded", record.put,
                               self.run_of("run-e", "6-3", quick=True), folder("records-e"), "")
        self.assertRaisesRegex(FormatError, "not a finished run", record.put, folder("run-f"),
                               folder("records-f"), "")
        self.assertRaisesRegex(FormatError, "no record of any CPU", ranges.read_cpus,
                               folder("records-g"))

    def test_every_figure_names_its_cpu(self):
        records = folder("records-h")
        record.put(self.run_of("run-h", "6-4"), records, "")
        record.put(self.run_of("run-i", "25-1", 1.25), records, "")
        cpus = ranges.read_cpus(records)
        self.assertEqual(ranges.behind_table(cpus).splitlines()[2],
                         "| isal | 1 of 2, least 0.95 | 0 of 2, least 1.25 |")
        self.assertEqual(ranges.means_table(cpus).splitlines()[2:], [
            "| isal | encode, warm | 0.95, least 0.95 of 1, **1 behind** "
            "| 1.25, least 1.25 of 1 |",
            "| isal | encode, contiguous, warm | 1.5, least 1.5 of 1 | 1.5, least 1.5 of 1 |"])
        self.assertEqual(ranges.short_table(cpus).splitlines()[2],
                         "| isal | 0.95 to 1.25 | - | - | 1 of 2 on 6-4, 0 of 2 on 25-1 |")
        self.assertIn("| 6-4 | isal | encode 10+4 cauchy warm 4K | 0.95 (0.95..0.95) |",
                      ranges.lowest_table(cpus))

    def test_techniques_have_lines_of_their_own(self):
        records, run = folder("records-k"), self.run_of("run-k", "6-6")
        report_data.write_codes(run / "raw.csv", 1)
        cells = merge.merge([read_grid(run / "raw.csv")])
        merge.write_cells(run / "codes.csv", cells)
        merge.write_cells(run / "dropins.csv", cells)
        record.put(run, records, "")
        lines = ranges.means_table(ranges.read_cpus(records)).splitlines()[2:]
        self.assertEqual({line.split(" | ")[1] for line in lines if "libJerasure" in line}, {
            f"{what}{end}" for end in ("", ", drop-in") for what in (
                "jerasure_encode cauchy_good, warm", "jerasure_encode reed_sol_van, warm",
                "region_16, warm")})

    def test_marks_are_filled(self):
        records = folder("records-j")
        record.put(self.run_of("run-j", "6-5"), records, "")
        page = WORK / "page.md"
        page.write_text("before\n<!-- ranges: behind -->\nold\n<!-- end of ranges -->\nafter\n",
                        encoding="utf-8")
        self.assertEqual(ranges_status("--check", page, records=records), 1)
        self.assertEqual(ranges_status("--into", page, records=records), 0)
        self.assertEqual(ranges_status("--check", page, records=records), 0)
        text = page.read_text(encoding="utf-8")
        self.assertTrue(text.startswith("before\n<!-- ranges: behind -->\n| cells behind |"))
        self.assertTrue(text.endswith("|\n<!-- end of ranges -->\nafter\n"))
        page.write_text("<!-- ranges: none -->\n<!-- end of ranges -->\n", encoding="utf-8")
        self.assertEqual(ranges_status("--check", page, records=records), 2)

    def test_the_pages_say_what_the_records_do(self):
        said = subprocess.run([sys.executable, SOURCE / "perf/report/ranges.py",
                               SOURCE / "doc/perf-report", "--check",
                               *(SOURCE / name for name in FIGURES)],
                              capture_output=True, text=True, check=False)
        self.assertEqual((said.returncode, said.stdout, said.stderr), (0, "", ""))
        for name in FIGURES:
            self.assertIn("<!-- ranges: ", (SOURCE / name).read_text(encoding="utf-8"))

    def test_the_picture_says_what_the_records_do(self):
        picture = SOURCE / "doc/perf-report/speed.svg"
        self.assertEqual(ranges_status("--check", picture), 0)
        text = picture.read_text(encoding="utf-8")
        lines = ranges.lines_of(ranges.read_cpus(SOURCE / "doc/perf-report"))
        figure = span(next(iter(next(iter(lines.values())).values())))
        before, _, after = text.rpartition(f">{figure}<")
        # First only the description has another figure, and then only the label.
        for changed in (text.replace(figure, "9", 1), f"{before}>9<{after}"):
            self.assertNotEqual(changed, text)
            (WORK / "changed.svg").write_text(changed, encoding="utf-8")
            self.assertEqual(ranges_status("--check", WORK / "changed.svg"), 1)
        (WORK / "changed.svg").write_text("no picture", encoding="utf-8")
        self.assertEqual(ranges_status("--check", WORK / "changed.svg"), 2)

    def test_models(self):
        self.assertEqual(machine.family_model({"cpu family": "25", "model": "17"}), "25-17")
        self.assertEqual(machine.family_model({"CPU implementer": "0x41", "CPU part": "0xd4f"}),
                         "0x41-0xd4f")
        self.assertEqual(machine.family_model({"cpu": "POWER9 (raw), altivec supported"}),
                         "power9-raw-altivec-supported")


def ranges_status(*words, records=SOURCE / "doc/perf-report"):
    """The exit status of ranges.py."""
    return subprocess.run([sys.executable, SOURCE / "perf/report/ranges.py", records, *words],
                          check=False, capture_output=True).returncode


def text_of(element):
    return " ".join("".join(element.itertext()).split())


def rendered(out):
    """The page that is made from the merged tables in the folder `out`."""
    with contextlib.redirect_stdout(io.StringIO()):
        perf_report.render(out)
    return (out / "report.html").read_text(encoding="utf-8")


def lacking():
    """The modules for drawing that are missing."""
    return [name for name in ("jinja2", "matplotlib") if importlib.util.find_spec(name) is None]


@unittest.skipIf(lacking(), f"no {' and no '.join(lacking())}")
@unittest.skipIf(os.environ.get("PXR_EFFORT", "100") != "100", "PXR_EFFORT is less than 100")
class Rendering(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.out = folder("page")
        report_data.write_run(cls.out, passes=2, subjects=("permxor", "isal", "zfec"),
                              codes=((4, 2), (10, 4)), lengths=(63, 65536, 1 << 20),
                              sweep=range(1, 300))
        Record(date="now", missing={"klauspost": "not here"}, failed=["grid-2: stopped"],
               versions={"isal": "2.30, without GFNI code"},
               machine={"processor": "<script>fast</script> & \"quoted\""},
               commands=["perf/ec_perf a<b"]).save(cls.out / "run.json")
        perf_report.merge_raw(cls.out)
        cls.html = rendered(cls.out)
        cls.page = ET.fromstring(cls.html)
        cls.text = text_of(cls.page)
        cls.references = [element.get(name) for element in cls.page.iter()
                          for name in ("href", "src") if element.get(name)]

    def test_charts(self):
        charts = [value for value in self.references if value.startswith(IMAGE)]
        # There are 12 views, and six more charts: peers, warm and cold, sweep, sets, RAID and
        # bandwidths.
        self.assertEqual(len(charts), 12 + 6)
        for chart in charts:
            ET.fromstring(base64.b64decode(chart[len(IMAGE):]))

    def test_nothing_is_fetched(self):
        self.assertEqual({value.split(",")[0] for value in self.references},
                         {IMAGE[:-1], "data:application/gzip;base64"})
        self.assertNotRegex(self.html, r"https?:|url\(|@import|<link")

    def test_text_is_no_markup(self):
        self.assertIn('<script>fast</script> & "quoted"', self.text)
        self.assertIn("perf/ec_perf a<b", self.text)
        self.assertIsNone(self.page.find(".//script"))

    def test_contents(self):
        for expected in ("Missing: klauspost (not here).", "Not complete: grid-2: stopped.",
                         "2 passes of whole processes", "cover 50.0%",
                         "(2.30, without GFNI code): least", "avx512_gfni", "SnapRAID",
                         "encode 10+4 cauchy warm 64K", "pq_gen 8 disks warm 4K",
                         "encode 10+4 cauchy contiguous warm 64K", "avx2 encode 10+4 warm",
                         "jerasure_encode 10+4 cauchy_good/8/1024 warm 64K",
                         "jerasure_encode 10+4 reed_sol_van/16 warm", "region_16 warm"):
            self.assertIn(expected, self.text)
        cell = next(c for c in merge.read_cells(self.out / "summary.csv")
                    if c.subject == "zfec" and c.shape.len == 65536)
        self.assertIn(f">{cell.ratio.median:.1f}</td>", self.html)

    def test_sections(self):
        sections = {section.find("h2").text: section for section in self.page.iter("section")}
        self.assertEqual(list(sections), [
            "Behind a peer", "Verdict", "Ratios against each peer",
            "Throughput by shard length", "Shards as programs have them", "Short calls",
            "One instruction set on both sides", "RAID", "jerasure's codes",
            "Drop-in libraries", "Peers", "Warm and cold",
            "Every length", "Kernel sets against their roofs", "RAID functions",
            "Roofs of this machine", "Machine and run"])
        # The heat maps show displaced shards only, so no layout can be chosen.
        self.assertNotIn("contiguous", text_of(sections["Ratios against each peer"]))

    def test_coverage_is_that_of_most_cells(self):
        from page import confidence
        rows = [row(2, shape=SHAPE._replace(len=length)) for length in (1, 2, 3)]
        grid = Grid(merge.merge([rows] * 5 + [rows[:1]]))
        self.assertEqual(confidence(verdict(grid)),
                         "5 passes of whole processes in most cells, intervals of the sign "
                         "test cover 93.8%; 1 cells have 6")

    def test_no_folder_of_this_machine(self):
        markup = re.sub('base64,[^"]*', "", self.html)
        for place in (WORK, SOURCE.resolve(), Path(tempfile.gettempdir()), Path.home()):
            if place != Path("/"):
                self.assertNotIn(f"{place}/", markup)

    def test_files(self):
        for name, said in (("throughput", "10+4, encode, cauchy, warm"), ("peers", "zfec"),
                           ("heat-isal", "4+2 vand"), ("heat-zfec", "4+2 vand"),
                           ("sweep", "1 to 299 bytes"), ("sets", "avx2_gfni_x2")):
            words = " ".join(ET.parse(self.out / f"{name}.svg").getroot().itertext())
            self.assertIn(said, words)

    def test_the_same_tables_give_the_same_page(self):
        charts = {path: path.read_bytes() for path in self.out.glob("*.svg")}
        self.assertEqual(rendered(self.out), self.html)
        self.assertEqual({path: path.read_bytes() for path in charts}, charts)

    def test_the_picture_of_the_records(self):
        records = folder("records-speed")
        for name in ("6-7", "25-18"):
            run = folder(f"run-{name}")
            for path in self.out.glob("*.csv"):
                shutil.copyfile(path, run / path.name)
            Record(date="2026-01-02 03:04 UTC", machine={"family-model": name}
                   ).save(run / "run.json")
            record.put(run, records, "")
        self.assertEqual(ranges_status("--into", WORK / "speed.svg", records=records), 0)
        self.assertEqual(ranges_status("--check", WORK / "speed.svg", records=records), 0)
        self.assertIn("zfec (2 CPUs)", (WORK / "speed.svg").read_text(encoding="utf-8"))
        shutil.rmtree(records / "25-18")
        self.assertEqual(ranges_status("--check", WORK / "speed.svg", records=records), 1)

    def test_a_grid_alone_is_enough(self):
        out = folder("alone")
        report_data.write_run(out, passes=1, subjects=("permxor",), codes=((4, 2),),
                              lengths=(63,), sweep=range(1, 3))
        for path in [*(out / "raw").glob("s*.csv"), out / "raw/roofs.csv"]:
            path.unlink()
        perf_report.merge_raw(out)
        self.assertIn("Behind a peer: no cell.", rendered(out))

    def test_cells_behind_are_listed(self):
        out = folder("behind")
        merge.write_cells(out / "summary.csv", merge.merge(
            [[line for length, ratio in ((32, 1.05), (64, 0.95), (128, 0.5)) for line in
              (row(1, "permxor", SHAPE._replace(len=length), gbs=9.5),
               row(ratio, "isal", SHAPE._replace(len=length), gbs=10))]] * 6))
        merge.write_cells(out / "sweep.csv", merge.merge([[row(1, "permxor"), row(0.75)]]))
        text = text_of(ET.fromstring(rendered(out)))
        self.assertIn("Behind a peer: 2 cells.", text)
        self.assertEqual(re.findall(r"isal, encode 10\+4 cauchy warm (\S+):", text),
                         ["128", "64"])
        self.assertIn("isal, encode 10+4 cauchy warm 64: 0.950 (0.950..0.950); it 10, "
                      "ours 9.5 GB/s", text)
        self.assertIn("isal, 10+4: 1 of 1 lengths, 0.750 at 4096", text)


class Result(unittest.TextTestResult):
    """Counts passed tests.  In some versions of Python, testsRun includes skipped tests."""
    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


def main():
    """The last line is the sum that run_tests.sh reads."""
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
    result = unittest.TextTestRunner(sys.stdout, verbosity=0, resultclass=Result).run(suite)
    for test, why in result.skipped:
        print(f"skipped: report_test {test.id().split('.', 1)[1]} ({why})")
    failed = len(result.failures) + len(result.errors)
    print(f"report_test: {result.passed} passed, {failed} failed, "
          f"{len(result.skipped)} skipped")
    return not result.wasSuccessful()


if __name__ == "__main__":
    sys.exit(main())
