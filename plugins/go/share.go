// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo && go1.24

package reedsolomon

// #include "call.h"
import "C"

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// How long shards are shared out over goroutines.

// sharing determines how many goroutines a call gets.
type sharing struct {
	goroutines int // at most
	bytes      int // the least number of each shard for each of them
}

func newSharing(total int, o *options) sharing {
	limitC()
	s := sharing{goroutines: runtime.GOMAXPROCS(0), bytes: o.minSplitSize}
	if o.maxGoroutines > 0 {
		s.goroutines = min(s.goroutines, o.maxGoroutines)
	}
	if s.bytes == 0 {
		s.bytes = worthSharing / total
	}
	return s
}

// worthSharing is the least work for a goroutine, in bytes of all shards together. With less,
// starting and awaiting the goroutine costs more than it saves. On two cores of a Xeon (model
// 207), two goroutines did 4+2 shards at 0.55 times the speed of one with 1.5 MiB of them, and
// at 2.8 times with 6 MiB; 10+4 shards at 0.83 times with 0.9 MiB, 1.3 times with 1.8 MiB and
// 3.8 times with 14 MiB (kernel set avx512_gfni; with avx2 it pays earlier, from 0.4 MiB of
// 10+4 on). On two cores of a virtual Granite Rapids Xeon, two goroutines did 4+2, 10+4 and
// 12+4 shards at 0.56 to 0.68 times the speed of one with 2 MiB of them, at 1.2 to 1.4 times
// with 3 MiB, and at 1.7 and more with 4 MiB.
const worthSharing = 3 << 19

// parts returns into how many parts to divide shards of `size` bytes.
func (s sharing) parts(size int) int {
	return max(1, min(s.goroutines, size/max(s.bytes, 1)))
}

// run does the operation on shards of `size` bytes. It returns when the operation is done.
func (s sharing) run(op *operation, size int) C.int {
	parts := s.parts(size)
	if parts == 1 {
		return op.on(0, size)
	}
	t := teams.Get().(*team)
	status := t.run(op, size, parts)
	t.op = operation{}
	teams.Put(t)
	return status
}

// A team of goroutines does one operation. Each takes the next part until none is left.
type team struct {
	op     operation
	size   int
	part   int
	taken  atomic.Int64
	status atomic.Int32
	others sync.WaitGroup
	help   func() // bound once, so that starting a goroutine allocates nothing
}

var teams = sync.Pool{New: func() any {
	t := new(team)
	t.help = func() {
		defer t.others.Done()
		t.work()
	}
	return t
}}

func (t *team) run(op *operation, size, parts int) C.int {
	const align = 64 // each part begins at a multiple of a vector
	t.op, t.size = *op, size
	t.part = ((size+parts-1)/parts + align - 1) / align * align
	t.taken.Store(0)
	t.status.Store(C.PXR_OK)
	t.others.Add(parts - 1)
	for range parts - 1 {
		go t.help()
	}
	t.work()
	t.others.Wait()
	return C.int(t.status.Load())
}

// work goes on until all parts are taken, or one has failed.
func (t *team) work() {
	for t.status.Load() == C.PXR_OK {
		// In 64 bits, because the bytes taken go beyond the size, which may be the
		// largest int.
		to := t.taken.Add(int64(t.part))
		from := to - int64(t.part)
		if from >= int64(t.size) {
			return
		}
		if status := t.op.on(int(from), int(min(to, int64(t.size)))); status != C.PXR_OK {
			t.status.CompareAndSwap(C.PXR_OK, int32(status))
		}
	}
}
