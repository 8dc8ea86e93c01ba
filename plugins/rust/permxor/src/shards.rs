// SPDX-License-Identifier: BSD-3-Clause

//! The addresses of shards, as calls of C take them.

use alloc::vec::Vec;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr;

use permxor_sys as sys;

use crate::Error;

/// As many addresses lie on the stack, so that a call with few shards allocates nothing.
const FEW: usize = 64;

/// Addresses of shards that are borrowed for `'a`.
pub(crate) struct Addresses<'a> {
    few: [MaybeUninit<*mut u8>; FEW],
    many: Vec<*mut u8>,
    count: usize,
    shards: PhantomData<&'a mut [u8]>,
}

impl Default for Addresses<'_> {
    /// An empty list.  The caller has it in place, because to move one costs as much as a brief
    /// call of C.
    fn default() -> Self {
        Addresses {
            few: [MaybeUninit::uninit(); FEW],
            many: Vec::new(),
            count: 0,
            shards: PhantomData,
        }
    }
}

impl<'a> Addresses<'a> {
    /// `count` addresses, none of which leads to a shard yet.
    pub(crate) fn nulls(count: usize) -> Self {
        let mut addresses = Self::default();
        addresses.add_nulls(count);
        addresses
    }

    fn add_nulls(&mut self, count: usize) {
        for _ in 0..count {
            self.push(ptr::null_mut(), count);
        }
    }

    /// Adds an address, the next of `room`.
    fn push(&mut self, at: *mut u8, room: usize) {
        if room > FEW {
            if self.many.is_empty() {
                self.many.reserve_exact(room);
            }
            self.many.push(at);
        } else {
            self.few[self.count] = MaybeUninit::new(at);
        }
        self.count += 1;
    }

    /// Puts a shard that is read at `index`.
    pub(crate) fn set_input(&mut self, index: usize, shard: &'a [u8]) {
        *self.slot(index) = shard.as_ptr() as *mut u8;
    }

    /// Puts a shard that is written at `index`.
    pub(crate) fn set_output(&mut self, index: usize, shard: &'a mut [u8]) {
        *self.slot(index) = shard.as_mut_ptr();
    }

    /// Whether there is a shard at `index`.
    pub(crate) fn has(&mut self, index: usize) -> bool {
        !self.slot(index).is_null()
    }

    fn slot(&mut self, index: usize) -> &mut *mut u8 {
        assert!(index < self.count);
        if self.many.is_empty() {
            // SAFETY: the first `count` entries are initialised.
            unsafe { self.few[index].assume_init_mut() }
        } else {
            &mut self.many[index]
        }
    }

    fn first(&self) -> *const *mut u8 {
        if self.many.is_empty() {
            self.few.as_ptr().cast()
        } else {
            self.many.as_ptr()
        }
    }

    pub(crate) fn inputs(&self) -> sys::pxr_inputs {
        self.first().cast()
    }

    pub(crate) fn outputs(&self) -> sys::pxr_outputs {
        self.first()
    }
}

/// Collects the addresses of the shards of a call, all of which must have the same length.
#[derive(Default)]
pub(crate) struct Stripe {
    len: Option<usize>,
}

impl Stripe {
    /// A stripe whose shards must have this length.
    pub(crate) fn of_length(len: usize) -> Stripe {
        Stripe { len: Some(len) }
    }

    /// The length of each shard; 0 where there is no shard.
    pub(crate) fn len(&self) -> usize {
        self.len.unwrap_or(0)
    }

    /// Takes note of shard number `shard`, which has this length.
    pub(crate) fn note(&mut self, shard: usize, found: usize) -> Result<(), Error> {
        match self.len {
            Some(expected) if expected != found => Err(Error::Length { shard, expected, found }),
            _ => {
                self.len = Some(found);
                Ok(())
            }
        }
    }

    /// Shards that are read.  The first one has the number `first`.
    pub(crate) fn inputs<'a, S>(
        &mut self,
        first: usize,
        shards: &'a [S],
        addresses: &mut Addresses<'a>,
    ) -> Result<(), Error>
    where
        S: AsRef<[u8]>,
    {
        for (i, shard) in shards.iter().enumerate() {
            let shard = shard.as_ref();
            self.note(first + i, shard.len())?;
            addresses.push(shard.as_ptr() as *mut u8, shards.len());
        }
        Ok(())
    }

    /// Shards that are written.
    pub(crate) fn outputs<'a, S>(
        &mut self,
        first: usize,
        shards: &'a mut [S],
        addresses: &mut Addresses<'a>,
    ) -> Result<(), Error>
    where
        S: AsMut<[u8]>,
    {
        let room = shards.len();
        for (i, shard) in shards.iter_mut().enumerate() {
            let shard = shard.as_mut();
            self.note(first + i, shard.len())?;
            addresses.push(shard.as_mut_ptr(), room);
        }
        Ok(())
    }

    /// Shards that are read, of which some are missing.
    pub(crate) fn some_inputs<'a, S>(
        &mut self,
        first: usize,
        shards: &'a [Option<S>],
        addresses: &mut Addresses<'a>,
    ) -> Result<(), Error>
    where
        S: AsRef<[u8]>,
    {
        addresses.add_nulls(shards.len());
        for (i, shard) in shards.iter().enumerate() {
            if let Some(shard) = shard {
                let shard = shard.as_ref();
                self.note(first + i, shard.len())?;
                addresses.set_input(i, shard);
            }
        }
        Ok(())
    }

    /// Shards that are written, of which some are left out.
    pub(crate) fn some_outputs<'a, S>(
        &mut self,
        first: usize,
        shards: &'a mut [Option<S>],
        addresses: &mut Addresses<'a>,
    ) -> Result<(), Error>
    where
        S: AsMut<[u8]>,
    {
        addresses.add_nulls(shards.len());
        for (i, shard) in shards.iter_mut().enumerate() {
            if let Some(shard) = shard {
                let shard = shard.as_mut();
                self.note(first + i, shard.len())?;
                addresses.set_output(i, shard);
            }
        }
        Ok(())
    }
}

/// The address of a shard that is read, or NULL.
pub(crate) fn input(shard: Option<&[u8]>) -> *const u8 {
    shard.map_or(ptr::null(), <[u8]>::as_ptr)
}
