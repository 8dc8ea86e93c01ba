// SPDX-License-Identifier: BSD-3-Clause

//! Kernel sets, the tune file and the machine record: permxor.h.

use crate::{c_int, c_uint};

/// One row of the registry of kernel sets.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pxr_kernel_info {
    pub name: *const u8,
    pub needs: *const u8,
    pub usable: c_int,
    pub selected: c_int,
}

/// What is known about the tune file.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pxr_tune_info {
    pub path: *const u8,
    pub default_path: *const u8,
    pub state: *const u8,
    pub family: *const u8,
    pub evidence: *const u8,
    pub cpu: [u8; 512],
    pub used: c_int,
}

/// One value of the machine record.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pxr_tune_setting {
    pub name: [u8; 32],
    pub value: [u8; 96],
    pub reason: [u8; 160],
}

extern "C" {
    pub fn pxr_kernel_info(index: c_uint, info: *mut pxr_kernel_info, size: usize) -> c_int;
    pub fn pxr_kernel_reason() -> *const u8;
    pub fn pxr_kernel_select(name: *const u8) -> c_int;
    pub fn pxr_tune_info(info: *mut pxr_tune_info, size: usize) -> c_int;
    pub fn pxr_tune_setting(index: c_uint, setting: *mut pxr_tune_setting, size: usize) -> c_int;
    pub fn pxr_tune_apply(text: *const u8) -> c_int;
}
