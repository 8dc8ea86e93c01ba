// SPDX-License-Identifier: BSD-3-Clause

//! The crate that those tests see as their own.

#![cfg(test)]

#[macro_use]
extern crate permxor;
#[macro_use]
extern crate quickcheck;

pub use permxor::rse::*;

/// Of src/tests/mod.rs, without the tests of galois_16.
mod tests {
    include!(concat!(env!("THEIRS"), "/tests.rs"));
}

/// Of src/galois_8.rs.
mod field {
    pub use permxor::rse::galois_8::*;

    /// A function of theirs that only its own test calls.
    pub fn slice_xor(input: &[u8], out: &mut [u8]) {
        mul_slice_xor(1, input, out);
    }

    include!(concat!(env!("THEIRS"), "/galois_8.rs"));
}
