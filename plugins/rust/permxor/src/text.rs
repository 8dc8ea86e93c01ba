// SPDX-License-Identifier: BSD-3-Clause

//! Texts of C.

use core::slice;
use core::str;

/// Returns a text of C without its zero byte, or "" for NULL.
///
/// # Safety
/// The text must end with a zero byte and stay as it is for `'a`.
pub(crate) unsafe fn of_c<'a>(at: *const u8) -> &'a str {
    if at.is_null() {
        return "";
    }
    let mut len = 0;
    while *at.add(len) != 0 {
        len += 1;
    }
    str::from_utf8(slice::from_raw_parts(at, len)).unwrap_or("")
}

/// Returns the text in front of the first zero byte.
pub(crate) fn of_bytes(bytes: &[u8]) -> &str {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    str::from_utf8(&bytes[..end]).unwrap_or("")
}
