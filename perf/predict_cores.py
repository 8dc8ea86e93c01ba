# SPDX-License-Identifier: BSD-3-Clause
"""For predict.py: the cores, the instructions that a kernel set cannot do without, and the
limit that follows."""
from collections import namedtuple

# What a vector of source costs, in instructions on the vector units:
#   split     whatever m: the shift and the mask(s) that split it into nibbles
#   row       for each general row: look-ups or affine transforms, and the xors
#             that add them (half an xor where one adds the products of two sources)
#   lookups   those of them that are look-ups or affine transforms
#   pq        for P and Q: the xor of P, and the cheaper of doubling and a general row
#   pq_lookups
# and coef is what is loaded for a coefficient, in bytes: 32 of nibble tables, or 8
# of a bit matrix.  vec_bytes 0 stands for the core's SVE vectors.
Work = namedtuple("Work", "vec_bytes split row lookups pq pq_lookups coef")
SETS = {
    # affine, and a vpternlogq for two sources, in P and Q as well, and one in P
    "avx512_gfni": Work(64, 0, 1.5, 1, 2, 1, 8),
    "avx2_gfni": Work(32, 0, 2, 1, 3, 1, 8),  # 2 affine, 2 xors, 2 in P
    # 2 vpshufb, vpternlogq; q+q, vpshufb, vpternlogq, and one in P of two sources
    "avx512": Work(64, 3, 3, 2, 3.5, 1, 32),
    "avx2": Work(32, 3, 4, 2, 5, 1, 32),  # 2 vpshufb, 2 xors; q+q, vpshufb, 2 xors, P
    # 2 tbl, 2 xors; P and Q of two sources: ushr, sri, tbl, shl, add, 3 xors, 2 in P
    "neon": Work(16, 2, 4, 2, 5, 0.5, 32),
    "neon_sha3": Work(16, 2, 3, 2, 4, 0.5, 32),  # eor3 adds three
    "sve": Work(0, 2, 4, 2, 5.5, 0.5, 32),  # no sri: a shift and an xor
    "sve2": Work(0, 2, 3, 2, 4, 0.5, 32),
    "vsx": Work(16, 1, 2, 1, 3, 1, 32),  # a flip; vpermxor, a whole product, xor; P
    "vsx_power9": Work(16, 0, 2, 1, 3, 1, 32),  # no flip
    "vsx_power10": Work(16, 0, 1.5, 1, 2, 1, 32),  # xxeval adds two sources, in P, too
}

# The number of vector units that take any of a set's instructions, of those that take look-ups
# or affine transforms, and of those that take three-way xors where that is fewer than all.
Units = namedtuple("Units", "all lookup xor3", defaults=[0])

# mcpu: llvm-mca's name; sve_bytes: bytes of an SVE vector; units: by set.
Core = namedtuple("Core", "arch mcpu sve_bytes units")
INTEL = {"avx512_gfni": Units(2, 1), "avx2_gfni": Units(3, 2),
         "avx512": Units(2, 1), "avx2": Units(3, 2)}
CORES = {
    "Neoverse N1": Core("aarch64", "neoverse-n1", 0, {"neon": Units(2, 2)}),
    "Neoverse V1": Core("aarch64", "neoverse-v1", 32, {
        "neon": Units(4, 2), "neon_sha3": Units(4, 2, 1), "sve": Units(2, 2)}),
    "Neoverse N2": Core("aarch64", "neoverse-n2", 16, {
        "neon": Units(2, 2), "neon_sha3": Units(2, 2), "sve": Units(2, 2),
        "sve2": Units(2, 2)}),
    "Neoverse V2": Core("aarch64", "neoverse-v2", 16, {
        "neon": Units(4, 2), "neon_sha3": Units(4, 2, 1), "sve": Units(4, 4),
        "sve2": Units(4, 4, 1)}),
    "POWER9": Core("ppc64le", "pwr9", 0, {"vsx": Units(2, 2), "vsx_power9": Units(2, 2)}),
    "POWER10": Core("ppc64le", "pwr10", 0, {
        "vsx": Units(4, 4), "vsx_power9": Units(4, 4), "vsx_power10": Units(4, 4)}),
    "Ice Lake": Core("x86_64", "icelake-server", 0, INTEL),
    "Sapphire Rapids": Core("x86_64", "sapphirerapids", 0, INTEL),
    # 512-bit instructions occupy two of its four 256-bit units.
    "Zen 4": Core("x86_64", "znver4", 0, {
        "avx512_gfni": Units(2, 1), "avx2_gfni": Units(4, 2),
        "avx512": Units(2, 1), "avx2": Units(4, 2)}),
}

# ISA-L's functions, by version: the set to which those of general rows belong, by whose name
# they are called; the set of those for P and Q; and the cores on which they stand beside ours
# (None: all that have the set). 2.30 has only NEON on Arm. 2.32 takes the best set that there
# is, in the order sve2, sve, neon, and NEON for P and Q.
LATEST = "2.32"
Peer = namedtuple("Peer", "version set pq cores", defaults=[None])
PEERS = [
    Peer("2.30", "neon", "neon"), Peer("2.30", "vsx", "vsx"),
    Peer(LATEST, "neon", "neon", ["Neoverse N1"]),
    Peer(LATEST, "sve", "neon", ["Neoverse V1"]),
    Peer(LATEST, "sve2", "neon", ["Neoverse N2", "Neoverse V2"]),
    Peer(LATEST, "avx512_gfni", "avx512_gfni"), Peer(LATEST, "avx2_gfni", "avx2_gfni"),
    Peer(LATEST, "avx512", "avx512"), Peer(LATEST, "avx2", "avx2"),
]

# Codes whose matrix, ISA-L's Cauchy, has structure: sources, general rows of each pass of the
# matrix (pxr_rows_of_pass), and the levels and cosets that pxr_structure_find finds.
Structure = namedtuple("Structure", "k passes levels cosets")
STRUCTURED = {
    "8+4": Structure(8, [4], 2, 1),
    "10+4": Structure(10, [4], 1, 2),
    "12+4": Structure(12, [4], 2, 1),
    "12+6": Structure(12, [6], 1, 3),
    "16+8": Structure(16, [4, 4], 2, 2),
    "16+16": Structure(16, [6, 5, 5], 3, 2),
}

CODES = ["m=2", "m=3", "m=4", "P+Q"]


def general_rows(code):
    return int(code[2:])


def limit(core, name, code):
    """
    Returns the bytes of source per cycle that the vector units allow.

    A vector takes at least
        max(instructions / units, lookups / lookup units)
    cycles.  Where E units take three-way xors, of which there are x, two xors may replace some
    of them.  With e three-way ones, e <= E*t and instructions + x - e <= units*t, so t >=
    (instructions + x) / (units + E).
    """
    work, units = SETS[name], core.units[name]
    insns, lookups, xors = work.pq, work.pq_lookups, 1
    if code != "P+Q":
        xors = general_rows(code)
        insns, lookups = work.split + xors * work.row, xors * work.lookups
    cycles = max(insns / units.all, lookups / units.lookup)
    if units.xor3:
        cycles = max(cycles, (insns + xors) / (units.all + units.xor3))
    return vector_bytes(core, name) / cycles


def vector_bytes(core, name):
    return SETS[name].vec_bytes or core.sve_bytes
