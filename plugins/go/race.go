// SPDX-License-Identifier: BSD-3-Clause

//go:build race && cgo && go1.24

package reedsolomon

// #include "call.h"
import "C"

import (
	"runtime"
	"unsafe"
)

const raceEnabled = true

// race tells the race detector what the C code will read and write, which the detector does not
// see.
func (op *operation) race(from, to int) {
	for _, shard := range op.change {
		raceOn(shard, from, to, false)
	}
	for i, shard := range op.shards {
		raceOn(shard, from, to, op.writes(i))
	}
}

// writes returns whether the operation writes shard i.
func (op *operation) writes(i int) bool {
	switch op.op {
	case C.PXR_GO_ENCODE:
		return i >= op.code.k
	case C.PXR_GO_RECONSTRUCT:
		return op.want[i/64]>>(i%64)&1 != 0
	}
	return op.op == C.PXR_GO_UPDATE
}

func raceOn(shard []byte, from, to int, write bool) {
	switch {
	case len(shard) == 0:
	case write:
		runtime.RaceWriteRange(unsafe.Pointer(&shard[from]), to-from)
	default:
		runtime.RaceReadRange(unsafe.Pointer(&shard[from]), to-from)
	}
}
