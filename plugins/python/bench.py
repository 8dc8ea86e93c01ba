# SPDX-License-Identifier: BSD-3-Clause
"""Measures permxor.zfec against zfec: the same calls on the same buffers, one thread, in turns.

Each line is the median over rounds of the ratio within a round.  A round times both, one right
after the other, so that other work on the machine affects both.
"""

import argparse
import os
import platform
import statistics
import sys
import time

import permxor
import zfec
from permxor import zfec as ours


def size(text):
    scale = {"K": 1 << 10, "M": 1 << 20}.get(text[-1:].upper())
    return int(text[:-1]) * scale if scale else int(text)


def name_of(length):
    for unit, scale in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if length % scale == 0:
            return f"{length // scale} {unit}"
    return f"{length} B"


def shape(text):
    k, m = map(int, text.split("+"))
    return k, m


def seconds(call, repetitions):
    start = time.perf_counter()
    for _ in range(repetitions):
        call()
    return (time.perf_counter() - start) / repetitions


def calibrated(call, slice_s):
    """Returns how many calls take about slice_s seconds."""
    return max(1, round(slice_s / max(seconds(call, 1), 1e-9)))


def jobs(k, m, length):
    """Yields (name, zfec's call, our call).  Both calls give the same bytes."""
    data = tuple(os.urandom(length) for _ in range(k))
    n = k + m
    blocks = zfec.Encoder(k, n).encode(data)
    assert ours.Encoder(k, n).encode(data) == blocks
    encoders = [module.Encoder(k, n) for module in (zfec, ours)]
    yield "encode", lambda: encoders[0].encode(data), lambda: encoders[1].encode(data)

    # Writes into buffers that exist already, so there are no new pages that the system must
    # clear.
    code = permxor.Code(k, m)
    parity = [bytearray(length) for _ in range(m)]
    yield (
        "encode_into",
        lambda: encoders[0].encode(data),
        lambda: code.encode_into(data, parity),
    )

    lost = min(k, m)
    numbers = tuple(range(lost, k)) + tuple(range(k, k + lost))
    given = tuple(blocks[i] for i in numbers)
    decoders = [module.Decoder(k, n) for module in (zfec, ours)]
    assert decoders[1].decode(given, numbers) == list(data)
    yield (
        f"decode {lost} lost",
        lambda: decoders[0].decode(given, numbers),
        lambda: decoders[1].decode(given, numbers),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shapes", type=shape, nargs="+", default=[(10, 4), (4, 2)])
    parser.add_argument(
        "--sizes", type=size, nargs="+", default=[1 << 10, 64 << 10, 1 << 20], help="of a block"
    )
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--slice", type=float, default=0.02, help="seconds of a call per round")
    options = parser.parse_args()

    selected = next(kernel.name for kernel in permxor.kernels() if kernel.selected)
    print(
        f"Python {platform.python_version()}, zfec {zfec.__version__}, "
        f"permxor {permxor.__version__} ({selected}); MB/s of data, one thread"
    )
    print(f"{'code':6} {'block':>8}  {'call':15} {'zfec':>8} {'permxor':>8}  ratio (quartiles)")
    for k, m in options.shapes:
        for length in options.sizes:
            for name, theirs, mine in jobs(k, m, length):
                often = [calibrated(call, options.slice) for call in (theirs, mine)]
                pairs = [
                    (seconds(theirs, often[0]), seconds(mine, often[1]))
                    for _ in range(options.rounds)
                ]
                ratios = [a / b for a, b in pairs]
                quarters = statistics.quantiles(ratios, n=4)
                speeds = [k * length / statistics.median(times) / 1e6 for times in zip(*pairs)]
                print(
                    f"{k}+{m:<4} {name_of(length):>8}  {name:15} {speeds[0]:8.0f} "
                    f"{speeds[1]:8.0f}  {quarters[1]:5.1f} "
                    f"({quarters[0]:.1f} to {quarters[2]:.1f})"
                )
                sys.stdout.flush()


if __name__ == "__main__":
    main()
