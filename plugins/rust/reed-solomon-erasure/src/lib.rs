// SPDX-License-Identifier: BSD-3-Clause

//! permxor's module [`permxor::rse`] under the name of the crate whose interface it has.

#![no_std]

pub use permxor::rse::*;
pub use permxor::{convert_2D_slices, shards};
