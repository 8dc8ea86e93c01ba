// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo && go1.24

package reedsolomon

// #cgo pkg-config: permxor
// #include "call.h"
// #cgo nocallback pxr_go_run_few
// #cgo nocallback pxr_go_run_many
import "C"

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"
	"weak"
)

// init chooses the kernel set now, while no goroutine can be in os.Setenv. The choice reads
// the environment of C, which os.Setenv changes, and which has no lock.
func init() { C.pxr_kernel_reason() }

// The arrays have the same length, or this does not compile.
var _ [maxShards]struct{} = [C.PXR_MAX_SHARDS]struct{}{}

// A code is a pxr_code, which the garbage collector frees.
type code struct {
	c    *C.pxr_code
	k, m int
}

// A recipe is all that a code depends on: the formula, or the rows themselves.
type recipe struct {
	k, m    int
	formula C.enum_pxr_matrix
	rows    string // for PXR_CUSTOM
	mds     bool   // the rows must be proved MDS
}

// codes lets encoders of the same recipe share a code, and with it the inverses that it has
// found, because stores make an encoder for each object that they read. The pointers are weak,
// so that a code is freed after the last of its encoders.
var codes struct {
	sync.Mutex
	made map[recipe]weak.Pointer[code]
}

// newRecipe returns the recipe of the rows that the options ask for.
func newRecipe(k, m int, o *options) (recipe, error) {
	switch {
	case o.customMatrix != nil:
		return customRecipe(k, m, o.customMatrix)
	case o.fastOneParity && m == 1:
		return recipe{k: k, m: m, formula: C.PXR_CUSTOM, rows: strings.Repeat("\x01", k), mds: true}, nil
	case o.matrix == cauchy:
		return recipe{k: k, m: m, formula: C.PXR_ISAL_CAUCHY}, nil
	case o.matrix == jerasure:
		return recipe{k: k, m: m, formula: C.PXR_JERASURE_VAN}, nil
	case o.matrix == par1:
		return recipe{k: k, m: m, formula: C.PXR_CUSTOM, rows: par1Rows(k, m)}, nil
	}
	return recipe{k: k, m: m, formula: C.PXR_KLAUSPOST_VAND}, nil
}

func customRecipe(k, m int, matrix [][]byte) (recipe, error) {
	if len(matrix) < m {
		return recipe{}, errors.New("coding matrix must contain at least parityShards rows")
	}
	var rows strings.Builder
	for _, row := range matrix[:m] {
		if len(row) < k {
			return recipe{}, errors.New("coding matrix must contain at least dataShards columns")
		}
		rows.Write(row[:k])
	}
	return recipe{k: k, m: m, formula: C.PXR_CUSTOM, rows: rows.String()}, nil
}

// par1Rows returns the rows (j+1)^r, each of which is the one before it times j+1.
func par1Rows(k, m int) string {
	rows := bytes.Repeat([]byte{1}, k*m)
	for i := k; i < k*m; i++ {
		LowLevel{}.GalMulSlice(byte(i%k+1), rows[i-k:i-k+1], rows[i:i+1])
	}
	return string(rows)
}

// code returns the code of the recipe. It makes the code unless one is in use already.
func (r recipe) code() (*code, error) {
	codes.Lock()
	defer codes.Unlock()
	if made := codes.made[r].Value(); made != nil {
		return made, nil
	}
	c, err := r.create()
	if err != nil {
		return nil, err
	}
	if codes.made == nil {
		codes.made = make(map[recipe]weak.Pointer[code])
	}
	codes.made[r] = weak.Make(c)
	runtime.AddCleanup(c, forget, r)
	return c, nil
}

// forget removes the recipe of a freed code from the list, unless another code has been made
// for it since.
func forget(r recipe) {
	codes.Lock()
	defer codes.Unlock()
	if codes.made[r].Value() == nil {
		delete(codes.made, r)
	}
}

// create makes a code that is not in the list.
func (r recipe) create() (*code, error) {
	made := &code{k: r.k, m: r.m}
	var why C.struct_pxr_error
	var status C.int
	if r.formula == C.PXR_CUSTOM {
		flags := C.uint(C.PXR_ASSUME_MDS)
		if r.mds {
			flags = 0
		}
		rows := (*C.uint8_t)(unsafe.StringData(r.rows))
		status = C.pxr_code_create_custom(&made.c, C.uint(r.k), C.uint(r.m), rows, flags, &why)
	} else {
		status = C.pxr_code_create(&made.c, C.uint(r.k), C.uint(r.m), r.formula, &why)
	}
	if status != C.PXR_OK {
		return nil, fmt.Errorf("permxor: %s", C.GoString(&why.text[0]))
	}
	runtime.AddCleanup(made, func(c *C.pxr_code) { C.pxr_code_free(c) }, made.c)
	return made, nil
}

// An operation works on shards that have the same length.
type operation struct {
	code   *code
	op     C.enum_pxr_go_op
	index  int       // the shard that an update changes,
	change [2][]byte // and its contents before and after
	shards [][]byte  // all shards, or the parity shards of an update
	want   shardSet  // the shards to reconstruct
}

// A shardSet has a bit for each shard.
type shardSet [4]uint64

// pointers returns how many pointers the operation needs.
func (op *operation) pointers() int {
	if op.op == C.PXR_GO_UPDATE {
		return len(op.change) + len(op.shards)
	}
	return len(op.shards)
}

// place writes the addresses of byte `from` of the shards into pointer.
func (op *operation) place(pointer []*C.uint8_t, from int) {
	if op.op == C.PXR_GO_UPDATE {
		for i, shard := range op.change {
			pointer[i] = address(shard, from)
		}
		pointer = pointer[len(op.change):]
	}
	for i, shard := range op.shards {
		pointer[i] = address(shard, from)
	}
}

// address returns nil for a shard that is not there.
func address(shard []byte, from int) *C.uint8_t {
	if len(shard) == 0 {
		return nil
	}
	return (*C.uint8_t)(&shard[from])
}

// on runs the operation on the bytes from..to of its shards.
func (op *operation) on(from, to int) C.int {
	op.race(from, to)
	call := C.struct_pxr_go_call{
		code:  op.code.c,
		len:   C.size_t(to - from),
		op:    op.op,
		index: C.uint(op.index),
	}
	for i, word := range op.want {
		call.want[i] = C.uint64_t(word)
	}
	pointers := op.pointers()
	if to-from >= worthLimiting || (to-from)*pointers >= worthLimiting {
		defer leaveC(enterC())
	}
	var status C.int
	if pointers <= C.PXR_GO_FEW {
		var few C.struct_pxr_go_few
		op.place(few.shard[:], from)
		status = C.pxr_go_run_few(call, few)
	} else {
		var many C.struct_pxr_go_many
		op.place(many.shard[:], from)
		status = C.pxr_go_run_many(call, many)
	}
	runtime.KeepAlive(op.code)
	return status
}

// errSingular: the surviving shards do not determine the lost ones. This happens only with
// PAR1 and custom matrices.
var errSingular = errors.New("matrix is singular")

// failure returns the error for a status, and nil for PXR_OK.
func failure(status C.int) error {
	switch status {
	case C.PXR_OK:
		return nil
	case C.PXR_ETOOFEW:
		return ErrTooFewShards
	case C.PXR_ESINGULAR:
		return errSingular
	}
	return fmt.Errorf("permxor: %s", C.GoString(C.pxr_strerror(status)))
}
