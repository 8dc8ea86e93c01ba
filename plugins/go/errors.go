// SPDX-License-Identifier: BSD-3-Clause

package reedsolomon

import "errors"

// The texts are those of the package that this one replaces, because programs compare them.

// ErrInvShardNum: New was asked for no data shard, or for a negative number of parity shards.
var ErrInvShardNum = errors.New("cannot create Encoder with less than one data shard or less than zero parity shards")

// ErrMaxShardNum: New was asked for too many shards.
var ErrMaxShardNum = errors.New("cannot create Encoder with more than 256 data+parity shards")

// ErrInvShardCombo is never returned: it belongs to Leopard codes.
var ErrInvShardCombo = errors.New("data and parity shard combination not supported by leopard encoder")

// ErrNotSupported: this package does not implement the request.
var ErrNotSupported = errors.New("operation not supported")

// ErrTooFewShards: the array of shards has the wrong length, or too few of them survive.
var ErrTooFewShards = errors.New("too few shards given")

// ErrShardNoData: there are no shards, or all of them are empty.
var ErrShardNoData = errors.New("no shard data")

// ErrShardSize: shards differ in length.
var ErrShardSize = errors.New("shard sizes do not match")

// ErrInvalidShardSize: a shard of DecodeIdx has the wrong length.
var ErrInvalidShardSize = errors.New("invalid shard size")

// ErrInvalidInput: an argument does not fit the others.
var ErrInvalidInput = errors.New("invalid input")

// ErrShortData: Split was given no data, or Join was given shards that hold less than it must
// write.
var ErrShortData = errors.New("not enough data to fill the number of requested shards")

// ErrReconstructRequired: Join was given a data shard that is nil.
var ErrReconstructRequired = errors.New("reconstruction required as one or more required data shards are nil")

// ErrReconstructMismatch: a shard has a stream to read and a stream to write.
var ErrReconstructMismatch = errors.New("valid shards and fill shards are mutually exclusive")

// errMismatch: parity and data of a stream disagree.
var errMismatch = errors.New("parity and data disagree")

// errSingular: the surviving shards do not determine the lost ones. This happens only with
// PAR1 and custom matrices.
var errSingular = errors.New("matrix is singular")
