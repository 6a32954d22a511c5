package spell

import (
	"strings"
	"unicode"
)

// Words cuts a CamelCase name into words in lower case. Abbreviations and numbers are words; other characters part
// words.
func Words(name string) []string {
	var words []string
	runes := []rune(name)
	start := 0
	for i := range runes {
		if i+1 == len(runes) || endsWord(runes, i) {
			if word := strings.Trim(string(runes[start:i+1]), "-_. "); word != "" {
				words = append(words, strings.ToLower(word))
			}
			start = i + 1
		}
	}
	return words
}

// endsWord reports whether a word ends at a rune that has a successor.
func endsWord(runes []rune, i int) bool {
	this, next := runes[i], runes[i+1]
	switch {
	case unicode.IsDigit(this) != unicode.IsDigit(next):
		return true
	case !unicode.IsLetter(this) && !unicode.IsDigit(this):
		return true
	case unicode.IsLower(this) && unicode.IsUpper(next):
		return true
	}
	return unicode.IsUpper(this) && unicode.IsUpper(next) && i+2 < len(runes) && unicode.IsLower(runes[i+2])
}
