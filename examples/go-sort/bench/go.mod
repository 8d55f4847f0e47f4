module example.org/sort

go 1.24
