// SPDX-License-Identifier: BSD-3-Clause

use alloc::boxed::Box;
use core::fmt;
use core::ptr::{self, NonNull};

use permxor_sys as sys;

use crate::text;

/// Why a call failed.  A call that fails has written nothing to its outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// An argument is out of range.  The text says which one, and what it may be.
    Invalid(Box<str>),
    /// There is not enough memory.
    OutOfMemory,
    /// The matrix is not MDS: some k of the k + m shards are not enough.
    NotMds(Box<str>),
    /// The matrix is too large to be proved MDS.
    Unproven(Box<str>),
    /// There are fewer shards or blocks than a reconstruction needs.
    TooFewShards,
    /// The shards that are there do not determine the lost ones.  Only a code that was made with
    /// [`Mds::Assume`](crate::Mds::Assume) can get this.
    Singular,
    /// This CPU cannot run the kernel set.
    Unusable,
    /// A list has the wrong number of entries.
    Count {
        /// What the list is a list of.
        what: &'static str,
        /// The number of entries that it should have.
        expected: usize,
        /// The number of entries that it has.
        found: usize,
    },
    /// A shard, block or hash has another length than the first one of the call.
    Length {
        /// The number of the shard.
        shard: usize,
        /// The length of the first one.
        expected: usize,
        /// The length of this one.
        found: usize,
    },
    /// The length or an offset is not in whole units of the code.
    Unit {
        /// The unit in bytes.
        unit: usize,
    },
    /// The number of a shard or block is too high.
    Index {
        /// The number.
        index: usize,
        /// The numbers are below this.
        limit: usize,
    },
    /// A shard is wanted that is there, or that is wanted twice.
    Twice {
        /// The number of the shard.
        shard: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Invalid(why) | Error::NotMds(why) | Error::Unproven(why) => f.write_str(why),
            Error::OutOfMemory => f.write_str("there is not enough memory"),
            Error::TooFewShards => f.write_str("too few shards are left to compute the lost ones"),
            Error::Singular => {
                f.write_str("the shards that are left do not determine the lost ones")
            }
            Error::Unusable => f.write_str("this CPU cannot run the kernel set"),
            Error::Count { what, expected, found } => {
                write!(f, "the call needs {expected} {what}, and got {found}")
            }
            Error::Length { shard, expected, found } => {
                write!(f, "shard {shard} has {found} bytes, and the first one has {expected}")
            }
            Error::Unit { unit } => {
                write!(f, "lengths and offsets must be multiples of the code's unit, {unit} bytes")
            }
            Error::Index { index, limit } => write!(f, "number {index} is not below {limit}"),
            Error::Twice { shard } => {
                write!(f, "shard {shard} is wanted, but it is there or is wanted twice")
            }
        }
    }
}

#[cfg(feature = "std")]
impl std::error::Error for Error {}

/// A message of C that is still empty.
const NO_MESSAGE: sys::pxr_error = sys::pxr_error { text: [0; 192] };

impl Error {
    /// The error of a call that makes an object, with the message of that call.
    fn of_creation(status: sys::c_int, why: &sys::pxr_error) -> Error {
        let message = || text::of_bytes(&why.text).into();
        match status {
            sys::PXR_EINVAL => Error::Invalid(message()),
            sys::PXR_ENOTMDS => Error::NotMds(message()),
            sys::PXR_EUNPROVEN => Error::Unproven(message()),
            _ => Error::of_status(status),
        }
    }

    /// The error of a call that has no message.
    fn of_status(status: sys::c_int) -> Error {
        match status {
            sys::PXR_ENOMEM => Error::OutOfMemory,
            sys::PXR_ETOOFEW => Error::TooFewShards,
            sys::PXR_ESINGULAR => Error::Singular,
            sys::PXR_EUNUSABLE => Error::Unusable,
            // SAFETY: the texts of C are constant.
            _ => Error::Invalid(unsafe { text::of_c(sys::pxr_strerror(status)) }.into()),
        }
    }
}

/// Turns the status of a call into a result.
pub(crate) fn done(status: sys::c_int) -> Result<(), Error> {
    match status {
        sys::PXR_OK => Ok(()),
        other => Err(Error::of_status(other)),
    }
}

/// The same for a call that codes.  Everything that PXR_EINVAL may mean is checked before, but for
/// the unit.
pub(crate) fn coded(status: sys::c_int, unit: usize) -> Result<(), Error> {
    match status {
        sys::PXR_EINVAL => Err(Error::Unit { unit }),
        other => done(other),
    }
}

/// Takes over the object that `create` makes, which is then not NULL.
pub(crate) fn created<T>(
    create: impl FnOnce(*mut *mut T, *mut sys::pxr_error) -> sys::c_int,
) -> Result<NonNull<T>, Error> {
    let mut raw = ptr::null_mut();
    let mut why = NO_MESSAGE;
    let status = create(&mut raw, &mut why);
    match NonNull::new(raw) {
        Some(raw) if status == sys::PXR_OK => Ok(raw),
        _ => Err(Error::of_creation(status, &why)),
    }
}

/// Fails where a list has another number of entries.
pub(crate) fn count(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found {
        Ok(())
    } else {
        Err(Error::Count { what, expected, found })
    }
}

/// Fails where a number is not below the limit.
pub(crate) fn below(index: usize, limit: usize) -> Result<(), Error> {
    if index < limit {
        Ok(())
    } else {
        Err(Error::Index { index, limit })
    }
}
