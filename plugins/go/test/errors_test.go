// SPDX-License-Identifier: BSD-3-Clause

package test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	ours "permxor"
	theirs "permxor/original"
)

func TestNewRefuses(t *testing.T) {
	for _, test := range []struct {
		k, m    int
		options []ours.Option
		want    error
		text    string
	}{
		{0, 1, nil, ours.ErrInvShardNum, ""},
		{1, -1, nil, ours.ErrInvShardNum, ""},
		{0, 1, []ours.Option{ours.WithLeopardGF(true)}, ours.ErrInvShardNum, ""},
		{65536, 65536, nil, ours.ErrMaxShardNum, ""},
		{65636, 1, nil, ours.ErrMaxShardNum, ""},
		{256, math.MaxInt, nil, ours.ErrMaxShardNum, ""},
		{2, 2, []ours.Option{ours.WithCustomMatrix([][]byte{{1, 2}})}, nil, "at least parityShards rows"},
		{2, 1, []ours.Option{ours.WithCustomMatrix([][]byte{{1}})}, nil, "at least dataShards columns"},
	} {
		_, err := ours.New(test.k, test.m, test.options...)
		if err == nil || test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) {
			t.Errorf("New(%d, %d): %v", test.k, test.m, err)
		}
	}
}

func TestNewAccepts(t *testing.T) {
	for _, shape := range [][2]int{{1, 0}, {256, 0}, {255, 0}, {127, 128}, {128, 128}, {255, 1}, {1, 255}} {
		if _, err := ours.New(shape[0], shape[1], ours.WithLeopardGF(false), ours.WithAVX2(false),
			ours.WithInversionCache(false), ours.WithAutoGoroutines(1<<20), ours.WithMaxGoroutines(3)); err != nil {
			t.Errorf("New%v: %v", shape, err)
		}
	}
}

// The values of all errors must be the same, because either package may return them.
func TestErrorValues(t *testing.T) {
	for _, pair := range [][2]error{
		{ours.ErrInvShardNum, theirs.ErrInvShardNum},
		{ours.ErrMaxShardNum, theirs.ErrMaxShardNum},
		{ours.ErrInvShardCombo, theirs.ErrInvShardCombo},
		{ours.ErrNotSupported, theirs.ErrNotSupported},
		{ours.ErrTooFewShards, theirs.ErrTooFewShards},
		{ours.ErrShardNoData, theirs.ErrShardNoData},
		{ours.ErrShardSize, theirs.ErrShardSize},
		{ours.ErrInvalidShardSize, theirs.ErrInvalidShardSize},
		{ours.ErrInvalidInput, theirs.ErrInvalidInput},
		{ours.ErrShortData, theirs.ErrShortData},
		{ours.ErrReconstructRequired, theirs.ErrReconstructRequired},
		{ours.ErrReconstructMismatch, theirs.ErrReconstructMismatch},
	} {
		if pair[0] == nil || pair[0] != pair[1] {
			t.Errorf("%q, theirs %q", pair[0], pair[1])
		}
	}
}

// Wrong arguments must give the same error in both packages. An argument is written as the
// lengths of its shards, with -1 for nil.
func TestWrongArguments(t *testing.T) {
	const gone = -1
	full := []int{8, 8, 8, 8, 8}
	mine, other := kinds[0].pair(t, 3, 2)
	for _, sizes := range [][]int{
		full, nil, {}, {8, 8, 8, 8}, {8, 8, 8, 8, 8, 8},
		{0, 0, 0, 0, 0}, {gone, gone, gone, gone, gone},
		{8, 8, 7, 8, 8}, {8, 8, 8, 8, 9}, {9, 8, 8, 8, 8},
		{gone, 8, 8, 8, 8}, {8, 8, 8, 8, gone}, {0, 8, 8, 0, 8}, {8, 8, 8, gone, gone},
		{gone, gone, 8, 8, 8}, {gone, gone, 8, 8, 0}, {gone, gone, 8, 8, 7}, {gone, gone, gone, gone, 8},
	} {
		for name, call := range map[string]func(e theirs.Encoder, shards [][]byte) error{
			"Encode": func(e theirs.Encoder, s [][]byte) error { return e.Encode(s) },
			"Verify": func(e theirs.Encoder, s [][]byte) error {
				ok, err := e.Verify(s)
				return fmt.Errorf("%v %v", ok, err)
			},
			"Reconstruct":     func(e theirs.Encoder, s [][]byte) error { return e.Reconstruct(s) },
			"ReconstructData": func(e theirs.Encoder, s [][]byte) error { return e.ReconstructData(s) },
			"ReconstructSome": func(e theirs.Encoder, s [][]byte) error { return e.ReconstructSome(s, make([]bool, 3)) },
			"ReconstructSome, required": func(e theirs.Encoder, s [][]byte) error {
				return e.ReconstructSome(s, []bool{true, false, true, true, false})
			},
			"ReconstructSome, short": func(e theirs.Encoder, s [][]byte) error { return e.ReconstructSome(s, make([]bool, 4)) },
			"Update": func(e theirs.Encoder, s [][]byte) error {
				return e.Update(s, [][]byte{make([]byte, 8), nil, {}})
			},
			"Update, short":   func(e theirs.Encoder, s [][]byte) error { return e.Update(s, make([][]byte, 2)) },
			"Update, nothing": func(e theirs.Encoder, s [][]byte) error { return e.Update(s, make([][]byte, 3)) },
			"EncodeIdx":       func(e theirs.Encoder, s [][]byte) error { return e.EncodeIdx(make([]byte, 8), 1, tail(s)) },
			"EncodeIdx, nil":  func(e theirs.Encoder, s [][]byte) error { return e.EncodeIdx(nil, 1, tail(s)) },
			"EncodeIdx, -1":   func(e theirs.Encoder, s [][]byte) error { return e.EncodeIdx(make([]byte, 8), -1, tail(s)) },
			"EncodeIdx, 3":    func(e theirs.Encoder, s [][]byte) error { return e.EncodeIdx(make([]byte, 8), 3, tail(s)) },
			"Join":            func(e theirs.Encoder, s [][]byte) error { return e.Join(io.Discard, s, 20) },
		} {
			got, want := call(mine, sized(sizes)), call(other, sized(sizes))
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s of %v: %v, theirs %v", name, sizes, got, want)
			}
		}
	}
	for _, e := range []theirs.Encoder{mine, other} {
		if _, err := e.Split(nil); err == nil || err.Error() != ours.ErrShortData.Error() {
			t.Errorf("Split of nothing: %v", err)
		}
	}
}

func sized(sizes []int) [][]byte {
	shards := make([][]byte, len(sizes))
	for i, size := range sizes {
		if size >= 0 {
			shards[i] = make([]byte, size)
		}
	}
	return shards
}

func tail(shards [][]byte) [][]byte { return shards[min(3, len(shards)):] }

type failing struct{ err error }

func (f failing) Read([]byte) (int, error)  { return 0, f.err }
func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestStreamErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, atOnce := range []bool{false, true} {
		e, err := ours.NewStreamC(2, 1, atOnce, atOnce, ours.WithStreamBlockSize(16))
		if err != nil {
			t.Fatal(err)
		}
		long, short := strings.Repeat("x", 40), strings.Repeat("x", 39)
		read := func(texts ...string) []io.Reader {
			readers := make([]io.Reader, len(texts))
			for i, text := range texts {
				readers[i] = strings.NewReader(text)
			}
			return readers
		}
		var parity bytes.Buffer
		out := []io.Writer{&parity}
		if err := e.Encode(read(long, long), out); err != nil || parity.Len() != 40 {
			t.Errorf("Encode: %v, %d bytes", err, parity.Len())
		}
		if err := e.Encode(read(long, short), out); err != ours.ErrShardSize {
			t.Errorf("Encode, one is shorter: %v", err)
		}
		if err := e.Encode(read(long, long[:32]), out); err != ours.ErrShardSize {
			t.Errorf("Encode, one is shorter by a block: %v", err)
		}
		if err := e.Encode(read("", ""), out); err != ours.ErrShardNoData {
			t.Errorf("Encode of nothing: %v", err)
		}
		if err := e.Encode(read(long), out); err != ours.ErrTooFewShards {
			t.Errorf("Encode of one: %v", err)
		}
		var readError ours.StreamReadError
		err = e.Encode([]io.Reader{strings.NewReader(long), failing{broken}}, out)
		if !errors.As(err, &readError) || readError.Stream != 1 || readError.Err != broken {
			t.Errorf("Encode from a broken reader: %v", err)
		}
		var writeError ours.StreamWriteError
		err = e.Encode(read(long, long), []io.Writer{failing{broken}})
		if !errors.As(err, &writeError) || writeError.Stream != 0 || writeError.Err != broken {
			t.Errorf("Encode to a broken writer: %v", err)
		}
		err = e.Reconstruct(append(read(long, long), nil), []io.Writer{&parity, nil, nil})
		if err != ours.ErrReconstructMismatch {
			t.Errorf("Reconstruct what is there: %v", err)
		}
		err = e.Reconstruct(append(read(long), nil, nil), []io.Writer{nil, &parity, nil})
		if err != ours.ErrTooFewShards {
			t.Errorf("Reconstruct from one: %v", err)
		}
		err = e.Reconstruct(append(read(long, long[:16]), nil), []io.Writer{nil, nil, &parity})
		if err != ours.ErrShardSize {
			t.Errorf("Reconstruct, one is shorter: %v", err)
		}
		err = e.Split(strings.NewReader(long), []io.Writer{io.Discard, io.Discard}, 41)
		if err != ours.ErrShortData {
			t.Errorf("Split of too little: %v", err)
		}
		err = e.Split(strings.NewReader(long), []io.Writer{io.Discard, io.Discard}, math.MaxInt64)
		if err != ours.ErrShortData {
			t.Errorf("Split of too little, with the largest size: %v", err)
		}
		if err := e.Join(io.Discard, read(long, long), 81); err != ours.ErrShortData {
			t.Errorf("Join of too little: %v", err)
		}
		if ok, err := e.Verify(read(long, long, strings.Repeat("y", 40))); ok || err != nil {
			t.Errorf("Verify of wrong parity: %v %v", ok, err)
		}
	}
}

// A rebuild that fails leaves missing shards as they were, so that Join still refuses them.
func TestFailedReconstruct(t *testing.T) {
	e, err := ours.New(3, 2, ours.WithCustomMatrix([][]byte{{1, 1, 1}, {1, 1, 1}}))
	if err != nil {
		t.Fatal(err)
	}
	shards := ours.AllocAligned(5, 8)
	if err := e.Encode(shards); err != nil {
		t.Fatal(err)
	}
	shards[0], shards[1] = nil, shards[1][:0]
	if err := e.Reconstruct(shards); err == nil {
		t.Error("the matrix is singular")
	}
	if shards[0] != nil || shards[1] == nil || len(shards[1]) != 0 || cap(shards[1]) < 8 {
		t.Errorf("%v %v", shards[0], shards[1])
	}
	if err := e.Join(&bytes.Buffer{}, shards, 8); !errors.Is(err, ours.ErrReconstructRequired) {
		t.Error(err)
	}
}

// Too few streams are an error, also if nothing is to be filled.
func TestTooFewStreams(t *testing.T) {
	s, err := ours.NewStream(2, 1)
	if err != nil {
		t.Fatal(err)
	}
	valid := []io.Reader{strings.NewReader("12345678"), nil, nil}
	if err := s.Reconstruct(valid, make([]io.Writer, 3)); !errors.Is(err, ours.ErrTooFewShards) {
		t.Error(err)
	}
	valid[1] = strings.NewReader("12345678")
	if err := s.Join(io.Discard, valid, -1); !errors.Is(err, ours.ErrShortData) {
		t.Error(err)
	}
}
