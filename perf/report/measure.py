# SPDX-License-Identifier: BSD-3-Clause
"""Runs the programs of a build and leaves their CSV files, and a record, in a folder."""
import json
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from statistics import geometric_mean
from typing import Optional

import machine
from rows import MERGED, RAW, read_grid
from subjects import (DROPINS, LIBRARY, find_originals, find_peers, is_isal, isal_remark,
                      remark, said, told, usable_sets, versions)

SOURCES = Path(__file__).resolve().parent.parent
QUICK_SECONDS = 280  # a short run ends within five minutes
# Six passes make up for short ones: a batch of a walk may take less time than ec_perf's
# default.
USUAL = ["--time", "0.03", "--rounds", "6", "--pass-time", "0.003"]
BRIEF = ["--time", "0.02", "--rounds", "6", "--pass-time", "0.003"]
# What a run writes, and a new run deletes.
OWN = (*(f"{name}.csv" for name in MERGED), "*.svg",
       *(f"raw/{raw}-*.csv" for raw in MERGED.values()), *RAW)
FAR = 10  # a peer this many times slower (geometric mean) is in the first pass alone
FORCED = ("avx512", "avx2")  # kernel sets for which ISA-L has functions, too, by their suffix
RAID_PEERS = ("rusty_erasure",)  # beside ISA-L
# Where the CPU has GFNI, its ec_init_tables writes tables that its gf_vect_dot_prod cannot
# read.
SICK_AT_PARTS = "isal-sid"
# Tables and grids of the interfaces of other libraries: the library that is measured, and ours.
ORIGINALS = (("codes", "jerasure", "libJerasure", LIBRARY),
             ("dropins", "jerasure", "libJerasure", DROPINS["libJerasure"]),
             ("dropins", "gf", "libgf_complete", DROPINS["libgf_complete"]))
CODES = (("10+4", "cauchy"), ("4+2", "vand"))  # the codes on which the kernel sets are shown


@dataclass
class Plan:
    build: Path
    out: Path
    quick: bool
    passes: int
    cpu: Optional[int]
    peers: dict[str, str]


@dataclass
class Record:
    """What the page says about a run."""
    date: str = ""
    commit: str = ""
    note: str = ""  # what the operator adds about the machine
    quick: bool = False
    machine: dict[str, str] = field(default_factory=dict)
    load: list[str] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)
    commands: list[str] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)  # what a short run had no time for
    disturbed: list[str] = field(default_factory=list)  # by others, as the program reports
    seconds: float = 0

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(vars(self), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load_from(cls, path: Path) -> "Record":
        return cls(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else cls()


def say(text: str) -> None:
    print(text, flush=True)


# -------------------------------------------------------------------- programs --

# The folders of a path of this machine alone, which stands by itself or behind NAME=.
PRIVATE = re.compile(r"(?<![^ =])/(?!usr/|lib|opt/)(?:\S*/)?")


class Runner:
    def __init__(self, plan: Plan):
        self.plan = plan
        self.record = Record(quick=plan.quick)
        self.started = time.monotonic()
        self.core = [] if plan.cpu is None else ["--cpu", str(plan.cpu)]
        for name in ("raw", "log"):
            (plan.out / name).mkdir(parents=True, exist_ok=True)
        for pattern in OWN:
            for old in plan.out.glob(pattern):
                old.unlink()  # figures of two runs must not stand side by side

    def elapsed(self) -> float:
        return time.monotonic() - self.started

    def left(self) -> Optional[float]:
        return QUICK_SECONDS - self.elapsed() if self.plan.quick else None

    def shown(self, arguments: list[str]) -> str:
        """Returns the command as another person would type it in a build folder."""
        text = " ".join(arguments)
        for folder, name in ((self.plan.out, "OUT"), (SOURCES, "SOURCE/perf"),
                             (self.plan.build, ".")):
            text = text.replace(str(folder), name)
        return PRIVATE.sub("", text)

    def run(self, name: str, arguments: list[str], share: float = 1,
            meanings: Optional[dict[int, str]] = None) -> bool:
        """Runs one program. A short run stops it after its share of the time that is left."""
        log = self.plan.out / "log" / f"{name}.txt"
        command = self.shown(arguments)
        say(f"{self.elapsed():6.0f} s  {command}")
        self.record.commands.append(command)
        left = self.left()
        group = self.record.failed
        with log.open("wb") as stream:
            try:
                status = subprocess.run(arguments, cwd=self.plan.build, stdout=stream,
                                        stderr=subprocess.STDOUT, check=False,
                                        timeout=left and max(share * left, 1)
                                        ).returncode
                why = (meanings or {}).get(status, f"exit status {status}") if status else ""
            except subprocess.TimeoutExpired:
                why = "stopped, the time was up"
                group = self.record.cut
            except OSError as error:
                why = error.strerror or "could not be started"
        if why:
            group.append(f"{name}: {why}")
            say(f"          {name}: {why}")
        return not why

    def ec_perf(self, name: str, options: list[str], subjects: list[str],
                share: float = 1) -> None:
        """Runs ec_perf and keeps its CSV file. Where it was stopped, the complete lines are
        kept."""
        path = self.plan.out / "raw" / f"{name}.csv"
        timing = BRIEF if self.plan.quick else USUAL
        ended = self.run(name, ["perf/ec_perf", *options, *timing, *self.core, "--csv",
                                str(path), *subjects], share, {1: "bytes differ"})
        if not ended and path.exists():
            keep_whole_lines(path)
        log = self.plan.out / "log" / f"{name}.txt"
        what = disturbance(log.read_text(encoding="utf-8", errors="replace"))
        if what:
            self.record.disturbed.append(f"{name}: {what}")


# The last line of ec_perf: the share of time without the core in per cent, and the cores that
# did other work. The limits are those of perf/noise.h.
OTHERS = re.compile(r"core taken away ([\d.]+) %.* stolen ([\d.]+) %; "
                    r"other work: ([\d.]+) cores")


def disturbance(log: str) -> str:
    """Returns what other work did to the machine during a run, where it was too much."""
    match = OTHERS.search(log)
    if not match:
        return ""
    away, stolen, others = map(float, match.groups())
    return match[0] if away > 2 or stolen > 2 or others > 0.5 else ""


def keep_whole_lines(path: Path) -> None:
    """Cuts off the line that a program was writing when it was stopped."""
    text = path.read_bytes()
    path.write_bytes(text[:text.rfind(b"\n") + 1])
    if path.stat().st_size == 0:
        path.unlink()


# ------------------------------------------------------------------- the whole --

def passes_left(runner: Runner, number: int) -> int:
    return runner.plan.passes - number + 1


def measure_sets(runner: Runner, number: int, sets: list[str]) -> None:
    lengths = "512,4K,64K,1M" if runner.plan.quick else "64,512,4K,16K,64K,256K,1M"
    subjects = [f"{name}={LIBRARY}@{name}" for name in sets]
    for code, matrix in CODES:
        k, m = code.split("+")
        runner.ec_perf(f"sets-{code}-{number}",
                       ["-k", k, "-m", m, "--matrix", matrix, "--len", lengths, "--limits"],
                       subjects, 0.4 / passes_left(runner, number))


def subjects_of(peers: dict[str, str], end: str = "", peer_end: str = "",
                library: str = LIBRARY) -> list[str]:
    """Returns this library and the peers as ec_perf takes them, each with the text that follows
    its path."""
    return [f"permxor={library}{end}",
            *(f"{name}={path}{peer_end}" for name, path in peers.items())]


def measure_sweep(runner: Runner, isals: dict[str, str]) -> None:
    shapes = ["--grid", "sweep"]
    if runner.plan.quick:
        shapes = ["-k", "10", "-m", "4", "--sweep", "--len", "1..256,257..4096:61"]
    runner.ec_perf("sweep-1", shapes, subjects_of(isals), 0.15)


def measure_short(runner: Runner, number: int, peers: dict[str, str]) -> None:
    """Measures short calls of the functions that all libraries have, and of the parts that
    ISA-L has."""
    able = {name: path for name, path in peers.items() if name != SICK_AT_PARTS}
    runner.ec_perf(f"short-{number}", ["--grid", "short"], subjects_of(able))


def measure_forced(runner: Runner, number: int, peers: dict[str, str],
                   sets: list[str]) -> None:
    """Measures both sides with the same instruction set, which shows CPUs without the better
    ones."""
    isals = {name: path for name, path in peers.items() if is_isal(name)}
    for name in FORCED:
        if isals and name in sets:
            runner.ec_perf(f"forced-{name}-{number}", ["--grid", "quick"],
                           subjects_of(isals, f"@{name}", f":{name}"))


def measure_raid(runner: Runner, number: int, peers: dict[str, str]) -> None:
    quick = runner.plan.quick
    able = {name: path for name, path in peers.items()
            if is_isal(name) or name in RAID_PEERS}
    if able:
        disks, lengths = ("8,24", "16K,256K") if quick else ("4,8,24,96", "512,4K,64K,1M")
        runner.ec_perf(f"raid-{number}", ["--op", "raid", "-k", disks, "--len", lengths,
                                          "--mode", "warm,cold"], subjects_of(able),
                       0.3 / passes_left(runner, number))


def measure_originals(runner: Runner, number: int, originals: dict[str, str]) -> None:
    """Measures jerasure's codes by code objects and by our library of its names, and
    gf-complete's regions, against the originals."""
    for table, grid, name, library in ORIGINALS:
        if name in originals:
            runner.ec_perf(f"{table}-{grid}-{number}", ["--grid", grid],
                           subjects_of({name: originals[name]}, library=library))


def measure_grid(runner: Runner, number: int, peers: dict[str, str]) -> None:
    """Measures the grid. If it is too much for a short run, it is cut off at the same place in
    each pass."""
    quick = runner.plan.quick
    options = ["--grid", "quick" if quick else "full"]
    if number == 1 or not quick:  # the limits take seconds to measure
        options.append("--limits")
    runner.ec_perf(f"grid-{number}", options, subjects_of(peers),
                   0.95 / passes_left(runner, number))


def measure_once(runner: Runner, peers: dict[str, str]) -> None:
    """Measures roofs, RAID peers and the sweep over all lengths."""
    raw = runner.plan.out / "raw"
    runner.run("roofs", ["perf/roofline", *runner.core, "--csv", str(raw / "roofs.csv")],
               0.15)
    if runner.plan.quick:
        runner.record.missing["snapraid"] = "its speed test takes longer than a short run"
    else:
        runner.run("snapraid", [sys.executable, str(SOURCES / "snapraid.py"), *runner.core,
                                "--csv", str(raw / "snapraid.csv")])
        if not (raw / "snapraid.csv").exists():
            runner.record.missing["snapraid"] = "log/snapraid.txt says why"
    isals = {name: path for name, path in peers.items() if is_isal(name)}
    if isals:
        measure_sweep(runner, isals)


def near(path: Path, peers: dict[str, str]) -> dict[str, str]:
    """Returns the peers that are fast enough for another pass to be worth its time."""
    ratios: dict[str, list[float]] = {}
    for row in read_grid(path) if path.exists() else []:
        ratios.setdefault(row.subject, []).append(row.ratio.median)
    return {name: where for name, where in peers.items()
            if name not in ratios or geometric_mean(ratios[name]) <= FAR}


def measure_passes(runner: Runner, peers: dict[str, str], originals: dict[str, str]) -> None:
    """Runs whole processes, so that differences from start to start appear here, too."""
    sets = usable_sets(runner.plan.build / LIBRARY)
    for number in range(1, runner.plan.passes + 1):
        before = runner.elapsed()
        runner.record.load.append(f"{os.getloadavg()[0]:.2f}")
        if runner.plan.quick and number == 1:
            measure_raid(runner, number, peers)
        measure_grid(runner, number, peers)
        if number == 1 and not runner.plan.quick:
            peers = near(runner.plan.out / "raw/grid-1.csv", peers)
        if len(sets) > 1 and (number == 1 or not runner.plan.quick):  # short runs: in one pass
            measure_sets(runner, number, sets)
        if not runner.plan.quick:
            measure_short(runner, number, peers)
            measure_forced(runner, number, peers, sets)
            measure_raid(runner, number, peers)
            measure_originals(runner, number, originals)
        took = runner.elapsed() - before
        say(f"{runner.elapsed():6.0f} s  pass {number} of {runner.plan.passes} took {took:.0f} "
            f"s; about {took * (runner.plan.passes - number):.0f} s to go")


def note_subjects(runner: Runner, peers: dict[str, str]) -> None:
    """Notes which versions were measured, and which peers were not measured at all."""
    record = runner.record
    log = runner.plan.out / "log" / "grid-1.txt"
    subjects = told(log.read_text(encoding="utf-8", errors="replace"))
    record.versions |= {name: text for name, text in subjects.items() if name in peers}
    for name, text in versions(runner.plan.build).items():
        if name in peers:  # the file name tells more than the library itself
            record.versions[name] = f"{Path(peers[name]).name}, {text}"
    if "isal" in peers and Path(peers["isal"]).exists():
        record.versions["isal"] = runner.shown([isal_remark(peers["isal"])])
    rows = "".join(path.read_text(encoding="utf-8")
                   for path in (runner.plan.out / "raw").glob("grid-*.csv"))
    record.missing |= {name: "refused on every shape, log/grid-1.txt says why"
                       for name in peers if f",{name}," not in rows}


def commit() -> str:
    """Returns the commit of the sources, or "" where these are no checkout."""
    return said("git", "-C", str(SOURCES), "describe", "--always", "--dirty", "--abbrev=10",
                "--exclude=*")


def measure(plan: Plan) -> bool:
    """Returns whether all programs ended well."""
    if not (plan.build / "perf/ec_perf").exists():
        sys.exit(f"perf_report.py: no perf/ec_perf in {plan.build}: run make first")
    runner = Runner(plan)
    record = runner.record
    record.date = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    record.commit = commit()
    record.machine = machine.describe()
    record.versions = versions(plan.build)
    peers, record.missing = find_peers(plan.build, plan.peers)
    if plan.quick and "klauspost" in peers and peers.pop("klauspost-1.14", None):
        record.missing["klauspost-1.14"] = "klauspost stands for it in a short run"
    originals: dict[str, str] = {}
    if not plan.quick:
        originals, absent = find_originals(plan.build, plan.peers)
        record.missing |= absent
        record.versions |= {name: runner.shown([remark(path)])
                            for name, path in originals.items()}
    for name, why in record.missing.items():
        say(f"missing: {name} ({why})")
    if "isal" in peers:
        say(f"isal: {isal_remark(peers['isal'])}")
    measure_once(runner, peers)
    measure_passes(runner, peers, originals)
    note_subjects(runner, peers)
    record.seconds = round(runner.elapsed())
    record.save(plan.out / "run.json")
    return not record.failed
