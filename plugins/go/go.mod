module permxor

go 1.24
