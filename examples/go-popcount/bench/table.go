//go:build table

package popcount

var bytes = func() (bytes [256]uint8) {
	for i := range bytes {
		bytes[i] = bytes[i/2] + uint8(i&1)
	}
	return
}()

func count(x uint64) int {
	total := 0
	for ; x != 0; x >>= 8 {
		total += int(bytes[uint8(x)])
	}
	return total
}
