// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo && go1.24

package reedsolomon

import (
	"runtime"
	"sync/atomic"
)

// How many goroutines may be in C at the same time.
//
// A goroutine that has been in C for 20 us loses its processor to another goroutine, and the
// thread that it keeps is replaced by a new one. So without a limit, many goroutines that code take
// many threads of the system: 2500 goroutines took 45 with GOMAXPROCS=4 (on two cores), and take 10
// with the limit. More of them in C than there are processors gain nothing.

// worthLimiting is the least work of a call that counts, in bytes of all shards together. A call
// with less ends before Go takes its processor, and would pay more for the count.
const worthLimiting = 64 << 10

// inC has a place for each goroutine that may be in C.
var inC atomic.Pointer[chan struct{}]

func init() { limitC() }

// limitC makes as many places as GOMAXPROCS says now. A call that is in C at that time keeps its old
// place, and gives that one back when it ends.
func limitC() {
	now := runtime.GOMAXPROCS(0)
	if places := inC.Load(); places == nil || cap(*places) != now {
		places := make(chan struct{}, now)
		inC.Store(&places)
	}
}

// enterC waits for a place, takes it, and returns the places among which it is.
func enterC() chan struct{} {
	places := *inC.Load()
	select {
	case places <- struct{}{}:
		return places
	default:
	}
	limitC() // GOMAXPROCS may have grown
	places = *inC.Load()
	places <- struct{}{}
	return places
}

// leaveC gives a place back.
func leaveC(places chan struct{}) { <-places }
