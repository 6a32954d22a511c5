// Package spell finds words that differ by a typing mistake.
package spell

import (
	"strings"
	"unicode"
)

// Nearest returns the known word that is nearest to word: equal except for case, or at most two
// edits away (one for words of up to five letters). It is empty if there is none. Of several
// equally near words it returns the first.
func Nearest(word string, known []string) string {
	best, bound := "", limit(word)
	for _, k := range known {
		if d := Distance(strings.ToLower(word), strings.ToLower(k)); d <= bound {
			best, bound = k, d-1
		}
	}
	return best
}

// Alike reports whether people mix up two names: they differ by a typing mistake, as for Nearest,
// or by case, plural or word order, as for Names.
func Alike(a, b string) bool {
	var names Names[bool]
	names.Add(a, true)
	_, alike := names.Add(b, true)
	return alike || Nearest(a, []string{b}) != ""
}

// DidYouMean returns the end of a message about an unknown word. It proposes the nearest known
// word, and is empty if there is none.
func DidYouMean(word string, known []string) string {
	if meant := Nearest(word, known); meant != "" {
		return "; did you mean " + meant + "?"
	}
	return ""
}

// mostListed bounds the known words that a message lists.
const mostListed = 20

// Suggest returns the end of a message about an unknown word, as DidYouMean does. If no word is
// near, it lists the known words, unless there are many.
func Suggest(word string, known []string) string {
	if meant := DidYouMean(word, known); meant != "" || len(known) == 0 || len(known) > mostListed {
		return meant
	}
	return "; known are " + strings.Join(known, ", ")
}

func limit(word string) int {
	if len(word) <= 5 {
		return 1
	}
	return 2
}

// Alternatives lists words as "a, b or c".
func Alternatives(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Distance returns the number of edits that turn a into b: inserting, deleting or replacing a byte,
// or swapping two neighbours (optimal string alignment).
func Distance(a, b string) int {
	before, previous, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			row[j] = min(previous[j]+1, row[j-1]+1, previous[j-1]+cost(a[i-1], b[j-1]))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, previous, row = previous, row, before
	}
	return previous[len(b)]
}

func cost(a, b byte) int {
	if a == b {
		return 0
	}
	return 1
}

// Words splits a CamelCase name into words in lower case. Abbreviations and numbers are words.
// Other characters separate words.
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

// endsWord reports whether a word ends at the rune i, which must not be the last one.
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
