// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.24

package reedsolomon

import (
	"fmt"
	"io"
	"sync"
)

// StreamEncoder does the work of an Encoder on shards that it reads and writes block by block.
// The readers of all shards must yield the same number of bytes, or it returns ErrShardSize;
// they must yield at least one byte, or it returns ErrShardNoData. It returns the error of a
// reader or a writer as a StreamReadError or a StreamWriteError.
type StreamEncoder interface {
	// Encode reads the data shards and writes the parity shards.
	Encode(data []io.Reader, parity []io.Writer) error

	// Verify returns whether the parity shards belong to the data shards.
	Verify(shards []io.Reader) (bool, error)

	// Reconstruct reads the shards that have a reader in valid, and writes those that have
	// a writer in fill. It returns ErrReconstructMismatch if a shard has both.
	Reconstruct(valid []io.Reader, fill []io.Writer) error

	// Split divides `size` bytes of data among the data shards, of which the last ends with
	// zeros. It returns ErrShortData if data has fewer bytes.
	Split(data io.Reader, dst []io.Writer, size int64) (err error)

	// Join writes the first outSize bytes of the data shards, one after the other.
	Join(dst io.Writer, shards []io.Reader, outSize int64) error
}

// StreamReadError says why the reader of shard number Stream failed.
type StreamReadError struct {
	Err    error
	Stream int
}

func (s StreamReadError) Error() string {
	return fmt.Sprintf("error reading stream %d: %s", s.Stream, s.Err)
}

func (s StreamReadError) String() string { return s.Error() }

// Unwrap returns the reader's error.
func (s StreamReadError) Unwrap() error { return s.Err }

// StreamWriteError says why the writer of shard number Stream failed.
type StreamWriteError struct {
	Err    error
	Stream int
}

func (s StreamWriteError) Error() string {
	return fmt.Sprintf("error writing stream %d: %s", s.Stream, s.Err)
}

func (s StreamWriteError) String() string { return s.Error() }

// Unwrap returns the writer's error.
func (s StreamWriteError) Unwrap() error { return s.Err }

type streamEncoder struct {
	code         Encoder
	dataShards   int
	parityShards int
	blockSize    int
	blocks       sync.Pool // arrays of blocks, one for each shard
	readAtOnce   bool
	writeAtOnce  bool
}

// NewStream makes a stream encoder. The options are those of New, except that there are no streams
// of Leopard codes.
func NewStream(dataShards, parityShards int, o ...Option) (StreamEncoder, error) {
	const defaultBlockSize = 4 << 20
	if dataShards+parityShards > maxShards {
		return nil, ErrMaxShardNum
	}
	opts := collect(o)
	enc, err := New(dataShards, parityShards, o...)
	if err != nil {
		return nil, err
	}
	if opts.leopard && parityShards > 0 {
		return nil, ErrNotSupported
	}
	s := &streamEncoder{
		code:         enc,
		dataShards:   dataShards,
		parityShards: parityShards,
		readAtOnce:   opts.concurrentReads,
		writeAtOnce:  opts.concurrentWrites,
		blockSize:    defaultBlockSize,
	}
	if opts.streamBlockSize > 0 {
		s.blockSize = opts.streamBlockSize
	} else if opts.shardSize > 0 {
		s.blockSize = opts.shardSize
	}
	s.blocks.New = func() any {
		blocks := AllocAligned(s.total(), s.blockSize)
		return &blocks
	}
	return s, nil
}

// NewStreamC is NewStream with WithConcurrentStreamReads and WithConcurrentStreamWrites.
func NewStreamC(dataShards, parityShards int, conReads, conWrites bool, o ...Option) (StreamEncoder, error) {
	all := append(o[:len(o):len(o)], WithConcurrentStreamReads(conReads), WithConcurrentStreamWrites(conWrites))
	return NewStream(dataShards, parityShards, all...)
}

func (s *streamEncoder) total() int { return s.dataShards + s.parityShards }

// presentLength returns the length of the first shard that is there, or 0.
func presentLength(shards [][]byte) (length int) {
	for i := 0; i < len(shards) && length == 0; i++ {
		length = len(shards[i])
	}
	return length
}

// each calls do(i) for 0..count-1, at the same time or in order, and returns the first error.
func each(count int, atOnce bool, do func(i int) error) error {
	if !atOnce {
		for i := range count {
			if err := do(i); err != nil {
				return err
			}
		}
		return nil
	}
	var all sync.WaitGroup
	errs := make([]error, count)
	for i := range count {
		all.Add(1)
		go func() {
			defer all.Done()
			errs[i] = do(i)
		}()
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// read fills the blocks from their readers. A block without a reader becomes empty. At the
// end of all readers it returns io.EOF.
func (s *streamEncoder) read(blocks [][]byte, from []io.Reader) error {
	err := each(len(from), s.readAtOnce, func(i int) error {
		if from[i] == nil {
			blocks[i] = blocks[i][:0]
			return nil
		}
		n, err := io.ReadFull(from[i], blocks[i][:s.blockSize])
		blocks[i] = blocks[i][:n]
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return StreamReadError{Err: err, Stream: i}
		}
		return nil
	})
	if err != nil {
		return err
	}
	size := -1
	for i, block := range blocks[:len(from)] {
		if from[i] == nil {
			continue
		}
		if size >= 0 && len(block) != size {
			return ErrShardSize
		}
		size = len(block)
	}
	if size <= 0 {
		return io.EOF
	}
	return nil
}

// write writes the blocks to the writers that are not nil.
func (s *streamEncoder) write(to []io.Writer, blocks [][]byte) error {
	return each(len(to), s.writeAtOnce, func(i int) error {
		if to[i] == nil {
			return nil
		}
		n, err := to[i].Write(blocks[i])
		if err == nil && n != len(blocks[i]) {
			err = io.ErrShortWrite
		}
		if err != nil {
			return StreamWriteError{Err: err, Stream: i}
		}
		return nil
	})
}

// rounds reads blocks and calls do with them until the end of the streams.
func (s *streamEncoder) rounds(from []io.Reader, do func(blocks [][]byte) error) error {
	pooled := s.blocks.Get().(*[][]byte)
	defer s.blocks.Put(pooled)
	blocks := *pooled
	for round := 0; ; round++ {
		err := s.read(blocks, from)
		if err == io.EOF && round > 0 {
			return nil
		}
		if err == io.EOF {
			return ErrShardNoData
		}
		if err == nil {
			err = do(blocks)
		}
		if err != nil {
			return err
		}
	}
}

func (s *streamEncoder) Encode(data []io.Reader, parity []io.Writer) error {
	if len(data) != s.dataShards || len(parity) != s.parityShards {
		return ErrTooFewShards
	}
	return s.rounds(data, func(blocks [][]byte) error {
		out := blocks[s.dataShards:]
		for i := range out {
			out[i] = out[i][:presentLength(blocks)]
		}
		if err := s.code.Encode(blocks); err != nil {
			return err
		}
		return s.write(parity, out)
	})
}

func (s *streamEncoder) Verify(shards []io.Reader) (bool, error) {
	if len(shards) != s.total() {
		return false, ErrTooFewShards
	}
	err := s.rounds(shards, func(blocks [][]byte) error {
		ok, err := s.code.Verify(blocks)
		if err == nil && !ok {
			err = errMismatch
		}
		return err
	})
	if err == errMismatch {
		return false, nil
	}
	return err == nil, err
}

func (s *streamEncoder) Reconstruct(valid []io.Reader, fill []io.Writer) error {
	if len(valid) != s.total() || len(fill) != s.total() {
		return ErrTooFewShards
	}
	required := make([]bool, len(fill))
	present, lacksData := 0, false
	for i := range fill {
		if valid[i] != nil && fill[i] != nil {
			return ErrReconstructMismatch
		}
		required[i] = fill[i] != nil
		if valid[i] != nil {
			present++
		} else if i < s.dataShards {
			lacksData = true
		}
	}
	return s.rounds(valid, func(blocks [][]byte) error {
		if lacksData && present < s.dataShards {
			return ErrTooFewShards // also if nothing is to be filled
		}
		if err := s.code.ReconstructSome(blocks, required); err != nil {
			return err
		}
		return s.write(fill, blocks)
	})
}

func (s *streamEncoder) Split(data io.Reader, dst []io.Writer, size int64) error {
	if size <= 0 {
		return ErrShortData
	}
	if len(dst) != s.dataShards {
		return ErrInvShardNum
	}
	for i := range dst {
		if dst[i] == nil {
			return StreamWriteError{Err: ErrShardNoData, Stream: i}
		}
	}
	shards := int64(s.dataShards)
	perShard, padding := size/shards, int64(0)
	if rest := size % shards; rest > 0 {
		perShard, padding = perShard+1, shards-rest
	}
	padded := io.MultiReader(data, io.LimitReader(zeros{}, padding))
	for i := range dst {
		_, err := io.CopyN(dst[i], padded, perShard)
		if err == io.EOF {
			return ErrShortData
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *streamEncoder) Join(dst io.Writer, shards []io.Reader, outSize int64) error {
	if len(shards) < s.dataShards {
		return ErrTooFewShards
	}
	shards = shards[:s.dataShards]
	for i := range shards {
		if shards[i] == nil {
			return StreamReadError{Err: ErrShardNoData, Stream: i}
		}
	}
	if outSize < 0 {
		return ErrShortData
	}
	_, err := io.CopyN(dst, io.MultiReader(shards...), outSize)
	if err == io.EOF {
		return ErrShortData
	}
	return err
}

// zeros is an endless stream of zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
