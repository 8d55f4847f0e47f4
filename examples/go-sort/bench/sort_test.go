package sort

import (
	"fmt"
	"math/rand"
	"testing"
)

func BenchmarkSort(b *testing.B) {
	for _, n := range []int{4, 16, 64, 256, 1024, 4096} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			chance := rand.New(rand.NewSource(1))
			first := chance.Perm(n)
			values := make([]int, n)
			for i := 0; i < b.N; i++ {
				copy(values, first)
				Sort(values)
			}
		})
	}
}
