// SPDX-License-Identifier: BSD-3-Clause

//go:build !go1.24

package reedsolomon

// With a Go that is older than 1.24, all other files are left out. The undefined name is the
// message, which Go's own before 1.21 (weak, ranges over integers) would hide.
var _ = permxor_needs_Go_1_24_or_later
