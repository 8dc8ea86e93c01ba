// SPDX-License-Identifier: BSD-3-Clause

//! GF(2^8) with the polynomial 0x11d.

use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::{Code, Mds};

/// The field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Field;

/// A Reed-Solomon code over this field.
pub type ReedSolomon = super::ReedSolomon<Field>;

/// Codes shard by shard over this field.
pub type ShardByShard<'a> = super::ShardByShard<'a, Field>;

/// The powers of 2, twice over, so that the sum of two logarithms is an index.
pub static EXP_TABLE: [u8; 510] = powers();

/// The logarithms to the base 2, with 0 for that of 0.
pub static LOG_TABLE: [u8; 256] = logarithms();

/// All products.
pub static MUL_TABLE: [[u8; 256]; 256] = products();

const fn powers() -> [u8; 510] {
    let mut table = [0; 510];
    let mut power = 1u8;
    let mut i = 0;
    while i < 510 {
        table[i] = power;
        power = (power << 1) ^ if power & 0x80 != 0 { 0x1d } else { 0 };
        i += 1;
    }
    table
}

const fn logarithms() -> [u8; 256] {
    let exp = powers();
    let mut table = [0; 256];
    let mut i = 0;
    while i < 255 {
        table[exp[i] as usize] = i as u8;
        i += 1;
    }
    table
}

const fn products() -> [[u8; 256]; 256] {
    let (exp, log) = (powers(), logarithms());
    let mut table = [[0; 256]; 256];
    let mut a = 1;
    while a < 256 {
        let mut b = 1;
        while b < 256 {
            table[a][b] = exp[log[a] as usize + log[b] as usize];
            b += 1;
        }
        a += 1;
    }
    table
}

/// The sum of two elements.
pub fn add(a: u8, b: u8) -> u8 {
    a ^ b
}

/// The difference of two elements, which is their sum.
pub fn sub(a: u8, b: u8) -> u8 {
    a ^ b
}

/// The product of two elements.
pub fn mul(a: u8, b: u8) -> u8 {
    MUL_TABLE[a as usize][b as usize]
}

/// The quotient of two elements.
///
/// # Panics
/// Where b is zero and a is not.
pub fn div(a: u8, b: u8) -> u8 {
    if a == 0 {
        return 0;
    }
    assert!(b != 0, "division by zero in GF(2^8)");
    EXP_TABLE[255 + LOG_TABLE[a as usize] as usize - LOG_TABLE[b as usize] as usize]
}

/// The n-th power of a.
pub fn exp(a: u8, n: usize) -> u8 {
    match (a, n) {
        (_, 0) => 1,
        (0, _) => 0,
        _ => EXP_TABLE[LOG_TABLE[a as usize] as usize * (n % 255) % 255],
    }
}

/// Writes c times the input to the output.
///
/// # Panics
/// Where the lengths differ.
pub fn mul_slice(c: u8, input: &[u8], out: &mut [u8]) {
    assert_eq!(input.len(), out.len());
    out.fill(0);
    mul_slice_xor(c, input, out);
}

/// Adds c times the input to the output.
///
/// # Panics
/// Where the lengths differ.
pub fn mul_slice_xor(c: u8, input: &[u8], out: &mut [u8]) {
    assert_eq!(input.len(), out.len());
    if c != 0 {
        let result = multiplier().update(c as usize - 1, None, input, &mut [out]);
        debug_assert_eq!(result, Ok(()));
    }
}

/// A code whose parity shard is the sum of (j + 1) times data shard j, for 255 data shards.  So an
/// update after a change of data shard c - 1 adds c times the change.
fn multiplier() -> &'static Code {
    static MADE: AtomicPtr<Code> = AtomicPtr::new(ptr::null_mut());
    let mut code = MADE.load(Ordering::Acquire);
    if code.is_null() {
        let rows: Vec<u8> = (1..=255).collect();
        let made = Code::custom(255, 1, &rows, Mds::Assume).expect("memory for a code of 255+1");
        let made = Box::into_raw(Box::new(made));
        code =
            match MADE.compare_exchange(ptr::null_mut(), made, Ordering::AcqRel, Ordering::Acquire)
            {
                Ok(_) => made,
                Err(other) => {
                    // SAFETY: another thread was faster, and nobody else knows this one.
                    drop(unsafe { Box::from_raw(made) });
                    other
                }
            };
    }
    // SAFETY: the code is never freed.
    unsafe { &*code }
}

impl super::Field for Field {
    const ORDER: usize = 256;
    type Elem = u8;

    fn add(a: u8, b: u8) -> u8 {
        add(a, b)
    }

    fn mul(a: u8, b: u8) -> u8 {
        mul(a, b)
    }

    fn div(a: u8, b: u8) -> u8 {
        div(a, b)
    }

    fn exp(a: u8, n: usize) -> u8 {
        exp(a, n)
    }

    fn zero() -> u8 {
        0
    }

    fn one() -> u8 {
        1
    }

    fn nth(n: usize) -> u8 {
        u8::try_from(n).expect("GF(2^8) has 256 elements")
    }

    fn mul_slice(c: u8, input: &[u8], out: &mut [u8]) {
        mul_slice(c, input, out);
    }

    fn mul_slice_add(c: u8, input: &[u8], out: &mut [u8]) {
        mul_slice_xor(c, input, out);
    }
}
