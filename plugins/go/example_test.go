// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.24

package reedsolomon

// These examples are in the package itself, because its import path depends on the program: it is
// the other package's in a program that has a replace line for that.

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Ten data shards and four parity shards lose four shards, and get them back.
func Example() {
	enc, err := New(10, 4)
	if err != nil {
		panic(err)
	}
	data := []byte("what is worth keeping, for instance this sentence")
	shards, err := enc.Split(data)
	if err != nil {
		panic(err)
	}
	if err := enc.Encode(shards); err != nil {
		panic(err)
	}
	shards[0], shards[3], shards[9], shards[12] = nil, nil, nil, nil
	if err := enc.Reconstruct(shards); err != nil {
		panic(err)
	}
	var joined bytes.Buffer
	if err := enc.Join(&joined, shards, len(data)); err != nil {
		panic(err)
	}
	fmt.Println(joined.String())
	// Output: what is worth keeping, for instance this sentence
}

// Leopard codes have up to 65536 shards. The length of their shards is a multiple of 64.
func ExampleNew_leopard() {
	enc, err := New(400, 100)
	if err != nil {
		panic(err)
	}
	multiple := enc.(Extensions).ShardSizeMultiple()
	shards := AllocAligned(500, 2*multiple)
	copy(shards[7], "a shard")
	if err := enc.Encode(shards); err != nil {
		panic(err)
	}
	shards[7] = nil
	if err := enc.Reconstruct(shards); err != nil {
		panic(err)
	}
	fmt.Printf("%d %s %s\n", multiple, shards[7][:7], Engine(enc))
	// Output: 64 a shard klauspost/reedsolomon
}

// Update follows a change of one data shard without the others.
func ExampleEncoder_Update() {
	enc, err := New(3, 2)
	if err != nil {
		panic(err)
	}
	shards := [][]byte{[]byte("one"), []byte("two"), []byte("six"), make([]byte, 3), make([]byte, 3)}
	if err := enc.Encode(shards); err != nil {
		panic(err)
	}
	old := [][]byte{nil, bytes.Clone(shards[1]), nil, shards[3], shards[4]}
	if err := enc.Update(old, [][]byte{nil, []byte("ten"), nil}); err != nil {
		panic(err)
	}
	shards[1] = []byte("ten")
	fmt.Println(enc.Verify(shards))
	// Output: true <nil>
}

// DecodeIdx rebuilds a shard from the others as they arrive, one at a time.
func ExampleExtensions_decodeIdx() {
	enc, err := New(3, 2)
	if err != nil {
		panic(err)
	}
	shards := [][]byte{[]byte("one"), []byte("two"), []byte("six"), make([]byte, 3), make([]byte, 3)}
	if err := enc.Encode(shards); err != nil {
		panic(err)
	}
	lost := [][]byte{nil, make([]byte, 3), nil, nil, nil}
	expected := []bool{true, false, true, false, true}
	for _, i := range []int{4, 0, 2} {
		input := make([][]byte, 5)
		input[i] = shards[i]
		if err := enc.(Extensions).DecodeIdx(lost, expected, input); err != nil {
			panic(err)
		}
	}
	fmt.Printf("%s\n", lost[1])
	// Output: two
}

// Engine shows whether a program was built with libpermxor.
func ExampleEngine() {
	enc, err := New(10, 4)
	if err != nil {
		panic(err)
	}
	engine, _, _ := strings.Cut(Engine(enc), " ")
	fmt.Println(engine == "permxor" || engine == "klauspost/reedsolomon")
	// Output: true
}

// A stream encoder reads and writes shards block by block.
func ExampleStreamEncoder() {
	enc, err := NewStream(2, 1)
	if err != nil {
		panic(err)
	}
	var parity bytes.Buffer
	data := []io.Reader{strings.NewReader("upper"), strings.NewReader("lower")}
	if err := enc.Encode(data, []io.Writer{&parity}); err != nil {
		panic(err)
	}
	ok, err := enc.Verify([]io.Reader{
		strings.NewReader("upper"), strings.NewReader("lower"), strings.NewReader(parity.String()),
	})
	fmt.Println(parity.Len(), ok, err)
	// Output: 5 true <nil>
}
