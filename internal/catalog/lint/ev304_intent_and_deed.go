package lint

import (
	"strings"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

var intentAndDeed = &Rule{
	ID:       diag.IntentAndDeed,
	Name:     "intent-and-deed",
	Doc:      "If one event reports the start of something and another the end, the first doubles the writes without adding information.",
	Severity: diag.Warning,
	Across:   true,
	Run: func(p *Pass) {
		deeds := map[deed]catalog.Identity{}
		for c, id := range p.Identities() {
			for _, key := range deedsOf(id.Reason.Value, "ed") {
				deeds[deed{reporterOf(c, id), key}] = id
			}
		}
		for c, id := range p.Identities() {
			for _, key := range deedsOf(id.Reason.Value, "ing") {
				if done, found := deeds[deed{reporterOf(c, id), key}]; found && done.Type.Value == id.Type.Value {
					p.Reportf(c, id.Event, id.Pos, "%s reports the start of something, and %s at %s its end; the latter is enough",
						id.Reason.Value, done.Reason.Value, done.Pos)
					break
				}
			}
		}
	},
}

// deed is the work that begins or ends, as the words of a reason.
type deed struct {
	reporter reporter
	words    string
}

// shortestStem is the least length of a verb without its ending. With it, "Red" and "Ring" are not
// verbs.
const shortestStem = 3

// deedsOf returns the words of a reason once for each verb with the ending, with that verb cut to
// its stem. For "ing", "about to create" counts as "creating".
func deedsOf(reason, ending string) []string {
	words := spell.Words(reason)
	if ending == "ing" {
		words = plainIntent(words)
	}
	var keys []string
	for i, word := range words {
		stem, found := strings.CutSuffix(word, ending)
		if !found || len(stem) < shortestStem {
			continue
		}
		rest := append(append(append([]string{}, words[:i]...), "*"+strings.TrimSuffix(stem, "e")), words[i+1:]...)
		keys = append(keys, strings.Join(rest, " "))
	}
	return keys
}

// intents are the words by which a reason announces work.
var intents = [][]string{{"about", "to"}, {"going", "to"}, {"will"}, {"trying", "to"}, {"attempting", "to"}}

// plainIntent replaces "about to create" by "creating".
func plainIntent(words []string) []string {
	for _, intent := range intents {
		rest, found := cutWords(words, intent)
		if found {
			verb := strings.TrimSuffix(rest[0], "e") + "ing"
			return append([]string{verb}, rest[1:]...)
		}
	}
	return words
}

// cutWords removes start from the beginning of words, if other words follow.
func cutWords(words, start []string) ([]string, bool) {
	if len(words) <= len(start) || strings.Join(words[:len(start)], " ") != strings.Join(start, " ") {
		return words, false
	}
	return words[len(start):], true
}
