//go:build intrinsic

package popcount

import "math/bits"

func count(x uint64) int { return bits.OnesCount64(x) }
