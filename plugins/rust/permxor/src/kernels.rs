// SPDX-License-Identifier: BSD-3-Clause

//! The kernel sets: the library's inner loops, one set for each instruction set.
//!
//! The library chooses a set when the program starts, by the CPU, a tune file and the environment
//! variable `PERMXOR_KERNELS`.  All sets give the same bytes.

use alloc::vec::Vec;
use core::mem;
use core::ptr;

use permxor_sys as sys;

use crate::error::done;
use crate::{text, Error};

/// A kernel set of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelSet {
    /// The name, which `PERMXOR_KERNELS` takes.
    pub name: &'static str,
    /// The features of the CPU that the set requires, as in "avx2 gfni".
    pub needs: &'static str,
    /// This CPU and its operating system have them.
    pub usable: bool,
    /// Calls use this set.
    pub selected: bool,
}

/// Returns all kernel sets that the library has, the best one first.
///
/// ```
/// let sets = permxor::kernels::list();
/// assert_eq!(sets.last().unwrap().name, "base");
/// assert_eq!(sets.iter().filter(|set| set.selected).count(), 1);
/// ```
pub fn list() -> Vec<KernelSet> {
    let mut sets = Vec::new();
    let mut row =
        sys::pxr_kernel_info { name: ptr::null(), needs: ptr::null(), usable: 0, selected: 0 };
    // SAFETY: the row has this size, and its texts are constant.
    unsafe {
        while sys::pxr_kernel_info(sets.len() as sys::c_uint, &mut row, mem::size_of_val(&row))
            == sys::PXR_OK
        {
            sets.push(KernelSet {
                name: text::of_c(row.name),
                needs: text::of_c(row.needs),
                usable: row.usable != 0,
                selected: row.selected != 0,
            });
        }
    }
    sets
}

/// Returns why the selected set was selected, in one phrase.
pub fn reason() -> &'static str {
    // SAFETY: the text is constant.
    unsafe { text::of_c(sys::pxr_kernel_reason()) }
}

/// Makes all later calls of this process use the named set.
///
/// ```
/// # let before = permxor::kernels::list().into_iter().find(|set| set.selected).unwrap();
/// permxor::kernels::select("base")?;
/// assert!(permxor::kernels::select("no such set").is_err());
/// # permxor::kernels::select(before.name)?;
/// # Ok::<(), permxor::Error>(())
/// ```
pub fn select(name: &str) -> Result<(), Error> {
    let unknown = || Error::Invalid("the library has no kernel set of this name".into());
    if name.bytes().any(|byte| byte == 0) {
        return Err(unknown());
    }
    let name: Vec<u8> = name.bytes().chain([0]).collect();
    // SAFETY: the name ends with a zero byte.
    match unsafe { sys::pxr_kernel_select(name.as_ptr()) } {
        sys::PXR_EINVAL => Err(unknown()),
        other => done(other),
    }
}
