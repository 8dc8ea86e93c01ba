// SPDX-License-Identifier: BSD-3-Clause

//go:build race && cgo && go1.24

package hash

import (
	"runtime"
	"unsafe"
)

// raceRead and raceWrite tell the race detector what the C code will read and write, which the
// detector does not see.

func raceRead(bytes []byte) {
	if len(bytes) > 0 {
		runtime.RaceReadRange(unsafe.Pointer(&bytes[0]), len(bytes))
	}
}

func raceWrite(bytes []byte) {
	if len(bytes) > 0 {
		runtime.RaceWriteRange(unsafe.Pointer(&bytes[0]), len(bytes))
	}
}
