// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo && go1.24

package reedsolomon

import "io"

func (e *encoder) Split(data []byte) ([][]byte, error) {
	total := e.TotalShards()
	if len(data) == 0 {
		return nil, ErrShortData
	}
	if total == 1 {
		return [][]byte{data}, nil
	}
	size := (len(data) + e.dataShards - 1) / e.dataShards
	room := data[:min(cap(data), total*size)]
	clear(room[len(data):])

	shards := make([][]byte, total)
	inPlace := min(len(room)/size, total)
	for i := range shards[:inPlace] {
		shards[i] = room[i*size : (i+1)*size : (i+1)*size]
	}
	if inPlace < total {
		copy(shards[inPlace:], AllocAligned(total-inPlace, size))
		// The rest of data is shorter than a shard.
		copy(shards[inPlace], data[min(inPlace*size, len(data)):])
	}
	return shards, nil
}

func (e *encoder) Join(dst io.Writer, shards [][]byte, outSize int) error {
	if len(shards) < e.dataShards {
		return ErrTooFewShards
	}
	if outSize < 0 {
		return ErrShortData
	}
	shards = shards[:e.dataShards]
	missing := outSize
	for i := 0; i < len(shards) && (i == 0 || missing > 0); i++ {
		if shards[i] == nil {
			return ErrReconstructRequired
		}
		missing -= len(shards[i])
	}
	if missing > 0 {
		return ErrShortData
	}
	for _, shard := range shards {
		if outSize < len(shard) {
			shard = shard[:outSize]
		}
		n, err := dst.Write(shard)
		outSize -= n
		if err != nil || outSize == 0 {
			return err
		}
	}
	return nil
}
