module example.org/popcount

go 1.24
