// SPDX-License-Identifier: BSD-3-Clause

//! The calls of a code that compare shards.

use alloc::vec;
use alloc::vec::Vec;
use core::ptr;

use permxor_sys as sys;

use crate::error::{coded, count};
use crate::shards::{Addresses, Stripe};
use crate::{Code, Error};

/// What a search for a wrong shard has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Located {
    /// All shards agree.
    Agree,
    /// This shard alone explains the disagreement.
    Shard(usize),
    /// More than one shard is wrong, or several explain the disagreement equally well.
    Ambiguous,
}

impl Located {
    /// The result of a call of C that locates.
    pub(crate) fn of_status(
        status: sys::c_int,
        index: sys::c_uint,
        unit: usize,
    ) -> Result<Located, Error> {
        match status {
            sys::PXR_EMISMATCH => Ok(Located::Shard(index as usize)),
            sys::PXR_EAMBIGUOUS => Ok(Located::Ambiguous),
            other => coded(other, unit).map(|()| Located::Agree),
        }
    }
}

/// The result of a call of C that compares.
pub(crate) fn agreement(status: sys::c_int, unit: usize) -> Result<bool, Error> {
    match status {
        sys::PXR_EMISMATCH => Ok(false),
        other => coded(other, unit).map(|()| true),
    }
}

impl Code {
    /// Tells whether the parity agrees with the data.  All k + m shards are needed.
    ///
    /// ```
    /// # use permxor::{Code, Matrix};
    /// # let code = Code::new(2, 1, Matrix::IsalCauchy)?;
    /// let mut shards = [[1u8; 4], [2; 4], [0; 4]];
    /// let (data, parity) = shards.split_at_mut(2);
    /// code.encode(data, parity)?;
    /// assert!(code.verify(&shards)?);
    /// shards[0][3] ^= 1;
    /// assert!(!code.verify(&shards)?);
    /// # Ok::<(), permxor::Error>(())
    /// ```
    pub fn verify<S: AsRef<[u8]>>(&self, shards: &[S]) -> Result<bool, Error> {
        count("shards", self.shards(), shards.len())?;
        let mut stripe = Stripe::default();
        let mut all = Addresses::default();
        stripe.inputs(0, shards, &mut all)?;
        // SAFETY: there are k + m shards of this length.
        let status =
            unsafe { sys::pxr_verify(self.raw(), stripe.len(), all.inputs(), ptr::null_mut()) };
        agreement(status, self.unit())
    }

    /// Returns for each parity shard the offset of the first byte that disagrees with the data,
    /// or `None` where the shard agrees or was not given.
    pub fn differences<D, P>(
        &self,
        data: &[D],
        parity: &[Option<P>],
    ) -> Result<Vec<Option<usize>>, Error>
    where
        D: AsRef<[u8]>,
        P: AsRef<[u8]>,
    {
        count("data shards", self.k(), data.len())?;
        count("parity shards", self.m(), parity.len())?;
        let shard = |i: usize| match i.checked_sub(self.k()) {
            None => Some(data[i].as_ref()),
            Some(row) => parity[row].as_ref().map(AsRef::as_ref),
        };
        let all: Vec<Option<&[u8]>> = (0..self.shards()).map(shard).collect();
        let mut stripe = Stripe::default();
        let mut addresses = Addresses::default();
        stripe.some_inputs(0, &all, &mut addresses)?;
        let len = stripe.len();
        let mut first = vec![len; self.m()];
        // SAFETY: there are k + m entries, those of all data shards are there, and there is room
        // for m offsets.
        let status =
            unsafe { sys::pxr_verify(self.raw(), len, addresses.inputs(), first.as_mut_ptr()) };
        agreement(status, self.unit())?;
        Ok(first.into_iter().map(|at| if at < len { Some(at) } else { None }).collect())
    }

    /// Finds the one shard that is wrong.  The code must have m of 2 or more.
    ///
    /// With m = 2, two wrong shards may look like a third one; each further parity shard makes
    /// this less likely.
    ///
    /// ```
    /// # use permxor::{Code, Located, Matrix};
    /// # let code = Code::new(2, 2, Matrix::IsalCauchy)?;
    /// let mut shards = [[1u8; 4], [2; 4], [0; 4], [0; 4]];
    /// let (data, parity) = shards.split_at_mut(2);
    /// code.encode(data, parity)?;
    /// shards[1][0] = 9;
    /// assert_eq!(code.locate(&shards)?, Located::Shard(1));
    /// # Ok::<(), permxor::Error>(())
    /// ```
    pub fn locate<S: AsRef<[u8]>>(&self, shards: &[S]) -> Result<Located, Error> {
        self.can_locate()?;
        count("shards", self.shards(), shards.len())?;
        let mut stripe = Stripe::default();
        let mut all = Addresses::default();
        stripe.inputs(0, shards, &mut all)?;
        let mut index = 0;
        // SAFETY: there are k + m shards of this length.
        let status = unsafe { sys::pxr_locate(self.raw(), stripe.len(), all.inputs(), &mut index) };
        Located::of_status(status, index, self.unit())
    }

    /// Fails where there is too little parity to tell which shard is wrong.
    pub(crate) fn can_locate(&self) -> Result<(), Error> {
        if self.m() >= 2 {
            return Ok(());
        }
        Err(Error::Invalid("m=1: a wrong shard can be located with m of 2 or more".into()))
    }
}
