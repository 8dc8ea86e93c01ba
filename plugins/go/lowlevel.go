// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.24

package reedsolomon

import original "permxor/original"

// LowLevel multiplies shards by elements of a field. The methods for GF(2^16), which is Leopard's
// field, are klauspost/reedsolomon's.
type LowLevel struct {
	bytes multiplier
	words original.LowLevel
}

// WithOptions sets options. With permxor, only those about goroutines have an effect.
func (l *LowLevel) WithOptions(opts ...Option) {
	o := collect(opts)
	l.bytes = newMultiplier(&o)
	l.words.WithOptions(o.original...)
}

// GalMulSlice sets out[i] = c * in[i] for each byte of in. It panics if out is shorter. With permxor,
// the slices may overlap in any way; then at most 32 KiB of the input are copied at a time.
func (l LowLevel) GalMulSlice(c byte, in, out []byte) { l.bytes.set(c, in, out) }

// GalMulSliceXor sets out[i] ^= c * in[i] for each byte of in. It panics if out is shorter.
// The slices may overlap as in GalMulSlice.
func (l LowLevel) GalMulSliceXor(c byte, in, out []byte) { l.bytes.add(c, in, out) }

// GF16MulSliceXor sets out[i] ^= scalar * in[i] for each element of GF(2^16). Both slices have the
// same length, a multiple of 64, and are laid out as the shards of a Leopard code: 32 low bytes,
// then 32 high bytes. It panics if the lengths are wrong.
func (l LowLevel) GF16MulSliceXor(scalar uint16, in, out []byte) {
	l.words.GF16MulSliceXor(scalar, in, out)
}

// GF16MulSliceXor8 does GF16MulSliceXor with eight scalars and eight outputs.
func (l LowLevel) GF16MulSliceXor8(scalars *[8]uint16, in []byte, outs *[8][]byte) {
	l.words.GF16MulSliceXor8(scalars, in, outs)
}

// GF16Mul returns the product of two elements of GF(2^16).
func (l LowLevel) GF16Mul(a, b uint16) uint16 { return l.words.GF16Mul(a, b) }

// Inv returns 1/e in GF(2^8), and 0 for 0.
func Inv(e byte) byte { return original.Inv(e) }
