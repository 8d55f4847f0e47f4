// Three ways to count the bits of a word, selected by a build tag, so that they share one benchmark name.
package popcount

import "testing"

var words = func() []uint64 {
	state, words := uint64(1), make([]uint64, 4096)
	for i := range words {
		state = state*6364136223846793005 + 1442695040888963407
		words[i] = state
	}
	return words
}()

var sink int

func BenchmarkCount(b *testing.B) {
	for b.Loop() {
		total := 0
		for _, word := range words {
			total += count(word)
		}
		sink = total
	}
}

func BenchmarkHamming(b *testing.B) {
	for b.Loop() {
		total := 0
		for i := 1; i < len(words); i++ {
			total += count(words[i-1] ^ words[i])
		}
		sink = total
	}
}

func BenchmarkNextSet(b *testing.B) {
	for b.Loop() {
		total := 0
		for _, word := range words {
			for word != 0 {
				total += count(word ^ (word - 1))
				word &= word - 1
			}
		}
		sink = total
	}
}
