// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.24

// Package reedsolomon is permxor with the API of github.com/klauspost/reedsolomon. The names,
// the bytes and the errors are the same, so replace lines in go.mod move a program from one to
// the other. README.md lists the differences.
//
// Two engines compute. Engine says which one an encoder has:
//
//   - libpermxor, called by cgo, has all codes of up to 256 shards over GF(2^8).
//   - klauspost/reedsolomon has the Leopard codes (WithLeopardGF, WithLeopardGF16, and more than
//     256 shards). A program that is built without cgo has it for all codes.
//
// Any number of goroutines may use an Encoder at the same time. Shards must not overlap.
package reedsolomon

import (
	"io"
	"unsafe"

	original "permxor/original"
)

// maxShards is the most shards of a code that permxor computes. Larger codes are Leopard codes.
const maxShards = 256

// Encoder makes parity shards from data shards, and lost shards from surviving ones. Arrays of
// shards hold the data shards, then the parity shards. All shards have the same length.
type Encoder interface {
	// Encode writes the parity shards.
	Encode(shards [][]byte) error

	// EncodeIdx adds the contribution of data shard idx to the parity shards. They must
	// hold zeros before the first data shard is added. Each data shard must be added once.
	EncodeIdx(dataShard []byte, idx int, parity [][]byte) error

	// Verify returns whether the parity shards belong to the data shards. It writes
	// nothing.
	Verify(shards [][]byte) (bool, error)

	// Reconstruct writes the missing shards, which are those of length 0. It writes into a
	// shard's capacity where that suffices, and otherwise into new memory. It returns
	// ErrTooFewShards if fewer shards are present than there are data shards.
	Reconstruct(shards [][]byte) error

	// ReconstructData does what Reconstruct does for data shards only.
	ReconstructData(shards [][]byte) error

	// ReconstructSome does what Reconstruct does, but only for the shards i with
	// required[i]. The length of required is the number of all shards, or of the data
	// shards.
	ReconstructSome(shards [][]byte, required []bool) error

	// Update brings the parity shards, shards[DataShards:], up to date after data shards
	// have changed from shards to newDatashards. An empty entry of newDatashards means
	// that the shard has not changed; it may then be missing in shards, too. Update does
	// not write to data shards.
	Update(shards [][]byte, newDatashards [][]byte) error

	// Split divides data into data shards and adds parity shards for Encode to write. The
	// last data shards end with zeros. The shards lie in data's memory as far as its
	// capacity goes, and only the rest is new memory. Split overwrites the capacity behind
	// the end of data with zeros. It returns ErrShortData if data is empty.
	Split(data []byte) ([][]byte, error)

	// Join writes the first outSize bytes of the data shards, one after the other.
	Join(dst io.Writer, shards [][]byte, outSize int) error
}

// Extensions are the other methods that every Encoder made by New has.
type Extensions interface {
	// ShardSizeMultiple returns 1: shards may have any length.
	ShardSizeMultiple() int

	// DataShards returns the number of data shards.
	DataShards() int

	// ParityShards returns the number of parity shards.
	ParityShards() int

	// TotalShards returns the number of all shards.
	TotalShards() int

	// AllocAligned calls the function AllocAligned for all shards.
	AllocAligned(each int) [][]byte

	// DecodeIdx reconstructs the shards whose entry in dst is not nil, by adding the
	// contributions of input shards to them. expectInput marks the shards that all calls
	// together pass as input. The entries of input that are not nil are those to add in
	// this call. The shards of dst must hold zeros before the first call. Each expected shard
	// must be added once, and expectInput must be the same in all calls. With a nil
	// expectInput, DecodeIdx adds input to dst, which merges two such sums.
	DecodeIdx(dst [][]byte, expectInput []bool, input [][]byte) error
}

// New makes an encoder for up to 256 shards in all, or for a Leopard code of up to 65536. An
// encoder for a Leopard code takes shards whose length is a multiple of its ShardSizeMultiple.
// Its methods Update, EncodeIdx and DecodeIdx return ErrNotSupported.
func New(dataShards, parityShards int, opts ...Option) (Encoder, error) {
	o := collect(opts)
	total := dataShards + parityShards
	switch {
	case dataShards <= 0 || parityShards < 0:
		return nil, ErrInvShardNum
	case total < dataShards: // an overflow
		return nil, ErrMaxShardNum
	case total > maxShards || o.leopard:
		return original.New(dataShards, parityShards, o.original...)
	}
	return newEncoder(dataShards, parityShards, &o)
}

// Engine says what computes for an encoder that New made: "permxor 0.1.0, avx2" with the version
// of libpermxor and its kernel set, or "klauspost/reedsolomon".
func Engine(e Encoder) string {
	if engine := permxorEngine(e); engine != "" {
		return engine
	}
	return "klauspost/reedsolomon"
}

// AllocAligned allocates slices of `each` bytes in one piece of memory. Each slice begins at a
// multiple of 64.
func AllocAligned(shards, each int) [][]byte {
	const align = 64
	stride := (each + align - 1) / align * align
	memory := make([]byte, shards*stride+align-1)
	begin := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	memory = memory[-begin%align:]
	slices := make([][]byte, shards)
	for i := range slices {
		slices[i] = memory[i*stride : i*stride+each : (i+1)*stride]
	}
	return slices
}
