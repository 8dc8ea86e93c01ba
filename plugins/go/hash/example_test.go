// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo && go1.24

package hash

// These examples are in the package itself, because its import path depends on the program. For the
// same reason the shards are encoded by klauspost/reedsolomon here. The package above this one gives
// the same bytes.

import (
	"fmt"

	reedsolomon "permxor/original"
)

// A stripe of 6+3 shards is checked from 8 bytes of each shard. In a store, each machine would
// hash the shard that it holds, and one of them would collect the hashes.
func Example() {
	encoder, err := reedsolomon.New(6, 3)
	if err != nil {
		panic(err)
	}
	shards := reedsolomon.AllocAligned(9, 100000)
	for i, shard := range shards[:6] {
		for j := range shard {
			shard[j] = byte(i + j*j)
		}
	}
	if err := encoder.Encode(shards); err != nil {
		panic(err)
	}

	shards[3][12345] ^= 0x10 // one bit flips, and nobody is told

	// A real key would be random bytes, from crypto/rand for example.
	h, err := New(8, []byte{0x5a, 0x01, 0xc3, 0x7e, 0x99, 0x20, 0xf4, 0x6b})
	if err != nil {
		panic(err)
	}
	sums := make([][]byte, len(shards))
	for i, shard := range shards {
		sums[i] = h.Sum(shard)
	}
	code, err := NewCode(6, 3, Default)
	if err != nil {
		panic(err)
	}
	agree, err := h.Check(code, sums)
	if err != nil {
		panic(err)
	}
	wrong, err := h.Locate(code, sums)
	if err != nil {
		panic(err)
	}
	fmt.Println(agree, wrong)
	// Output: false 3
}

// A shard is hashed in pieces, as it is read, and a part of it changes later.
func ExampleHash_Add() {
	h, err := New(4, nil)
	if err != nil {
		panic(err)
	}
	shard := []byte("a shard of an object")
	sum := make([]byte, h.Size())
	for _, piece := range [][2]int{{8, 20}, {0, 8}} { // in any order
		if err := h.Add(sum, uint64(piece[0]), shard[piece[0]:piece[1]]); err != nil {
			panic(err)
		}
	}
	fmt.Printf("%x %x\n", sum, h.Sum(shard))

	before, after := []byte("shard"), []byte("SHARD")
	for _, bytes := range [][]byte{before, after} {
		if err := h.Add(sum, 2, bytes); err != nil {
			panic(err)
		}
	}
	fmt.Println(string(sum) == string(h.Sum([]byte("a SHARD of an object"))))
	// Output:
	// 6d68d56d 6d68d56d
	// true
}
