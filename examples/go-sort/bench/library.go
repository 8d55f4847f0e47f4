//go:build library

package sort

import "slices"

// Sort puts values in order as the standard library does.
func Sort(values []int) { slices.Sort(values) }
