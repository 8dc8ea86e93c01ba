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

// mostPiece bounds the copy of an input that its output overlaps.
const mostPiece = 32 << 10

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
	l.multiply(c, in, out, func(code *code, in, out []byte) operation {
		return operation{code: code, op: C.PXR_GO_ENCODE, shards: [][]byte{in, out}}
	})
}

func (l multiplier) add(c byte, in, out []byte) {
	out = fit("GalMulSliceXor", in, out)
	l.multiply(c, in, out, func(code *code, in, out []byte) operation {
		return operation{code: code, op: C.PXR_GO_UPDATE, change: [2][]byte{nil, in}, shards: [][]byte{out}}
	})
}

func fit(name string, in, out []byte) []byte {
	if len(out) < len(in) {
		panic(fmt.Sprintf("reedsolomon: %s: len(out)=%d must be at least len(in)=%d", name, len(out), len(in)))
	}
	return out[:len(in)]
}

func (l multiplier) multiply(c byte, in, out []byte, prepare func(code *code, in, out []byte) operation) {
	if len(in) == 0 {
		return
	}
	code, err := multipliers[c]()
	if err != nil {
		panic(err)
	}
	if !overlap(in, out) {
		l.run(prepare(code, in, out))
		return
	}
	// Pieces of the input are copied in the order in which no output comes before its input was read.
	piece := make([]byte, min(len(in), mostPiece))
	for done, n := 0, 0; done < len(in); done += n {
		n = min(len(piece), len(in)-done)
		at := done
		if beginning(in) < beginning(out) {
			at = len(in) - done - n
		}
		copy(piece, in[at:at+n])
		l.run(prepare(code, piece[:n], out[at:at+n]))
	}
}

func (l multiplier) run(op operation) {
	if status := l.sharing.run(&op, len(op.shards[0])); status != C.PXR_OK {
		panic(failure(status))
	}
}
