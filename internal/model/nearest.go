package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog/spell"
)

// mostListed is how many known names a message lists; more are of no help.
const mostListed = 20

// didYouMean ends a message about an unknown name: with the closest known one, or with the list of them.
func didYouMean(name string, known []string) string {
	if meant := spell.DidYouMean(name, known); meant != "" || len(known) == 0 || len(known) > mostListed {
		return meant
	}
	return fmt.Sprintf("; known are %s", strings.Join(known, ", "))
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
