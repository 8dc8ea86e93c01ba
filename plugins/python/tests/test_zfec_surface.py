# SPDX-License-Identifier: BSD-3-Clause
"""permxor.zfec in the place of zfec: its errors, easyfec, filefec, its commands, and zfec's own
suite."""

import io
import itertools
import os
import random

import permxor
import pytest
from hypothesis import given
from hypothesis import strategies as st
from permxor import zfec as ours

theirs = pytest.importorskip("zfec")

SHARES = {"k": 3, "m": 8}


# ---------------------------------------------------------------- errors ----


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: ours.Encoder(0, 1),
        lambda: ours.Encoder(2, 4).encode([b"a", b"bc"]),
        lambda: ours.Decoder(2, 4).decode([b"a", b"b"], [0, 0]),
        lambda: ours.easyfec.Decoder(1, 2).decode([b"ab"], [0], 3),
        lambda: ours.filefec._build_header(3, 4, 0, 0),
        lambda: ours.filefec.decode_from_files(io.BytesIO(), []),
        lambda: ours.filefec.decode_from_files(io.BytesIO(), [io.BytesIO(b"\7")]),
        lambda: ours.filefec.decode_from_files(io.BytesIO(), [io.BytesIO(b"\7\x40")]),
    ],
)
def test_an_error_is_known_by_three_names(wrong):
    """zfec is loaded here, so its Error catches the error, too."""
    with pytest.raises(ours.Error) as raised:
        wrong()
    assert isinstance(raised.value, theirs.Error)
    assert isinstance(raised.value, permxor.Error)
    assert str(raised.value)


def test_all_errors_of_a_kind_have_one_class():
    ours._fec.error("text")
    before = theirs.Error.__subclasses__()
    ours._fec.error("text")
    assert theirs.Error.__subclasses__() == before


def test_an_error_where_zfec_is_not_loaded(child):
    child("""if True:
        import sys
        from permxor import zfec
        assert "zfec" not in sys.modules
        try:
            zfec.Encoder(0, 1)
        except zfec.Error as error:
            assert type(error) is zfec.Error
        """)


# --------------------------------------------------------------- easyfec ----


@given(st.integers(1, 256), st.binary(max_size=700), st.randoms(use_true_random=False))
def test_easyfec(m, data, random):
    k = random.randint(1, m)
    blocks = ours.easyfec.Encoder(k, m).encode(data)
    assert blocks == theirs.easyfec.Encoder(k, m).encode(data)
    numbers = random.sample(range(m), k)
    padding = k * len(blocks[0]) - len(data)
    decode = ours.easyfec.Decoder(k, m).decode
    assert decode([blocks[number] for number in numbers], numbers, padding) == data


def test_easyfec_takes_buffers():
    encode = ours.easyfec.Encoder(3, 5).encode
    expected = encode(b"12345678")
    assert encode(bytearray(b"12345678")) == encode(memoryview(b"12345678")) == expected
    with pytest.raises(TypeError):
        encode("12345678")


# --------------------------------------------------------------- headers ----


def test_arithmetic():
    for n, other in itertools.product(range(300), range(2, 20)):
        for module, name in (("easyfec", "div_ceil"), ("filefec", "pad_size"),
                             ("filefec", "log_ceil")):
            function = getattr(getattr(ours, module), name)
            assert function(n, other) == getattr(getattr(theirs, module), name)(n, other)


def test_headers():
    sizes = [1, 2, 3, 4, 5, 8, 9, 16, 17, 100, 128, 129, 255, 256]
    for m, k in itertools.product(sizes, sizes):
        if k > m:
            continue
        for pad, number in itertools.product({0, k // 2, k - 1}, {0, m // 2, m - 1}):
            header = ours.filefec._build_header(m, k, pad, number)
            assert header == theirs.filefec._build_header(m, k, pad, number)
            file = io.BytesIO(header + b"data")
            assert ours.filefec._parse_header(file) == (m, k, pad, number)
            assert file.read() == b"data"


def bits_of(header, m, k):
    """What a header says, without the bits that fill it up."""
    used = 8 + 2 * (m - 1).bit_length() + (k - 1).bit_length()
    return int.from_bytes(header, "big") >> (8 * len(header) - used)


def test_headers_that_are_damaged():
    """Any two bytes, and what follows, are read as they would be written, or refused."""
    refused = 0
    for value in range(1 << 16):
        file = io.BytesIO(value.to_bytes(2, "big") + b"\xa5\x5a")
        try:
            shape = ours.filefec._parse_header(file)
        except ours.filefec.CorruptedShareFilesError:
            refused += 1
            continue
        header = file.getvalue()[: file.tell()]
        built = ours.filefec._build_header(*shape)
        assert len(built) == len(header)
        assert bits_of(built, *shape[:2]) == bits_of(header, *shape[:2])
    assert 0 < refused < 1 << 16


# ----------------------------------------------------------- share files ----


def encoded(module, folder, data, **other):
    folder.mkdir()
    arguments = {**SHARES, **other}
    status = module.filefec.encode_to_files(
        io.BytesIO(data), len(data), str(folder), "name", **arguments
    )
    assert status == 0
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("length", [0, 1, 2, 3, 26, 3 * 4096, 3 * 4096 + 1, 100_000])
@pytest.mark.parametrize("k, m", [(3, 8), (1, 1), (2, 2), (7, 150)])
def test_share_files(tmp_path, length, k, m):
    data = random.Random(length).randbytes(length)
    shares = encoded(ours, tmp_path / "ours", data, k=k, m=m)
    assert shares == encoded(theirs, tmp_path / "theirs", data, k=k, m=m)
    assert len(shares) == m
    chosen = random.Random(k).sample(sorted(shares), k)
    restored = io.BytesIO()
    ours.filefec.decode_from_files(restored, [io.BytesIO(shares[name]) for name in chosen])
    assert restored.getvalue() == data


def decode(*shares):
    ours.filefec.decode_from_files(io.BytesIO(), [io.BytesIO(share) for share in shares])


def test_share_files_that_do_not_restore_the_file(tmp_path):
    shares = list(encoded(ours, tmp_path / "a", bytes(1000)).values())
    others = list(encoded(ours, tmp_path / "b", bytes(1000), k=4).values())
    with pytest.raises(ours.filefec.InsufficientShareFilesError) as raised:
        decode(*shares[:2])
    assert (raised.value.k, raised.value.kb) == (3, 2)
    expected = "3 share files are needed to restore the file, but there are 2"
    assert str(raised.value) == expected
    assert str(ours.filefec.InsufficientShareFilesError(3, 2)) == expected
    with pytest.raises(ours.filefec.InsufficientShareFilesError):
        decode(shares[0], shares[0], shares[0])
    with pytest.raises(ours.filefec.CorruptedShareFilesError, match="another share file says"):
        decode(shares[0], others[1], shares[2])
    with pytest.raises(ours.filefec.CorruptedShareFilesError, match="different lengths"):
        decode(shares[0], shares[1][:-1], shares[2])
    with pytest.raises(ours.filefec.CorruptedShareFilesError, match="within its header"):
        decode(shares[0], shares[1][:1], shares[2])
    with pytest.raises(ours.filefec.CorruptedShareFilesError, match="end before that"):
        decode(*(ours.filefec._build_header(8, 3, 2, number) for number in range(3)))


def test_files_that_exist_stay(tmp_path, capsys):
    """A share file that exists is neither overwritten nor removed, and no other one is left."""
    (tmp_path / "name.2_8.fec").write_bytes(b"precious")
    arguments = io.BytesIO(b"data"), 4, str(tmp_path), "name", 3, 8
    assert ours.filefec.encode_to_files(*arguments) == 1
    assert "cannot be encoded" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["name.2_8.fec"]
    assert (tmp_path / "name.2_8.fec").read_bytes() == b"precious"
    assert ours.filefec.encode_to_files(*arguments, overwrite=True) == 0
    assert len(list(tmp_path.iterdir())) == 8


@pytest.mark.parametrize("size", [3, 5])
def test_a_file_of_another_length(tmp_path, size):
    status = ours.filefec.encode_to_files(io.BytesIO(b"data"), size, str(tmp_path), "n", 3, 8)
    assert status == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("length", [0, 1, 29, 30, 31, 60, 100])
@pytest.mark.parametrize("name", ["encode_file_stringy", "encode_file_stringy_easyfec"])
def test_pieces(name, length):
    """(zfec gives a piece at the end that is not full a length that is too great.)"""
    data = random.Random(length).randbytes(length)
    pieces, expected = [], []
    getattr(ours.filefec, name)(
        io.BytesIO(data), lambda *piece: pieces.append(piece), 3, 5, chunksize=10
    )
    getattr(theirs.filefec, name)(
        io.BytesIO(data), lambda *piece: expected.append(piece), 3, 5, chunksize=10
    )
    assert [blocks for blocks, _ in pieces] == [blocks for blocks, _ in expected]
    assert sum(size for _, size in pieces) == length


# -------------------------------------------------------------- commands ----


def run(command, monkeypatch, *words):
    monkeypatch.setattr("sys.argv", [command, *map(str, words)])
    return getattr(ours, f"cmdline_{command}").main()


def test_commands(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    data = random.Random(0).randbytes(50_000)
    (tmp_path / "file").write_bytes(data)
    assert run("zfec", monkeypatch, "-k", 2, "-m", 4, "file") == 0
    shares = sorted(name for name in os.listdir() if name.endswith(".fec"))
    assert shares == ["file.0_4.fec", "file.1_4.fec", "file.2_4.fec", "file.3_4.fec"]
    assert run("zfec", monkeypatch, "-k", 2, "-m", 4, "file") == 1
    assert run("zfec", monkeypatch, "-f", "-v", "-k", 2, "-m", 4, "file") == 0
    assert run("zunfec", monkeypatch, "-o", "copy", *shares[2:]) == 0
    assert (tmp_path / "copy").read_bytes() == data
    assert run("zunfec", monkeypatch, "-o", "copy", *shares[2:]) == 2
    assert run("zunfec", monkeypatch, "-f", "-o", "copy", *shares[:2]) == 0
    assert run("zunfec", monkeypatch, "-o", "other", shares[0]) == 3
    assert run("zunfec", monkeypatch, "-o", "other", "nowhere") == 4
    assert run("zunfec", monkeypatch, "-o", "other") == 1
    assert not (tmp_path / "other").exists()
    assert run("zfec", monkeypatch, "nowhere") == 1
    assert run("zfec", monkeypatch, "-m", 257, "file") == 1
    assert run("zfec", monkeypatch, "-k", 9, "file") == 1
    capsys.readouterr()
    assert run("zfec", monkeypatch, "-k", 1, "-m", 1, "-p", "one", "file") == 0
    assert capsys.readouterr().out.count("warning") == 2
    assert run("zfec", monkeypatch, "-q", "-k", 1, "-m", 1, "-p", "two", "file") == 0
    assert capsys.readouterr().out == ""


@pytest.fixture
def shares(tmp_path, monkeypatch):
    """A folder with a file of 100 bytes and its shares, of which any 2 of 3 suffice."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_bytes(bytes(range(100)))
    assert run("zfec", monkeypatch, "-q", "-k", 2, "-m", 3, "file") == 0
    return sorted(tmp_path.glob("*.fec"))


def contents(folder):
    return {entry.name: entry.read_bytes() for entry in folder.iterdir()}


def test_a_failure_leaves_all_files_as_they_were(tmp_path, monkeypatch, shares):
    (tmp_path / "out").write_bytes(b"precious")
    (tmp_path / "bad").write_bytes(b"\2")
    # Its header is right, so that the command fails when it has begun.
    (tmp_path / "short").write_bytes(shares[1].read_bytes()[:-1])
    before = contents(tmp_path)
    for output in ("out", "new"):
        assert run("zunfec", monkeypatch, "-f", "-o", output, "bad") == 3
        assert run("zunfec", monkeypatch, "-f", "-o", output, shares[0], "short") == 3
    for share in shares[:2]:
        assert run("zunfec", monkeypatch, "-f", "-o", share, *shares[:2]) == 4
    (tmp_path / "link").symlink_to(shares[0])
    assert run("zunfec", monkeypatch, "-f", "-o", "link", *shares[:2]) == 4
    (tmp_path / "link").unlink()
    assert contents(tmp_path) == before


def test_the_file_that_is_restored_has_the_usual_permissions(tmp_path, monkeypatch, shares):
    usual = (tmp_path / "file").stat().st_mode
    assert run("zunfec", monkeypatch, "-o", "new", *shares[:2]) == 0
    assert (tmp_path / "new").stat().st_mode == usual
    (tmp_path / "out").write_bytes(b"old")
    (tmp_path / "out").chmod(0o640)
    (tmp_path / "link").symlink_to("out")
    assert run("zunfec", monkeypatch, "-f", "-o", "link", *shares[1:]) == 0
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "out").read_bytes() == bytes(range(100))
    assert {name for name in os.listdir() if name.startswith(".")} == set()


def test_a_pipe_is_written_and_not_removed(tmp_path, monkeypatch, shares):
    os.mkfifo("pipe")
    # Both ends, so that neither waits for the other one.
    end = os.open("pipe", os.O_RDWR)
    try:
        assert run("zunfec", monkeypatch, "-f", "-o", "pipe", *shares[:2]) == 0
        assert os.read(end, 1000) == bytes(range(100))
        (tmp_path / "short").write_bytes(shares[1].read_bytes()[:-1])
        assert run("zunfec", monkeypatch, "-f", "-o", "pipe", shares[0], "short") == 3
    finally:
        os.close(end)
    assert (tmp_path / "pipe").is_fifo()


def test_the_commands_read_and_write_pipes(child, tmp_path):
    child(f"""if True:
        import os, subprocess, sys
        os.chdir({str(tmp_path)!r})
        def command(name, *words, **other):
            module = "permxor.zfec.cmdline_" + name
            done = subprocess.run([sys.executable, "-W", "default", "-m", module, *words],
                                  check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  **other)
            assert not done.stderr, done.stderr
            return done.stdout
        data = os.urandom(30000)
        command("zfec", "-p", "piped", "-", input=data)
        shares = sorted(os.listdir())[5:]
        assert command("zunfec", "-o", "-", *shares) == data
        """)


def test_the_commands_without_standard_input_or_output(tmp_path, monkeypatch, shares, capsys):
    monkeypatch.setattr("sys.stdin", None)
    assert run("zfec", monkeypatch, "-p", "none", "-") == 1
    assert capsys.readouterr().err == "zfec: the standard input is closed\n"
    monkeypatch.setattr("sys.stdout", None)
    assert run("zunfec", monkeypatch, "-o", "-", *shares[:2]) == 4
    assert capsys.readouterr().err == "zunfec: the standard output is closed\n"
    assert not list(tmp_path.glob("none*"))


# -------------------------------------------------------------- stand_in ----


def test_stand_in_comes_first():
    with pytest.raises(ours.Error, match="imported already"):
        ours.stand_in()


def test_stand_in(child):
    child("""if True:
        import permxor.zfec
        permxor.zfec.stand_in()
        permxor.zfec.stand_in()
        import zfec, zfec.easyfec, zfec.filefec
        from zfec import Encoder, Error
        assert zfec is permxor.zfec and zfec.filefec is permxor.zfec.filefec
        assert Error is permxor.zfec.Error
        assert zfec.__version__.split(".") >= ["1", "6"]
        try:
            Encoder(1, 257)
        except Error as error:
            assert type(error) is Error
        """)


def test_the_suite_of_zfec(child):
    """zfec's own suite, as it is in zfec's package, with this module under its name."""
    printed = child("""if True:
        import importlib.metadata, importlib.util, unittest
        import permxor.zfec
        permxor.zfec.stand_in()
        suite = importlib.metadata.distribution("zfec").locate_file("zfec/test/test_zfec.py")
        spec = importlib.util.spec_from_file_location("suite", suite)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        assert module.zfec is permxor.zfec
        tests = unittest.defaultTestLoader.loadTestsFromModule(module)
        result = unittest.TextTestRunner().run(tests)
        assert result.wasSuccessful() and not result.skipped
        print(result.testsRun, "tests of zfec's")
        """)
    assert int(printed.splitlines()[-1].split()[0]) >= 28
