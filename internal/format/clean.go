package format

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes text fit for one line of any reader: what controls a terminal, breaks a line or turns the direction of
// writing becomes a replacement character.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return ' '
		}
		if r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
			return utf8.RuneError
		}
		return r
	}, text)
}
