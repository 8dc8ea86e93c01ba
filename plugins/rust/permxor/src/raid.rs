// SPDX-License-Identifier: BSD-3-Clause

//! RAID-5 and RAID-6 parity, with the bytes of Linux md.
//!
//! A stripe is n data blocks D, from 1 to [`MAX_DATA`], and their parity blocks P = sum of D\[i\]
//! and Q = sum of 2^i * D\[i\] in GF(2^8).  RAID-5 has P alone.  Where a block needs a number, P
//! has number n and Q has number n+1.  Where P or Q is `None`, the call does without it.
//!
//! ```
//! use permxor::raid;
//!
//! let mut data = [[1u8; 512], [2; 512], [3; 512]];
//! let (mut p, mut q) = ([0u8; 512], [0u8; 512]);
//! raid::generate(&data, Some(&mut p), Some(&mut q))?;
//! data[1] = [0; 512]; // block 1 is lost, and P as well
//! raid::recover(&mut data, Some(&mut p), Some(&mut q), &[1, 3])?;
//! assert_eq!(data[1], [2; 512]);
//! # Ok::<(), permxor::Error>(())
//! ```

use alloc::format;
use alloc::vec::Vec;
use core::mem;
use core::ptr;

use permxor_sys as sys;

use crate::code::number;
use crate::error::{below, done};
use crate::shards::{input, Addresses, Stripe};
use crate::Error;

/// The most data blocks of a stripe.
pub const MAX_DATA: usize = sys::PXR_RAID_MAX_DATA;

/// What [`check`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The first byte at which P disagrees with the data.
    pub first_p: Option<usize>,
    /// The first byte at which Q disagrees with the data.
    pub first_q: Option<usize>,
    /// The number of the block that alone explains the disagreement.
    pub suspect: Option<usize>,
}

impl Report {
    /// Whether P and Q agree with the data.
    pub fn agrees(&self) -> bool {
        self.first_p.is_none() && self.first_q.is_none()
    }
}

/// What is known about a block before a write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Of a data block: the write replaces all of it.
    pub changed: bool,
    /// Its present contents are in memory.
    pub cached: bool,
    /// Its present contents cannot be read.
    pub failed: bool,
}

impl Block {
    fn flags(self) -> u8 {
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        flag(self.changed, sys::PXR_RAID_CHANGED)
            | flag(self.cached, sys::PXR_RAID_CACHED)
            | flag(self.failed, sys::PXR_RAID_FAILED)
    }
}

/// The two ways to write a part of a stripe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Read the changing blocks, P and Q; then [`update`].
    ReadModifyWrite,
    /// Read the other blocks; then [`generate`].
    ReconstructWrite,
}

/// The cheaper way to write, and how many blocks each way reads: `None` where it is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WritePlan {
    /// The way that needs fewer reads.
    pub method: Method,
    /// The reads of [`Method::ReadModifyWrite`].
    pub read_modify_write: Option<usize>,
    /// The reads of [`Method::ReconstructWrite`].
    pub reconstruct_write: Option<usize>,
}

/// Takes note of P and Q of a stripe of n data blocks, at least one of which must be there.
fn note_parity(
    stripe: &mut Stripe,
    n: usize,
    p: Option<usize>,
    q: Option<usize>,
) -> Result<(), Error> {
    if p.is_none() && q.is_none() {
        return Err(Error::Invalid("neither P nor Q is given".into()));
    }
    for (shard, len) in [(n, p), (n + 1, q)] {
        if let Some(len) = len {
            stripe.note(shard, len)?;
        }
    }
    Ok(())
}

/// Fails where the number of data blocks is out of range.
fn data_blocks(n: usize) -> Result<(), Error> {
    if (1..=MAX_DATA).contains(&n) {
        return Ok(());
    }
    Err(Error::Invalid(format!("n={n}: a stripe has 1 to {MAX_DATA} data blocks").into()))
}

fn output(block: Option<&mut [u8]>) -> *mut u8 {
    block.map_or(ptr::null_mut(), <[u8]>::as_mut_ptr)
}

fn length(block: &Option<&mut [u8]>) -> Option<usize> {
    block.as_ref().map(|block| block.len())
}

/// Computes P and Q of the data blocks, or one of them.
pub fn generate<D: AsRef<[u8]>>(
    data: &[D],
    p: Option<&mut [u8]>,
    q: Option<&mut [u8]>,
) -> Result<(), Error> {
    data_blocks(data.len())?;
    let mut stripe = Stripe::default();
    let mut from = Addresses::default();
    stripe.inputs(0, data, &mut from)?;
    note_parity(&mut stripe, data.len(), length(&p), length(&q))?;
    // SAFETY: all blocks have this length, and P and Q are borrowed mutably.
    done(unsafe {
        sys::pxr_raid_generate(
            number(data.len()),
            stripe.len(),
            from.inputs(),
            output(p),
            output(q),
        )
    })
}

/// Compares P, and Q if it is given, with the data.  Without Q, no block is suspected.
///
/// ```
/// # use permxor::raid;
/// # let mut data = [[1u8; 8], [2; 8], [3; 8]];
/// # let (mut p, mut q) = ([0u8; 8], [0u8; 8]);
/// # raid::generate(&data, Some(&mut p), Some(&mut q))?;
/// data[2][5] = 77;
/// let report = raid::check(&data, &p, Some(&q))?;
/// assert_eq!((report.first_p, report.suspect), (Some(5), Some(2)));
/// # Ok::<(), permxor::Error>(())
/// ```
pub fn check<D: AsRef<[u8]>>(data: &[D], p: &[u8], q: Option<&[u8]>) -> Result<Report, Error> {
    let n = data.len();
    data_blocks(n)?;
    let mut stripe = Stripe::default();
    let mut from = Addresses::default();
    stripe.inputs(0, data, &mut from)?;
    note_parity(&mut stripe, n, Some(p.len()), q.map(<[u8]>::len))?;
    let len = stripe.len();
    let mut found = sys::pxr_raid_report { first_p: len, first_q: len, suspect: 0 };
    // SAFETY: all blocks have this length.
    let status = unsafe {
        sys::pxr_raid_check(
            number(n),
            len,
            from.inputs(),
            p.as_ptr(),
            input(q),
            &mut found,
            mem::size_of_val(&found),
        )
    };
    if status != sys::PXR_EMISMATCH {
        done(status)?;
    }
    let offset = |at: usize| if at < len { Some(at) } else { None };
    Ok(Report {
        first_p: offset(found.first_p),
        first_q: offset(found.first_q),
        suspect: match found.suspect {
            sys::PXR_RAID_UNKNOWN => None,
            block => Some(block as usize),
        },
    })
}

/// Adds the contribution of data blocks, of which the first has the number `first`, to P and Q.
/// Blocks that are `None` are left out.
pub fn accumulate<D: AsRef<[u8]>>(
    first: usize,
    blocks: &[Option<D>],
    p: Option<&mut [u8]>,
    q: Option<&mut [u8]>,
) -> Result<(), Error> {
    below(first.saturating_add(blocks.len()), MAX_DATA + 1)?;
    let mut stripe = Stripe::default();
    let mut from = Addresses::default();
    stripe.some_inputs(first, blocks, &mut from)?;
    note_parity(&mut stripe, first + blocks.len(), length(&p), length(&q))?;
    // SAFETY: all blocks have this length, and P and Q are borrowed mutably.
    done(unsafe {
        sys::pxr_raid_accumulate(
            number(first),
            number(blocks.len()),
            stripe.len(),
            from.inputs(),
            output(p),
            output(q),
        )
    })
}

/// Brings P and Q up to date after data block `index` changed from `old` to `new`.  `None` for
/// `old` stands for zeros.
pub fn update(
    index: usize,
    old: Option<&[u8]>,
    new: &[u8],
    p: Option<&mut [u8]>,
    q: Option<&mut [u8]>,
) -> Result<(), Error> {
    below(index, MAX_DATA)?;
    let mut stripe = Stripe::default();
    stripe.note(index, new.len())?;
    if let Some(old) = old {
        stripe.note(index, old.len())?;
    }
    note_parity(&mut stripe, MAX_DATA, length(&p), length(&q))?;
    // SAFETY: all blocks have this length, and P and Q are borrowed mutably.
    done(unsafe {
        sys::pxr_raid_update(
            number(index),
            stripe.len(),
            input(old),
            new.as_ptr(),
            output(p),
            output(q),
        )
    })
}

/// Recovers lost blocks, at most two, in place.  `lost` has their numbers in any order.  The
/// contents of lost blocks are overwritten; the other blocks are only read.
pub fn recover<D: AsMut<[u8]>>(
    data: &mut [D],
    p: Option<&mut [u8]>,
    q: Option<&mut [u8]>,
    lost: &[usize],
) -> Result<(), Error> {
    let n = data.len();
    data_blocks(n)?;
    let mut seen = [false; MAX_DATA + 2];
    for &block in lost {
        below(block, n + 2)?;
        if mem::replace(&mut seen[block], true) {
            return Err(Error::Twice { shard: block });
        }
        if (block == n && p.is_none()) || (block == n + 1 && q.is_none()) {
            return Err(Error::Invalid("a parity block is lost, and there is none".into()));
        }
    }
    let mut stripe = Stripe::default();
    let mut blocks = Addresses::default();
    stripe.outputs(0, data, &mut blocks)?;
    if p.is_some() || q.is_some() {
        note_parity(&mut stripe, n, length(&p), length(&q))?;
    }
    let lost: Vec<sys::c_uint> = lost.iter().map(|&block| number(block)).collect();
    // SAFETY: all blocks have this length and are borrowed mutably.
    done(unsafe {
        sys::pxr_raid_recover(
            number(n),
            stripe.len(),
            blocks.outputs(),
            output(p),
            output(q),
            number(lost.len()),
            lost.as_ptr(),
        )
    })
}

/// Tells which way to write needs fewer reads.
///
/// ```
/// use permxor::raid::{write_plan, Block, Method};
///
/// let mut data = [Block::default(); 8];
/// data[3].changed = true;
/// let plan = write_plan(&data, Block::default(), Block::default())?;
/// assert_eq!((plan.method, plan.read_modify_write), (Method::ReadModifyWrite, Some(3)));
/// assert_eq!(plan.reconstruct_write, Some(7));
/// # Ok::<(), permxor::Error>(())
/// ```
pub fn write_plan(data: &[Block], p: Block, q: Block) -> Result<WritePlan, Error> {
    data_blocks(data.len())?;
    let flags: Vec<u8> = data.iter().map(|block| block.flags()).collect();
    let mut plan = sys::pxr_raid_plan { method: 0, read_modify_write: 0, reconstruct_write: 0 };
    // SAFETY: there are n flags.
    done(unsafe {
        sys::pxr_raid_write_plan(
            number(data.len()),
            flags.as_ptr(),
            p.flags(),
            q.flags(),
            &mut plan,
            mem::size_of_val(&plan),
        )
    })?;
    let reads = |n: sys::c_uint| match n {
        sys::PXR_RAID_IMPOSSIBLE => None,
        n => Some(n as usize),
    };
    Ok(WritePlan {
        method: match plan.method {
            sys::PXR_RAID_READ_MODIFY_WRITE => Method::ReadModifyWrite,
            _ => Method::ReconstructWrite,
        },
        read_modify_write: reads(plan.read_modify_write),
        reconstruct_write: reads(plan.reconstruct_write),
    })
}
