// SPDX-License-Identifier: BSD-3-Clause

//! Linear hashes: permxor_hash.h.

use crate::{c_int, c_uint, pxr_code, pxr_error, pxr_inputs, pxr_outputs};

/// The largest size of a hash in bytes.
pub const PXR_MAX_HASH: usize = 16;

/// A kind of hash.  C alone knows what is in it.
#[repr(C)]
pub struct pxr_hash {
    _inside: [u8; 0],
}

extern "C" {
    pub fn pxr_hash_create(
        hash: *mut *mut pxr_hash,
        size: c_uint,
        key: *const u8,
        why: *mut pxr_error,
    ) -> c_int;
    pub fn pxr_hash_create_ceph_71721(hash: *mut *mut pxr_hash, why: *mut pxr_error) -> c_int;
    pub fn pxr_hash_free(hash: *mut pxr_hash);
    pub fn pxr_hash_size(hash: *const pxr_hash) -> c_uint;
    pub fn pxr_hash_add(
        hash: *const pxr_hash,
        offset: u64,
        len: usize,
        piece: *const u8,
        sum: *mut u8,
    ) -> c_int;
    pub fn pxr_hash_combine(
        hash: *const pxr_hash,
        offset: u64,
        part: *const u8,
        sum: *mut u8,
    ) -> c_int;
    pub fn pxr_hash_bytes(hash: *const pxr_hash, code: *const pxr_code) -> usize;
    pub fn pxr_hash_shard(
        hash: *const pxr_hash,
        code: *const pxr_code,
        offset: u64,
        len: usize,
        piece: *const u8,
        sum: *mut u8,
    ) -> c_int;
    pub fn pxr_hash_encode(
        hash: *const pxr_hash,
        code: *const pxr_code,
        data: pxr_inputs,
        parity: pxr_outputs,
    ) -> c_int;
    pub fn pxr_hash_check(hash: *const pxr_hash, code: *const pxr_code, sums: pxr_inputs) -> c_int;
    pub fn pxr_hash_locate(
        hash: *const pxr_hash,
        code: *const pxr_code,
        sums: pxr_inputs,
        index: *mut c_uint,
    ) -> c_int;
}
