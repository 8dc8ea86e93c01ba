# SPDX-License-Identifier: BSD-3-Clause
"""Prints a line for each fault with what PyECLib raises.

pyeclib_errors.py [create]    (create: only whether a driver can be made)"""
import sys

from pyeclib.ec_iface import ECDriver

K, M, BYTES = 4, 2, bytes(range(256)) * 40


def driver(ec_type):
    return ECDriver(ec_type=ec_type, k=K, m=M, chksum_type="inline_crc32")


def name_of_error(call, *arguments, **keywords):
    try:
        call(*arguments, **keywords)
    except Exception as error:  # any error; it must be the same with both libraries
        return type(error).__name__
    return "no error"


def spoiled(fragment, at):
    return fragment[:at] + bytes([fragment[at] ^ 1]) + fragment[at + 1:]


def faults(ec):
    fragments = ec.encode(BYTES)
    longer = ec.encode(BYTES * 2)
    yield "nothing", lambda: ec.decode(fragments[M:])
    yield "too few", lambda: ec.decode(fragments[M + 1:])
    yield "too few to rebuild", lambda: ec.reconstruct(fragments[M + 1:], [0])
    yield "the same twice", lambda: ec.decode(fragments[M + 1:] + fragments[-1:])
    yield "unequal length", lambda: ec.decode(fragments[M + 1:] + longer[:1])
    yield "cut", lambda: ec.decode(fragments[M + 1:] + [fragments[0][:40]])
    yield "empty", lambda: ec.decode(fragments[M + 1:] + [b""])
    yield "none", lambda: ec.decode([])
    yield "spoiled header", lambda: ec.decode(fragments[M + 1:] + [spoiled(fragments[0], 3)])
    yield "spoiled data", lambda: ec.decode(
        fragments[M + 1:] + [spoiled(fragments[0], len(fragments[0]) - 1)],
        force_metadata_checks=True)


for ec_type in "isa_l_rs_vand", "isa_l_rs_cauchy":
    if sys.argv[1:] == ["create"]:
        print(ec_type, name_of_error(driver, ec_type))
        continue
    for name, call in faults(driver(ec_type)):
        print(ec_type, name, name_of_error(call))
