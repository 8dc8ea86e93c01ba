// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo

package test

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	ours "permxor"
)

// No call allocates, on one goroutine or when several share the work. (The pool that these come
// from must be filled first.)
func TestAllocations(t *testing.T) {
	for _, shape := range []struct{ k, m, size, goroutines int }{
		{10, 4, 1024, 1}, {10, 4, 1 << 20, 1}, {40, 10, 1024, 1}, {10, 4, 1 << 20, 4},
	} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(shape.goroutines))
		e, err := ours.New(shape.k, shape.m)
		if err != nil {
			t.Fatal(err)
		}
		shards := filled(rand.New(rand.NewSource(1)), shape.k, shape.m, shape.size)
		changed := make([][]byte, shape.k)
		changed[1] = make([]byte, shape.size)
		required := make([]bool, shape.k)
		required[1] = true
		for name, call := range map[string]func() error{
			"Encode":    func() error { return e.Encode(shards) },
			"Verify":    func() error { _, err := e.Verify(shards); return err },
			"Update":    func() error { return e.Update(shards, changed) },
			"EncodeIdx": func() error { return e.EncodeIdx(shards[0], 0, shards[shape.k:]) },
			"Reconstruct": func() error {
				shards[0], shards[shape.k] = shards[0][:0], shards[shape.k][:0]
				return e.Reconstruct(shards)
			},
			"ReconstructData": func() error {
				shards[0] = shards[0][:0]
				return e.ReconstructData(shards)
			},
			"ReconstructSome": func() error {
				shards[1] = shards[1][:0]
				return e.ReconstructSome(shards, required)
			},
		} {
			per := testing.AllocsPerRun(50, func() {
				if err := call(); err != nil {
					t.Fatal(err)
				}
			})
			if per != 0 {
				t.Errorf("%s of %+v: %v allocations", name, shape, per)
			}
		}
	}
}

// Goroutines use one encoder at the same time, and also equal encoders.
func TestConcurrent(t *testing.T) {
	shared, err := ours.New(6, 3, ours.WithMinSplitSize(1000))
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for seed := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			random := rand.New(rand.NewSource(int64(seed)))
			for range 40 {
				e := shared
				if random.Intn(2) == 0 {
					equal, err := ours.New(6, 3)
					if err != nil {
						t.Error(err)
						return
					}
					e = equal
				}
				whole := filled(random, 6, 3, 1+random.Intn(20000))
				if err := e.Encode(whole); err != nil {
					t.Error(err)
				}
				got := clone(whole)
				for _, i := range random.Perm(9)[:3] {
					got[i] = nil
				}
				if err := e.Reconstruct(got); err != nil {
					t.Error(err)
				}
				for i := range got {
					if !bytes.Equal(got[i], whole[i]) {
						t.Errorf("shard %d differs", i)
					}
				}
				if ok, err := e.Verify(got); !ok || err != nil {
					t.Error(ok, err)
				}
			}
		}()
	}
	all.Wait()
}

// The garbage collector frees codes. If it did not, 20000 of them, of about 60 KiB each, would
// take more than a gigabyte.
func TestCodesAreFreed(t *testing.T) {
	before := resident(t)
	row := make([]byte, 40)
	rows := make([][]byte, 40)
	for i := range rows {
		rows[i] = row
	}
	for i := range 20000 {
		row[0], row[1], row[2] = byte(i), byte(i>>8), 1
		if _, err := ours.New(40, 40, ours.WithCustomMatrix(rows)); err != nil {
			t.Fatal(err)
		}
		if i%500 == 0 {
			runtime.GC()
		}
	}
	if grown := resident(t) - before; grown > 200<<20 {
		t.Errorf("%d MiB have not been freed", grown>>20)
	}
}

// resident returns how many bytes of memory the process has.
func resident(t *testing.T) int {
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(statm))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// Goroutines that code long shards at the same time must not take a thread of the system each.
// The threads of a process never become fewer, so a process of its own counts them. Go needs a
// thread for each processor, a few for itself, and one for each goroutine in C.
func TestThreadsAreBounded(t *testing.T) {
	const processors = 4
	if os.Getenv("PXR_COUNT_THREADS") != "" {
		verifyAtOnce(t, 2500)
		threads, err := os.ReadDir("/proc/self/task")
		if err != nil {
			t.Skip(err)
		}
		fmt.Printf("threads: %d\n", len(threads))
		return
	}
	counting := exec.Command(os.Args[0], "-test.run=^TestThreadsAreBounded$", "-test.v")
	counting.Env = append(os.Environ(), "PXR_COUNT_THREADS=1", "GOMAXPROCS="+strconv.Itoa(processors))
	said, err := counting.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	_, after, ok := strings.Cut(string(said), "threads: ")
	if !ok {
		t.Skipf("no threads were counted:\n%s", said)
	}
	count, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d threads with GOMAXPROCS=%d", count, processors)
	if count > 2*processors+8 {
		t.Errorf("%d threads with GOMAXPROCS=%d", count, processors)
	}
}

// verifyAtOnce has the same shards verified by many goroutines, some tens of microseconds a call.
func verifyAtOnce(t *testing.T, goroutines int) {
	e, err := ours.New(10, 4, ours.WithMaxGoroutines(1))
	if err != nil {
		t.Fatal(err)
	}
	shards := filled(rand.New(rand.NewSource(1)), 10, 4, 256<<10)
	if err := e.Encode(shards); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range goroutines {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 4 {
				if ok, err := e.Verify(shards); !ok || err != nil {
					t.Error(ok, err)
				}
			}
		}()
	}
	all.Wait()
}

// When GOMAXPROCS grows, calls that were waiting for few places must still end, and more of them may
// be in C.
func TestProcessorsChange(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	e, err := ours.New(10, 4)
	if err != nil {
		t.Fatal(err)
	}
	shards := filled(rand.New(rand.NewSource(1)), 10, 4, 64<<10)
	if err := e.Encode(shards); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 200 {
		all.Add(1)
		go func() {
			defer all.Done()
			if ok, err := e.Verify(shards); !ok || err != nil {
				t.Error(ok, err)
			}
		}()
		runtime.GOMAXPROCS(1 + i%5)
	}
	all.Wait()
}
