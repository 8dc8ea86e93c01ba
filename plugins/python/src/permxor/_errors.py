# SPDX-License-Identifier: BSD-3-Clause
"""The exceptions of permxor."""


class Error(Exception):
    """The base class of all exceptions of permxor but TypeError, BufferError and MemoryError."""


class InvalidError(Error, ValueError):
    """An argument is out of range, or arguments do not fit together."""


class NotMDSError(Error, ValueError):
    """The matrix is not MDS: some k of the k + m shards are not enough to restore the data."""


class UnprovenError(Error, ValueError):
    """The rows are too many to test whether they are MDS. assume_mds skips the test."""


class TooFewError(Error):
    """Too few shards or blocks are left to restore the data."""


class SingularError(Error):
    """These shards are not enough to restore the data. Happens only with assume_mds."""


class AmbiguousError(Error):
    """Parity and data disagree, and no single wrong shard explains it."""


class UnusableError(Error):
    """This CPU cannot run the kernel set."""
