# SPDX-License-Identifier: BSD-3-Clause
"""Writes CSV files like those of the programs of perf/, with made-up figures."""
import csv
import random
from pathlib import Path

HEAD = ("operation,variant,matrix,k,m,mode,len,layout,stripes,subject,bytes,seconds,"
        "seconds_low,seconds_high,gbs,ratio,ratio_low,ratio_high,rounds,calls,preempted,noisy,"
        "cycles,instructions,roof,roof_gbs").split(",")
CODES = ((4, 2), (6, 3), (8, 3), (8, 4), (10, 4), (12, 4), (17, 3), (32, 4))
LENGTHS = (1, 63, 512, 4096, 16384, 65536, 87382, 1 << 20, 8 << 20)
# For each subject: the GB/s of a permute with m = 1, and the seconds of a call.
SUBJECTS = {"permxor": (160.0, 37e-9), "isal": (45.0, 45e-9), "jerasure": (18.0, 300e-9),
            "klauspost": (140.0, 250e-9), "zfec": (6.0, 200e-9)}
SETS = {"avx512_gfni": 170.0, "avx512_gfni_x2": 165.0, "avx2_gfni": 150.0,
        "avx2_gfni_x2": 148.0, "avx512": 88.0, "avx512_x4": 86.0, "avx2": 44.0, "ssse3": 22.0,
        "base": 2.0}


def seconds(subject: str, operation: str, matrix: str, k: int, m: int, mode: str,
            length: int) -> float:
    speed, call = SUBJECTS.get(subject) or (SETS[subject], 37e-9)
    size = length if operation == "update" else k * length
    rate = speed / m * (1.25 if matrix == "vand" and subject in ("permxor", *SETS) else 1)
    memory = 14 if mode == "cold" else 60 if k * length > 2 << 20 else 1000
    own = subject == "permxor" or subject in SETS
    rate = min(rate, memory / (1 + (1 if own else 1.6) * m / k))
    tail = 0 if own or subject == "klauspost" else length % 32 * k * m * 2e-9
    return call + size / rate / 1e9 + tail


def roof_of(subject: str, shape: tuple) -> float:
    """The GB/s that long shards reach."""
    *rest, mode, _ = shape
    length = 65536 // rest[2] if mode == "warm" else 1 << 22
    size = length if rest[0] == "update" else rest[2] * length
    return size / seconds(subject, *rest, mode, length) / 1e9


def lines(dice: random.Random, subjects: list[str], shape: tuple, variant: str = "dispatched",
          layout: str = "displaced") -> list[list[str]]:
    """The lines of one shape, one for each subject that has the operation."""
    operation, matrix, k, m, mode, length = shape
    found = []
    first = None
    for subject in subjects:
        if operation == "update" and subject in ("jerasure", "zfec"):
            continue
        took = seconds(subject, *shape) * dice.lognormvariate(0, 0.004)
        first = first or took
        size = length if operation == "update" else k * length
        ratio = took / first
        noise = 1 + 0.003 * dice.random()
        noisy = int(mode == "cold" and dice.random() < 0.01)
        own = subject == subjects[0] or subject in SETS
        roof = ["permute avx512_gfni" if mode == "warm" else "memory",
                f"{1.05 * roof_of(subject, shape):.5g}"] if own else ["", ""]
        found.append([operation, variant, matrix, k, m, mode, length, layout, 1, subject, size,
                      f"{took:.6g}", f"{took / noise:.6g}", f"{took * noise:.6g}",
                      f"{size / took / 1e9:.6g}", f"{ratio:.6g}", f"{ratio / noise:.6g}",
                      f"{ratio * noise:.6g}", 41, 1000, 0, noisy, "", "",
                      *roof])
    return found


def write(path: Path, rows: list[list[str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(HEAD)
        writer.writerows(rows)


def write_grid(path: Path, seed: int, subjects: list[str], codes=CODES,
               lengths=LENGTHS) -> None:
    dice = random.Random(seed)
    write(path, [line for code in codes for operation in ("encode", "decode", "update")
                 for mode in ("warm", "cold") for matrix in ("vand", "cauchy")
                 for length in lengths
                 for line in lines(dice, subjects, (operation, matrix, *code, mode, length))])


def write_sweep(path: Path, seed: int, lengths, codes=((10, 4),)) -> None:
    dice = random.Random(seed)
    write(path, [line for code in codes for length in lengths for line in
                 lines(dice, ["permxor", "isal"], ("encode", "cauchy", *code, "warm", length))])


def write_forced(path: Path, seed: int, name: str) -> None:
    dice = random.Random(seed)
    write(path, [line for length in (63, 4096) for line in
                 lines(dice, ["permxor", "isal"], ("encode", "cauchy", 10, 4, "warm", length),
                       variant=name)])


def write_layouts(path: Path, seed: int, subjects: list[str]) -> None:
    """Appends the shapes with layouts to the file of a grid."""
    dice = random.Random(seed)
    found = [line for layout in ("contiguous", "aligned") for line in
             lines(dice, subjects, ("encode", "cauchy", 10, 4, "warm", 65536), layout=layout)]
    with path.open("a", newline="", encoding="utf-8") as stream:
        csv.writer(stream, lineterminator="\n").writerows(found)


def write_raid(path: Path, seed: int) -> None:
    """Writes two operations, one of them without disks."""
    dice = random.Random(seed)
    write(path, [[operation, "dispatched", "", disks, 0, "warm", length, *line[7:]]
                 for operation, disks in (("pq_gen", 8), ("isal_adler32", 0))
                 for length in (4096, 65536)
                 for line in lines(dice, ["permxor", "isal"],
                                   (operation, "", disks or 1, 2, "warm", length))])


def write_codes(path: Path, seed: int) -> None:
    """Writes jerasure's codes of packets and of words, and a region."""
    dice = random.Random(seed)
    shapes = [("jerasure_encode", matrix, 10, 4, "warm", 65536) for matrix in
              ("cauchy_good/8/1024", "cauchy_good/8/2048", "reed_sol_van/16")]
    found = [line for shape in shapes for line in lines(dice, ["permxor", "isal"], shape)]
    found += [["region_16", "dispatched", "", 0, 0, *line[5:]] for line in
              lines(dice, ["permxor", "isal"], ("region_16", "", 1, 1, "warm", 65536))]
    write(path, [[*line[:9], "libJerasure" if line[9] == "isal" else line[9], *line[10:]]
                 for line in found])


def write_sets(path: Path, seed: int, matrix: str, k: int, m: int) -> None:
    dice = random.Random(seed)
    write(path, [line for length in LENGTHS for line in
                 lines(dice, list(SETS), ("encode", matrix, k, m, "warm", length))])


def write_run(out: Path, passes: int = 6, subjects=tuple(SUBJECTS), codes=CODES,
              lengths=LENGTHS, sweep=range(1, 4097)) -> None:
    """Writes the raw files of a whole run."""
    raw = out / "raw"
    raw.mkdir(parents=True, exist_ok=True)
    for number in range(1, passes + 1):
        write_grid(raw / f"grid-{number}.csv", number, list(subjects), codes, lengths)
        write_layouts(raw / f"grid-{number}.csv", number, list(subjects))
        write_grid(raw / f"short-{number}.csv", number, list(subjects), ((1, 1),), (1, 64))
        write_forced(raw / f"forced-avx2-{number}.csv", number, "avx2")
        write_raid(raw / f"raid-{number}.csv", number)
        write_codes(raw / f"codes-jerasure-{number}.csv", number)
        write_codes(raw / f"dropins-jerasure-{number}.csv", number)
        write_sets(raw / f"sets-10+4-{number}.csv", number, "cauchy", 10, 4)
        write_sets(raw / f"sets-4+2-{number}.csv", number, "vand", 4, 2)
    write_sweep(raw / "sweep-1.csv", 99, sweep)
    write_others(raw)


def write_others(raw: Path) -> None:
    """Writes the files that roofline and snapraid.py write."""
    bandwidths = [f"bandwidth,{kind},{level},{streams},{value / streams ** 0.1:.4g},GB/s"
                  for level, value in (("L1", 380), ("L2", 160), ("memory", 16.5))
                  for kind in ("read", "write", "copy", "stream") for streams in (1, 10)]
    (raw / "roofs.csv").write_text("\n".join(
        ["kind,name,level,streams,value,unit", "clock,clock,,,3.6,GHz", *bandwidths, ""]),
        encoding="utf-8")
    (raw / "snapraid.csv").write_text(
        "peer,function,gbs\nsnapraid,gen1,60.1\nsnapraid,gen2,41.5\nsnapraid,gen3,31.5\n"
        "permxor,gen1,75\npermxor,gen2,63\npermxor,gen3,43.8\n", encoding="utf-8")
