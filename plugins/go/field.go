// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.24

package reedsolomon

// Arithmetic in GF(2^8) = GF(2)[x]/(x^8+x^4+x^3+x^2+1), one element at a time, to make
// matrices.

// times returns the product of a and b, by Horner's rule over the bits of a.
func times(a, b byte) byte {
	var product byte
	for bit := 7; bit >= 0; bit-- {
		carry := product >> 7
		product <<= 1
		product ^= carry * 0x1d
		product ^= (a >> bit & 1) * b
	}
	return product
}

// power returns b to the n; 0 to the 0 is 1.
func power(b byte, n int) byte {
	result := byte(1)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			result = times(result, b)
		}
		b = times(b, b)
	}
	return result
}

// Inv returns 1/e, and 0 for 0. The nonzero elements are a group of order 255, so e^255 = 1
// and e^254 = 1/e.
func Inv(e byte) byte { return power(e, 254) }
