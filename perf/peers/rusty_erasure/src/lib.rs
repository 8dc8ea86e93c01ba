// SPDX-License-Identifier: BSD-3-Clause

//! rusty_erasure under ISA-L's names (../../peer.h).
//!
//! The crate's coder is a matrix, its tables and a set of functions that it chose for this CPU.
//! Here the functions are the same ones, the coefficients are the caller's, and their tables,
//! which are 8 or 32 bytes for each, lie in the caller's memory.  So a call does the same as the
//! coder's, except for checks of lengths that never fail here, and allocates nothing.  Slices
//! are written once per call, as in a program whose shards come from C.

use std::ffi::{c_char, c_int};
use std::mem::MaybeUninit;
use std::slice;
use std::sync::OnceLock;

use rusty_erasure::kernel::Kernels;
use rusty_erasure::{best_kernels, raid};

/// The most shards of a call: k + m are at most 256, and P and Q are added.
const MOST: usize = 258;

static KERNELS: OnceLock<Kernels> = OnceLock::new();

fn kernels() -> &'static Kernels {
    KERNELS.get_or_init(best_kernels)
}

/// Returns the first `count` of `list` as slices of `len` bytes.
///
/// # Safety
/// There must be that many pointers, each to that many bytes.
unsafe fn sources<'a>(
    room: &'a mut [MaybeUninit<&'a [u8]>; MOST],
    list: *const *const u8,
    count: usize,
    len: usize,
) -> &'a [&'a [u8]] {
    for (i, slot) in room[..count].iter_mut().enumerate() {
        slot.write(slice::from_raw_parts(*list.add(i), len));
    }
    slice::from_raw_parts(room.as_ptr().cast(), count)
}

/// Returns the same as slices that can be written.
///
/// # Safety
/// As above, and nothing else may refer to the bytes.
unsafe fn targets<'a>(
    room: &'a mut [MaybeUninit<&'a mut [u8]>; MOST],
    list: *const *mut u8,
    count: usize,
    len: usize,
) -> &'a mut [&'a mut [u8]] {
    for (i, slot) in room[..count].iter_mut().enumerate() {
        slot.write(slice::from_raw_parts_mut(*list.add(i), len));
    }
    slice::from_raw_parts_mut(room.as_mut_ptr().cast(), count)
}

unsafe fn tables<'a>(at: *const u8, k: c_int, rows: c_int) -> &'a [u8] {
    slice::from_raw_parts(at, (k * rows) as usize * kernels().table_bytes)
}

#[no_mangle]
pub extern "C" fn isal_get_version_str() -> *const c_char {
    c"rusty_erasure 0.4.3".as_ptr()
}

/// # Safety
/// As for ISA-L's.
#[no_mangle]
pub unsafe extern "C" fn ec_init_tables(k: c_int, rows: c_int, matrix: *const u8, to: *mut u8) {
    let coefficients = slice::from_raw_parts(matrix, (k * rows) as usize);
    let made = (kernels().init)(coefficients);
    slice::from_raw_parts_mut(to, made.len()).copy_from_slice(&made);
}

/// # Safety
/// As for ISA-L's.
#[no_mangle]
pub unsafe extern "C" fn ec_encode_data(
    len: c_int,
    k: c_int,
    rows: c_int,
    table: *const u8,
    data: *const *const u8,
    coding: *const *mut u8,
) {
    let (mut from, mut to) = (
        [MaybeUninit::uninit(); MOST],
        [const { MaybeUninit::uninit() }; MOST],
    );
    (kernels().encode)(
        tables(table, k, rows),
        sources(&mut from, data, k as usize, len as usize),
        targets(&mut to, coding, rows as usize, len as usize),
    );
}

/// # Safety
/// As for ISA-L's.
#[no_mangle]
pub unsafe extern "C" fn ec_encode_data_update(
    len: c_int,
    k: c_int,
    rows: c_int,
    index: c_int,
    table: *const u8,
    data: *const u8,
    coding: *const *mut u8,
) {
    let mut to = [const { MaybeUninit::uninit() }; MOST];
    (kernels().update)(
        tables(table, k, rows),
        k as usize,
        index as usize,
        slice::from_raw_parts(data, len as usize),
        targets(&mut to, coding, rows as usize, len as usize),
    );
}

/// # Safety
/// As for ISA-L's: `array` has the sources, then P.
#[no_mangle]
pub unsafe extern "C" fn xor_gen(vectors: c_int, len: c_int, array: *const *mut u8) -> c_int {
    let (count, len) = (vectors as usize - 1, len as usize);
    let mut from = [MaybeUninit::uninit(); MOST];
    let p = slice::from_raw_parts_mut(*array.add(count), len);
    raid::xor_gen(sources(&mut from, array.cast(), count, len), p).is_err() as c_int
}

/// # Safety
/// As for ISA-L's: `array` has the sources, then P and Q.
#[no_mangle]
pub unsafe extern "C" fn pq_gen(vectors: c_int, len: c_int, array: *const *mut u8) -> c_int {
    let (count, len) = (vectors as usize - 2, len as usize);
    let mut from = [MaybeUninit::uninit(); MOST];
    let p = slice::from_raw_parts_mut(*array.add(count), len);
    let q = slice::from_raw_parts_mut(*array.add(count + 1), len);
    raid::pq_gen(sources(&mut from, array.cast(), count, len), p, q).is_err() as c_int
}
