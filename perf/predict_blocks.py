# SPDX-License-Identifier: BSD-3-Clause
"""For predict.py: the instructions of whole blocks, through all of their loops.

A structured pass is not one loop.  A block has a first group, loops over the others, the
transforms of the cosets, a loop over the sources that fill no group, and stores.  So its
instructions are put one behind the other in the order in which they run for a code, and
those of a pass of the matrix likewise.
"""
import re

from predict_cores import SETS, vector_bytes
from predict_loops import STACK, Loop, Unknown, products_of, vector_load
from predict_turns import branch_target, innermost_loops

# Registers that a block has for every shard; a vector may take two.
REGISTERS = [1, 2, 4, 8]


# ------------------------------------------------------------- what there is to do --

class MatrixPass:
    """A pass of general rows: the products of its loops for a vector of a block, how often
    these loops turn, and the totals of the block."""

    def __init__(self, k, rows):
        self.function, self.sources = f"upwards_dot_general_{rows}", k
        self.products, self.outputs = k * rows, rows
        self.loops = {rows: k}


class StructuredPass:
    """The same for a structured pass (kernels/kernel_structured.inc.h)."""

    def __init__(self, k, rows, levels, cosets):
        size, groups = 1 << levels, k >> levels
        lanes, butterflies, direct = size * cosets, levels * size // 2, k % size
        self.function, self.sources = f"structured_{levels}_{cosets}", k
        # The first twiddles of the group at point 0 are zero.
        self.products = (groups + cosets) * butterflies - (size - 1) + k * cosets + \
            direct * (lanes - cosets)
        self.outputs = rows
        self.loops = {butterflies + lanes: groups - 1, lanes: direct}


def turns_of(loops, found):
    """Returns how often each of the found loops turns, all of them known by their products.  A
    loop with twice the products of another one takes two sources or groups at once, and
    leaves the odd one to the other loop."""
    turns = dict.fromkeys(found, 0)
    for products, times in loops.items():
        if 2 * products in found and 2 * products not in loops:
            turns[2 * products], times = divmod(times, 2)
        if products in found:
            turns[products] = times
    return turns


# ------------------------------------------------------------------ machine code --

# ADDRESS is an instruction that puts an address, moved by a constant at most, into a register.
# The second table has any instruction that puts anything into a register.
ADDRESS = {
    "x86_64": r"(?:movq\s+|leaq\s+\S*\()(?P<of>%\w+)\)?, (?P<to>%\w+)$",
    "aarch64": r"(?:add|addvl|mov)\s+(?P<to>x\d+), (?P<of>sp|x\d+)(?:, #.*)?$",
    "ppc64le": r"(?:addi|mr)\s+(?P<to>\d+), (?P<of>\d+)(?:, -?\d+)?$",
}
ANY = {
    "x86_64": r".*, (?P<to>%\w+)$",
    "aarch64": r"(?!st|cmp|b|cb|tb|inc|dec)\S+\s+(?P<to>x\d+)",
    "ppc64le": r"(?!st|cmp|b|[vxlf]\S*v|mt)\S+\s+(?P<to>\d+),",
}
# Instructions that store vectors; those that store two; and the register that holds the
# address.
STORE = {
    "x86_64": r"v?mov\S*\s+%[xyz]mm\d+, .*\((%\w+)",
    "aarch64": r"st\w+\s+(?:q|z|\{ [vz]).*\[(\w+)",
    "ppc64le": r"p?stxv\S*\s+\d+, (?:-?\d+\(|0, )?(\d+)",
}
TWO = r"stp|p?stxvp"


def stack_registers(core, insns):
    """Returns {address of an instruction: the registers that then point to the stack}. Each
    instruction is assumed to run after the one before it."""
    found, registers = {}, STACK
    for insn in insns:
        found[insn.address] = registers
        put = re.match(ADDRESS[core.arch], insn.text)
        written = re.match(ANY[core.arch], insn.text)
        if put and put["of"] in registers:
            registers = registers | {put["to"]}
        elif written and written["to"] not in STACK:
            registers = registers - {written["to"]}
    return found


def stored(core, text, stack):
    """The number of vectors that an instruction stores, not counting spills."""
    store = re.match(STORE[core.arch], text)
    if not store or store[1] in stack:
        return 0
    return 2 if re.match(TWO, text) else 1


# Branches; branches that are always taken; and instructions that lead out of a function.
BRANCH = re.compile(r"(j\w+|b(\.\w+)?|cbn?z|tbn?z|b[tf]|bdn?z)[+-]?\s.*<")
ALWAYS = re.compile(r"(jmp|b)\s")
ENDS = re.compile(r"(ret|b[lc]|call)")


def block_loop(insns, inner):
    """Returns where the shortest loop begins that contains another one, `inner`."""
    ends = [(insn.address - target, target) for insn in insns
            for target in [branch_target(insn)]
            if target is not None and target <= inner[0].address
            and insn.address > inner[-1].address]
    if not ends:
        raise Unknown("found no loop over blocks")
    return min(ends)[1]


class Path:
    """
    The way through a block that has a given number of products and stores, and turns its loops
    a given number of times.  At a branch both ways are tried, first the instruction behind it.
    Where a branch skips a loop, or a store of a lane that is no output, the total at the end
    shows what is missing.
    """

    def __init__(self, core, insns, loops):
        self.core, self.insns, self.loops = core, insns, loops  # {address: (turn, times)}
        self.at = {insn.address: i for i, insn in enumerate(insns)}
        self.stack = stack_registers(core, insns)
        self.seen = set()

    def find(self, header, products, stores):
        self.header = header
        todo = frozenset(address for address, (_, times) in self.loops.items() if times)
        return self.rest(header, todo, products, stores)

    def rest(self, address, todo, products, stores):
        """Returns what runs from an address to the end of the block, or None where no way does
        exactly what remains to be done."""
        state = address, todo, products, stores
        if state in self.seen:
            return None
        self.seen.add(state)
        path = []
        while address in self.at and products >= 0 and stores >= 0:
            ran = [self.insns[self.at[address]]]
            if address in self.loops and address != self.header:
                if address not in todo:
                    return None
                turn, times = self.loops[address]
                ran, todo = turn * times, todo - {address}
            path += ran
            products -= products_of(self.core, ran)
            stores -= sum(stored(self.core, insn.text, self.stack[insn.address])
                          for insn in ran)
            if len(ran) == 1 and ENDS.match(ran[0].text):
                return None
            if len(ran) > 1 or not BRANCH.match(ran[0].text):
                address = self.behind(ran[-1])
                continue
            target = branch_target(ran[0])
            if target == self.header:
                return None if todo or products or stores else path
            ways = [target] if ALWAYS.match(ran[0].text) else [self.behind(ran[0]), target]
            rests = (self.rest(way, todo, products, stores) for way in ways)
            rest = next((rest for rest in rests if rest is not None), None)
            return None if rest is None else path + rest
        return None

    def reloads(self, insns):
        """The number of loads of vectors that were spilled."""
        loads = ((insn, *vector_load(self.core, insn.text)) for insn in insns)
        return sum(size > 0 and base in self.stack[insn.address] for insn, size, base in loads)

    def behind(self, insn):
        i = self.at[insn.address] + 1
        return self.insns[i].address if i < len(self.insns) else None


def loops_with_products(core, insns):
    """Returns {address: (turn, products)}. A jump back over other branches makes no loop, but
    returns from code that rarely runs."""
    found = {turn[0].address: (turn, products_of(core, turn)) for turn in innermost_loops(insns)
             if not any(BRANCH.match(insn.text) for insn in turn[:-1])}
    return {address: loop for address, loop in found.items() if loop[1]}


def block(core, name, insns, job):
    """Returns a block of a pass as a Loop.  The simulation runs one block behind the other."""
    inner = loops_with_products(core, insns)
    if not inner:
        raise Unknown("found no loop")
    header = block_loop(insns, next(iter(inner.values()))[0])
    for vectors in REGISTERS:
        unit = vectors * SETS[name].lookups
        times = turns_of(job.loops, {products / unit for _, products in inner.values()})
        loops = {address: (turn, times[products / unit])
                 for address, (turn, products) in inner.items()}
        path = Path(core, insns, loops)
        ran = path.find(header, job.products * unit, job.outputs * vectors)
        if ran:
            return Loop(ran, job.sources * vectors * vector_bytes(core, name),
                        path.reloads(ran))
    raise Unknown(f"cannot follow the loops of {job.function}")
