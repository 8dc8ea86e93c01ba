// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.24

package reedsolomon

import original "permxor/original"

// Option changes what New makes.
type Option func(*options)

// matrixKind names the formula that the parity rows follow.
type matrixKind int

const (
	vandermonde matrixKind = iota
	cauchy
	jerasure
	par1
)

type options struct {
	original []original.Option // the same options, for an encoder of klauspost/reedsolomon

	matrix        matrixKind
	fastOneParity bool
	customMatrix  [][]byte
	leopard       bool // a Leopard code, of GF(2^8) or GF(2^16)

	maxGoroutines int // 0: as many as can run at the same time
	minSplitSize  int // 0: decided by the size of the code
	shardSize     int

	concurrentReads  bool
	concurrentWrites bool
	streamBlockSize  int
}

func collect(opts []Option) options {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	return o
}

// both makes an option from the option of klauspost/reedsolomon and from what it sets here.
func both(theirs original.Option, set func(*options)) Option {
	return func(o *options) {
		o.original = append(o.original, theirs)
		set(o)
	}
}

// theirs makes an option that sets nothing here.
func theirs(option original.Option) Option { return both(option, func(*options) {}) }

// WithCauchyMatrix sets the parity rows to 1/(i^j), as in ISA-L's gf_gen_cauchy1_matrix and in
// Hadoop's RS.
func WithCauchyMatrix() Option {
	return both(original.WithCauchyMatrix(), func(o *options) { o.matrix = cauchy })
}

// WithJerasureMatrix sets the parity rows to those of Jerasure's reed_sol_van.
func WithJerasureMatrix() Option {
	return both(original.WithJerasureMatrix(), func(o *options) { o.matrix = jerasure })
}

// WithPAR1Matrix sets the parity rows to (j+1)^r, as in PAR version 1. With these rows, some
// choices of enough shards do not determine the data.
func WithPAR1Matrix() Option {
	return both(original.WithPAR1Matrix(), func(o *options) { o.matrix = par1 })
}

// WithFastOneParityMatrix makes the only parity shard the XOR of the data shards. It has no
// effect on codes with several parity shards.
func WithFastOneParityMatrix() Option {
	return both(original.WithFastOneParityMatrix(), func(o *options) { o.fastOneParity = true })
}

// WithCustomMatrix sets the parity rows. There must be at least as many rows as parity shards,
// and each must have at least as many entries as there are data shards. The rows decide
// whether every choice of enough shards determines the data; a reconstruction that has no
// answer returns an error.
func WithCustomMatrix(customMatrix [][]byte) Option {
	return both(original.WithCustomMatrix(customMatrix), func(o *options) { o.customMatrix = customMatrix })
}

// WithLeopardGF asks for a Leopard code: over GF(2^8) for up to 256 shards, and otherwise over
// GF(2^16). klauspost/reedsolomon computes it, because permxor has no Leopard codes.
func WithLeopardGF(enabled bool) Option {
	return both(original.WithLeopardGF(enabled), func(o *options) { o.leopard = enabled })
}

// WithLeopardGF16 asks for a Leopard code over GF(2^16). klauspost/reedsolomon computes it, because
// permxor has no Leopard codes.
func WithLeopardGF16(enabled bool) Option {
	return both(original.WithLeopardGF16(enabled), func(o *options) { o.leopard = enabled })
}

// WithMaxGoroutines limits the goroutines that share the work of a call. There are never more
// than can run at the same time. The option is ignored if n <= 0.
func WithMaxGoroutines(n int) Option {
	return both(original.WithMaxGoroutines(n), func(o *options) {
		if n > 0 {
			o.maxGoroutines = n
		}
	})
}

// WithMinSplitSize sets the least number of bytes of each shard that a goroutine gets. The
// option is ignored if n <= 0.
func WithMinSplitSize(n int) Option {
	return both(original.WithMinSplitSize(n), func(o *options) {
		if n > 0 {
			o.minSplitSize = n
		}
	})
}

// WithAutoGoroutines announces the size of the shards. The goroutines of a call depend only on
// the shards that it is given, so this option sets nothing but the block size of streams.
func WithAutoGoroutines(shardSize int) Option {
	return both(original.WithAutoGoroutines(shardSize), func(o *options) { o.shardSize = shardSize })
}

// WithConcurrentStreams makes streams read from all shards at the same time, and write to all
// shards at the same time.
func WithConcurrentStreams(enabled bool) Option {
	return both(original.WithConcurrentStreams(enabled), func(o *options) {
		o.concurrentReads, o.concurrentWrites = enabled, enabled
	})
}

// WithConcurrentStreamReads makes streams read from all shards at the same time.
func WithConcurrentStreamReads(enabled bool) Option {
	return both(original.WithConcurrentStreamReads(enabled), func(o *options) { o.concurrentReads = enabled })
}

// WithConcurrentStreamWrites makes streams write to all shards at the same time.
func WithConcurrentStreamWrites(enabled bool) Option {
	return both(original.WithConcurrentStreamWrites(enabled), func(o *options) { o.concurrentWrites = enabled })
}

// WithStreamBlockSize sets how many bytes of each shard a stream reads and writes at a time.
// The default is the size given to WithAutoGoroutines, or else 4 MiB.
func WithStreamBlockSize(n int) Option {
	return both(original.WithStreamBlockSize(n), func(o *options) { o.streamBlockSize = n })
}

// The options below choose between ways to make the same bytes. They have an effect where
// klauspost/reedsolomon computes. Elsewhere permxor makes these choices itself: the CPU (and
// PERMXOR_KERNELS) decides which instructions it uses, and it always keeps matrices for
// reconstructing, in a bounded cache.

// WithInversionCache concerns encoders of klauspost/reedsolomon: permxor always has such a cache.
func WithInversionCache(enabled bool) Option { return theirs(original.WithInversionCache(enabled)) }

// WithWorkAllocator sets where a Leopard code gets its temporary memory.
func WithWorkAllocator(alloc WorkAllocator) Option { return theirs(original.WithWorkAllocator(alloc)) }

// WithSSE2 concerns encoders of klauspost/reedsolomon. For permxor's own, PERMXOR_KERNELS in the
// environment chooses instructions.
func WithSSE2(enabled bool) Option { return theirs(original.WithSSE2(enabled)) }

// WithSSSE3 concerns encoders of klauspost/reedsolomon. For permxor's own, PERMXOR_KERNELS in the
// environment chooses instructions.
func WithSSSE3(enabled bool) Option { return theirs(original.WithSSSE3(enabled)) }

// WithAVX2 concerns encoders of klauspost/reedsolomon. For permxor's own, PERMXOR_KERNELS in the
// environment chooses instructions.
func WithAVX2(enabled bool) Option { return theirs(original.WithAVX2(enabled)) }

// WithAVX512 concerns encoders of klauspost/reedsolomon. For permxor's own, PERMXOR_KERNELS in the
// environment chooses instructions.
func WithAVX512(enabled bool) Option { return theirs(original.WithAVX512(enabled)) }

// WithGFNI concerns encoders of klauspost/reedsolomon. For permxor's own, PERMXOR_KERNELS in the
// environment chooses instructions.
func WithGFNI(enabled bool) Option { return theirs(original.WithGFNI(enabled)) }

// WithAVXGFNI concerns encoders of klauspost/reedsolomon. For permxor's own, PERMXOR_KERNELS in the
// environment chooses instructions.
func WithAVXGFNI(enabled bool) Option { return theirs(original.WithAVXGFNI(enabled)) }

// WithNEON concerns encoders of klauspost/reedsolomon. For permxor's own, PERMXOR_KERNELS in the
// environment chooses instructions.
func WithNEON(enabled bool) Option { return theirs(original.WithNEON(enabled)) }

// WithSVE concerns encoders of klauspost/reedsolomon. For permxor's own, PERMXOR_KERNELS in the
// environment chooses instructions.
func WithSVE(enabled bool) Option { return theirs(original.WithSVE(enabled)) }

// WorkAllocator is the argument of WithWorkAllocator.
type WorkAllocator interface {
	Get(n, size int) [][]byte
	Put([][]byte)
}
