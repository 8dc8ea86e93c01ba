module permxor/test

go 1.24

replace permxor => ../

replace permxor/original => github.com/klauspost/reedsolomon v1.14.2

require (
	golang.org/x/mod v0.25.0
	permxor v0.0.0-00010101000000-000000000000
	permxor/original v1.14.2
)

require (
	github.com/klauspost/cpuid/v2 v2.3.0 // indirect
	golang.org/x/sys v0.30.0 // indirect
)
