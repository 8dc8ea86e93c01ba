// SPDX-License-Identifier: BSD-3-Clause

package test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	ours "permxor"
	theirs "permxor/original"
)

// Leopard codes must have the other package's bytes and errors, whichever option asks for them.
func TestLeopard(t *testing.T) {
	for _, test := range []struct {
		name   string
		k, m   int
		ours   []ours.Option
		theirs []theirs.Option
	}{
		{"GF(2^8)", 10, 4, only(ours.WithLeopardGF(true))(0, 0), only(theirs.WithLeopardGF(true))(0, 0)},
		{"GF(2^8), all", 128, 128, only(ours.WithLeopardGF(true))(0, 0), only(theirs.WithLeopardGF(true))(0, 0)},
		{"GF(2^16)", 10, 4, only(ours.WithLeopardGF16(true))(0, 0), only(theirs.WithLeopardGF16(true))(0, 0)},
		{"GF(2^16), many", 300, 80, only(ours.WithLeopardGF(true))(0, 0), only(theirs.WithLeopardGF(true))(0, 0)},
		{"by their number", 256, 1, nil, nil},
		{"by their number, many", 1000, 500, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			mine, err := ours.New(test.k, test.m, test.ours...)
			if err != nil {
				t.Fatal(err)
			}
			other, err := theirs.New(test.k, test.m, test.theirs...)
			if err != nil {
				t.Fatal(err)
			}
			if engine := ours.Engine(mine); engine != "klauspost/reedsolomon" {
				t.Error(engine)
			}
			multiple := mine.(ours.Extensions).ShardSizeMultiple()
			if want := other.(theirs.Extensions).ShardSizeMultiple(); multiple != want || multiple != 64 {
				t.Errorf("shards are multiples of %d, theirs of %d", multiple, want)
			}
			random := rand.New(rand.NewSource(int64(test.k)))
			got := filled(random, test.k, test.m, 3*multiple)
			want := clone(got)
			if err := mine.Encode(got); err != nil {
				t.Fatal(err)
			}
			if err := other.Encode(want); err != nil {
				t.Fatal(err)
			}
			compare(t, "encoded", got, want)
			for _, i := range random.Perm(test.k + test.m)[:test.m] {
				got[i] = nil
			}
			if err := mine.Reconstruct(got); err != nil {
				t.Fatal(err)
			}
			compare(t, "reconstructed", got, want)
			wrong := filled(random, test.k, test.m, multiple+1)
			if mine, other := mine.Encode(wrong), other.Encode(wrong); mine == nil || fmt.Sprint(mine) != fmt.Sprint(other) {
				t.Errorf("shards of %d bytes: %v, theirs %v", multiple+1, mine, other)
			}
		})
	}
}

// The two fields have different bytes, so an option that is lost on the way would be noticed.
func TestLeopardFields(t *testing.T) {
	var parity [3][][]byte
	for i, options := range [][]ours.Option{nil, {ours.WithLeopardGF(true)}, {ours.WithLeopardGF16(true)}} {
		e, err := ours.New(6, 3, options...)
		if err != nil {
			t.Fatal(err)
		}
		shards := filled(rand.New(rand.NewSource(1)), 6, 3, 128)
		if err := e.Encode(shards); err != nil {
			t.Fatal(err)
		}
		parity[i] = shards[6:]
	}
	for _, pair := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
		if bytes.Equal(parity[pair[0]][1], parity[pair[1]][1]) {
			t.Errorf("options %v have the same bytes", pair)
		}
	}
}

// The other package's NewStream panics here.
func TestLeopardStreams(t *testing.T) {
	for _, option := range []ours.Option{ours.WithLeopardGF(true), ours.WithLeopardGF16(true)} {
		if _, err := ours.NewStream(10, 4, option); err != ours.ErrNotSupported {
			t.Error(err)
		}
	}
	if _, err := ours.NewStream(0, 4, ours.WithLeopardGF(true)); err != ours.ErrInvShardNum {
		t.Error(err)
	}
	if _, err := ours.NewStream(300, 4); !errors.Is(err, ours.ErrMaxShardNum) {
		t.Error(err)
	}
}

// counting is an allocator that counts its calls.
type counting struct{ got, put int }

func (c *counting) Get(n, size int) [][]byte { c.got++; return ours.AllocAligned(n, size) }
func (c *counting) Put([][]byte)             { c.put++ }

func TestWorkAllocator(t *testing.T) {
	var memory counting
	e, err := ours.New(20, 10, ours.WithLeopardGF(true), ours.WithWorkAllocator(&memory))
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Encode(filled(rand.New(rand.NewSource(1)), 20, 10, 64)); err != nil {
		t.Fatal(err)
	}
	if memory.got == 0 || memory.got != memory.put {
		t.Errorf("%+v", memory)
	}
}

// Engine must name the package that computes.
func TestEngine(t *testing.T) {
	e, err := ours.New(10, 4)
	if err != nil {
		t.Fatal(err)
	}
	engine := ours.Engine(e)
	if withC && !strings.HasPrefix(engine, "permxor 0.") || !withC && engine != "klauspost/reedsolomon" {
		t.Error(engine)
	}
	other, err := theirs.New(10, 4)
	if err != nil {
		t.Fatal(err)
	}
	if engine := ours.Engine(other); engine != "klauspost/reedsolomon" {
		t.Error(engine)
	}
}
