// SPDX-License-Identifier: BSD-3-Clause

// Package reedsolomon is permxor with the API of github.com/klauspost/reedsolomon. The names,
// the bytes and the errors are the same, so a replace line in go.mod moves a program from one
// to the other. README.md lists the differences.
//
// Any number of goroutines may use an Encoder at the same time. Shards must not overlap.
package reedsolomon

// #include "call.h"
import "C"

import "io"

// Encoder makes parity shards from data shards, and lost shards from surviving ones. Arrays of
// shards hold the data shards, then the parity shards. All shards have the same length.
type Encoder interface {
	// Encode writes the parity shards.
	Encode(shards [][]byte) error

	// EncodeIdx adds the contribution of data shard idx to the parity shards. They must
	// hold zeros before the first data shard is added. Each data shard must be added once.
	EncodeIdx(dataShard []byte, idx int, parity [][]byte) error

	// Verify returns whether the parity shards belong to the data shards. It writes
	// nothing.
	Verify(shards [][]byte) (bool, error)

	// Reconstruct writes the missing shards, which are those of length 0. It writes into a
	// shard's capacity where that suffices, and otherwise into new memory. It returns
	// ErrTooFewShards if fewer shards are present than there are data shards.
	Reconstruct(shards [][]byte) error

	// ReconstructData does what Reconstruct does for data shards only.
	ReconstructData(shards [][]byte) error

	// ReconstructSome does what Reconstruct does, but only for the shards i with
	// required[i]. The length of required is the number of all shards, or of the data
	// shards.
	ReconstructSome(shards [][]byte, required []bool) error

	// Update brings the parity shards, shards[DataShards:], up to date after data shards
	// have changed from shards to newDatashards. An empty entry of newDatashards means
	// that the shard has not changed; it may then be missing in shards, too. Update does
	// not write to data shards.
	Update(shards [][]byte, newDatashards [][]byte) error

	// Split divides data into data shards and adds parity shards for Encode to write. The
	// last data shards end with zeros. The shards lie in data's memory as far as its
	// capacity goes, and only the rest is new memory. Split overwrites the capacity behind
	// the end of data with zeros. It returns ErrShortData if data is empty.
	Split(data []byte) ([][]byte, error)

	// Join writes the first outSize bytes of the data shards, one after the other.
	Join(dst io.Writer, shards [][]byte, outSize int) error
}

// Extensions are the other methods that every Encoder made by New has.
type Extensions interface {
	// ShardSizeMultiple returns 1: shards may have any length.
	ShardSizeMultiple() int

	// DataShards returns the number of data shards.
	DataShards() int

	// ParityShards returns the number of parity shards.
	ParityShards() int

	// TotalShards returns the number of all shards.
	TotalShards() int

	// AllocAligned calls the function AllocAligned for all shards.
	AllocAligned(each int) [][]byte

	// DecodeIdx reconstructs the shards whose entry in dst is not nil, by adding the
	// contributions of input shards to them. expectInput marks the shards that all calls
	// together pass as input. The entries of input that are not nil are those to add in
	// this call. The shards of dst must hold zeros before the first call. Each expected shard
	// must be added once, and expectInput must be the same in all calls. With a nil
	// expectInput, DecodeIdx adds input to dst, which merges two such sums.
	DecodeIdx(dst [][]byte, expectInput []bool, input [][]byte) error
}

type encoder struct {
	dataShards   int
	parityShards int
	code         *code // nil without parity shards
	sharing      sharing
}

// New makes an encoder for up to 256 shards in all. It returns an error for options that ask
// for bytes which permxor cannot make.
func New(dataShards, parityShards int, opts ...Option) (Encoder, error) {
	o := collect(opts)
	if err := o.check(dataShards, parityShards); err != nil {
		return nil, err
	}
	e := &encoder{
		dataShards:   dataShards,
		parityShards: parityShards,
		sharing:      newSharing(dataShards+parityShards, &o),
	}
	if parityShards == 0 {
		return e, nil
	}
	recipe, err := newRecipe(dataShards, parityShards, &o)
	if err != nil {
		return nil, err
	}
	e.code, err = recipe.code()
	if err != nil {
		return nil, err
	}
	return e, nil
}

func (e *encoder) ShardSizeMultiple() int         { return 1 }
func (e *encoder) DataShards() int                { return e.dataShards }
func (e *encoder) ParityShards() int              { return e.parityShards }
func (e *encoder) TotalShards() int               { return e.dataShards + e.parityShards }
func (e *encoder) AllocAligned(each int) [][]byte { return AllocAligned(e.TotalShards(), each) }

// presentLength returns the length of the first shard that is there, or 0.
func presentLength(shards [][]byte) (length int) {
	for i := 0; i < len(shards) && length == 0; i++ {
		length = len(shards[i])
	}
	return length
}

// measure returns the length of the shards. All of them must have it, or with someMissing all
// that are there.
func measure(shards [][]byte, someMissing bool) (int, error) {
	size := presentLength(shards)
	if size == 0 {
		return 0, ErrShardNoData
	}
	for _, shard := range shards {
		if len(shard) != size && !(someMissing && len(shard) == 0) {
			return 0, ErrShardSize
		}
	}
	return size, nil
}

func (e *encoder) Encode(shards [][]byte) error {
	if len(shards) != e.TotalShards() {
		return ErrTooFewShards
	}
	size, err := measure(shards, false)
	if err != nil || e.parityShards == 0 {
		return err
	}
	op := operation{code: e.code, op: C.PXR_GO_ENCODE, shards: shards}
	return failure(e.sharing.run(&op, size))
}

func (e *encoder) EncodeIdx(dataShard []byte, idx int, parity [][]byte) error {
	if len(parity) != e.parityShards {
		return ErrTooFewShards
	}
	if e.parityShards == 0 {
		return nil
	}
	if idx < 0 || idx >= e.dataShards {
		return ErrInvShardNum
	}
	size, err := measure(parity, false)
	if err != nil {
		return err
	}
	if len(dataShard) != size {
		return ErrShardSize
	}
	return e.change(idx, nil, dataShard, parity, size)
}

// change adds to parity the change of data shard idx from before to after.
func (e *encoder) change(idx int, before, after []byte, parity [][]byte, size int) error {
	op := operation{
		code:   e.code,
		op:     C.PXR_GO_UPDATE,
		index:  idx,
		change: [2][]byte{before, after},
		shards: parity,
	}
	return failure(e.sharing.run(&op, size))
}

func (e *encoder) Update(shards [][]byte, newDatashards [][]byte) error {
	if len(shards) != e.TotalShards() || len(newDatashards) != e.dataShards {
		return ErrTooFewShards
	}
	size, err := measure(shards, true)
	if err != nil {
		return err
	}
	newSize, err := measure(newDatashards, true)
	if err != nil {
		return err
	}
	if newSize != size {
		return ErrShardSize
	}
	parity := shards[e.dataShards:]
	for i, shard := range newDatashards {
		if len(shard) != 0 && len(shards[i]) == 0 {
			return ErrInvalidInput
		}
	}
	for _, shard := range parity {
		if len(shard) == 0 {
			return ErrInvalidInput
		}
	}
	if e.parityShards == 0 {
		return nil
	}
	for i, shard := range newDatashards {
		if len(shard) != 0 {
			if err := e.change(i, shards[i], shard, parity, size); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *encoder) Verify(shards [][]byte) (bool, error) {
	if len(shards) != e.TotalShards() {
		return false, ErrTooFewShards
	}
	size, err := measure(shards, false)
	if err != nil {
		return false, err
	}
	if e.parityShards == 0 {
		return true, nil
	}
	op := operation{code: e.code, op: C.PXR_GO_VERIFY, shards: shards}
	status := e.sharing.run(&op, size)
	if status == C.PXR_EMISMATCH {
		return false, nil
	}
	err = failure(status)
	return err == nil, err
}

func (e *encoder) Reconstruct(shards [][]byte) error {
	return e.reconstruct(shards, e.TotalShards(), nil)
}

func (e *encoder) ReconstructData(shards [][]byte) error {
	return e.reconstruct(shards, e.dataShards, nil)
}

func (e *encoder) ReconstructSome(shards [][]byte, required []bool) error {
	if len(required) != e.dataShards && len(required) != e.TotalShards() {
		return ErrInvalidInput
	}
	return e.reconstruct(shards, len(required), required)
}

// reconstruct writes the missing ones among the first `count` shards. Where required is not
// nil, it writes only those that are required.
func (e *encoder) reconstruct(shards [][]byte, count int, required []bool) error {
	if len(shards) != e.TotalShards() {
		return ErrTooFewShards
	}
	size, err := measure(shards, true)
	if err != nil {
		return err
	}
	op := operation{code: e.code, op: C.PXR_GO_RECONSTRUCT, shards: shards}
	present, wanted := 0, 0
	for i, shard := range shards {
		switch {
		case len(shard) != 0:
			present++
		case i < count && (required == nil || required[i]):
			op.want[i/64] |= 1 << (i % 64)
			wanted++
		}
	}
	if wanted == 0 {
		return nil
	}
	if present < e.dataShards {
		return ErrTooFewShards
	}
	op.resize(size)
	if err = failure(e.sharing.run(&op, size)); err != nil {
		op.resize(0)
	}
	return err
}

// resize sets the length of the wanted shards.
func (op *operation) resize(size int) {
	for i, shard := range op.shards {
		if op.want[i/64]>>(i%64)&1 == 0 {
			continue
		}
		if cap(shard) < size {
			shard = AllocAligned(1, size)[0]
		}
		op.shards[i] = shard[:size]
	}
}
