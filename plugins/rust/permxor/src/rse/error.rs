// SPDX-License-Identifier: BSD-3-Clause

use core::fmt;

/// Why a call failed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Error {
    /// There are fewer shards than the code has.
    TooFewShards,
    /// There are more shards than the code has, or than the field has elements.
    TooManyShards,
    /// There are too few data shards.
    TooFewDataShards,
    /// There are too many data shards.
    TooManyDataShards,
    /// There are too few parity shards.
    TooFewParityShards,
    /// There are too many parity shards.
    TooManyParityShards,
    /// There are fewer buffers than parity shards.
    TooFewBufferShards,
    /// There are more buffers than parity shards.
    TooManyBufferShards,
    /// The shards have different lengths.
    IncorrectShardSize,
    /// Too few shards are there to rebuild the others.
    TooFewShardsPresent,
    /// A shard has no bytes.
    EmptyShard,
    /// No call returns this.
    InvalidShardFlags,
    /// There is no data shard with this number.
    InvalidIndex,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Error::TooFewShards => "the code has more shards",
            Error::TooManyShards => "the code or its field has fewer shards",
            Error::TooFewDataShards => "there are too few data shards",
            Error::TooManyDataShards => "there are too many data shards",
            Error::TooFewParityShards => "there are too few parity shards",
            Error::TooManyParityShards => "there are too many parity shards",
            Error::TooFewBufferShards => "there are fewer buffers than parity shards",
            Error::TooManyBufferShards => "there are more buffers than parity shards",
            Error::IncorrectShardSize => "the shards have different lengths",
            Error::TooFewShardsPresent => "too few shards are there to rebuild the others",
            Error::EmptyShard => "a shard has no bytes",
            Error::InvalidShardFlags => "the flags are not as many as the shards",
            Error::InvalidIndex => "there is no data shard with this number",
        })
    }
}

#[cfg(feature = "std")]
impl std::error::Error for Error {}

/// Why a call of [`ShardByShard`](super::ShardByShard) failed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SBSError {
    /// All data shards are coded already.
    TooManyCalls,
    /// Some data shards are coded, but not all.
    LeftoverShards,
    /// The error of the code.
    RSError(Error),
}

impl fmt::Display for SBSError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SBSError::TooManyCalls => f.write_str("all data shards are coded already"),
            SBSError::LeftoverShards => f.write_str("some data shards are not coded yet"),
            SBSError::RSError(error) => error.fmt(f),
        }
    }
}

#[cfg(feature = "std")]
impl std::error::Error for SBSError {}
