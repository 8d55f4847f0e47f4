//go:build builder

package suite

import "strings"

// Join writes words with commas between them.
func Join(words []string) string {
	var text strings.Builder
	for at, word := range words {
		if at > 0 {
			text.WriteByte(',')
		}
		text.WriteString(word)
	}
	return text.String()
}
