// SPDX-License-Identifier: BSD-3-Clause

use super::{Field, ReedSolomon, SBSError};

/// Codes one data shard after the other, and counts them.
///
/// ```
/// use permxor::rse::galois_8::{ReedSolomon, ShardByShard};
///
/// let code = ReedSolomon::new(2, 2)?;
/// let mut by_shard = ShardByShard::new(&code);
/// let mut shards = permxor::shards!([1, 2], [0, 0], [0, 0], [0, 0]);
/// by_shard.encode(&mut shards)?;
/// shards[1] = vec![3, 4]; // the second data shard comes later
/// by_shard.encode(&mut shards)?;
/// assert!(by_shard.parity_ready() && code.verify(&shards)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, PartialEq)]
pub struct ShardByShard<'a, F: Field> {
    codec: &'a ReedSolomon<F>,
    cur_input: usize,
}

impl<'a, F: Field<Elem = u8>> ShardByShard<'a, F> {
    /// Begins with data shard 0.
    pub fn new(codec: &'a ReedSolomon<F>) -> ShardByShard<'a, F> {
        ShardByShard { codec, cur_input: 0 }
    }

    /// Tells whether all data shards are coded.
    pub fn parity_ready(&self) -> bool {
        self.cur_input == self.codec.data_shard_count()
    }

    /// Begins anew, unless some data shards are coded and others are not.
    pub fn reset(&mut self) -> Result<(), SBSError> {
        if self.cur_input > 0 && !self.parity_ready() {
            return Err(SBSError::LeftoverShards);
        }
        self.reset_force();
        Ok(())
    }

    /// Begins anew in any case.
    pub fn reset_force(&mut self) {
        self.cur_input = 0;
    }

    /// The number of the data shard that comes next.
    pub fn cur_input_index(&self) -> usize {
        self.cur_input
    }

    fn check_more(&self) -> Result<(), SBSError> {
        if self.parity_ready() {
            Err(SBSError::TooManyCalls)
        } else {
            Ok(())
        }
    }

    /// Codes the next data shard of the list of all shards.
    pub fn encode<T, U>(&mut self, mut shards: T) -> Result<(), SBSError>
    where
        T: AsRef<[U]> + AsMut<[U]>,
        U: AsRef<[u8]> + AsMut<[u8]>,
    {
        self.check_more()?;
        self.codec.encode_single(self.cur_input, shards.as_mut()).map_err(SBSError::RSError)?;
        self.cur_input += 1;
        Ok(())
    }

    /// Codes the next data shard.
    pub fn encode_sep<T, U>(&mut self, data: &[T], parity: &mut [U]) -> Result<(), SBSError>
    where
        T: AsRef<[u8]>,
        U: AsRef<[u8]> + AsMut<[u8]>,
    {
        self.check_more()?;
        self.codec.check_sep(data, parity).map_err(SBSError::RSError)?;
        self.codec
            .encode_single_sep(self.cur_input, data[self.cur_input].as_ref(), parity)
            .map_err(SBSError::RSError)?;
        self.cur_input += 1;
        Ok(())
    }
}
