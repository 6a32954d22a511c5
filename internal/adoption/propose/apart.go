package propose

import (
	"slices"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// apart leaves out events whose reason has the same Go name as another reason, such as ready and
// Ready: the generated package declares a constant for each. The reason with more sites stays.
func (c *Catalog) apart() {
	sites := map[string]int{}
	for _, e := range c.Events {
		for _, r := range e.reasons() {
			sites[r] += len(e.Sites)
		}
	}
	stays := map[string]string{}
	for r, n := range sites {
		name := identifier(r)
		if s, found := stays[name]; !found || n > sites[s] || n == sites[s] && r < s {
			stays[name] = r
		}
	}
	c.Events = slices.DeleteFunc(c.Events, func(e *Event) bool {
		for _, r := range e.reasons() {
			if other := stays[identifier(r)]; other != r {
				c.leftAll(e.Sites, "reason: %q has the same Go name as %q, which the catalog has; use one of them", r, other)
				return true
			}
		}
		return false
	})
}

// reasons returns the reasons that an event can have.
func (e *Event) reasons() []string {
	if e.Select == "" {
		return []string{e.Reason}
	}
	var out []string
	for _, v := range e.Variants {
		out = union(out, v.reason)
	}
	return out
}

// union adds the texts that a list does not have yet.
func union(list []string, more ...string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

func (c *Catalog) leftAll(sites []*scan.Site, format string, args ...any) {
	for _, s := range sites {
		c.left(s, format, args...)
	}
}
