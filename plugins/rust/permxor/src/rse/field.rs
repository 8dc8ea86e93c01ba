// SPDX-License-Identifier: BSD-3-Clause

use core::fmt;

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::super::galois_8::Field {}
}

/// A field of elements.  [`galois_8::Field`](super::galois_8::Field) is the only one.
pub trait Field: Sized + sealed::Sealed {
    /// The number of elements.
    const ORDER: usize;
    /// An element.
    type Elem: Default + Clone + Copy + PartialEq + fmt::Debug;

    /// The sum of two elements.
    fn add(a: Self::Elem, b: Self::Elem) -> Self::Elem;
    /// The product of two elements.
    fn mul(a: Self::Elem, b: Self::Elem) -> Self::Elem;
    /// The quotient of two elements.  It panics where the divisor is zero.
    fn div(a: Self::Elem, b: Self::Elem) -> Self::Elem;
    /// The n-th power.
    fn exp(a: Self::Elem, n: usize) -> Self::Elem;
    /// The zero.
    fn zero() -> Self::Elem;
    /// The one.
    fn one() -> Self::Elem;
    /// Element number n.  It panics where there is none.
    fn nth(n: usize) -> Self::Elem;
    /// Writes c times the input to the output.
    fn mul_slice(c: Self::Elem, input: &[Self::Elem], out: &mut [Self::Elem]);
    /// Adds c times the input to the output.
    fn mul_slice_add(c: Self::Elem, input: &[Self::Elem], out: &mut [Self::Elem]);
}
