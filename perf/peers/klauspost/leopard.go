// SPDX-License-Identifier: BSD-3-Clause

package main

// #include <stddef.h>
// #include <stdint.h>
import "C"

import (
	"runtime/cgo"
	"unsafe"

	"github.com/klauspost/reedsolomon"
)

// The module's Leopard code over GF(2^8) for ../../operations_code.c, on one thread.  Its parity
// is not that of any matrix here, so it has functions of its own.  The walks are as in main.go.

type leopard struct {
	encoder reedsolomon.Encoder
	shards  [][]byte // data and parity of the current stripe
}

// The module remembers the results for a pattern of losses here with any number of shards; its
// own default is up to 64 shards.  The result is 0 where there is no such code.
//
//export leopard_open
func leopard_open(k, m C.int) C.uintptr_t {
	encoder, err := reedsolomon.New(int(k), int(m), reedsolomon.WithLeopardGF(true),
		reedsolomon.WithMaxGoroutines(1), reedsolomon.WithInversionCache(true))
	if err != nil {
		return 0
	}
	return C.uintptr_t(cgo.NewHandle(&leopard{encoder, make([][]byte, int(k+m))}))
}

//export leopard_close
func leopard_close(handle C.uintptr_t) {
	cgo.Handle(handle).Delete()
}

// Do the work on the shards of `stripes` stripes; the k+m shards of a stripe follow one another.
func (l *leopard) walk(length C.int, shards **C.uchar, stripes, first, calls C.size_t,
	work func()) {
	all := unsafe.Slice(shards, int(stripes)*len(l.shards))
	walk(stripes, first, calls, func(stripe int) { aim(l.shards, all, stripe, length) }, work)
	for i := range l.shards {
		l.shards[i] = nil
	}
}

//export leopard_encode_walk
func leopard_encode_walk(handle C.uintptr_t, length C.int, shards **C.uchar,
	stripes, first, calls C.size_t) {
	l := cgo.Handle(handle).Value().(*leopard)
	l.walk(length, shards, stripes, first, calls, func() {
		_ = l.encoder.Encode(l.shards)
	})
}

// The first `lost` data shards are rebuilt in place: a shard of length 0 is a lost one, and is
// written into its capacity.
//
//export leopard_decode_walk
func leopard_decode_walk(handle C.uintptr_t, length, lost C.int, shards **C.uchar,
	stripes, first, calls C.size_t) {
	l := cgo.Handle(handle).Value().(*leopard)
	l.walk(length, shards, stripes, first, calls, func() {
		for i := range l.shards[:lost] {
			l.shards[i] = l.shards[i][:0]
		}
		_ = l.encoder.ReconstructData(l.shards)
	})
}
