package spell

import (
	"slices"
	"strings"
)

// Names finds CamelCase names that people mix up. It does not compare every pair of names. Names
// with the same words, in any order, share a key; case, plurals and small words do not count. Names
// that differ in one word share a second key. Only words with the same second key are compared.
// These words begin with the same letter, because a typing mistake is rarely in the first letter.
type Names[T any] struct {
	same, mixed map[string]T
	near        map[string][]nearName[T]
}

type nearName[T any] struct {
	word string
	of   T
}

// Add adds a name, and returns the value that was added with a similar name before.
func (n *Names[T]) Add(name string, of T) (like T, found bool) {
	if n.same == nil {
		n.same, n.mixed, n.near = map[string]T{}, map[string]T{}, map[string][]nearName[T]{}
	}
	words := bareWords(name)
	keys := make([]string, len(words))
	for i, word := range words {
		keys[i] = plural(word)
	}
	joined, sorted := strings.Join(keys, ""), strings.Join(slices.Sorted(slices.Values(keys)), " ")
	if other, found := n.same[joined]; found {
		return other, true
	}
	if other, found := n.mixed[sorted]; found {
		return other, true
	}
	n.same[joined], n.mixed[sorted] = of, of
	for i, word := range words {
		if !canMisspell(word) {
			continue
		}
		key := strings.Join(slices.Concat(keys[:i], []string{"*" + word[:1]}, keys[i+1:]), " ")
		if !found {
			like, found = nearest(word, n.near[key])
		}
		n.near[key] = append(n.near[key], nearName[T]{word, of})
	}
	return like, found
}

func nearest[T any](word string, others []nearName[T]) (like T, found bool) {
	for _, other := range others {
		bound := slips(word, other.word)
		if apart := len(word) - len(other.word); apart > bound || -apart > bound {
			continue
		}
		if Distance(word, other.word) <= bound {
			return other.of, true
		}
	}
	return like, false
}

// slips returns the number of letters in which words of these lengths may differ. Short words that
// differ in one letter are different words.
func slips(a, b string) int {
	if min(len(a), len(b)) < 8 {
		return 1
	}
	return 2
}

// canMisspell reports whether a word can be misspelt: numbers and short words can't. A very long
// word is several words without capitals, and two other letters make another name of it:
// failedcreateport, failedcreatepool.
func canMisspell(word string) bool { return len(word) >= 5 && len(word) <= 14 && word[0] > '9' }

var smallWords = []string{"a", "an", "is", "of", "the", "to"}

// bareWords returns the words of a name in lower case, without the s of plurals and small words.
func bareWords(name string) []string {
	words := slices.DeleteFunc(Words(name), func(w string) bool { return slices.Contains(smallWords, w) })
	for i, word := range words {
		if len(word) > 3 && !strings.HasSuffix(word, "ss") {
			words[i] = strings.TrimSuffix(word, "s")
		}
	}
	return words
}

// plural returns what a word without the s of its plural has in common with its singular: policie
// of policy and policie(s), classe of class and classe(s). Of statuse(s) and status, which has lost
// an s too, this is statu.
func plural(word string) string {
	ends := func(with string) bool { return strings.HasSuffix(word, with) }
	switch {
	case ends("y"):
		return word[:len(word)-1] + "ie"
	case ends("ss"), ends("x"), ends("ch"), ends("sh"):
		return word + "e"
	case ends("se") && !ends("sse") && len(word) > 5:
		return word[:len(word)-2]
	}
	return word
}
