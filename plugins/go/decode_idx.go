// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo && go1.24

package reedsolomon

// #include "call.h"
import "C"

import (
	"crypto/subtle"
	"fmt"
	"unsafe"
)

// DecodeIdx makes a code whose data shards are the expected inputs and whose parity shards are
// the shards to decode. To add an input is then an update of that code.
func (e *encoder) DecodeIdx(dst [][]byte, expectInput []bool, input [][]byte) error {
	if expectInput == nil {
		return merge(dst, input)
	}
	size, err := e.checkDecodeIdx(dst, expectInput, input)
	if err != nil {
		return err
	}
	sources := make([]int, 0, e.dataShards)
	for i, expected := range expectInput {
		if expected && len(sources) < e.dataShards {
			sources = append(sources, i)
		}
	}
	targets := make([]int, 0, len(dst))
	outputs := make([][]byte, 0, len(dst))
	for i := range dst {
		if dst[i] != nil {
			targets = append(targets, i)
			outputs = append(outputs, dst[i])
		}
	}
	if len(targets) == 0 {
		return nil
	}
	rows, err := e.solve(sources, targets)
	if err != nil || size == 0 {
		return err
	}
	decode, err := recipe{k: len(sources), m: len(targets), formula: C.PXR_CUSTOM, rows: rows}.code()
	if err != nil {
		return err
	}
	decoder := encoder{dataShards: len(sources), parityShards: len(targets), code: decode, sharing: e.sharing}
	for column, source := range sources {
		if input[source] != nil {
			if err := decoder.change(column, nil, input[source], outputs, size); err != nil {
				return err
			}
		}
	}
	return nil
}

// merge adds the shards of input to those of dst.
func merge(dst, input [][]byte) error {
	if len(dst) != len(input) {
		return fmt.Errorf("%w: dst and input differ in length", ErrInvalidInput)
	}
	for i, shard := range input {
		switch {
		case shard == nil:
		case dst[i] == nil:
			return fmt.Errorf("%w: input[%d] is given, but dst[%d] is nil", ErrInvalidInput, i, i)
		case len(dst[i]) != len(shard):
			return fmt.Errorf("%w: input[%d] has %d bytes, but dst[%d] has %d",
				ErrInvalidShardSize, i, len(shard), i, len(dst[i]))
		case len(shard) != 0 && &dst[i][0] != &shard[0] && overlap(dst[i], shard):
			return fmt.Errorf("%w: dst[%d] and input[%d] overlap in part", ErrInvalidInput, i, i)
		default:
			subtle.XORBytes(dst[i], dst[i], shard)
		}
	}
	return nil
}

// checkDecodeIdx returns the length of the inputs, or 0 if there are none. The words "expectInput
// length", "should be nil" and "unexpected input" are the other package's; its tests look for them.
func (e *encoder) checkDecodeIdx(dst [][]byte, expectInput []bool, input [][]byte) (int, error) {
	total := e.TotalShards()
	if len(dst) != total || len(expectInput) != total || len(input) != total {
		return 0, fmt.Errorf("%w: the expectInput length is %d, that of dst %d and that of input %d, but all must be %d",
			ErrInvalidInput, len(expectInput), len(dst), len(input), total)
	}
	expected := 0
	for i := range total {
		switch {
		case !expectInput[i] && input[i] != nil:
			return 0, fmt.Errorf("%w: unexpected input[%d]: expectInput[%d] is false", ErrInvalidInput, i, i)
		case expectInput[i] && dst[i] != nil:
			return 0, fmt.Errorf("%w: dst[%d] should be nil, because expectInput[%d] is true", ErrInvalidInput, i, i)
		case expectInput[i]:
			expected++
		}
	}
	if expected < e.dataShards {
		return 0, fmt.Errorf("%w: expectInput has %d shards, but %d are needed", ErrTooFewShards, expected, e.dataShards)
	}
	return measureDecodeIdx(dst, input)
}

func measureDecodeIdx(dst, input [][]byte) (int, error) {
	size := -1
	for i, shard := range input {
		if shard != nil && size < 0 {
			size = len(shard)
		}
		if shard != nil && len(shard) != size {
			return 0, fmt.Errorf("%w: input[%d] has %d bytes instead of %d", ErrInvalidShardSize, i, len(shard), size)
		}
	}
	size = max(size, 0)
	for i, shard := range dst {
		if shard != nil && len(shard) != size {
			return 0, fmt.Errorf("%w: dst[%d] has %d bytes instead of %d", ErrInvalidShardSize, i, len(shard), size)
		}
	}
	return size, nil
}

// solve returns the rows of the matrix that makes the targets from the sources. Reconstructing
// is linear. So, given unit vectors as sources, it yields the columns of that matrix side by
// side.
func (e *encoder) solve(sources, targets []int) (string, error) {
	k := len(sources)
	shards := make([][]byte, e.TotalShards())
	for column, source := range sources {
		shards[source] = make([]byte, k)
		shards[source][column] = 1
	}
	required := make([]bool, len(shards))
	for _, target := range targets {
		required[target] = true
	}
	if err := e.reconstruct(shards, len(shards), required); err != nil {
		return "", err
	}
	rows := make([]byte, 0, k*len(targets))
	for _, target := range targets {
		rows = append(rows, shards[target]...)
	}
	return string(rows), nil
}

func beginning(s []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }

// overlap returns whether two slices of the same length share memory.
func overlap(a, b []byte) bool {
	return beginning(a) < beginning(b)+uintptr(len(b)) && beginning(b) < beginning(a)+uintptr(len(a))
}
