// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo && go1.24

package reedsolomon

// #include "call.h"
import "C"

type encoder struct {
	dataShards   int
	parityShards int
	code         *code // nil without parity shards
	sharing      sharing
}

// newEncoder makes an encoder for a code of libpermxor.
func newEncoder(dataShards, parityShards int, o *options) (Encoder, error) {
	e := &encoder{
		dataShards:   dataShards,
		parityShards: parityShards,
		sharing:      newSharing(dataShards+parityShards, o),
	}
	if parityShards == 0 {
		return e, nil
	}
	recipe, err := newRecipe(dataShards, parityShards, o)
	if err != nil {
		return nil, err
	}
	e.code, err = recipe.code()
	if err != nil {
		return nil, err
	}
	return e, nil
}

// permxorEngine returns the version and the kernel set of libpermxor if it computes for the
// encoder.
func permxorEngine(e Encoder) string {
	if _, ours := e.(*encoder); !ours {
		return ""
	}
	return "permxor " + C.GoString(C.pxr_version()) + ", " + C.GoString(C.pxr_go_kernel_set())
}

func (e *encoder) ShardSizeMultiple() int         { return 1 }
func (e *encoder) DataShards() int                { return e.dataShards }
func (e *encoder) ParityShards() int              { return e.parityShards }
func (e *encoder) TotalShards() int               { return e.dataShards + e.parityShards }
func (e *encoder) AllocAligned(each int) [][]byte { return AllocAligned(e.TotalShards(), each) }

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
	absent := op.resize(size)
	if err = failure(e.sharing.run(&op, size)); err != nil {
		op.empty(absent)
	}
	return err
}

// resize sets the length of the wanted shards. It returns which of them were nil.
func (op *operation) resize(size int) (absent shardSet) {
	for i, shard := range op.shards {
		if op.want[i/64]>>(i%64)&1 == 0 {
			continue
		}
		if shard == nil {
			absent[i/64] |= 1 << (i % 64)
		}
		if cap(shard) < size {
			shard = AllocAligned(1, size)[0]
		}
		op.shards[i] = shard[:size]
	}
	return absent
}

// empty takes back what resize did. Join tells shards that are nil from empty ones.
func (op *operation) empty(absent shardSet) {
	for i, shard := range op.shards {
		switch {
		case op.want[i/64]>>(i%64)&1 == 0:
		case absent[i/64]>>(i%64)&1 != 0:
			op.shards[i] = nil
		default:
			op.shards[i] = shard[:0]
		}
	}
}
