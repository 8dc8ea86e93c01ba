module permxor

go 1.24

replace permxor/original => github.com/klauspost/reedsolomon v1.14.2

require permxor/original v1.14.2

// The tests of permxor/original name klauspost/reedsolomon by its own path. go mod tidy would take
// its newest version for them, and refuses one version under two paths.
require github.com/klauspost/reedsolomon v1.14.1 // indirect

require (
	github.com/klauspost/cpuid/v2 v2.3.0 // indirect
	golang.org/x/sys v0.30.0 // indirect
)
