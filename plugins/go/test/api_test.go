// SPDX-License-Identifier: BSD-3-Clause

package test

import (
	theirs "github.com/klauspost/reedsolomon"
	ours "permxor"
)

// Each assignment compiles only between interfaces with the same methods.
var (
	_ = func(e theirs.Encoder) ours.Encoder { return e }
	_ = func(e ours.Encoder) theirs.Encoder { return e }
	_ = func(e theirs.Extensions) ours.Extensions { return e }
	_ = func(e ours.Extensions) theirs.Extensions { return e }
	_ = func(e theirs.StreamEncoder) ours.StreamEncoder { return e }
	_ = func(e ours.StreamEncoder) theirs.StreamEncoder { return e }
	_ = func(a theirs.WorkAllocator) ours.WorkAllocator { return a }
	_ = func(a ours.WorkAllocator) theirs.WorkAllocator { return a }
)
