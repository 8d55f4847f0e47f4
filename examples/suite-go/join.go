//go:build !builder

package suite

// Join writes words with commas between them.
func Join(words []string) string {
	text := ""
	for at, word := range words {
		if at > 0 {
			text += ","
		}
		text += word
	}
	return text
}
