// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo && go1.24

package hash

// #include "call.h"
import "C"

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
)

// A Matrix says how the parity shards were made.
type Matrix int

// The matrices have the names of the options of reedsolomon.New.
const (
	Default       Matrix = iota // the matrix of reedsolomon.New without an option
	Cauchy                      // WithCauchyMatrix; also the RS policies of HDFS
	Jerasure                    // WithJerasureMatrix
	PAR1                        // WithPAR1Matrix
	FastOneParity               // WithFastOneParityMatrix; the default matrix if there is more than one parity shard
)

// A Code is the code whose shards are hashed. It never changes.
type Code struct {
	c    *C.pxr_code
	k, m int
}

// NewCode makes the code of reedsolomon.New with the same numbers of shards and the same matrix.
// There must be at least one parity shard, and at most 256 shards in all.
func NewCode(dataShards, parityShards int, matrix Matrix) (*Code, error) {
	var formula C.enum_pxr_matrix
	switch {
	case !inRange(dataShards, parityShards):
		return nil, shardsError(dataShards, parityShards)
	case matrix == FastOneParity && parityShards == 1:
		return NewCustomCode([][]byte{bytes.Repeat([]byte{1}, dataShards)})
	case matrix == PAR1:
		return NewCustomCode(par1Rows(dataShards, parityShards))
	case matrix == Default, matrix == FastOneParity:
		formula = C.PXR_KLAUSPOST_VAND
	case matrix == Cauchy:
		formula = C.PXR_ISAL_CAUCHY
	case matrix == Jerasure:
		formula = C.PXR_JERASURE_VAN
	default:
		return nil, fmt.Errorf("permxor: there is no matrix %d", matrix)
	}
	c := &Code{k: dataShards, m: parityShards}
	var why C.struct_pxr_error
	status := C.pxr_code_create(&c.c, C.uint(c.k), C.uint(c.m), formula, &why)
	return c.made(status, &why)
}

// NewCustomCode makes the code of reedsolomon.New with WithCustomMatrix. There is one row for
// each parity shard, with one coefficient for each data shard.
func NewCustomCode(rows [][]byte) (*Code, error) {
	if len(rows) == 0 {
		return nil, shardsError(0, 0)
	}
	c := &Code{k: len(rows[0]), m: len(rows)}
	if !inRange(c.k, c.m) {
		return nil, shardsError(c.k, c.m)
	}
	for _, row := range rows {
		if len(row) != c.k {
			return nil, errors.New("permxor: the rows of the matrix differ in length")
		}
	}
	var why C.struct_pxr_error
	all := bytes.Join(rows, nil)
	status := C.pxr_code_create_custom(&c.c, C.uint(c.k), C.uint(c.m), bytesOf(all), C.PXR_ASSUME_MDS, &why)
	return c.made(status, &why)
}

// made returns the code that a call has made.
func (c *Code) made(status C.int, why *C.struct_pxr_error) (*Code, error) {
	if status != C.PXR_OK {
		return nil, fmt.Errorf("permxor: %s", C.GoString(&why.text[0]))
	}
	runtime.AddCleanup(c, func(c *C.pxr_code) { C.pxr_code_free(c) }, c.c)
	return c, nil
}

func inRange(k, m int) bool {
	return k >= 1 && m >= 1 && k <= C.PXR_MAX_SHARDS && m <= C.PXR_MAX_SHARDS-k
}

func shardsError(k, m int) error {
	return fmt.Errorf("permxor: %d+%d shards: there must be a data shard, a parity shard, and at most %d shards",
		k, m, C.PXR_MAX_SHARDS)
}

// par1Rows returns the rows (j+1)^r.
func par1Rows(k, m int) [][]byte {
	rows := [][]byte{bytes.Repeat([]byte{1}, k)}
	for r := 1; r < m; r++ {
		row := make([]byte, k)
		for j := range row {
			row[j] = times(rows[r-1][j], byte(j+1))
		}
		rows = append(rows, row)
	}
	return rows
}

// times returns the product of a and b in GF(2^8), by Horner's rule over the bits of a.
func times(a, b byte) byte {
	var product byte
	for bit := 7; bit >= 0; bit-- {
		product = product<<1 ^ product>>7*0x1d ^ a>>bit&1*b
	}
	return product
}

// Encode writes the hashes of the parity shards, which follow from the hashes of the data shards.
// The slice has the hashes of the data shards, then room for those of the parity shards.
func (h *Hash) Encode(code *Code, sums [][]byte) error {
	gathered, err := h.gather(code, sums, code.k+code.m)
	if err != nil {
		return err
	}
	if _, err := h.call(code, C.PXR_GO_HASH_ENCODE, gathered); err != nil {
		return err
	}
	for i, sum := range sums[code.k:] {
		copy(sum, gathered.sums[(code.k+i)*h.Size():])
	}
	return nil
}

// Check returns whether the hashes of the shards agree. The slice has the hashes of the data
// shards, then those of the parity shards. It does not compare a parity hash that is empty.
func (h *Hash) Check(code *Code, sums [][]byte) (bool, error) {
	gathered, err := h.gather(code, sums, code.k)
	if err != nil {
		return false, err
	}
	result, err := h.call(code, C.PXR_GO_HASH_CHECK, gathered)
	return err == nil && result.status == C.PXR_OK, err
}

// Locate returns the number of the one shard that is wrong, or -1 if all hashes agree. It returns
// ErrAmbiguous if more than one shard is wrong. There must be at least two parity shards, and all
// hashes are needed.
//
// With two parity shards, two wrong shards may look like a third one. Each further parity shard
// makes this 255 times less likely for each byte of the hash that is wrong.
func (h *Hash) Locate(code *Code, sums [][]byte) (int, error) {
	if code.m < 2 {
		return -1, errors.New("permxor: to locate a wrong shard, two parity shards are needed")
	}
	gathered, err := h.gather(code, sums, code.k+code.m)
	if err != nil {
		return -1, err
	}
	result, err := h.call(code, C.PXR_GO_HASH_LOCATE, gathered)
	if err != nil || result.status == C.PXR_OK {
		return -1, err
	}
	return int(result.index), nil
}

var errUnmade = errors.New("permxor: New and NewCode did not make these")

// A gathering has the hashes of a stripe as C takes them.
type gathering struct {
	sums    []byte
	missing [C.PXR_MAX_SHARDS]C.uint8_t
}

// gather collects the hashes of a stripe. The first `needed` of them must not be empty.
func (h *Hash) gather(code *Code, sums [][]byte, needed int) (*gathering, error) {
	if code.c == nil || h.c == nil {
		return nil, errUnmade
	}
	if len(sums) != code.k+code.m {
		return nil, ErrMissing
	}
	size := h.Size()
	gathered := &gathering{sums: make([]byte, len(sums)*size)}
	for i, sum := range sums {
		switch {
		case len(sum) == size:
			copy(gathered.sums[i*size:], sum)
		case len(sum) != 0:
			return nil, ErrSize
		case i < needed:
			return nil, ErrMissing
		default:
			gathered.missing[i] = 1
		}
	}
	return gathered, nil
}

// call calls C. A mismatch is a result and no error.
func (h *Hash) call(code *Code, op C.enum_pxr_go_hash_op, g *gathering) (C.struct_pxr_go_hash_result, error) {
	result := C.pxr_go_hashes(h.c, code.c, op, bytesOf(g.sums), &g.missing[0])
	runtime.KeepAlive(h)
	runtime.KeepAlive(code)
	if result.status == C.PXR_EMISMATCH {
		return result, nil
	}
	return result, failure(result.status)
}
