// SPDX-License-Identifier: BSD-3-Clause

//! Erasure codes, RAID parity and linear hashes, by the C library permxor.
//!
//! An erasure code adds m parity shards to k data shards, so that lost shards can be computed
//! again.  With an MDS matrix, any k of the k + m shards are enough.
//!
//! ```
//! use permxor::{Code, Matrix};
//!
//! # fn main() -> Result<(), permxor::Error> {
//! let code = Code::new(4, 2, Matrix::IsalCauchy)?;
//! let data = [[1u8; 1000], [2; 1000], [3; 1000], [4; 1000]];
//! let mut parity = [[0u8; 1000]; 2];
//! code.encode(&data, &mut parity)?;
//!
//! // Shards 0 and 3 are lost.
//! let mut shards: Vec<Option<Vec<u8>>> =
//!     data.iter().chain(&parity).map(|shard| Some(shard.to_vec())).collect();
//! shards[0] = None;
//! shards[3] = None;
//! code.repair(&mut shards)?;
//! assert_eq!(shards[0].as_deref(), Some(&data[0][..]));
//! assert_eq!(shards[3].as_deref(), Some(&data[3][..]));
//! # Ok(())
//! # }
//! ```
//!
//! - [`Code`] has the codes: encode, reconstruct, update, verify and locate.
//! - [`Plan`] says which shards a reconstruction reads, and applies it to any number of stripes.
//! - [`Hash`](struct@Hash) checks parity from a few bytes of each shard.
//! - [`raid`] has the P and Q of RAID-5 and RAID-6, with the bytes of Linux md.
//! - [`scan`] compares buffers, looks for zeros and computes Adler-32.
//! - [`kernels`] says which kernel set runs on this CPU.
//! - [`rse`] has the interface of the crate reed-solomon-erasure, with the same bytes.
//!
//! # Shards
//!
//! A shard is anything that is [`AsRef<[u8]>`](AsRef) or, where it is written,
//! [`AsMut<[u8]>`](AsMut): slices, arrays, vectors and boxes of bytes.  All shards of a call have
//! the same length.  A call checks the number and the lengths of its shards, and when it returns
//! an error, it has written nothing.  Outputs cannot overlap other shards, because the caller
//! holds the only reference to them.  Calls are a little faster when shards are aligned to 64
//! bytes.
//!
//! # Threads
//!
//! Codes, plans and hashes never change, so threads may share them.  No call takes a lock.
//!
//! # Features
//!
//! - `std` (default) implements `std::error::Error` for the errors.  Without it the crate needs
//!   only `alloc`, and the C library needs the system's C library as before.
//! - `system` links the libpermxor that is installed, instead of compiling it.
//! - `asm` assembles some kernels for CPUs without GFNI; it needs nasm.

#![cfg_attr(not(feature = "std"), no_std)]
#![warn(missing_docs)]

extern crate alloc;

mod check;
mod code;
mod coding;
mod error;
mod hash;
pub mod kernels;
mod matrix;
mod plan;
pub mod raid;
pub mod rse;
pub mod scan;
mod shards;
mod text;

pub use check::Located;
pub use code::{Code, Mds};
pub use coding::Change;
pub use error::Error;
pub use hash::Hash;
pub use matrix::{BitMatrix, Matrix, WordMatrix};
pub use plan::Plan;

/// The most shards of a code of bytes or of packets.
pub const MAX_SHARDS: usize = permxor_sys::PXR_MAX_SHARDS;
/// The most shards of a code of words of 16 or 32 bits.
pub const MAX_WORD_SHARDS: usize = permxor_sys::PXR_MAX_WORD_SHARDS;

/// Returns the version of the C library that is running, as "major.minor.patch".
///
/// ```
/// assert!(permxor::library_version().starts_with("0.1."));
/// ```
pub fn library_version() -> &'static str {
    // SAFETY: the text is constant.
    unsafe { text::of_c(permxor_sys::pxr_version()) }
}
