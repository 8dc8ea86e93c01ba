// SPDX-License-Identifier: BSD-3-Clause

use core::fmt;
use core::ptr::{self, NonNull};
use core::slice;

use alloc::vec::Vec;
use permxor_sys as sys;

use crate::error::{coded, count, created};
use crate::shards::{Addresses, Stripe};
use crate::{Code, Error};

/// A plan: how certain shards follow from certain other shards.
///
/// It is made once, from flags, and is then applied to any number of stripes.  So the caller
/// knows which shards to read before any is read.  Applying it allocates nothing where the code
/// has at most 64 shards.
///
/// ```
/// use permxor::{Code, Matrix, Plan};
///
/// let code = Code::new(2, 2, Matrix::IsalCauchy)?;
/// let mut parity = [[0u8; 4]; 2];
/// code.encode(&[b"left", b"over"], &mut parity)?;
///
/// // Shard 0 is lost, and shard 3 is slow to read.
/// let plan = Plan::new(&code, &[false, true, true, false], &[true, false, false, false])?;
/// assert_eq!((plan.reads(), plan.writes()), (&[1, 2][..], &[0][..]));
/// let mut lost = [[0u8; 4]];
/// plan.apply(&[&b"over"[..], &parity[0]], &mut lost)?;
/// assert_eq!(&lost[0], b"left");
/// # Ok::<(), permxor::Error>(())
/// ```
///
/// A plan never changes and does not refer to its code.
pub struct Plan {
    raw: NonNull<sys::pxr_plan>,
    shards: usize,
    unit: usize,
}

// SAFETY: any thread may call any function of the library at any time, and a plan never changes
// (permxor.h, Threads).
unsafe impl Send for Plan {}
// SAFETY: as above.
unsafe impl Sync for Plan {}

impl Drop for Plan {
    fn drop(&mut self) {
        // SAFETY: this is the last call on this plan.
        unsafe { sys::pxr_plan_free(self.raw.as_ptr()) }
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("reads", &self.reads())
            .field("writes", &self.writes())
            .finish()
    }
}

impl Plan {
    /// Makes a plan from k + m flags each: which shards may be read, and which are wanted.
    pub fn new(code: &Code, have: &[bool], want: &[bool]) -> Result<Plan, Error> {
        count("flags", code.shards(), have.len())?;
        count("flags", code.shards(), want.len())?;
        let flags = |list: &[bool]| list.iter().map(|&flag| u8::from(flag)).collect::<Vec<u8>>();
        let (have, want) = (flags(have), flags(want));
        let raw = created(|plan, why| {
            // SAFETY: both lists have k + m flags.
            unsafe { sys::pxr_plan_create(plan, code.raw(), have.as_ptr(), want.as_ptr(), why) }
        })?;
        Ok(Plan { raw, shards: code.shards(), unit: code.unit() })
    }

    /// A list of shard numbers that the plan keeps.
    fn list(
        &self,
        ask: unsafe extern "C" fn(*const sys::pxr_plan, *mut *const u16) -> sys::c_uint,
    ) -> &[u16] {
        let mut first = ptr::null();
        // SAFETY: the numbers are valid as long as the plan.
        unsafe {
            match ask(self.raw.as_ptr(), &mut first) {
                0 => &[],
                n => slice::from_raw_parts(first, n as usize),
            }
        }
    }

    /// The numbers of the shards that the plan reads, in ascending order.
    pub fn reads(&self) -> &[u16] {
        self.list(sys::pxr_plan_reads)
    }

    /// The numbers of the shards that the plan writes, in ascending order.
    pub fn writes(&self) -> &[u16] {
        self.list(sys::pxr_plan_writes)
    }

    /// Rebuilds the wanted shards of one stripe.  `read[i]` is the shard with the number
    /// `reads()[i]`, and `write[i]` becomes the one with the number `writes()[i]`.
    pub fn apply<R, W>(&self, read: &[R], write: &mut [W]) -> Result<(), Error>
    where
        R: AsRef<[u8]>,
        W: AsMut<[u8]>,
    {
        count("shards to read", self.reads().len(), read.len())?;
        count("shards to write", self.writes().len(), write.len())?;
        let mut stripe = Stripe::default();
        let mut have = Addresses::nulls(self.shards);
        for (shard, &number) in read.iter().zip(self.reads()) {
            let shard = shard.as_ref();
            stripe.note(number.into(), shard.len())?;
            have.set_input(number.into(), shard);
        }
        let mut want = Addresses::nulls(self.shards);
        for (shard, &number) in write.iter_mut().zip(self.writes()) {
            let shard = shard.as_mut();
            stripe.note(number.into(), shard.len())?;
            want.set_output(number.into(), shard);
        }
        // SAFETY: both lists have an entry for each shard of the code, and those that the plan
        // names are there.  What is written is borrowed mutably.
        let status = unsafe {
            sys::pxr_plan_apply(self.raw.as_ptr(), stripe.len(), have.inputs(), want.outputs())
        };
        coded(status, self.unit)
    }
}
