// SPDX-License-Identifier: BSD-3-Clause

package test

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand"
	"testing"

	ours "permxor"
	theirs "permxor/original"
)

// A kind of code, which both packages can make.
type kind struct {
	name   string
	ours   func(k, m int) []ours.Option
	theirs func(k, m int) []theirs.Option
}

// customRows returns random bytes. Most choices of shards then determine the data, but not all.
func customRows(k, m int) [][]byte {
	random := rand.New(rand.NewSource(int64(k*256 + m)))
	rows := make([][]byte, m)
	for r := range rows {
		rows[r] = make([]byte, k)
		random.Read(rows[r])
	}
	return rows
}

// sparseRows returns the rows of a code with local parity: row r adds up every m-th data shard.
func sparseRows(k, m int) [][]byte {
	rows := make([][]byte, m)
	for r := range rows {
		rows[r] = make([]byte, k)
		for j := r; j < k; j += m {
			rows[r][j] = 1
		}
	}
	return rows
}

func only[T any](option T) func(k, m int) []T {
	return func(k, m int) []T { return []T{option} }
}

var kinds = []kind{
	{"default", func(k, m int) []ours.Option { return nil }, func(k, m int) []theirs.Option { return nil }},
	{"cauchy", only(ours.WithCauchyMatrix()), only(theirs.WithCauchyMatrix())},
	{"par1", only(ours.WithPAR1Matrix()), only(theirs.WithPAR1Matrix())},
	{"jerasure", only(ours.WithJerasureMatrix()), only(theirs.WithJerasureMatrix())},
	{"fast one parity", only(ours.WithFastOneParityMatrix()), only(theirs.WithFastOneParityMatrix())},
	{"custom",
		func(k, m int) []ours.Option { return []ours.Option{ours.WithCustomMatrix(customRows(k, m))} },
		func(k, m int) []theirs.Option { return []theirs.Option{theirs.WithCustomMatrix(customRows(k, m))} }},
	{"custom sparse",
		func(k, m int) []ours.Option { return []ours.Option{ours.WithCustomMatrix(sparseRows(k, m))} },
		func(k, m int) []theirs.Option { return []theirs.Option{theirs.WithCustomMatrix(sparseRows(k, m))} }},
}

func (kind kind) pair(t testing.TB, k, m int) (ours.Encoder, theirs.Encoder) {
	t.Helper()
	mine, err := ours.New(k, m, kind.ours(k, m)...)
	if err != nil {
		t.Fatalf("%s %d+%d: %v", kind.name, k, m, err)
	}
	other, err := theirs.New(k, m, kind.theirs(k, m)...)
	if err != nil {
		t.Fatalf("theirs: %s %d+%d: %v", kind.name, k, m, err)
	}
	return mine, other
}

// filled makes shards with random data.
func filled(random *rand.Rand, k, m, size int) [][]byte {
	shards := ours.AllocAligned(k+m, size)
	for _, shard := range shards[:k] {
		random.Read(shard)
	}
	return shards
}

func clone(shards [][]byte) [][]byte {
	copies := make([][]byte, len(shards))
	for i, shard := range shards {
		copies[i] = bytes.Clone(shard)
	}
	return copies
}

func compare(t testing.TB, what string, mine, other [][]byte) {
	t.Helper()
	for i := range mine {
		if !bytes.Equal(mine[i], other[i]) {
			t.Fatalf("%s: shard %d differs", what, i)
		}
	}
}

func forKinds(t *testing.T, test func(t *testing.T, kind kind)) {
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) { test(t, kind) })
	}
}

// All shapes up to 10+6, and large ones up to the limit, with a few bytes each.
func TestEncodeShapes(t *testing.T) {
	shapes := [][2]int{
		{16, 4}, {20, 20}, {28, 4}, {29, 4}, {32, 31}, {100, 20}, {20, 100},
		{128, 128}, {255, 1}, {1, 255}, {200, 55},
	}
	for k := 1; k <= 10; k++ {
		for m := 0; m <= 6; m++ {
			shapes = append(shapes, [2]int{k, m})
		}
	}
	forKinds(t, func(t *testing.T, kind kind) {
		random := rand.New(rand.NewSource(1))
		for _, shape := range shapes {
			mine, other := kind.pair(t, shape[0], shape[1])
			got := filled(random, shape[0], shape[1], 100+random.Intn(100))
			want := clone(got)
			if err := mine.Encode(got); err != nil {
				t.Fatal(err)
			}
			if err := other.Encode(want); err != nil {
				t.Fatal(err)
			}
			compare(t, fmt.Sprint(shape), got, want)
		}
	})
}

// Lengths 1 to 600 and some longer ones, also lengths that are shared out over goroutines.
func TestEncodeLengths(t *testing.T) {
	sizes := []int{4095, 4096, 4097, 65535, 65536, 100003, 1 << 20, 1<<20 + 1, 3000017}
	for size := 1; size <= 600; size++ {
		sizes = append(sizes, size)
	}
	random := rand.New(rand.NewSource(2))
	for _, kind := range kinds[:4] {
		mine, other := kind.pair(t, 5, 3)
		for _, size := range sizes {
			got := filled(random, 5, 3, size)
			want := clone(got)
			if err := mine.Encode(got); err != nil {
				t.Fatal(err)
			}
			if err := other.Encode(want); err != nil {
				t.Fatal(err)
			}
			compare(t, fmt.Sprint(kind.name, " ", size), got, want)
			if ok, err := mine.Verify(got); !ok || err != nil {
				t.Fatal(size, ok, err)
			}
			got[random.Intn(8)][random.Intn(size)] ^= byte(1 << random.Intn(8))
			if ok, err := mine.Verify(got); ok || err != nil {
				t.Fatal(size, "a wrong bit passes:", ok, err)
			}
		}
	}
}

// Every pattern of losses, recoverable or not, by each of the three functions. permxor may find
// an answer where the other package gives up, because permxor tries other parity shards if the
// first ones depend on one another. Then the answer must be right.
func TestEveryPattern(t *testing.T) {
	forKinds(t, func(t *testing.T, kind kind) {
		random := rand.New(rand.NewSource(3))
		for _, shape := range [][2]int{{1, 1}, {1, 3}, {2, 2}, {3, 1}, {4, 2}, {4, 4}, {6, 3}, {5, 5}} {
			k, m := shape[0], shape[1]
			mine, other := kind.pair(t, k, m)
			whole := filled(random, k, m, 71)
			if err := other.Encode(whole); err != nil {
				t.Fatal(err)
			}
			for pattern := range uint(1) << (k + m) {
				if bits.OnesCount(pattern) > m+1 {
					continue
				}
				onePattern(t, mine, other, whole, pattern, k)
			}
		}
	})
}

func onePattern(t *testing.T, mine ours.Encoder, other theirs.Encoder, whole [][]byte, pattern uint, k int) {
	required := make([]bool, len(whole))
	for i := range required {
		required[i] = pattern>>i&1 != 0 && i%2 == 0
	}
	for name, reconstruct := range map[string]func(e theirs.Encoder, shards [][]byte) error{
		"Reconstruct":          func(e theirs.Encoder, s [][]byte) error { return e.Reconstruct(s) },
		"ReconstructData":      func(e theirs.Encoder, s [][]byte) error { return e.ReconstructData(s) },
		"ReconstructSome":      func(e theirs.Encoder, s [][]byte) error { return e.ReconstructSome(s, required) },
		"ReconstructSome data": func(e theirs.Encoder, s [][]byte) error { return e.ReconstructSome(s, required[:k]) },
	} {
		got, want := clone(whole), clone(whole)
		for i := range got {
			if pattern>>i&1 != 0 {
				got[i] = got[i][:0] // recovered in place,
				want[i] = nil       // or in new memory
			}
		}
		myErr, theirErr := reconstruct(mine, got), reconstruct(other, want)
		what := fmt.Sprintf("%s, %b lost of %d", name, pattern, len(whole))
		switch {
		case myErr == nil && theirErr == nil:
			compare(t, what, got, want)
		case myErr == nil:
			for i := range got {
				if len(got[i]) != 0 && !bytes.Equal(got[i], whole[i]) {
					t.Fatalf("%s: shard %d is wrong", what, i)
				}
			}
		case theirErr == nil || myErr.Error() != theirErr.Error():
			t.Fatalf("%s: %v, theirs %v", what, myErr, theirErr)
		default:
			for i := range got {
				if pattern>>i&1 != 0 && len(got[i]) != 0 {
					t.Fatalf("%s: shard %d has a length after %v", what, i, myErr)
				}
			}
		}
	}
}

// Large codes with random losses up to the limit.
func TestReconstructLarge(t *testing.T) {
	random := rand.New(rand.NewSource(4))
	for _, kind := range []kind{kinds[0], kinds[1], kinds[3]} {
		for _, shape := range [][2]int{{10, 4}, {12, 4}, {28, 4}, {29, 4}, {50, 20}, {128, 128}, {1, 255}, {255, 1}} {
			k, m := shape[0], shape[1]
			mine, other := kind.pair(t, k, m)
			whole := filled(random, k, m, 1000)
			if err := other.Encode(whole); err != nil {
				t.Fatal(err)
			}
			for range 5 {
				got := clone(whole)
				for _, i := range random.Perm(k + m)[:1+random.Intn(m)] {
					got[i] = nil
				}
				if err := mine.Reconstruct(got); err != nil {
					t.Fatal(kind.name, shape, err)
				}
				compare(t, fmt.Sprint(kind.name, shape), got, whole)
			}
		}
	}
}

// Long shards, which goroutines share.
func TestReconstructLong(t *testing.T) {
	random := rand.New(rand.NewSource(5))
	mine, other := kinds[0].pair(t, 6, 3)
	whole := filled(random, 6, 3, 2000003)
	if err := other.Encode(whole); err != nil {
		t.Fatal(err)
	}
	got := clone(whole)
	got[1], got[4], got[7] = nil, nil, nil
	if err := mine.Reconstruct(got); err != nil {
		t.Fatal(err)
	}
	compare(t, "6+3", got, whole)
}

func TestEncodeIdxAndUpdate(t *testing.T) {
	forKinds(t, func(t *testing.T, kind kind) {
		random := rand.New(rand.NewSource(6))
		for _, shape := range [][2]int{{1, 1}, {5, 3}, {10, 4}, {30, 10}, {100, 30}} {
			for _, size := range []int{1, 100, 70001} {
				k, m := shape[0], shape[1]
				mine, other := kind.pair(t, k, m)
				shards := filled(random, k, m, size)
				for _, i := range random.Perm(k) {
					if err := mine.EncodeIdx(shards[i], i, shards[k:]); err != nil {
						t.Fatal(err)
					}
				}
				want := clone(shards)
				if err := other.Encode(want); err != nil {
					t.Fatal(err)
				}
				compare(t, fmt.Sprint("EncodeIdx ", shape, size), shards, want)

				changed := make([][]byte, k)
				for _, i := range random.Perm(k)[:1+random.Intn(k)] {
					changed[i] = make([]byte, size)
					random.Read(changed[i])
					want[i] = changed[i]
				}
				before := clone(shards[:k])
				if err := mine.Update(shards, changed); err != nil {
					t.Fatal(err)
				}
				if err := other.Encode(want); err != nil {
					t.Fatal(err)
				}
				compare(t, fmt.Sprint("Update ", shape, size), shards[k:], want[k:])
				if withC { // the other package changes them
					compare(t, fmt.Sprint("data after Update ", shape, size), shards[:k], before)
				}
			}
		}
	})
}

func TestDecodeIdx(t *testing.T) {
	random := rand.New(rand.NewSource(7))
	for _, kind := range []kind{kinds[0], kinds[1], kinds[3]} {
		for _, shape := range [][2]int{{1, 2}, {5, 3}, {12, 4}, {40, 20}} {
			k, m := shape[0], shape[1]
			mine, other := kind.pair(t, k, m)
			whole := filled(random, k, m, 333)
			if err := other.Encode(whole); err != nil {
				t.Fatal(err)
			}
			order := random.Perm(k + m)
			expected := make([]bool, k+m)
			for _, i := range order[m:] {
				expected[i] = true
			}
			dst := make([][]byte, k+m)
			for _, i := range order[:m] {
				dst[i] = make([]byte, 333)
			}
			for _, i := range order[m:] {
				input := make([][]byte, k+m)
				input[i] = whole[i]
				if err := mine.(ours.Extensions).DecodeIdx(dst, expected, input); err != nil {
					t.Fatal(err)
				}
			}
			for _, i := range order[:m] {
				if !bytes.Equal(dst[i], whole[i]) {
					t.Fatalf("%s %v: shard %d differs", kind.name, shape, i)
				}
			}
		}
	}
}

// Split must return the same bytes, whatever the capacity behind the data.
func TestSplit(t *testing.T) {
	random := rand.New(rand.NewSource(8))
	for _, shape := range [][2]int{{1, 0}, {1, 1}, {4, 0}, {5, 2}, {12, 4}, {17, 3}} {
		mine, other := kinds[0].pair(t, shape[0], shape[1])
		for size := 1; size < 100; size++ {
			for _, spare := range []int{0, 1, 7, 64, 1000} {
				data := make([]byte, size+spare)
				random.Read(data)
				again := bytes.Clone(data)
				got, myErr := mine.Split(data[:size])
				want, theirErr := other.Split(again[:size])
				if myErr != nil || theirErr != nil || len(got) != len(want) {
					t.Fatal(myErr, theirErr, len(got), len(want))
				}
				compare(t, fmt.Sprint(shape, size, spare), got, want)
				compare(t, "memory", [][]byte{data}, [][]byte{again})
				var joined, wanted bytes.Buffer
				for _, out := range []int{0, 1, size - 1, size, size + 1, size + 1000} {
					joined.Reset()
					wanted.Reset()
					myErr, theirErr := mine.Join(&joined, got, out), other.Join(&wanted, want, out)
					if fmt.Sprint(myErr) != fmt.Sprint(theirErr) || !bytes.Equal(joined.Bytes(), wanted.Bytes()) {
						t.Fatal("Join", shape, size, out, myErr, theirErr)
					}
				}
			}
		}
	}
}

// Inputs that are several pieces long, and outputs that begin before them, at them and behind them.
func TestLowLevelOverlap(t *testing.T) {
	if !withC {
		t.Skip("the other engine has no rule for slices that overlap")
	}
	random := rand.New(rand.NewSource(10))
	var mine ours.LowLevel
	const size, shift = 100_000, 40_000
	for _, at := range []int{0, shift - 5, shift, shift + 1, 2 * shift} {
		memory := make([]byte, size+2*shift)
		random.Read(memory)
		for name, call := range map[string]func(c byte, in, out []byte){
			"GalMulSlice": mine.GalMulSlice, "GalMulSliceXor": mine.GalMulSliceXor,
		} {
			got, want := bytes.Clone(memory), bytes.Clone(memory)
			call(7, bytes.Clone(want[shift:shift+size]), want[at:at+size])
			call(7, got[shift:shift+size], got[at:at+size])
			compare(t, fmt.Sprint(name, " at ", at-shift), [][]byte{got}, [][]byte{want})
		}
	}
}

func TestLowLevel(t *testing.T) {
	random := rand.New(rand.NewSource(9))
	var mine ours.LowLevel
	var other theirs.LowLevel
	mine.WithOptions(ours.WithMaxGoroutines(1))
	for c := range 256 {
		if got, want := ours.Inv(byte(c)), theirs.Inv(byte(c)); got != want {
			t.Fatalf("Inv(%d) = %d, theirs %d", c, got, want)
		}
		size := random.Intn(300)
		in, got := make([]byte, size), make([]byte, size+3)
		random.Read(in)
		random.Read(got)
		want := bytes.Clone(got)
		mine.GalMulSliceXor(byte(c), in, got)
		other.GalMulSliceXor(byte(c), in, want)
		compare(t, fmt.Sprint("GalMulSliceXor ", c), [][]byte{got}, [][]byte{want})
		mine.GalMulSlice(byte(c), in, got)
		other.GalMulSlice(byte(c), in, want)
		compare(t, fmt.Sprint("GalMulSlice ", c), [][]byte{got}, [][]byte{want})
		inPlace := bytes.Clone(in)
		mine.GalMulSlice(byte(c), inPlace, inPlace)
		compare(t, fmt.Sprint("GalMulSlice in place ", c), [][]byte{inPlace}, [][]byte{want[:size]})
	}
}
