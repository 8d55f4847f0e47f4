// Package suite has ten small computations; nine are compiled with it, and one is of the standard library.
package suite

import (
	"crypto/sha256"
	"testing"
)

var (
	numbers [512]int
	bytes   [4096]byte
	sink    int
)

func measure(b *testing.B, compute func() int) {
	for i := 0; i < b.N; i++ {
		sink += compute()
	}
}

func sum() int {
	total := 0
	for _, each := range numbers {
		total += each
	}
	return total
}

func most() int {
	found := numbers[0]
	for _, each := range numbers {
		if each > found {
			found = each
		}
	}
	return found
}

func count() int {
	total := 0
	for _, each := range bytes {
		if each == 'a' {
			total++
		}
	}
	return total
}

func hash() int {
	value := uint32(2166136261)
	for _, each := range bytes {
		value = (value ^ uint32(each)) * 16777619
	}
	return int(value)
}

func sieve() int {
	var composite [1024]bool
	total := 0
	for i := 2; i < len(composite); i++ {
		if composite[i] {
			continue
		}
		total++
		for j := i * i; j < len(composite); j += i {
			composite[j] = true
		}
	}
	return total
}

func product() int {
	var a, b, c [12][12]int
	for i := range a {
		for j := range b {
			for k := range c {
				c[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return c[3][4]
}

func fibonacci() int {
	a, b := 0, 1
	for i := 0; i < 80; i++ {
		a, b = b, a+b
	}
	return a
}

func divisor() int {
	a, b := 1_134_903_170, 701_408_733
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func reverse() int {
	for i, j := 0, len(numbers)-1; i < j; i, j = i+1, j-1 {
		numbers[i], numbers[j] = numbers[j], numbers[i]
	}
	return numbers[0]
}

func BenchmarkSum(b *testing.B)       { measure(b, sum) }
func BenchmarkMost(b *testing.B)      { measure(b, most) }
func BenchmarkCount(b *testing.B)     { measure(b, count) }
func BenchmarkHash(b *testing.B)      { measure(b, hash) }
func BenchmarkSieve(b *testing.B)     { measure(b, sieve) }
func BenchmarkProduct(b *testing.B)   { measure(b, product) }
func BenchmarkFibonacci(b *testing.B) { measure(b, fibonacci) }
func BenchmarkDivisor(b *testing.B)   { measure(b, divisor) }
func BenchmarkReverse(b *testing.B)   { measure(b, reverse) }

func BenchmarkSHA256(b *testing.B) {
	measure(b, func() int { sum := sha256.Sum256(bytes[:]); return int(sum[0]) })
}
