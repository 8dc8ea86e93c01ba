// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo

package test

import (
	"fmt"
	"math/rand"
	"os"
	"testing"

	ours "permxor"
	theirs "permxor/original"
)

// Measures both packages in one run, by turns, each in the goroutine that calls it, for
// bench.sh to compare. PXR_BENCH_GFNI=0 keeps the other package from using GFNI.
func BenchmarkStores(b *testing.B) {
	for _, shape := range [][2]int{{10, 4}, {12, 4}} {
		k, m := shape[0], shape[1]
		for _, size := range []int{1, 1 << 10, 64 << 10, 128 << 10, 512 << 10, 1 << 20} {
			options := []theirs.Option{theirs.WithMaxGoroutines(1)}
			if os.Getenv("PXR_BENCH_GFNI") == "0" {
				options = append(options, theirs.WithGFNI(false), theirs.WithAVXGFNI(false))
			}
			other, err := theirs.New(k, m, options...)
			if err != nil {
				b.Fatal(err)
			}
			mine, err := ours.New(k, m, ours.WithMaxGoroutines(1))
			if err != nil {
				b.Fatal(err)
			}
			shards := filled(rand.New(rand.NewSource(1)), k, m, size)
			for _, task := range []struct {
				name string
				lost int
			}{{"encode", 0}, {"reconstruct-1", 1}, {"reconstruct-4", 4}} {
				for who, e := range []theirs.Encoder{other, mine} {
					name := fmt.Sprintf("%s/%d+%d/%d/%s", task.name, k, m, size, []string{"theirs", "ours"}[who])
					b.Run(name, func(b *testing.B) {
						b.SetBytes(int64(k * size))
						b.ReportAllocs()
						for range b.N {
							if err := work(e, shards, task.lost); err != nil {
								b.Fatal(err)
							}
						}
					})
				}
			}
		}
	}
}

// work encodes, or reconstructs the first data shards into the memory that they had.
func work(e theirs.Encoder, shards [][]byte, lost int) error {
	if lost == 0 {
		return e.Encode(shards)
	}
	for i := range lost {
		shards[i] = shards[i][:0]
	}
	return e.ReconstructData(shards)
}
