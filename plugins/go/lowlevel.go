// SPDX-License-Identifier: BSD-3-Clause

package reedsolomon

// #include "call.h"
import "C"

import (
	"fmt"
	"sync"
	"unsafe"
)

// LowLevel multiplies shards by elements of GF(2^8). It has none of the methods for GF(2^16),
// which is Leopard's field, so a program that needs them does not compile, rather than fail
// when it runs.
type LowLevel struct {
	sharing sharing
}

// WithOptions sets options. Only those about goroutines have an effect.
func (l *LowLevel) WithOptions(opts ...Option) {
	o := collect(opts)
	l.sharing = newSharing(2, &o)
}

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

// GalMulSlice sets out[i] = c * in[i] for each byte of in. It panics if out is shorter.
func (l LowLevel) GalMulSlice(c byte, in, out []byte) {
	out = fit("GalMulSlice", in, out)
	l.multiply(c, in, out, func(code *code, in []byte) operation {
		return operation{code: code, op: C.PXR_GO_ENCODE, shards: [][]byte{in, out}}
	})
}

// GalMulSliceXor sets out[i] ^= c * in[i] for each byte of in. It panics if out is shorter.
func (l LowLevel) GalMulSliceXor(c byte, in, out []byte) {
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

func (l LowLevel) multiply(c byte, in, out []byte, prepare func(*code, []byte) operation) {
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

// overlap returns whether two slices of the same length share memory.
func overlap(a, b []byte) bool {
	begin := func(s []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }
	return begin(a) < begin(b)+uintptr(len(b)) && begin(b) < begin(a)+uintptr(len(a))
}
