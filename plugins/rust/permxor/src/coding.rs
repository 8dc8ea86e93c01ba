// SPDX-License-Identifier: BSD-3-Clause

//! The calls of a code that write shards.

use alloc::vec;
use alloc::vec::Vec;

use permxor_sys as sys;

use crate::code::number;
use crate::error::{below, coded, count};
use crate::shards::{input, Addresses, Stripe};
use crate::{Code, Error};

/// A data shard that has changed, for [`Code::update_many`].
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// The number of the shard.
    pub index: usize,
    /// The old contents.  `None` stands for zeros; then `new` is the difference.
    pub old: Option<&'a [u8]>,
    /// The new contents.
    pub new: &'a [u8],
}

impl Code {
    /// Computes all m parity shards from the k data shards.
    ///
    /// ```
    /// use permxor::{Code, Matrix};
    ///
    /// let code = Code::new(3, 2, Matrix::Klauspost)?;
    /// let data = [b"one ", b"two ", b"four"];
    /// let mut parity = vec![vec![0; 4]; 2];
    /// code.encode(&data, &mut parity)?;
    /// # Ok::<(), permxor::Error>(())
    /// ```
    pub fn encode<D, P>(&self, data: &[D], parity: &mut [P]) -> Result<(), Error>
    where
        D: AsRef<[u8]>,
        P: AsMut<[u8]>,
    {
        count("data shards", self.k(), data.len())?;
        count("parity shards", self.m(), parity.len())?;
        let mut stripe = Stripe::default();
        let mut from = Addresses::default();
        stripe.inputs(0, data, &mut from)?;
        let mut to = Addresses::default();
        stripe.outputs(self.k(), parity, &mut to)?;
        // SAFETY: there are k shards to read and m to write, all of this length.  What is written
        // is borrowed mutably, and so overlaps nothing else.
        let status =
            unsafe { sys::pxr_encode(self.raw(), stripe.len(), from.inputs(), to.outputs()) };
        coded(status, self.unit())
    }

    /// Rebuilds lost shards, data or parity, from any k that are there.
    ///
    /// `have` has k + m entries, of which lost shards are `None`.  `want` has the numbers of the
    /// shards that are wanted, and where to write them.  The call reads as few shards as it needs:
    /// the data shards first, and then parity shards in order.
    ///
    /// ```
    /// use permxor::{Code, Matrix};
    ///
    /// let code = Code::new(2, 1, Matrix::IsalCauchy)?;
    /// let (one, two, mut parity) = ([1, 2, 3], [4, 5, 6], [[0; 3]]);
    /// code.encode(&[one, two], &mut parity)?;
    /// let mut again = [0; 3];
    /// code.reconstruct(&[None, Some(two), Some(parity[0])], &mut [(0, &mut again)])?;
    /// assert_eq!(again, one);
    /// # Ok::<(), permxor::Error>(())
    /// ```
    pub fn reconstruct<H, W>(
        &self,
        have: &[Option<H>],
        want: &mut [(usize, W)],
    ) -> Result<(), Error>
    where
        H: AsRef<[u8]>,
        W: AsMut<[u8]>,
    {
        count("entries for shards", self.shards(), have.len())?;
        let mut stripe = Stripe::default();
        let mut from = Addresses::default();
        stripe.some_inputs(0, have, &mut from)?;
        let mut to = Addresses::nulls(self.shards());
        for (index, shard) in want.iter_mut() {
            let shard = shard.as_mut();
            below(*index, self.shards())?;
            stripe.note(*index, shard.len())?;
            if from.has(*index) || to.has(*index) {
                return Err(Error::Twice { shard: *index });
            }
            to.set_output(*index, shard);
        }
        self.reconstruct_at(stripe.len(), &from, &to)
    }

    /// Both lists have k + m addresses, of shards of this length, and no shard is in both.
    pub(crate) fn reconstruct_at(
        &self,
        len: usize,
        have: &Addresses<'_>,
        want: &Addresses<'_>,
    ) -> Result<(), Error> {
        // SAFETY: the lists are as C asks, and what is written is borrowed mutably.
        let status =
            unsafe { sys::pxr_reconstruct(self.raw(), len, have.inputs(), want.outputs()) };
        coded(status, self.unit())
    }

    /// Rebuilds every shard that is `None`.  The list has k + m entries.
    ///
    /// ```
    /// # use permxor::{Code, Matrix};
    /// # let code = Code::new(2, 1, Matrix::IsalCauchy)?;
    /// # let mut parity = [[0; 2]];
    /// # code.encode(&[[1, 2], [3, 4]], &mut parity)?;
    /// let mut shards = [None, Some(vec![3, 4]), Some(parity[0].to_vec())];
    /// code.repair(&mut shards)?;
    /// assert_eq!(shards[0], Some(vec![1, 2]));
    /// # Ok::<(), permxor::Error>(())
    /// ```
    pub fn repair(&self, shards: &mut [Option<Vec<u8>>]) -> Result<(), Error> {
        let len = shards.iter().flatten().next().map_or(0, Vec::len);
        let mut rebuilt: Vec<(usize, Vec<u8>)> = shards
            .iter()
            .enumerate()
            .filter(|(_, shard)| shard.is_none())
            .map(|(index, _)| (index, vec![0; len]))
            .collect();
        self.reconstruct(shards, &mut rebuilt)?;
        for (index, shard) in rebuilt {
            shards[index] = Some(shard);
        }
        Ok(())
    }

    /// Brings all parity shards up to date after data shard `index` changed from `old` to `new`.
    /// `None` for `old` stands for zeros: then `new` is the difference, or the first contents of
    /// a shard that was all zeros.
    ///
    /// ```
    /// use permxor::{Code, Matrix};
    ///
    /// let code = Code::new(2, 2, Matrix::IsalCauchy)?;
    /// let mut data = [[1u8; 8], [2; 8]];
    /// let mut parity = [[0u8; 8]; 2];
    /// code.encode(&data, &mut parity)?;
    /// code.update(1, Some(&data[1]), &[7; 8], &mut parity)?;
    /// data[1] = [7; 8];
    /// assert!(code.verify(&[data[0], data[1], parity[0], parity[1]])?);
    /// # Ok::<(), permxor::Error>(())
    /// ```
    pub fn update<P>(
        &self,
        index: usize,
        old: Option<&[u8]>,
        new: &[u8],
        parity: &mut [P],
    ) -> Result<(), Error>
    where
        P: AsMut<[u8]>,
    {
        self.update_by(index, old, new, parity.len(), |stripe, to| {
            stripe.outputs(self.k(), parity, to)
        })
    }

    /// The same for some of the m parity shards.  Those that are `None` are left alone.
    pub fn update_some<P>(
        &self,
        index: usize,
        old: Option<&[u8]>,
        new: &[u8],
        parity: &mut [Option<P>],
    ) -> Result<(), Error>
    where
        P: AsMut<[u8]>,
    {
        self.update_by(index, old, new, parity.len(), |stripe, to| {
            stripe.some_outputs(self.k(), parity, to)
        })
    }

    fn note_change(
        &self,
        stripe: &mut Stripe,
        index: usize,
        old: Option<&[u8]>,
        new: &[u8],
    ) -> Result<(), Error> {
        below(index, self.k())?;
        stripe.note(index, new.len())?;
        old.map_or(Ok(()), |old| stripe.note(index, old.len()))
    }

    /// `collect` collects the addresses of the parity shards, of which there are `found`.
    fn update_by<'a>(
        &self,
        index: usize,
        old: Option<&[u8]>,
        new: &[u8],
        found: usize,
        collect: impl FnOnce(&mut Stripe, &mut Addresses<'a>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        count("parity shards", self.m(), found)?;
        let mut stripe = Stripe::default();
        self.note_change(&mut stripe, index, old, new)?;
        let mut to = Addresses::default();
        collect(&mut stripe, &mut to)?;
        // SAFETY: the list is as C asks, and what is written is borrowed mutably.
        let status = unsafe {
            sys::pxr_update(
                self.raw(),
                stripe.len(),
                number(index),
                input(old),
                new.as_ptr(),
                to.outputs(),
            )
        };
        coded(status, self.unit())
    }

    /// Does the same as [`Code::update`] after several data shards changed, in one pass over the
    /// parity.
    ///
    /// ```
    /// # use permxor::{Change, Code, Matrix};
    /// # let code = Code::new(2, 2, Matrix::IsalCauchy)?;
    /// let mut parity = [[0u8; 4]; 2]; // of zeros
    /// let changes = [
    ///     Change { index: 1, old: None, new: b"same" },
    ///     Change { index: 0, old: None, new: b"time" },
    /// ];
    /// code.update_many(&changes, &mut parity)?;
    /// assert!(code.verify(&[b"time", b"same", &parity[0], &parity[1]])?);
    /// # Ok::<(), permxor::Error>(())
    /// ```
    pub fn update_many<P>(&self, changes: &[Change<'_>], parity: &mut [P]) -> Result<(), Error>
    where
        P: AsMut<[u8]>,
    {
        count("parity shards", self.m(), parity.len())?;
        let mut stripe = Stripe::default();
        let mut seen = vec![false; self.k()];
        let mut old = Addresses::nulls(changes.len());
        let mut new = Addresses::nulls(changes.len());
        let mut index = Vec::with_capacity(changes.len());
        for (i, change) in changes.iter().enumerate() {
            self.note_change(&mut stripe, change.index, change.old, change.new)?;
            if core::mem::replace(&mut seen[change.index], true) {
                return Err(Error::Twice { shard: change.index });
            }
            if let Some(shard) = change.old {
                old.set_input(i, shard);
            }
            new.set_input(i, change.new);
            index.push(number(change.index));
        }
        let mut to = Addresses::default();
        stripe.outputs(self.k(), parity, &mut to)?;
        // SAFETY: all lists are as C asks, and what is written is borrowed mutably.
        let status = unsafe {
            sys::pxr_update_many(
                self.raw(),
                stripe.len(),
                number(changes.len()),
                index.as_ptr(),
                old.inputs(),
                new.inputs(),
                to.outputs(),
            )
        };
        coded(status, self.unit())
    }
}
