// SPDX-License-Identifier: BSD-3-Clause

//! The C interface of permxor, as its headers declare it: permxor.h, permxor_raid.h and
//! permxor_hash.h.  The crate `permxor` makes a safe interface of it.
//!
//! The names are those of C.  The headers say what each function does and when it may be called;
//! the comments here only say what differs.
//!
//! - Texts are `*const u8`, as Rust 1.63 has no `core::ffi::c_char`.  They end with a zero byte.
//! - `pxr_inputs` is the type that C++ sees: the addresses of bytes that are only read.

#![no_std]
#![allow(non_camel_case_types)]

mod codes;
mod hash;
mod kernels;
mod raid;

pub use codes::*;
pub use hash::*;
pub use kernels::*;
pub use raid::*;

/// The C type `int`.
pub type c_int = i32;
/// The C type `unsigned`.
pub type c_uint = u32;

/// The addresses of shards that a call reads and does not write.
pub type pxr_inputs = *const *const u8;
/// The addresses of shards that a call writes.
pub type pxr_outputs = *const *mut u8;

/// Values of enum pxr_status.
pub const PXR_OK: c_int = 0;
pub const PXR_EINVAL: c_int = 1;
pub const PXR_ENOMEM: c_int = 2;
pub const PXR_ENOTMDS: c_int = 3;
pub const PXR_EUNPROVEN: c_int = 4;
pub const PXR_ETOOFEW: c_int = 5;
pub const PXR_ESINGULAR: c_int = 6;
pub const PXR_EMISMATCH: c_int = 7;
pub const PXR_EAMBIGUOUS: c_int = 8;
pub const PXR_EUNUSABLE: c_int = 9;

/// Why a call failed: one sentence, which ends with a zero byte.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pxr_error {
    pub text: [u8; 192],
}

extern "C" {
    pub fn pxr_strerror(status: c_int) -> *const u8;
    pub fn pxr_version() -> *const u8;
}
