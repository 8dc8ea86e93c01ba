module permxor/perf/peers/klauspost

go 1.18

require github.com/klauspost/reedsolomon v1.12.0

require (
	github.com/klauspost/cpuid/v2 v2.1.1 // indirect
	golang.org/x/sys v0.0.0-20220704084225-05e143d24a9e // indirect
)
