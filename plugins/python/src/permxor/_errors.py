# SPDX-License-Identifier: BSD-3-Clause
"""The exceptions of permxor."""


class Error(Exception):
    """The base class of what permxor raises, except for TypeError, BufferError and MemoryError."""


class InvalidError(Error, ValueError):
    """An argument is out of range, or arguments do not fit together."""


class NotMDSError(Error, ValueError):
    """There are k of the k + m shards that would not suffice."""


class UnprovenError(Error, ValueError):
    """The rows are too many to be proved MDS. assume_mds leaves the proof out."""


class TooFewError(Error):
    """Fewer shards or blocks survive than are needed."""


class SingularError(Error):
    """The surviving shards do not determine the data. Happens only with assume_mds."""


class AmbiguousError(Error):
    """Parity and data disagree, and no single shard explains it."""


class UnusableError(Error):
    """This CPU cannot run the kernel set."""
