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
	leopard       bool // a code of another field: refused

	maxGoroutines int // 0: as many as can run at once
	minSplitSize  int // 0: by the size of the code
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

// check refuses what would give other bytes than were asked for.
func (o *options) check(dataShards, parityShards int) error {
	const leopardOrder = 65536 // what the largest Leopard code has
	total := dataShards + parityShards
	switch {
	case dataShards <= 0 || parityShards < 0:
		return ErrInvShardNum
	case total < dataShards || total > leopardOrder:
		return ErrMaxShardNum
	case total > maxShards:
		return fmt.Errorf("%w: %d + %d shards, and permxor has at most %d and no Leopard codes (%w)",
			ErrMaxShardNum, dataShards, parityShards, maxShards, ErrNotSupported)
	case o.leopard && parityShards > 0:
		return fmt.Errorf("%w: permxor has no Leopard codes", ErrNotSupported)
	}
	return nil
}

// WithCauchyMatrix makes the parity rows 1/(i^j): ISA-L's gf_gen_cauchy1_matrix, Hadoop's RS.
func WithCauchyMatrix() Option { return func(o *options) { o.matrix = cauchy } }

// WithJerasureMatrix makes the parity rows those of Jerasure's reed_sol_van.
func WithJerasureMatrix() Option { return func(o *options) { o.matrix = jerasure } }

// WithPAR1Matrix makes the parity rows (j+1)^r, as PAR version 1 has them. Not every choice of
// enough shards determines the data.
func WithPAR1Matrix() Option { return func(o *options) { o.matrix = par1 } }

// WithFastOneParityMatrix makes the parity of a code with one parity shard the XOR of the data.
func WithFastOneParityMatrix() Option { return func(o *options) { o.fastOneParity = true } }

// WithCustomMatrix gives the parity rows, at least as many as parity shards and each at least
// as long as there are data shards. Whether any choice of enough shards determines the data
// is up to the rows; a reconstruction that has no answer returns an error.
func WithCustomMatrix(customMatrix [][]byte) Option {
	return func(o *options) { o.customMatrix = customMatrix }
}

// WithLeopardGF asks for a Leopard code, which New refuses: permxor has none.
func WithLeopardGF(enabled bool) Option { return func(o *options) { o.leopard = enabled } }

// WithLeopardGF16 asks for a Leopard code, which New refuses: permxor has none.
func WithLeopardGF16(enabled bool) Option { return func(o *options) { o.leopard = enabled } }

// WithMaxGoroutines limits the goroutines that share the work of a call. There are never more
// than can run at once. Ignored if n <= 0.
func WithMaxGoroutines(n int) Option {
	return func(o *options) {
		if n > 0 {
			o.maxGoroutines = n
		}
	}
}

// WithMinSplitSize sets how many bytes of each shard a goroutine gets at least.
// Ignored if n <= 0.
func WithMinSplitSize(n int) Option {
	return func(o *options) {
		if n > 0 {
			o.minSplitSize = n
		}
	}
}

// WithAutoGoroutines tells the size of the shards to come. How a call is shared out follows
// from the shards it is given, so this only sets the block size of streams.
func WithAutoGoroutines(shardSize int) Option {
	return func(o *options) { o.shardSize = shardSize }
}

// WithConcurrentStreams makes streams read from, and write to, all shards at once.
func WithConcurrentStreams(enabled bool) Option {
	return func(o *options) { o.concurrentReads, o.concurrentWrites = enabled, enabled }
}

// WithConcurrentStreamReads makes streams read from all shards at once.
func WithConcurrentStreamReads(enabled bool) Option {
	return func(o *options) { o.concurrentReads = enabled }
}

// WithConcurrentStreamWrites makes streams write to all shards at once.
func WithConcurrentStreamWrites(enabled bool) Option {
	return func(o *options) { o.concurrentWrites = enabled }
}

// WithStreamBlockSize sets how many bytes of each shard a stream reads and writes at a time:
// by default the size given to WithAutoGoroutines, or else 4 MiB.
func WithStreamBlockSize(n int) Option { return func(o *options) { o.streamBlockSize = n } }

// The options below choose between ways to the same bytes, and permxor has its own: which
// instructions to use it decides by the CPU (and PERMXOR_KERNELS), and matrices for
// reconstructing it always keeps, in a bounded cache. They are accepted and change nothing.

// WithInversionCache changes nothing: there always is one.
func WithInversionCache(enabled bool) Option { return unchanged }

// WithWorkAllocator changes nothing: it is about Leopard codes.
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

// WorkAllocator is what WithWorkAllocator takes.
type WorkAllocator interface {
	Get(n, size int) [][]byte
	Put([][]byte)
}
