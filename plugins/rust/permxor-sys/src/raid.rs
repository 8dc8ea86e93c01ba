// SPDX-License-Identifier: BSD-3-Clause

//! RAID parity and scans: permxor_raid.h.

use core::ffi::c_void;

use crate::{c_int, c_uint, pxr_inputs, pxr_outputs};

/// The most data blocks of a stripe.
pub const PXR_RAID_MAX_DATA: usize = 255;
/// Stands in place of a block's number.
pub const PXR_RAID_UNKNOWN: c_uint = !0;
/// Stands in place of a count of blocks to read.
pub const PXR_RAID_IMPOSSIBLE: c_uint = !0;

/// Flags of a block before a write.
pub const PXR_RAID_CHANGED: u8 = 1;
pub const PXR_RAID_CACHED: u8 = 2;
pub const PXR_RAID_FAILED: u8 = 4;

/// The type of enum pxr_raid_method.
pub type pxr_raid_method = c_uint;
pub const PXR_RAID_READ_MODIFY_WRITE: pxr_raid_method = 0;
pub const PXR_RAID_RECONSTRUCT_WRITE: pxr_raid_method = 1;

/// What pxr_raid_check() found.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pxr_raid_report {
    pub first_p: usize,
    pub first_q: usize,
    pub suspect: c_uint,
}

/// The cheaper way to write.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pxr_raid_plan {
    pub method: pxr_raid_method,
    pub read_modify_write: c_uint,
    pub reconstruct_write: c_uint,
}

extern "C" {
    pub fn pxr_raid_generate(
        n: c_uint,
        len: usize,
        data: pxr_inputs,
        p: *mut u8,
        q: *mut u8,
    ) -> c_int;
    pub fn pxr_raid_check(
        n: c_uint,
        len: usize,
        data: pxr_inputs,
        p: *const u8,
        q: *const u8,
        report: *mut pxr_raid_report,
        size: usize,
    ) -> c_int;
    pub fn pxr_raid_accumulate(
        first: c_uint,
        count: c_uint,
        len: usize,
        blocks: pxr_inputs,
        p: *mut u8,
        q: *mut u8,
    ) -> c_int;
    pub fn pxr_raid_update(
        index: c_uint,
        len: usize,
        old_block: *const u8,
        new_block: *const u8,
        p: *mut u8,
        q: *mut u8,
    ) -> c_int;
    pub fn pxr_raid_write_plan(
        n: c_uint,
        data: *const u8,
        p: u8,
        q: u8,
        plan: *mut pxr_raid_plan,
        size: usize,
    ) -> c_int;
    pub fn pxr_raid_recover(
        n: c_uint,
        len: usize,
        data: pxr_outputs,
        p: *mut u8,
        q: *mut u8,
        lost_count: c_uint,
        lost: *const c_uint,
    ) -> c_int;

    pub fn pxr_compare(a: *const c_void, b: *const c_void, len: usize) -> usize;
    pub fn pxr_find_nonzero(buffer: *const c_void, len: usize) -> usize;
    pub fn pxr_adler32(adler: u32, buffer: *const c_void, len: usize) -> u32;
    pub fn pxr_adler32_combine(first: u32, second: u32, second_len: u64) -> u32;
}
