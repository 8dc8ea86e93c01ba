// SPDX-License-Identifier: BSD-3-Clause

//go:build !go1.24

package reedsolomon

// A Go that is older than 1.24 leaves out all other files, because it would report errors in them
// that do not name the cause. It reports that this name is undefined, and the name says what is
// needed.
var _ = permxor_needs_Go_1_24_or_later
