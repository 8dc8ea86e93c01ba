// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo

package test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand"
	"runtime"
	"sync"
	"testing"

	ours "permxor"
	"permxor/hash"
	theirs "permxor/original"
)

// matrices returns for each matrix of the package the options of both packages with the same
// parity.
var matrices = []struct {
	name   string
	matrix hash.Matrix
	ours   []ours.Option
	theirs []theirs.Option
}{
	{"default", hash.Default, nil, nil},
	{"cauchy", hash.Cauchy, []ours.Option{ours.WithCauchyMatrix()}, []theirs.Option{theirs.WithCauchyMatrix()}},
	{"jerasure", hash.Jerasure, []ours.Option{ours.WithJerasureMatrix()}, []theirs.Option{theirs.WithJerasureMatrix()}},
	{"par1", hash.PAR1, []ours.Option{ours.WithPAR1Matrix()}, []theirs.Option{theirs.WithPAR1Matrix()}},
	{"fast one parity", hash.FastOneParity, []ours.Option{ours.WithFastOneParityMatrix()},
		[]theirs.Option{theirs.WithFastOneParityMatrix()}},
}

// kindsOfHash returns a kind of each size with a random key, and Ceph's.
func kindsOfHash(t testing.TB, random *rand.Rand) map[string]*hash.Hash {
	t.Helper()
	ceph, err := hash.NewCeph71721()
	if err != nil {
		t.Fatal(err)
	}
	hashes := map[string]*hash.Hash{"ceph": ceph}
	for _, size := range []int{4, 8, 16} {
		key := make([]byte, size)
		random.Read(key)
		h, err := hash.New(size, key)
		if err != nil {
			t.Fatal(err)
		}
		hashes[fmt.Sprint(size)] = h
	}
	return hashes
}

func sumsOf(h *hash.Hash, shards [][]byte) [][]byte {
	sums := make([][]byte, len(shards))
	for i, shard := range shards {
		sums[i] = h.Sum(shard)
	}
	return sums
}

// The shards of both packages are checked from their hashes. A wrong byte is found and located.
func TestHashOfShards(t *testing.T) {
	random := rand.New(rand.NewSource(11))
	hashes := kindsOfHash(t, random)
	for _, matrix := range matrices {
		for _, shape := range [][2]int{{1, 1}, {5, 1}, {4, 2}, {6, 3}, {10, 4}, {12, 4}, {100, 30}} {
			k, m := shape[0], shape[1]
			code, err := hash.NewCode(k, m, matrix.matrix)
			if err != nil {
				t.Fatal(err)
			}
			mine, err := ours.New(k, m, matrix.ours...)
			if err != nil {
				t.Fatal(err)
			}
			other, err := theirs.New(k, m, matrix.theirs...)
			if err != nil {
				t.Fatal(err)
			}
			for name, h := range hashes {
				for encoder, encode := range map[string]func([][]byte) error{"ours": mine.Encode, "theirs": other.Encode} {
					shards := filled(random, k, m, 1+random.Intn(5000))
					if err := encode(shards); err != nil {
						t.Fatal(err)
					}
					t.Run(fmt.Sprintf("%s %d+%d %s %s", matrix.name, k, m, name, encoder), func(t *testing.T) {
						checkStripe(t, random, h, code, shards, m)
					})
				}
			}
		}
	}
}

// checkStripe checks a stripe that is right, and then with one wrong byte in some of its shards.
func checkStripe(t *testing.T, random *rand.Rand, h *hash.Hash, code *hash.Code, shards [][]byte, m int) {
	sums := sumsOf(h, shards)
	checkVerdict(t, h, code, sums, m, -1)
	parity := clone(sums)
	for _, sum := range parity[len(sums)-m:] {
		random.Read(sum)
	}
	if err := h.Encode(code, parity); err != nil {
		t.Fatal(err)
	}
	compare(t, "hashes of parity", parity, sums)
	for range 5 {
		wrong, at := random.Intn(len(shards)), random.Intn(len(shards[0]))
		change := byte(1 + random.Intn(255))
		shards[wrong][at] ^= change
		changed := clone(sums)
		changed[wrong] = h.Sum(shards[wrong])
		checkVerdict(t, h, code, changed, m, wrong)
		if wrong >= len(shards)-m { // without the wrong hash, the others agree
			changed[wrong] = nil
			if agree, err := h.Check(code, changed); !agree || err != nil {
				t.Fatal(agree, err)
			}
		}
		shards[wrong][at] ^= change
	}
}

func checkVerdict(t *testing.T, h *hash.Hash, code *hash.Code, sums [][]byte, m, wrong int) {
	t.Helper()
	agree, err := h.Check(code, sums)
	if err != nil || agree != (wrong < 0) {
		t.Fatalf("shard %d is wrong: %v, %v", wrong, agree, err)
	}
	found, err := h.Locate(code, sums)
	switch {
	case m < 2:
		if err == nil {
			t.Fatal("a shard was located with one parity shard")
		}
	case err != nil || found != wrong:
		t.Fatalf("shard %d is wrong, but %d was found: %v", wrong, found, err)
	}
}

// A custom matrix, and two wrong shards.
func TestHashOfCustomCode(t *testing.T) {
	random := rand.New(rand.NewSource(12))
	rows := customRows(6, 4)
	encoder, err := theirs.New(6, 4, theirs.WithCustomMatrix(rows))
	if err != nil {
		t.Fatal(err)
	}
	code, err := hash.NewCustomCode(rows)
	if err != nil {
		t.Fatal(err)
	}
	shards := filled(random, 6, 4, 1000)
	if err := encoder.Encode(shards); err != nil {
		t.Fatal(err)
	}
	for name, h := range kindsOfHash(t, random) {
		sums := sumsOf(h, shards)
		checkVerdict(t, h, code, sums, 4, -1)
		random.Read(sums[1])
		checkVerdict(t, h, code, sums, 4, 1)
		random.Read(sums[7])
		if found, err := h.Locate(code, sums); !errors.Is(err, hash.ErrAmbiguous) || found != -1 {
			t.Errorf("%s: %d, %v", name, found, err)
		}
	}
}

// The blocks of a block group of HDFS, as its format says: data cells go round the data blocks, the
// parity of the last stripe is that of cells filled up with zeros, and the zeros are not stored.
func TestHashOfHDFSBlocks(t *testing.T) {
	const k, m, cell = 6, 3, 1024
	random := rand.New(rand.NewSource(16))
	encoder, err := theirs.New(k, m, theirs.WithCauchyMatrix())
	if err != nil {
		t.Fatal(err)
	}
	code, err := hash.NewCode(k, m, hash.Cauchy)
	if err != nil {
		t.Fatal(err)
	}
	h, err := hash.New(8, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 30 {
		group := make([]byte, 1+random.Intn(4*k*cell))
		random.Read(group)
		blocks := make([][]byte, k+m)
		for len(group) > 0 {
			shards := make([][]byte, k+m)
			size := min(cell, len(group)) // of the first cell, and of the parity
			for i := range shards {
				shards[i] = make([]byte, size)
			}
			for i := range k {
				n := copy(shards[i], group[:min(cell, len(group))])
				blocks[i] = append(blocks[i], group[:n]...)
				group = group[n:]
			}
			if err := encoder.Encode(shards); err != nil {
				t.Fatal(err)
			}
			for i := k; i < k+m; i++ {
				blocks[i] = append(blocks[i], shards[i]...)
			}
		}
		sums := sumsOf(h, blocks)
		checkVerdict(t, h, code, sums, m, -1)
		for wrong, block := range blocks {
			if len(block) == 0 { // HDFS stores no such block
				continue
			}
			block[random.Intn(len(block))] ^= 0x10
			changed := clone(sums)
			changed[wrong] = h.Sum(block)
			checkVerdict(t, h, code, changed, m, wrong)
		}
	}
}

// The values are those of permxor's own tests.
func TestHashValues(t *testing.T) {
	data := make([]byte, 256)
	for i := range data {
		data[i] = byte(i)
	}
	for size, want := range map[int]string{
		4:  "19c2bbd2",
		8:  "b5bc4b405474ed53",
		16: "16e2d515e726db948436552cc00d2e6a",
	} {
		h, err := hash.New(size, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := hex.EncodeToString(h.Sum(data)); got != want || h.Size() != size {
			t.Errorf("%d bytes: %s, want %s", size, got, want)
		}
	}
	h, err := hash.NewCeph71721()
	if err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(h.Sum(data)); got != "44c31427" || h.Size() != 4 {
		t.Errorf("Ceph's: %s", got)
	}
}

// The hash of a*X + b*Y is a*H(X) + b*H(Y).
func TestHashIsLinear(t *testing.T) {
	random := rand.New(rand.NewSource(13))
	field, err := theirs.New(2, 1, theirs.WithCustomMatrix([][]byte{{0x8e, 0x35}})) // a*X + b*Y
	if err != nil {
		t.Fatal(err)
	}
	for name, h := range kindsOfHash(t, random) {
		for range 20 {
			shards := filled(random, 2, 1, 1+random.Intn(100000))
			if err := field.Encode(shards); err != nil {
				t.Fatal(err)
			}
			sums := sumsOf(h, shards)
			want := clone(sums)
			if err := field.Encode(want); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(sums[2], want[2]) {
				t.Fatalf("%s: %x, want %x", name, sums[2], want[2])
			}
		}
	}
}

// Pieces come in any order, and some are hashed apart and combined.
func TestHashPieces(t *testing.T) {
	random := rand.New(rand.NewSource(14))
	shard := make([]byte, 200000)
	random.Read(shard)
	for name, h := range kindsOfHash(t, random) {
		sum := make([]byte, h.Size())
		for _, i := range random.Perm(10) {
			offset := uint64(i) * 20000
			piece := shard[offset : offset+20000]
			var err error
			if name != "ceph" && random.Intn(2) == 0 {
				err = h.Combine(sum, offset, h.Sum(piece))
			} else {
				err = h.Add(sum, offset, piece)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if want := h.Sum(shard); !bytes.Equal(sum, want) {
			t.Errorf("%s: %x, want %x", name, sum, want)
		}
	}
}

// Goroutines use one kind and one code at the same time.
func TestHashConcurrent(t *testing.T) {
	hashes := kindsOfHash(t, rand.New(rand.NewSource(15)))
	code, err := hash.NewCode(6, 3, hash.Default)
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := ours.New(6, 3)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for seed := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			random := rand.New(rand.NewSource(int64(seed)))
			for range 20 {
				shards := filled(random, 6, 3, 1+random.Intn(20000))
				if err := encoder.Encode(shards); err != nil {
					t.Error(err)
				}
				for name, h := range hashes {
					if agree, err := h.Check(code, sumsOf(h, shards)); !agree || err != nil {
						t.Error(name, agree, err)
					}
				}
			}
		}()
	}
	all.Wait()
}

func TestHashErrors(t *testing.T) {
	var unmade hash.Code
	if h, err := hash.New(8, nil); err != nil {
		t.Error(err)
	} else if _, err := h.Check(&unmade, nil); err == nil {
		t.Error("NewCode has not made this code")
	}
	for size := -1; size < 40; size++ {
		_, err := hash.New(size, nil)
		if good := size == 4 || size == 8 || size == 16; (err == nil) != good {
			t.Error(size, err)
		}
	}
	if _, err := hash.New(8, make([]byte, 8)); err == nil {
		t.Error("the key 0 was taken")
	}
	if _, err := hash.New(8, []byte{1}); !errors.Is(err, hash.ErrSize) {
		t.Error(err)
	}
	for _, shape := range [][2]int{{0, 1}, {1, 0}, {-1, 2}, {2, -1}, {128, 129}, {1 << 40, 1}} {
		if _, err := hash.NewCode(shape[0], shape[1], hash.Cauchy); err == nil {
			t.Error(shape)
		}
	}
	for _, rows := range [][][]byte{nil, {{}}, {{1, 2}, {1}}} {
		if _, err := hash.NewCustomCode(rows); err == nil {
			t.Error(rows)
		}
	}
	if _, err := hash.NewCode(2, 2, 99); err == nil {
		t.Error("there is no such matrix")
	}
	h, _ := hash.New(4, nil)
	code, _ := hash.NewCode(2, 2, hash.Default)
	sum := make([]byte, 4)
	for name, got := range map[string]error{
		"Add":     h.Add(sum[:3], 0, sum),
		"Combine": h.Combine(sum, 0, sum[:2]),
		"Encode":  h.Encode(code, [][]byte{sum, sum, sum, sum[:3]}),
	} {
		if !errors.Is(got, hash.ErrSize) {
			t.Error(name, got)
		}
	}
	for name, call := range map[string]func([][]byte) error{
		"Encode": func(sums [][]byte) error { return h.Encode(code, sums) },
		"Check":  func(sums [][]byte) error { _, err := h.Check(code, sums); return err },
		"Locate": func(sums [][]byte) error { _, err := h.Locate(code, sums); return err },
	} {
		for _, sums := range [][][]byte{nil, {sum, sum, sum}, {sum, nil, sum, sum}} {
			if err := call(sums); !errors.Is(err, hash.ErrMissing) {
				t.Error(name, err)
			}
		}
	}
	if err := h.Add(sum, 0, nil); err != nil {
		t.Error(err)
	}
	ceph, _ := hash.NewCeph71721()
	if err := ceph.Combine(sum, 0, sum); err == nil {
		t.Error("a hash of Ceph's kind was combined")
	}
}

// Adding to a hash allocates nothing.
func TestHashAllocations(t *testing.T) {
	h, err := hash.New(8, nil)
	if err != nil {
		t.Fatal(err)
	}
	piece, sum := make([]byte, 100000), make([]byte, 8)
	if per := testing.AllocsPerRun(50, func() {
		if err := h.Add(sum, 64, piece); err != nil {
			t.Fatal(err)
		}
	}); per != 0 {
		t.Errorf("%v allocations", per)
	}
}

// The garbage collector frees kinds and codes. If it did not, they would take more than 500 MiB.
func TestHashesAreFreed(t *testing.T) {
	before := resident(t)
	for i := range 3000 {
		if _, err := hash.New(16, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := hash.NewCode(40, 40, hash.Default); err != nil {
			t.Fatal(err)
		}
		if i%100 == 0 {
			runtime.GC()
		}
	}
	if grown := resident(t) - before; grown > 200<<20 {
		t.Errorf("%d MiB have not been freed", grown>>20)
	}
}
