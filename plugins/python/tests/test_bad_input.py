# SPDX-License-Identifier: BSD-3-Clause
"""Bad input raises an exception, and changes nothing."""

import permxor
import pytest
from hypothesis import given
from hypothesis import strategies as st
from permxor import raid

CODE = permxor.Code(3, 2)
S = b"\5" * 8
SHARDS = [S] * 5


@pytest.mark.parametrize(
    "k, m",
    [(0, 1), (1, 0), (-1, 2), (2, -1), (256, 1), (1, 256), (128, 129), (2**31, 1)]
    + [(2**32 + 1, 1), (1, 2**63), (10**100, 10**100)],
)
def test_shapes_out_of_range(k, m):
    with pytest.raises(permxor.InvalidError) as raised:
        permxor.Code(k, m)
    assert isinstance(raised.value, (permxor.Error, ValueError))
    assert str(k) in str(raised.value) or str(m) in str(raised.value)


@pytest.mark.parametrize(
    "arguments, options",
    [
        ((), {}),
        ((3,), {}),
        ((3.0, 2), {}),
        (("3", 2), {}),
        ((None, 2), {}),
        ((3, 2, 7), {}),
        ((3, 2, b"isal_cauchy"), {}),
        ((3, 2, None), {}),
        ((3, 2), {"rows": "abcdef"}),
        ((3, 2), {"rows": 6}),
        ((3, 2), {"rows": [1, 2, 3, 4, 5, 6]}),
        ((3, 2), {"rows": bytes(6), "assume_mds": 1}),
        ((3, 2), {"rolls": bytes(6)}),
    ],
)
def test_codes_of_wrong_types(arguments, options):
    with pytest.raises(TypeError):
        permxor.Code(*arguments, **options)


@pytest.mark.parametrize(
    "arguments, options",
    [
        ((3, 2, "abacus"), {}),
        ((3, 2, ""), {}),
        ((3, 2, "isal_cauchy\0"), {}),
        ((3, 2, "custom"), {}),
        ((3, 3, "jerasure_r6"), {}),
        ((3, 2), {"rows": b""}),
        ((3, 2), {"rows": bytes(5)}),
        ((3, 2), {"rows": bytes(7)}),
        ((3, 2), {"assume_mds": True}),
    ],
)
def test_codes_of_wrong_values(arguments, options):
    with pytest.raises(ValueError):
        permxor.Code(*arguments, **options)


def test_surrogates_in_a_name():
    with pytest.raises(UnicodeEncodeError):
        permxor.Code(3, 2, "\ud800")


CALLS = {
    "encode": lambda shards: CODE.encode(shards[:3]),
    "encode_into": lambda shards: CODE.encode_into(shards[:3], [bytearray(8), bytearray(8)]),
    "reconstruct": lambda shards: CODE.reconstruct([*shards[:3], None, None]),
    "reconstruct_into": lambda shards: CODE.reconstruct_into(
        [*shards[:3], None, None], [None, None, None, bytearray(8), None]
    ),
    "update": lambda shards: CODE.update(
        0, shards[0], shards[1], [shards[2], bytearray(8)]
    ),
    "verify": lambda shards: CODE.verify([*shards[:3], S, S]),
    "differences": lambda shards: CODE.differences([*shards[:3], S, S]),
    "locate": lambda shards: CODE.locate([*shards[:3], S, S]),
    "pq_gen": lambda shards: raid.pq_gen(shards[:3]),
    "xor_gen": lambda shards: raid.xor_gen(shards[:3]),
    "generate_into": lambda shards: raid.generate_into(shards[:3], bytearray(8)),
    "check": lambda shards: raid.check(shards[:3], S, S),
    "raid.update": lambda shards: raid.update(0, *shards[:3]),
    "recover": lambda shards: raid.recover([bytearray(8), *shards[:3]], [0]),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_shards_that_are_wrong(call, place):
    def shards_with(wrong):
        shards = [bytearray(8) for _ in range(3)]
        shards[place] = wrong
        return shards

    for wrong in ("text", 5, 5.0, [1, 2], object(), (), S.decode):
        with pytest.raises(TypeError):
            CALLS[call](shards_with(wrong))
    for length in (0, 7, 9):
        with pytest.raises(permxor.InvalidError, match="unequal"):
            CALLS[call](shards_with(bytearray(length)))


@pytest.mark.parametrize("wrong", [None, 5, object(), {1, 2}, iter([S] * 5), {"a": S}.values()])
def test_what_is_no_sequence(wrong):
    for call in (
        lambda: CODE.encode(wrong),
        lambda: CODE.encode_into(wrong, [bytearray(8)] * 2),
        lambda: CODE.encode_into([S] * 3, wrong),
        lambda: CODE.reconstruct(wrong),
        lambda: CODE.reconstruct_into(wrong, [None] * 5),
        lambda: CODE.reconstruct_into([None] * 5, wrong),
        lambda: CODE.update(0, S, S, wrong),
        lambda: CODE.verify(wrong),
        lambda: CODE.locate(wrong),
        lambda: raid.pq_gen(wrong),
        lambda: raid.recover(wrong, []),
        lambda: raid.recover([S] * 5, wrong),
    ):
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize("count", [0, 1, 2, 4, 300])
def test_wrong_counts(count):
    for call in (
        lambda: CODE.encode([S] * count),
        lambda: CODE.encode_into([S] * count, [bytearray(8), bytearray(8)]),
        lambda: CODE.encode_into([S] * 3, [bytearray(8) for _ in range(count + (count == 2))]),
        lambda: CODE.reconstruct([S] * count),
        lambda: CODE.reconstruct_into([S] * count, [None] * 5),
        lambda: CODE.reconstruct_into([S] * 5, [None] * count),
        lambda: CODE.verify([S] * count),
        lambda: CODE.locate([S] * count),
    ):
        with pytest.raises(permxor.InvalidError, match="entries"):
            call()


@pytest.mark.parametrize("index", [-1, 3, 5, 2**32, 2**64, -(2**64)])
def test_indices_out_of_range(index):
    parity = [bytearray(8), bytearray(8)]
    with pytest.raises(permxor.InvalidError):
        CODE.update(index, S, b"\6" * 8, parity)
    assert parity == [bytes(8)] * 2
    with pytest.raises(permxor.InvalidError):
        CODE.reconstruct([None, None, *[S] * 3], [0, index + 2 if index == 3 else index])
    if index not in (3, 5):
        with pytest.raises(permxor.InvalidError):
            raid.update(index, S, S, bytearray(8))
        with pytest.raises(permxor.InvalidError):
            raid.recover([bytearray(8) for _ in range(5)], [index])


@pytest.mark.parametrize("index", ["1", 1.0, None, b"\1"])
def test_indices_of_wrong_types(index):
    with pytest.raises(TypeError):
        CODE.update(index, S, S, [bytearray(8), bytearray(8)])
    with pytest.raises(TypeError):
        CODE.reconstruct([None, *[S] * 4], [index])
    with pytest.raises(TypeError):
        raid.recover([bytearray(8) for _ in range(5)], [index])


def test_wants_that_contradict():
    contradictions = (([0, 0], "twice"), ([1], "also given"), ([0, 1], "also given"), ([5], "=5"))
    for want, words in contradictions:
        with pytest.raises(permxor.InvalidError, match=words):
            CODE.reconstruct([None, *[S] * 4], want)
    with pytest.raises(permxor.InvalidError, match="shard 1"):
        CODE.reconstruct_into([None, *[S] * 4], [None, bytearray(8), None, None, None])


def test_too_few():
    for have in ([None] * 5, [S, S, None, None, None]):
        with pytest.raises(permxor.TooFewError):
            CODE.reconstruct(have)
        into = [None, None, None, None, bytearray(8)]
        with pytest.raises(permxor.TooFewError):
            CODE.reconstruct_into(have, into)
        assert into[4] == bytes(8)
    assert not issubclass(permxor.TooFewError, ValueError)


def test_kinds():
    for kind in (str, memoryview, "bytes", None, bytearray(), type("b", (bytes,), {})):
        for call in (
            lambda: CODE.encode([S] * 3, kind),
            lambda: CODE.reconstruct([None, *[S] * 4], None, kind),
            lambda: raid.pq_gen([S], kind),
            lambda: raid.xor_gen([S], kind),
        ):
            with pytest.raises(TypeError):
                call()


def test_overlaps():
    block = bytearray(100)
    view = memoryview(block)
    for call in (
        lambda: CODE.encode_into([view[:8], S, S], [view[:8], bytearray(8)]),
        lambda: CODE.encode_into([view[:8], S, S], [view[7:15], bytearray(8)]),
        lambda: CODE.encode_into([view[7:15], S, S], [bytearray(8), view[:8]]),
        lambda: CODE.encode_into([S] * 3, [view[:8], view[4:12]]),
        lambda: CODE.update(0, view[:8], S, [view[:8], None]),
        lambda: CODE.reconstruct_into([view[:8], S, S, None, None], [None] * 4 + [view[3:11]]),
        lambda: raid.generate_into([S, S], view[:8], view[1:9]),
        lambda: raid.recover([view[:8], view[:8], S, S], [0]),
    ):
        with pytest.raises(permxor.InvalidError, match="overlap"):
            call()
    assert block == bytes(100)
    CODE.encode_into([view[:8], view[:8], S], [view[8:16], view[16:24]])
    assert CODE.verify([bytes(8), bytes(8), S, view[8:16], view[16:24]])


def test_locate_needs_two_parity_shards():
    with pytest.raises(permxor.InvalidError):
        permxor.Code(3, 1).locate([S] * 4)
    with pytest.raises(TypeError):
        CODE.locate([S] * 4 + [None])


def test_missing_data_cannot_be_checked():
    with pytest.raises(TypeError):
        CODE.verify([None, *[S] * 4])


class Moody(list):
    """A list that is emptied while it is read."""

    def __iter__(self):
        shards = [*list.__iter__(self)]
        self.clear()
        yield from shards


def test_sequences_that_change_meanwhile():
    moody = Moody([S] * 3)
    assert CODE.encode(moody) == CODE.encode([S] * 3)
    assert not moody
    with pytest.raises(permxor.InvalidError):
        CODE.encode(moody)


class Broken(list):
    def __iter__(self):
        raise ZeroDivisionError


def test_errors_of_the_caller_pass_through():
    with pytest.raises(ZeroDivisionError):
        CODE.encode(Broken([S] * 3))


def test_a_code_without_its_making(child):
    """A code that is made by hand must not crash.  There are no subclasses, because a copy of
    an object, or a pickled one, would lose what a subclass adds."""
    child(
        """
import permxor, warnings
warnings.simplefilter("ignore")
def lazy():
    return permxor.Code.__new__(permxor.Code)
def subclass():
    class Lazy(permxor.Code):
        pass
for use in (lambda: lazy().k, lambda: lazy().encode([b""]), lambda: repr(lazy()),
            lambda: lazy().rows, subclass):
    try:
        use()
    except TypeError:
        continue
    raise SystemExit("a code that was never made was used, or a subclass made")
code = permxor.Code(2, 2)
for again in (lambda: code.__init__(3, 3),
              lambda: code.__setstate__((3, 3, "", None, False, 8, 0))):
    try:
        again()
    except TypeError:
        pass
    assert code.k == 2
rest = (None, False, 8, 0)
for state in ((), (0, 0, "isal_cauchy", *rest), (2, 2, "x", *rest), (1,) * 7):
    try:
        permxor.Code.__new__(permxor.Code).__setstate__(state)
    except (TypeError, ValueError):
        continue
    raise SystemExit("a bad state was taken")
"""
    )


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=3)
    | st.binary(max_size=3)
    | st.just(S)
    | st.builds(bytearray, st.just(S)),
    lambda inner: st.lists(inner, max_size=6) | st.tuples(inner),
    max_leaves=12,
)
ERRORS = (permxor.Error, TypeError, ValueError, BufferError)


@given(st.lists(ANYTHING, max_size=4))
def test_any_arguments_at_all(arguments):
    functions = [permxor.Code, CODE.encode, CODE.encode_into, CODE.reconstruct]
    functions += [CODE.reconstruct_into, CODE.update, CODE.verify, CODE.differences]
    functions += [CODE.locate, raid.pq_gen, raid.xor_gen, raid.generate_into, raid.check]
    functions += [raid.update, raid.recover]
    for function in functions:
        try:
            function(*arguments)
        except ERRORS:
            pass
