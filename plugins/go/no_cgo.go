// SPDX-License-Identifier: BSD-3-Clause

//go:build !cgo && go1.24

package reedsolomon

import original "permxor/original"

// Without cgo, libpermxor cannot be called, and klauspost/reedsolomon computes everything.

func newEncoder(dataShards, parityShards int, o *options) (Encoder, error) {
	return original.New(dataShards, parityShards, o.original...)
}

func permxorEngine(Encoder) string { return "" }

// A multiplier is the part of LowLevel that is about GF(2^8).
type multiplier struct {
	field original.LowLevel
}

func newMultiplier(o *options) (m multiplier) {
	m.field.WithOptions(o.original...)
	return m
}

func (m multiplier) set(c byte, in, out []byte) { m.field.GalMulSlice(c, in, out) }

func (m multiplier) add(c byte, in, out []byte) { m.field.GalMulSliceXor(c, in, out) }
