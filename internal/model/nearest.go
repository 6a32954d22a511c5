package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog/spell"
)

const mostListed = 12

// didYouMean ends a message about an unknown name: with the closest known one, or with the list of them.
func didYouMean(name string, known []string) string {
	if best := spell.Nearest(name, known); best != "" {
		return fmt.Sprintf("; did you mean %s?", best)
	}
	switch {
	case len(known) == 0:
		return ""
	case len(known) > mostListed:
		return fmt.Sprintf("; known are %s, …", strings.Join(known[:mostListed], ", "))
	}
	return fmt.Sprintf("; known are %s", strings.Join(known, ", "))
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
