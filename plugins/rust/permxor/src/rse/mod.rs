// SPDX-License-Identifier: BSD-3-Clause

//! The interface of the crate reed-solomon-erasure 6 over GF(2^8), with the same bytes.
//!
//! A program that uses that crate changes one line:
//!
//! ```
//! use permxor::rse as reed_solomon_erasure;
//!
//! use reed_solomon_erasure::galois_8::ReedSolomon;
//!
//! # fn main() -> Result<(), reed_solomon_erasure::Error> {
//! let code = ReedSolomon::new(3, 2)?;
//! let mut shards = permxor::shards!([0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [0, 0, 0, 0], [0, 0, 0, 0]);
//! code.encode(&mut shards)?;
//!
//! let mut left: Vec<Option<Vec<u8>>> = shards.iter().cloned().map(Some).collect();
//! left[0] = None;
//! left[4] = None;
//! code.reconstruct(&mut left)?;
//! assert_eq!(left.into_iter().flatten().collect::<Vec<_>>(), shards);
//! # Ok(())
//! # }
//! ```
//!
//! What differs:
//!
//! - GF(2^8) is the only field: there is no `galois_16`, and [`Field`] cannot be implemented for
//!   other fields.
//! - The texts of the errors have other words.
//! - The feature `simd-accel` is not needed, because the library always uses the CPU's vectors.

mod by_shard;
mod codec;
mod error;
mod field;
pub mod galois_8;
mod macros;
mod shard;

pub use by_shard::ShardByShard;
pub use codec::ReedSolomon;
pub use error::{Error, SBSError};
pub use field::Field;
pub use shard::ReconstructShard;
