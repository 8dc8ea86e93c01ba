// SPDX-License-Identifier: BSD-3-Clause

// klauspost/reedsolomon under ISA-L's names (../peer.h), on one thread.
//
// ec_init_tables makes an encoder for each table that it is given, from the caller's
// matrix.  To enter Go from C costs more than a short encode.  So the walks enter it once
// for a whole batch, and a call costs what it costs a program in Go: the headers of the
// slices are written once where a stripe is used again and again, and once per call where
// the stripes change.
package main

// #include <stddef.h>
import "C"

import (
	"runtime"
	"runtime/debug"
	"unsafe"

	"github.com/klauspost/reedsolomon"
)

const module = "github.com/klauspost/reedsolomon"

// A code for which tables were made.
type code struct {
	encoder reedsolomon.Encoder
	k, rows int
	shards  [][]byte // the sources and targets of the current stripe
}

// The codes by the address of their tables.  The address is a number, because it is C's
// memory, which the caller may free.  Tables that were moved are not found.  Their targets
// stay as they were, which the comparison of the bytes detects.
var codes = map[uintptr]*code{}

var version = C.CString(describe())

func init() {
	runtime.GOMAXPROCS(1)
}

func describe() string {
	text := "klauspost/reedsolomon"
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, dependency := range build.Deps {
			if dependency.Path == module {
				text += " " + dependency.Version
			}
		}
	}
	return text + ", " + runtime.Version()
}

//export isal_get_version_str
func isal_get_version_str() *C.char {
	return version
}

func address(tables *C.uchar) uintptr {
	return uintptr(unsafe.Pointer(tables))
}

func shard(at *C.uchar, length C.int) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(at)), int(length))
}

//export ec_init_tables
func ec_init_tables(k, rows C.int, matrix, tables *C.uchar) {
	all := append([]byte(nil), shard(matrix, k*rows)...)
	custom := make([][]byte, int(rows))
	for r := range custom {
		custom[r] = all[r*int(k) : (r+1)*int(k)]
	}
	encoder, err := reedsolomon.New(int(k), int(rows), reedsolomon.WithMaxGoroutines(1),
		reedsolomon.WithCustomMatrix(custom))
	if err != nil {
		delete(codes, address(tables))
		return
	}
	codes[address(tables)] = &code{encoder, int(k), int(rows), make([][]byte, int(k+rows))}
}

// Returns the code for which these tables were made, if it has this k and these rows, too.
func find(tables *C.uchar, k, rows C.int) *code {
	c := codes[address(tables)]
	if c == nil || c.k != int(k) || c.rows != int(rows) {
		return nil
	}
	return c
}

// Point shards at those of a stripe.
func aim(shards [][]byte, at []*C.uchar, stripe int, length C.int) {
	at = at[stripe*len(shards):]
	for i := range shards {
		shards[i] = shard(at[i], length)
	}
}

// Do the work `calls` times, on the stripes from `first` on, and go on with stripe 0 after
// the last one.
func walk(stripes, first, calls C.size_t, aim func(stripe int), work func()) {
	stripe := int(first)
	for call := C.size_t(0); call < calls; call++ {
		if call == 0 || stripes > 1 {
			aim(stripe)
		}
		work()
		if stripe++; stripe == int(stripes) {
			stripe = 0
		}
	}
}

// Drop references to memory that the caller may free before the next walk.
func (c *code) release() {
	for i := range c.shards {
		c.shards[i] = nil
	}
}

//export ec_encode_data_walk
func ec_encode_data_walk(length, k, rows C.int, tables *C.uchar, sources, targets **C.uchar,
	stripes, first, calls C.size_t) {
	c := find(tables, k, rows)
	if c == nil {
		return
	}
	from := unsafe.Slice(sources, int(stripes)*c.k)
	to := unsafe.Slice(targets, int(stripes)*c.rows)
	defer c.release()
	walk(stripes, first, calls, func(stripe int) {
		aim(c.shards[:c.k], from, stripe, length)
		aim(c.shards[c.k:], to, stripe, length)
	}, func() {
		_ = c.encoder.Encode(c.shards)
	})
}

//export ec_encode_data
func ec_encode_data(length, k, rows C.int, tables *C.uchar, sources, targets **C.uchar) {
	ec_encode_data_walk(length, k, rows, tables, sources, targets, 1, 0, 1)
}

//export ec_encode_data_update_walk
func ec_encode_data_update_walk(length, k, rows, index C.int, tables *C.uchar,
	sources, targets **C.uchar, stripes, first, calls C.size_t) {
	c := find(tables, k, rows)
	if c == nil {
		return
	}
	from := unsafe.Slice(sources, int(stripes))
	to := unsafe.Slice(targets, int(stripes)*c.rows)
	defer c.release()
	walk(stripes, first, calls, func(stripe int) {
		aim(c.shards[:1], from, stripe, length)
		aim(c.shards[c.k:], to, stripe, length)
	}, func() {
		_ = c.encoder.EncodeIdx(c.shards[0], int(index), c.shards[c.k:])
	})
}

//export ec_encode_data_update
func ec_encode_data_update(length, k, rows, index C.int, tables, source *C.uchar,
	targets **C.uchar) {
	ec_encode_data_update_walk(length, k, rows, index, tables, &source, targets, 1, 0, 1)
}

func main() {}
