# SPDX-License-Identifier: BSD-3-Clause
"""One code is used in many threads, and calls release the interpreter's lock while they
work."""

import random
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import permxor
import pytest
from permxor import raid


def test_many_threads_share_a_code():
    code = permxor.Code(6, 3)

    def work(seed):
        rng = random.Random(seed)
        for _ in range(60):
            length = rng.choice((0, 1, 100, 5000, 60000))
            shards = [rng.randbytes(length) for _ in range(6)]
            shards += code.encode(shards)
            assert code.verify(shards)
            lost = rng.sample(range(9), 3)
            damaged = [None if i in lost else shard for i, shard in enumerate(shards)]
            assert code.reconstruct(damaged) == shards
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def test_codes_are_made_and_dropped_in_many_threads():
    def work(seed):
        for i in range(50):
            code = permxor.Code(1 + (seed + i) % 20, 1 + i % 10)
            assert len(code.encode([b"x"] * code.k)) == code.m
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


SIZE = 32 << 20
BLOCKS = 5

CALLS = {
    "encode_into": lambda code, s: code.encode_into(s[:3], s[3:]),
    "reconstruct_into": lambda code, s: code.reconstruct_into(
        [None, *s[1:]], [s[0], None, None, None, None]
    ),
    "update": lambda code, s: code.update(0, s[0], s[1], s[3:]),
    "verify": lambda code, s: code.verify(s),
    "locate": lambda code, s: code.locate(s),
    "generate_into": lambda code, s: raid.generate_into(s[:3], *s[3:]),
    "check": lambda code, s: raid.check(s[:3], *s[3:]),
    "raid.update": lambda code, s: raid.update(0, s[0], s[1], *s[3:]),
    "recover": lambda code, s: raid.recover(s, [0]),
}


@pytest.mark.parametrize("call", [*CALLS, "held: sorted"])
def test_another_thread_runs_meanwhile(call):
    """A thread that waits for the lock gets it after 100 seconds, or when a call releases it.
    So another thread runs during a call only if the call releases the lock.  The last case does
    not release it, to show that the test would detect this."""
    code = permxor.Code(3, 2)
    shards = [bytearray(SIZE) for _ in range(BLOCKS)]
    numbers = list(range(4_000_000, 0, -1))
    holds = call.startswith("held")
    interval = sys.getswitchinterval()
    seen = []
    sys.setswitchinterval(100)
    try:
        for _ in range(5):
            started, finished = threading.Event(), []

            def work():
                started.set()
                if holds:
                    sorted(numbers)
                else:
                    CALLS[call](code, shards)
                finished.append(True)

            thread = threading.Thread(target=work)
            thread.start()
            started.wait()
            seen.append(not finished)
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    if holds and getattr(sys, "_is_gil_enabled", lambda: True)():
        assert not any(seen)
    elif not holds:
        assert any(seen)


def test_no_lock_comes_back_where_there_is_none():
    if not hasattr(sys, "_is_gil_enabled"):
        pytest.skip("this interpreter always has its lock")
    import sysconfig

    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("this interpreter was built with its lock")
    assert not sys._is_gil_enabled()


def test_the_program_may_end_during_calls(child):
    """Daemon threads are in the middle of calls when the interpreter ends."""
    printed = child("""if True:
        import threading, time
        import permxor

        code = permxor.Code(4, 2)

        def work():
            shards = [bytearray(1 << 20) for _ in range(6)]
            while True:
                code.encode_into(shards[:4], shards[4:])

        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.3)
        print("end")
        """)
    assert printed == "end\n"
