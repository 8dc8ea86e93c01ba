// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo && go1.24

// Package hash checks the parity of erasure-coded shards without moving the shards. Each machine
// hashes the shard that it holds. The hashes have 4, 8 or 16 bytes. They are collected in one
// place, and they show whether the shards belong together and which shard is wrong.
//
// This works because the hashes are linear over GF(2^8): the hash of a parity shard follows from
// the hashes of the data shards by the same matrix. So the hashes of a stripe are a stripe of the
// same code.
//
// The hashes are those of permxor_hash.h. doc/hash.md of permxor says what they find. They protect
// against accidents, not against somebody who knows the key. Zeros at the end of a shard do not
// change its hash, so compare the lengths of the shards as well.
//
// Any number of goroutines may use a Hash or a Code at the same time. The garbage collector frees
// them.
package hash

// #cgo pkg-config: permxor
// #include "call.h"
// #cgo nocallback pxr_hash_add
// #cgo noescape pxr_hash_add
// #cgo nocallback pxr_hash_combine
// #cgo noescape pxr_hash_combine
// #cgo nocallback pxr_go_hashes
// #cgo noescape pxr_go_hashes
import "C"

import (
	"errors"
	"fmt"
	"runtime"
)

// init chooses the kernel set now, while no goroutine can be in os.Setenv. The choice reads
// the environment of C, which os.Setenv changes, and which has no lock.
func init() { C.pxr_kernel_reason() }

// MaxSize is the largest size of a hash in bytes.
const MaxSize = C.PXR_MAX_HASH

// ErrSize means that a hash does not have the size of its kind, or that the key does not have
// the size of a hash.
var ErrSize = errors.New("permxor: a hash or a key has the wrong size")

// ErrMissing means that a call was given too few hashes or too many, or that a hash that it
// needs is empty.
var ErrMissing = errors.New("permxor: the hash of a shard is missing")

// ErrAmbiguous means that the hashes do not agree, and that no single shard explains it: more
// than one shard is wrong.
var ErrAmbiguous = errors.New("permxor: more than one shard is wrong")

// A Hash is a kind of hash: its size and its key. It never changes.
type Hash struct {
	c *C.pxr_hash
}

// New makes a kind of hash. The size is 4, 8 or 16 bytes. The key is nil, or `size` random bytes,
// which must be the same on all machines. One of 2^(4*size) random keys cannot be used; New then
// returns an error, and another key is needed.
func New(size int, key []byte) (*Hash, error) {
	if size < 0 || size > MaxSize {
		return nil, fmt.Errorf("permxor: size=%d: a hash has 4, 8 or 16 bytes", size)
	}
	var first *C.uint8_t
	if key != nil {
		if len(key) != size {
			return nil, fmt.Errorf("%w: the key has %d bytes, and the hash has %d", ErrSize, len(key), size)
		}
		first = bytesOf(key)
	}
	h := new(Hash)
	var why C.struct_pxr_error
	return h.made(C.pxr_hash_create(&h.c, C.uint(size), first, &why), &why)
}

// NewCeph71721 makes the kind of hash that Ceph's pull request 71721 computes, which has 4 bytes.
// Use it only to compare hashes with a program that computes this hash. It is slower than the
// hashes of New, and it misses changes of a few bytes far more often. Combine does not work with
// it.
func NewCeph71721() (*Hash, error) {
	h := new(Hash)
	var why C.struct_pxr_error
	return h.made(C.pxr_hash_create_ceph_71721(&h.c, &why), &why)
}

// made returns the kind of hash that a call has made.
func (h *Hash) made(status C.int, why *C.struct_pxr_error) (*Hash, error) {
	if status != C.PXR_OK {
		return nil, fmt.Errorf("permxor: %s", C.GoString(&why.text[0]))
	}
	runtime.AddCleanup(h, func(c *C.pxr_hash) { C.pxr_hash_free(c) }, h.c)
	return h, nil
}

// bytesOf returns the address of the first byte, or nil if there is none.
func bytesOf(bytes []byte) *C.uint8_t {
	if len(bytes) == 0 {
		return nil
	}
	return (*C.uint8_t)(&bytes[0])
}

// Size returns the size of a hash in bytes.
func (h *Hash) Size() int {
	size := C.pxr_hash_size(h.c)
	runtime.KeepAlive(h)
	return int(size)
}

// Sum returns the hash of a whole shard.
func (h *Hash) Sum(shard []byte) []byte {
	sum := make([]byte, h.Size())
	if err := h.Add(sum, 0, shard); err != nil {
		panic(err) // sum has the right size, and nothing else can be wrong
	}
	return sum
}

// Add adds a piece of a shard, which begins at this offset in the shard, to the hash of the
// shard. A hash begins as zeros. The pieces may come in any order, and bytes that are zero may be
// left out. When a part of a shard changes, add the old bytes and the new bytes at the same
// offset. The piece must not overlap the hash.
func (h *Hash) Add(sum []byte, offset uint64, piece []byte) error {
	if len(sum) != h.Size() {
		return ErrSize
	}
	raceRead(piece)
	raceWrite(sum)
	status := C.pxr_hash_add(h.c, C.uint64_t(offset), C.size_t(len(piece)), bytesOf(piece), bytesOf(sum))
	runtime.KeepAlive(h)
	return failure(status)
}

// Combine adds a part of a shard to the hash of the shard. The part begins at this offset in the
// shard, and its hash was computed as if it began at offset 0. So several goroutines or machines
// can each hash a part. A hash of NewCeph71721 cannot be combined; for it, Combine returns an
// error.
func (h *Hash) Combine(sum []byte, offset uint64, part []byte) error {
	if len(sum) != h.Size() || len(part) != h.Size() {
		return ErrSize
	}
	raceRead(part)
	raceWrite(sum)
	status := C.pxr_hash_combine(h.c, C.uint64_t(offset), bytesOf(part), bytesOf(sum))
	runtime.KeepAlive(h)
	return failure(status)
}

// failure returns the error for a status, and nil for PXR_OK.
func failure(status C.int) error {
	switch status {
	case C.PXR_OK:
		return nil
	case C.PXR_EAMBIGUOUS:
		return ErrAmbiguous
	}
	return fmt.Errorf("permxor: %s", C.GoString(C.pxr_strerror(status)))
}
