// SPDX-License-Identifier: BSD-3-Clause

//! Functions that scan buffers.

use permxor_sys as sys;

/// Returns the offset of the first byte in which two buffers of the same length differ.
///
/// ```
/// assert_eq!(permxor::scan::compare(b"abc", b"abd"), Some(2));
/// ```
///
/// # Panics
/// Where the lengths differ.
pub fn compare(a: &[u8], b: &[u8]) -> Option<usize> {
    assert_eq!(a.len(), b.len(), "compare: the buffers have different lengths");
    // SAFETY: both have this length.
    let at = unsafe { sys::pxr_compare(a.as_ptr().cast(), b.as_ptr().cast(), a.len()) };
    if at < a.len() {
        Some(at)
    } else {
        None
    }
}

/// Returns the offset of the first byte that is not zero.
///
/// ```
/// assert_eq!(permxor::scan::find_nonzero(&[0, 0, 7]), Some(2));
/// assert_eq!(permxor::scan::find_nonzero(&[0; 1000]), None);
/// ```
pub fn find_nonzero(buffer: &[u8]) -> Option<usize> {
    // SAFETY: the buffer has this length.
    let at = unsafe { sys::pxr_find_nonzero(buffer.as_ptr().cast(), buffer.len()) };
    if at < buffer.len() {
        Some(at)
    } else {
        None
    }
}

/// Returns the Adler-32 checksum of a text that ends with `buffer`.  `adler` is the checksum of
/// the bytes before, and 1 is that of no bytes.
///
/// ```
/// assert_eq!(permxor::scan::adler32(1, b"Wikipedia"), 0x11e60398);
/// ```
pub fn adler32(adler: u32, buffer: &[u8]) -> u32 {
    // SAFETY: the buffer has this length.
    unsafe { sys::pxr_adler32(adler, buffer.as_ptr().cast(), buffer.len()) }
}

/// Returns the checksum of two pieces together.
///
/// ```
/// use permxor::scan::{adler32, adler32_combine};
///
/// let (first, second) = (adler32(1, b"Wiki"), adler32(1, b"pedia"));
/// assert_eq!(adler32_combine(first, second, 5), adler32(1, b"Wikipedia"));
/// ```
pub fn adler32_combine(first: u32, second: u32, second_len: u64) -> u32 {
    // SAFETY: the call takes any numbers.
    unsafe { sys::pxr_adler32_combine(first, second, second_len) }
}
