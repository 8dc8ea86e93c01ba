// SPDX-License-Identifier: BSD-3-Clause

//! Codes and plans: permxor.h.

use core::ffi::c_void;

use crate::{c_int, c_uint, pxr_error, pxr_inputs, pxr_outputs};

/// The most shards of a code of bytes or of packets.
pub const PXR_MAX_SHARDS: usize = 256;
/// The most shards of a code of words of 16 or 32 bits.
pub const PXR_MAX_WORD_SHARDS: usize = 1024;
/// Takes a matrix without proof that it is MDS.
pub const PXR_ASSUME_MDS: c_uint = 1;

/// The type of enum pxr_matrix.
pub type pxr_matrix = c_uint;
pub const PXR_ISAL_VAND: pxr_matrix = 0;
pub const PXR_ISAL_CAUCHY: pxr_matrix = 1;
pub const PXR_JERASURE_VAN: pxr_matrix = 2;
pub const PXR_JERASURE_R6: pxr_matrix = 3;
pub const PXR_KLAUSPOST_VAND: pxr_matrix = 4;
pub const PXR_CUSTOM: pxr_matrix = 5;
pub const PXR_JERASURE_CAUCHY_ORIG: pxr_matrix = 6;
pub const PXR_JERASURE_CAUCHY_GOOD: pxr_matrix = 7;
pub const PXR_JERASURE_LIBERATION: pxr_matrix = 8;
pub const PXR_JERASURE_BLAUM_ROTH: pxr_matrix = 9;
pub const PXR_JERASURE_LIBER8TION: pxr_matrix = 10;
pub const PXR_CUSTOM_BITS: pxr_matrix = 11;

/// A code.  C alone knows what is in it.
#[repr(C)]
pub struct pxr_code {
    _inside: [u8; 0],
}

/// A plan.  C alone knows what is in it.
#[repr(C)]
pub struct pxr_plan {
    _inside: [u8; 0],
}

/// struct iovec of sys/uio.h.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct iovec {
    pub iov_base: *mut c_void,
    pub iov_len: usize,
}

/// A shard in several pieces of memory.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pxr_iov {
    pub iov: *const iovec,
    pub iovcnt: c_uint,
}

extern "C" {
    pub fn pxr_matrix_name(matrix: pxr_matrix) -> *const u8;
    pub fn pxr_matrix_parse(name: *const u8, matrix: *mut pxr_matrix) -> c_int;

    pub fn pxr_code_create(
        code: *mut *mut pxr_code,
        k: c_uint,
        m: c_uint,
        matrix: pxr_matrix,
        why: *mut pxr_error,
    ) -> c_int;
    pub fn pxr_code_create_custom(
        code: *mut *mut pxr_code,
        k: c_uint,
        m: c_uint,
        rows: *const u8,
        flags: c_uint,
        why: *mut pxr_error,
    ) -> c_int;
    pub fn pxr_code_create_bits(
        code: *mut *mut pxr_code,
        k: c_uint,
        m: c_uint,
        matrix: pxr_matrix,
        w: c_uint,
        packetsize: usize,
        flags: c_uint,
        why: *mut pxr_error,
    ) -> c_int;
    pub fn pxr_code_create_bits_custom(
        code: *mut *mut pxr_code,
        k: c_uint,
        m: c_uint,
        w: c_uint,
        packetsize: usize,
        rows: *const u8,
        flags: c_uint,
        why: *mut pxr_error,
    ) -> c_int;
    pub fn pxr_code_create_words(
        code: *mut *mut pxr_code,
        k: c_uint,
        m: c_uint,
        matrix: pxr_matrix,
        w: c_uint,
        why: *mut pxr_error,
    ) -> c_int;
    pub fn pxr_code_free(code: *mut pxr_code);

    pub fn pxr_code_k(code: *const pxr_code) -> c_uint;
    pub fn pxr_code_m(code: *const pxr_code) -> c_uint;
    pub fn pxr_code_matrix(code: *const pxr_code) -> pxr_matrix;
    pub fn pxr_code_coefficients(code: *const pxr_code) -> *const u8;
    pub fn pxr_code_w(code: *const pxr_code) -> c_uint;
    pub fn pxr_code_packetsize(code: *const pxr_code) -> usize;
    pub fn pxr_code_unit(code: *const pxr_code) -> usize;
    pub fn pxr_code_bits(code: *const pxr_code, rows: *mut u8) -> c_int;

    pub fn pxr_encode(
        code: *const pxr_code,
        len: usize,
        data: pxr_inputs,
        parity: pxr_outputs,
    ) -> c_int;
    pub fn pxr_reconstruct(
        code: *const pxr_code,
        len: usize,
        have: pxr_inputs,
        want: pxr_outputs,
    ) -> c_int;
    pub fn pxr_update(
        code: *const pxr_code,
        len: usize,
        index: c_uint,
        old_data: *const u8,
        new_data: *const u8,
        parity: pxr_outputs,
    ) -> c_int;
    pub fn pxr_update_many(
        code: *const pxr_code,
        len: usize,
        count: c_uint,
        index: *const c_uint,
        old_data: pxr_inputs,
        new_data: pxr_inputs,
        parity: pxr_outputs,
    ) -> c_int;
    pub fn pxr_verify(
        code: *const pxr_code,
        len: usize,
        shards: pxr_inputs,
        first: *mut usize,
    ) -> c_int;
    pub fn pxr_verify_tables(
        len: usize,
        k: c_uint,
        rows: c_uint,
        gftbls: *const u8,
        data: pxr_inputs,
        coding: pxr_inputs,
        first: *mut usize,
    ) -> c_int;
    pub fn pxr_locate(
        code: *const pxr_code,
        len: usize,
        shards: pxr_inputs,
        index: *mut c_uint,
    ) -> c_int;

    pub fn pxr_plan_create(
        plan: *mut *mut pxr_plan,
        code: *const pxr_code,
        have: *const u8,
        want: *const u8,
        why: *mut pxr_error,
    ) -> c_int;
    pub fn pxr_plan_free(plan: *mut pxr_plan);
    pub fn pxr_plan_reads(plan: *const pxr_plan, shards: *mut *const u16) -> c_uint;
    pub fn pxr_plan_writes(plan: *const pxr_plan, shards: *mut *const u16) -> c_uint;
    pub fn pxr_plan_apply(
        plan: *const pxr_plan,
        len: usize,
        have: pxr_inputs,
        want: pxr_outputs,
    ) -> c_int;

    pub fn pxr_encode_iov(
        code: *const pxr_code,
        len: usize,
        data: *const pxr_iov,
        parity: *const pxr_iov,
    ) -> c_int;
    pub fn pxr_reconstruct_iov(
        code: *const pxr_code,
        len: usize,
        have: *const pxr_iov,
        want: *const pxr_iov,
    ) -> c_int;
    pub fn pxr_plan_apply_iov(
        plan: *const pxr_plan,
        len: usize,
        have: *const pxr_iov,
        want: *const pxr_iov,
    ) -> c_int;
}
