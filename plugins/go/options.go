// SPDX-License-Identifier: BSD-3-Clause

package reedsolomon

import "fmt"

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
	matrix        matrixKind
	fastOneParity bool
	customMatrix  [][]byte
	leopard       bool // a code of another field, which check refuses

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

// check returns an error where the encoder would give other bytes than the options ask for.
func (o *options) check(dataShards, parityShards int) error {
	const leopardOrder = 65536 // shards of the largest Leopard code
	total := dataShards + parityShards
	switch {
	case dataShards <= 0 || parityShards < 0:
		return ErrInvShardNum
	case total < dataShards || total > leopardOrder:
		return ErrMaxShardNum
	case total > maxShards:
		return fmt.Errorf("%w: %d + %d shards, but permxor has at most %d shards and no Leopard codes (%w)",
			ErrMaxShardNum, dataShards, parityShards, maxShards, ErrNotSupported)
	case o.leopard && parityShards > 0:
		return fmt.Errorf("%w: permxor has no Leopard codes", ErrNotSupported)
	}
	return nil
}

// WithCauchyMatrix sets the parity rows to 1/(i^j), as in ISA-L's gf_gen_cauchy1_matrix and in
// Hadoop's RS.
func WithCauchyMatrix() Option { return func(o *options) { o.matrix = cauchy } }

// WithJerasureMatrix sets the parity rows to those of Jerasure's reed_sol_van.
func WithJerasureMatrix() Option { return func(o *options) { o.matrix = jerasure } }

// WithPAR1Matrix sets the parity rows to (j+1)^r, as in PAR version 1. With these rows, some
// choices of enough shards do not determine the data.
func WithPAR1Matrix() Option { return func(o *options) { o.matrix = par1 } }

// WithFastOneParityMatrix makes the only parity shard the XOR of the data shards. It has no
// effect on codes with several parity shards.
func WithFastOneParityMatrix() Option { return func(o *options) { o.fastOneParity = true } }

// WithCustomMatrix sets the parity rows. There must be at least as many rows as parity shards,
// and each must have at least as many entries as there are data shards. The rows decide
// whether every choice of enough shards determines the data; a reconstruction that has no
// answer returns an error.
func WithCustomMatrix(customMatrix [][]byte) Option {
	return func(o *options) { o.customMatrix = customMatrix }
}

// WithLeopardGF asks for a Leopard code. New then returns an error, because permxor has none.
func WithLeopardGF(enabled bool) Option { return func(o *options) { o.leopard = enabled } }

// WithLeopardGF16 asks for a Leopard code. New then returns an error, because permxor has
// none.
func WithLeopardGF16(enabled bool) Option { return func(o *options) { o.leopard = enabled } }

// WithMaxGoroutines limits the goroutines that share the work of a call. There are never more
// than can run at the same time. The option is ignored if n <= 0.
func WithMaxGoroutines(n int) Option {
	return func(o *options) {
		if n > 0 {
			o.maxGoroutines = n
		}
	}
}

// WithMinSplitSize sets the least number of bytes of each shard that a goroutine gets. The
// option is ignored if n <= 0.
func WithMinSplitSize(n int) Option {
	return func(o *options) {
		if n > 0 {
			o.minSplitSize = n
		}
	}
}

// WithAutoGoroutines announces the size of the shards. The goroutines of a call depend only on
// the shards that it is given, so this option sets nothing but the block size of streams.
func WithAutoGoroutines(shardSize int) Option {
	return func(o *options) { o.shardSize = shardSize }
}

// WithConcurrentStreams makes streams read from all shards at the same time, and write to all
// shards at the same time.
func WithConcurrentStreams(enabled bool) Option {
	return func(o *options) { o.concurrentReads, o.concurrentWrites = enabled, enabled }
}

// WithConcurrentStreamReads makes streams read from all shards at the same time.
func WithConcurrentStreamReads(enabled bool) Option {
	return func(o *options) { o.concurrentReads = enabled }
}

// WithConcurrentStreamWrites makes streams write to all shards at the same time.
func WithConcurrentStreamWrites(enabled bool) Option {
	return func(o *options) { o.concurrentWrites = enabled }
}

// WithStreamBlockSize sets how many bytes of each shard a stream reads and writes at a time.
// The default is the size given to WithAutoGoroutines, or else 4 MiB.
func WithStreamBlockSize(n int) Option { return func(o *options) { o.streamBlockSize = n } }

// The options below choose between ways to make the same bytes. permxor makes these choices
// itself: the CPU (and PERMXOR_KERNELS) decides which instructions it uses, and it always keeps
// matrices for reconstructing, in a bounded cache. It accepts these options, and they change
// nothing.

// WithInversionCache changes nothing, because there is always such a cache.
func WithInversionCache(enabled bool) Option { return unchanged }

// WithWorkAllocator changes nothing, because it concerns Leopard codes.
func WithWorkAllocator(alloc WorkAllocator) Option { return unchanged }

// WithSSE2 changes nothing; set PERMXOR_KERNELS in the environment to choose instructions.
func WithSSE2(enabled bool) Option { return unchanged }

// WithSSSE3 changes nothing; set PERMXOR_KERNELS in the environment to choose instructions.
func WithSSSE3(enabled bool) Option { return unchanged }

// WithAVX2 changes nothing; set PERMXOR_KERNELS in the environment to choose instructions.
func WithAVX2(enabled bool) Option { return unchanged }

// WithAVX512 changes nothing; set PERMXOR_KERNELS in the environment to choose instructions.
func WithAVX512(enabled bool) Option { return unchanged }

// WithGFNI changes nothing; set PERMXOR_KERNELS in the environment to choose instructions.
func WithGFNI(enabled bool) Option { return unchanged }

// WithAVXGFNI changes nothing; set PERMXOR_KERNELS in the environment to choose instructions.
func WithAVXGFNI(enabled bool) Option { return unchanged }

// WithNEON changes nothing; set PERMXOR_KERNELS in the environment to choose instructions.
func WithNEON(enabled bool) Option { return unchanged }

// WithSVE changes nothing; set PERMXOR_KERNELS in the environment to choose instructions.
func WithSVE(enabled bool) Option { return unchanged }

func unchanged(*options) {}

// WorkAllocator is the argument of WithWorkAllocator.
type WorkAllocator interface {
	Get(n, size int) [][]byte
	Put([][]byte)
}
