package report

import (
	"go/token"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// Summary counts the places of a program that record.
type Summary struct {
	// Sites are those that record: Direct and ThroughWrapper.
	Sites, Direct, ThroughWrapper, InWrapper int
	// Known counts the places whose reason is constant, or one of a closed set of constants.
	Known int
}

// Summarize counts the sites of a result.
func Summarize(r *scan.Result) Summary {
	s := Summary{Sites: r.Recording()}
	known := map[token.Position]bool{}
	for _, site := range r.Sites {
		before, seen := known[site.Pos]
		switch {
		case site.Scope == scan.InWrapper:
			s.InWrapper++
			continue
		case seen:
		case site.Scope == scan.ThroughWrapper:
			s.ThroughWrapper++
		default:
			s.Direct++
		}
		known[site.Pos] = site.Reason.Closed() && (before || !seen)
	}
	for _, k := range known {
		if k {
			s.Known++
		}
	}
	return s
}
