package suite

import (
	"crypto/sha256"
	"encoding/json"
	"hash/crc32"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
)

var (
	words   = strings.Fields(strings.Repeat("the quick brown fox jumps over the lazy dog ", 12))
	text    = strings.Join(words, " ")
	pattern = regexp.MustCompile(`(qu|br)[a-z]+`)
	sink    int
)

func BenchmarkJoin(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += len(Join(words))
	}
}

func BenchmarkJoinFew(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += len(Join(words[:4]))
	}
}

func BenchmarkFields(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += len(strings.Fields(text))
	}
}

func BenchmarkSort(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sorted := append([]string(nil), words...)
		sort.Strings(sorted)
		sink += len(sorted)
	}
}

func BenchmarkMap(b *testing.B) {
	for i := 0; i < b.N; i++ {
		counts := map[string]int{}
		for _, word := range words {
			counts[word]++
		}
		sink += len(counts)
	}
}

func BenchmarkJSON(b *testing.B) {
	for i := 0; i < b.N; i++ {
		written, _ := json.Marshal(words)
		sink += len(written)
	}
}

func BenchmarkRegexp(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += len(pattern.FindAllString(text, -1))
	}
}

func BenchmarkSHA256(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sum := sha256.Sum256([]byte(text))
		sink += int(sum[0])
	}
}

func BenchmarkCRC32(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += int(crc32.ChecksumIEEE([]byte(text)))
	}
}

func BenchmarkAtoi(b *testing.B) {
	for i := 0; i < b.N; i++ {
		number, _ := strconv.Atoi("1234567")
		sink += number
	}
}
