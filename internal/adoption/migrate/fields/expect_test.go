package fields

import "slices"

// group is a set of places that must have one type.
type group struct {
	places []*place
	stays  bool
	quiet  bool // nothing records on it
	cats   []string
}

// expect is the names of the places that move, and of those that people are told of because they stay. It knows the program only from its
// model, and computes by rounds: all groups move until a rule says that one can't.
func expect(places []*place) (moved, left []string) {
	groups := map[int]*group{}
	of := map[*place]*group{}
	var order []*group
	for _, p := range places {
		g := groups[p.group]
		if g == nil {
			g = &group{}
			groups[p.group] = g
			order = append(order, g)
		}
		g.places = append(g.places, p)
		of[p] = g
	}
	moves := func(p *place) bool { return !of[p].stays && !of[p].quiet }
	for again := true; again; {
		again = false
		recordedCatalogs(order, of)
		for _, g := range order {
			if g.stays || g.quiet {
				continue
			}
			g.stays = mustStay(g, of, moves)
			g.quiet = !g.stays && len(g.cats) == 0
			again = again || g.stays || g.quiet
		}
	}
	for _, p := range places {
		told := len(p.catalogs) > 0 || slices.ContainsFunc(p.to, moves)
		switch {
		case moves(p):
			moved = append(moved, p.name)
		case of[p].stays && told:
			left = append(left, p.name)
		}
	}
	slices.Sort(moved)
	slices.Sort(left)
	return moved, left
}

// recordedCatalogs finds the catalogs of each group: those whose events are recorded on it, or on what it is handed to. A group that nothing
// records on has those of the groups that are handed to it.
func recordedCatalogs(order []*group, of map[*place]*group) {
	for _, g := range order {
		g.cats = nil
	}
	for range order {
		for _, g := range order {
			for _, p := range g.places {
				for _, c := range p.catalogs {
					g.add(c)
				}
				for _, to := range p.to {
					if t := of[to]; t != g && !t.stays && !t.quiet {
						for _, c := range t.cats {
							g.add(c)
						}
					}
				}
			}
		}
	}
	for range order {
		for _, g := range order {
			for _, p := range g.places {
				for _, in := range p.in {
					if in.from == nil || len(g.cats) > 0 {
						continue
					}
					if f := of[in.from]; f != g && !f.stays && !f.quiet {
						g.cats = slices.Clone(f.cats)
					}
				}
			}
		}
	}
}

func (g *group) add(catalog string) {
	if !slices.Contains(g.cats, catalog) {
		g.cats = append(g.cats, catalog)
	}
}

// mustStay reports whether a rule of docs/migrate.md holds a group.
func mustStay(g *group, of map[*place]*group, moves func(*place) bool) bool {
	if len(g.cats) > 1 {
		return true
	}
	for _, p := range g.places {
		if p.bad != "" {
			return true
		}
		for _, to := range p.to {
			if of[to] != g && !moves(to) {
				return true
			}
		}
		for _, in := range p.in {
			if in.from == nil || moves(in.from) {
				continue
			}
			if in.what == "tuple" || comparedWithNil(g, of, moves, map[*group]bool{}) && !fakesOnly(in.from) {
				return true
			}
		}
	}
	return false
}

// comparedWithNil reports whether a group, or what it is handed to, is compared with nil.
func comparedWithNil(g *group, of map[*place]*group, moves func(*place) bool, seen map[*group]bool) bool {
	if seen[g] {
		return false
	}
	seen[g] = true
	for _, p := range g.places {
		if p.nil {
			return true
		}
		for _, to := range p.to {
			if moves(to) && comparedWithNil(of[to], of, moves, seen) {
				return true
			}
		}
	}
	return false
}

// fakesOnly reports whether a place is a variable in which only fakes are stored.
func fakesOnly(p *place) bool {
	return p.kind == "variable" && len(p.in) > 0 && !slices.ContainsFunc(p.in, func(in stored) bool {
		return in.what != "fake" && (in.from == nil || !fakesOnly(in.from))
	})
}
