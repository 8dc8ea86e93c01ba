// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.24

package reedsolomon

import (
	"errors"

	original "permxor/original"
)

// The errors are klauspost/reedsolomon's own values, because some encoders are its own, and
// programs compare the values and their texts.

// ErrInvShardNum: New was asked for no data shard, or for a negative number of parity shards.
var ErrInvShardNum = original.ErrInvShardNum

// ErrMaxShardNum: New was asked for too many shards.
var ErrMaxShardNum = original.ErrMaxShardNum

// ErrInvShardCombo: a Leopard code has no such combination of data and parity shards.
var ErrInvShardCombo = original.ErrInvShardCombo

// ErrNotSupported: the code does not have this operation. Leopard codes lack some.
var ErrNotSupported = original.ErrNotSupported

// ErrTooFewShards: the array of shards has the wrong length, or too few of them survive.
var ErrTooFewShards = original.ErrTooFewShards

// ErrShardNoData: there are no shards, or all of them are empty.
var ErrShardNoData = original.ErrShardNoData

// ErrShardSize: shards differ in length.
var ErrShardSize = original.ErrShardSize

// ErrInvalidShardSize: a shard of DecodeIdx has the wrong length, or the length of the shards of
// a Leopard code is not a multiple of 64.
var ErrInvalidShardSize = original.ErrInvalidShardSize

// ErrInvalidInput: an argument does not fit the others.
var ErrInvalidInput = original.ErrInvalidInput

// ErrShortData: Split was given no data, or Join was given shards that hold less than it must
// write.
var ErrShortData = original.ErrShortData

// ErrReconstructRequired: Join was given a data shard that is nil.
var ErrReconstructRequired = original.ErrReconstructRequired

// ErrReconstructMismatch: a shard has a stream to read and a stream to write.
var ErrReconstructMismatch = original.ErrReconstructMismatch

// errMismatch: parity and data of a stream disagree.
var errMismatch = errors.New("parity and data disagree")
