package lint

import (
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/spell"
	"github.com/event-gen/event-gen/internal/diag"
)

var similarReasons = &Rule{
	ID:       "EV106",
	Name:     "similar-reasons",
	Doc:      "Two reasons that differ by case, plural, the order of their words or a letter or two are taken for each other, and alerts match one of them.",
	Severity: diag.Warning,
	Across:   true,
	Run: func(p *Pass) {
		s := similarity{same: map[string]use{}, mixed: map[string]use{}, near: map[string][]use{}}
		seen := map[string]bool{}
		for c, id := range p.readableIdentities() {
			if reason := id.Reason; reason.Set() && !seen[reason.Value] {
				seen[reason.Value] = true
				s.add(p, use{c, id.Event, reason, ""})
			}
		}
	},
}

// use is a reason, and the word of it that is being compared.
type use struct {
	catalog *catalog.Catalog
	event   *catalog.Event
	reason  catalog.Scalar
	word    string
}

// similarity finds reasons that are alike without comparing each with each: reasons that are the same once case, plural
// and small words are gone share a key, in whatever order their words are, and so do reasons that are the same but for one
// word. Only words behind the
// latter key are compared. They begin with the same letter, because a slip rarely is in the first one.
type similarity struct {
	same, mixed map[string]use
	near        map[string][]use
}

func (s *similarity) add(p *Pass, u use) {
	words := bareWords(u.reason.Value)
	joined, sorted := strings.Join(words, ""), strings.Join(slices.Sorted(slices.Values(words)), " ")
	for _, other := range []use{s.same[joined], s.mixed[sorted]} {
		if other.event != nil {
			p.reportSimilar(u, other)
			return
		}
	}
	s.same[joined], s.mixed[sorted] = u, u
	var similar *use
	for i, word := range words {
		if !canMisspell(word) {
			continue
		}
		key := strings.Join(slices.Concat(words[:i], []string{"*" + word[:1]}, words[i+1:]), " ")
		u.word = word
		if similar == nil {
			similar = nearest(u, s.near[key])
		}
		s.near[key] = append(s.near[key], u)
	}
	if similar != nil {
		p.reportSimilar(u, *similar)
	}
}

func (p *Pass) reportSimilar(u, other use) {
	p.Reportf(u.catalog, u.event, u.reason.Pos, "reason %s is easily taken for %s at %s; use one of them, or names further apart",
		u.reason.Value, other.reason.Value, other.reason.Pos)
}

func nearest(u use, others []use) *use {
	for i, other := range others {
		bound := slips(u.word, other.word)
		if apart := len(u.word) - len(other.word); apart > bound || -apart > bound { // mutate: it only saves time
			continue
		}
		if spell.Distance(u.word, other.word) <= bound {
			return &others[i]
		}
	}
	return nil
}

// slips is how many letters may differ in words of that length; short words are different words at one letter.
func slips(a, b string) int {
	if min(len(a), len(b)) < 8 {
		return 1
	}
	return 2
}

// canMisspell reports whether a word is long enough to be misspelt; numbers are not.
func canMisspell(word string) bool { return len(word) >= 5 && word[0] > '9' }

var smallWords = []string{"a", "an", "is", "of", "the", "to"}

// bareWords are the words of a name in lower case, without plurals and small words.
func bareWords(name string) []string {
	words := slices.DeleteFunc(splitWords(name), func(w string) bool { return slices.Contains(smallWords, w) })
	for i, word := range words {
		if len(word) > 3 && !strings.HasSuffix(word, "ss") {
			words[i] = strings.TrimSuffix(word, "s")
		}
	}
	return words
}
