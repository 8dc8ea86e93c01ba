// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo && go1.24

package reedsolomon

// #include "call.h"
import "C"

import (
	"fmt"
	"sync"
)

// A multiplier is the part of LowLevel that is about GF(2^8).
type multiplier struct {
	sharing sharing
}

func newMultiplier(o *options) multiplier { return multiplier{newSharing(2, o)} }

// multipliers holds a code for each c. A product by c is an encoding with one data shard, one
// parity shard and the matrix c.
var multipliers [256]func() (*code, error)

func init() {
	for c := range multipliers {
		multipliers[c] = sync.OnceValues(func() (*code, error) {
			return recipe{k: 1, m: 1, formula: C.PXR_CUSTOM, rows: string([]byte{byte(c)})}.code()
		})
	}
}

func (l multiplier) set(c byte, in, out []byte) {
	out = fit("GalMulSlice", in, out)
	l.multiply(c, in, out, func(code *code, in []byte) operation {
		return operation{code: code, op: C.PXR_GO_ENCODE, shards: [][]byte{in, out}}
	})
}

func (l multiplier) add(c byte, in, out []byte) {
	out = fit("GalMulSliceXor", in, out)
	l.multiply(c, in, out, func(code *code, in []byte) operation {
		return operation{code: code, op: C.PXR_GO_UPDATE, change: [2][]byte{nil, in}, shards: [][]byte{out}}
	})
}

func fit(name string, in, out []byte) []byte {
	if len(out) < len(in) {
		panic(fmt.Sprintf("reedsolomon: %s: len(out)=%d must be at least len(in)=%d", name, len(out), len(in)))
	}
	return out[:len(in)]
}

func (l multiplier) multiply(c byte, in, out []byte, prepare func(*code, []byte) operation) {
	if len(in) == 0 {
		return
	}
	if overlap(in, out) {
		in = append([]byte(nil), in...)
	}
	code, err := multipliers[c]()
	if err != nil {
		panic(err)
	}
	op := prepare(code, in)
	if status := l.sharing.run(&op, len(in)); status != C.PXR_OK {
		panic(failure(status))
	}
}
