// SPDX-License-Identifier: BSD-3-Clause

use alloc::alloc::handle_alloc_error;
use alloc::sync::Arc;
use core::alloc::Layout;
use core::fmt;
use core::marker::PhantomData;

use super::{Error, Field, ReconstructShard};
use crate::shards::Addresses;
use crate::{Code, Matrix};

/// A Reed-Solomon code.  Copies share what the code has worked out, and threads may share it.
pub struct ReedSolomon<F: Field> {
    code: Arc<Code>,
    field: PhantomData<F>,
}

impl<F: Field> Clone for ReedSolomon<F> {
    fn clone(&self) -> Self {
        ReedSolomon { code: self.code.clone(), field: PhantomData }
    }
}

impl<F: Field> PartialEq for ReedSolomon<F> {
    fn eq(&self, other: &Self) -> bool {
        (self.code.k(), self.code.m()) == (other.code.k(), other.code.m())
    }
}

impl<F: Field> fmt::Debug for ReedSolomon<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.code.fmt(f)
    }
}

/// Compares a number of shards with the right one.
fn count(found: usize, right: usize, few: Error, many: Error) -> Result<(), Error> {
    match found {
        found if found < right => Err(few),
        found if found > right => Err(many),
        _ => Ok(()),
    }
}

/// The length of the slices, which must all have the same one and must not be empty.
fn length<T: AsRef<[u8]>>(slices: &[T]) -> Result<usize, Error> {
    let len = slices[0].as_ref().len();
    if len == 0 {
        return Err(Error::EmptyShard);
    }
    if slices.iter().any(|slice| slice.as_ref().len() != len) {
        return Err(Error::IncorrectShardSize);
    }
    Ok(len)
}

fn same(one: usize, other: usize) -> Result<(), Error> {
    if one == other {
        Ok(())
    } else {
        Err(Error::IncorrectShardSize)
    }
}

/// What the code's own error means here.  All arguments are checked before, so that it can only
/// come from shards that give another slice each time they are asked, or from a lack of memory.
/// That ends the program, as it does where a vector gets no memory: the other crate has no error for
/// it, and missing shards may have zeros in their places by then.
fn translated(why: crate::Error) -> Error {
    match why {
        // The library does not say how much it asked for.
        crate::Error::OutOfMemory => handle_alloc_error(Layout::new::<Code>()),
        crate::Error::TooFewShards => Error::TooFewShardsPresent,
        _ => Error::IncorrectShardSize,
    }
}

impl<F: Field<Elem = u8>> ReedSolomon<F> {
    /// Makes a code of at most 256 shards, with at least one data and one parity shard.
    pub fn new(data_shards: usize, parity_shards: usize) -> Result<Self, Error> {
        if data_shards == 0 {
            return Err(Error::TooFewDataShards);
        }
        if parity_shards == 0 {
            return Err(Error::TooFewParityShards);
        }
        if data_shards.saturating_add(parity_shards) > F::ORDER {
            return Err(Error::TooManyShards);
        }
        let code = Code::new(data_shards, parity_shards, Matrix::Klauspost)
            .expect("this matrix has each of these shapes, and a code needs little memory");
        Ok(ReedSolomon { code: Arc::new(code), field: PhantomData })
    }

    /// The number of data shards.
    pub fn data_shard_count(&self) -> usize {
        self.code.k()
    }

    /// The number of parity shards.
    pub fn parity_shard_count(&self) -> usize {
        self.code.m()
    }

    /// The number of all shards.
    pub fn total_shard_count(&self) -> usize {
        self.code.shards()
    }

    pub(super) fn count_all(&self, found: usize) -> Result<(), Error> {
        count(found, self.code.shards(), Error::TooFewShards, Error::TooManyShards)
    }

    fn count_data(&self, found: usize) -> Result<(), Error> {
        count(found, self.code.k(), Error::TooFewDataShards, Error::TooManyDataShards)
    }

    fn count_parity(&self, found: usize) -> Result<(), Error> {
        count(found, self.code.m(), Error::TooFewParityShards, Error::TooManyParityShards)
    }

    fn check_index(&self, i_data: usize) -> Result<(), Error> {
        if i_data < self.code.k() {
            Ok(())
        } else {
            Err(Error::InvalidIndex)
        }
    }

    /// Checks the arguments of the calls that have all shards in one list.
    pub(super) fn check_all<U: AsRef<[u8]>>(&self, shards: &[U]) -> Result<usize, Error> {
        self.count_all(shards.len())?;
        length(shards)
    }

    /// Checks the arguments of the calls that have data and parity apart.
    pub(super) fn check_sep<T, U>(&self, data: &[T], parity: &[U]) -> Result<(), Error>
    where
        T: AsRef<[u8]>,
        U: AsRef<[u8]>,
    {
        self.count_data(data.len())?;
        self.count_parity(parity.len())?;
        same(length(data)?, length(parity)?)
    }

    /// Computes the parity shards, the last of the list, from the data shards.
    pub fn encode<T, U>(&self, mut shards: T) -> Result<(), Error>
    where
        T: AsRef<[U]> + AsMut<[U]>,
        U: AsRef<[u8]> + AsMut<[u8]>,
    {
        let shards = shards.as_mut();
        self.check_all(shards)?;
        let (data, parity) = shards.split_at_mut(self.code.k());
        self.code.encode(data, parity).map_err(translated)
    }

    /// Computes the parity shards from the data shards.
    pub fn encode_sep<T, U>(&self, data: &[T], parity: &mut [U]) -> Result<(), Error>
    where
        T: AsRef<[u8]>,
        U: AsRef<[u8]> + AsMut<[u8]>,
    {
        self.check_sep(data, parity)?;
        self.code.encode(data, parity).map_err(translated)
    }

    /// Adds the contribution of one data shard of the list to the parity shards.  Call it for
    /// each data shard, from 0 on in ascending order; the first call overwrites the parity.
    pub fn encode_single<T, U>(&self, i_data: usize, mut shards: T) -> Result<(), Error>
    where
        T: AsRef<[U]> + AsMut<[U]>,
        U: AsRef<[u8]> + AsMut<[u8]>,
    {
        let shards = shards.as_mut();
        self.check_index(i_data)?;
        self.check_all(shards)?;
        let (data, parity) = shards.split_at_mut(self.code.k());
        self.add_shard(i_data, data[i_data].as_ref(), parity)
    }

    /// Adds the contribution of one data shard to the parity shards, as
    /// [`encode_single`](Self::encode_single) does.
    pub fn encode_single_sep<U>(
        &self,
        i_data: usize,
        single_data: &[u8],
        parity: &mut [U],
    ) -> Result<(), Error>
    where
        U: AsRef<[u8]> + AsMut<[u8]>,
    {
        self.check_index(i_data)?;
        self.count_parity(parity.len())?;
        same(length(parity)?, single_data.len())?;
        self.add_shard(i_data, single_data, parity)
    }

    fn add_shard<U: AsMut<[u8]>>(
        &self,
        i_data: usize,
        data: &[u8],
        parity: &mut [U],
    ) -> Result<(), Error> {
        if i_data == 0 {
            for shard in parity.iter_mut() {
                shard.as_mut().fill(0);
            }
        }
        self.code.update(i_data, None, data, parity).map_err(translated)
    }

    /// Tells whether the parity shards agree with the data shards.  It needs no buffer.
    pub fn verify<T: AsRef<[u8]>>(&self, slices: &[T]) -> Result<bool, Error> {
        self.check_all(slices)?;
        self.code.verify(slices).map_err(translated)
    }

    /// Does what [`verify`](Self::verify) does, and writes the right parity to the buffer.
    pub fn verify_with_buffer<T, U>(&self, slices: &[T], buffer: &mut [U]) -> Result<bool, Error>
    where
        T: AsRef<[u8]>,
        U: AsRef<[u8]> + AsMut<[u8]>,
    {
        self.count_all(slices.len())?;
        let (few, many) = (Error::TooFewBufferShards, Error::TooManyBufferShards);
        count(buffer.len(), self.code.m(), few, many)?;
        same(length(slices)?, length(buffer)?)?;
        let (data, parity) = slices.split_at(self.code.k());
        self.code.encode(data, buffer).map_err(translated)?;
        Ok(parity.iter().zip(buffer.iter()).all(|(is, right)| is.as_ref() == right.as_ref()))
    }

    /// Rebuilds all missing shards.
    pub fn reconstruct<T: ReconstructShard<F>>(&self, slices: &mut [T]) -> Result<(), Error> {
        self.rebuild(slices, false)
    }

    /// Rebuilds the missing data shards, and leaves missing parity shards missing.
    pub fn reconstruct_data<T: ReconstructShard<F>>(&self, slices: &mut [T]) -> Result<(), Error> {
        self.rebuild(slices, true)
    }

    fn rebuild<T: ReconstructShard<F>>(
        &self,
        shards: &mut [T],
        only_data: bool,
    ) -> Result<(), Error> {
        self.count_all(shards.len())?;
        let mut present = 0;
        let mut common = None;
        for len in shards.iter().filter_map(ReconstructShard::len) {
            if len == 0 {
                return Err(Error::EmptyShard);
            }
            same(len, *common.get_or_insert(len))?;
            present += 1;
        }
        if present == self.code.shards() {
            return Ok(());
        }
        let len = match common {
            Some(len) if present >= self.code.k() => len,
            _ => return Err(Error::TooFewShardsPresent),
        };

        let mut have = Addresses::nulls(shards.len());
        let mut want = Addresses::nulls(shards.len());
        for (i, shard) in shards.iter_mut().enumerate() {
            let found = if only_data && i >= self.code.k() {
                match shard.get() {
                    Some(shard) => Ok(shard),
                    None => continue,
                }
            } else {
                shard.get_or_initialize(len)
            };
            match found {
                Ok(shard) => {
                    same(shard.len(), len)?;
                    have.set_input(i, shard);
                }
                Err(room) => {
                    let shard = room?;
                    same(shard.len(), len)?;
                    want.set_output(i, shard);
                }
            }
        }
        self.code.reconstruct_at(len, &have, &want).map_err(translated)
    }
}
