package breaking

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// identity holds the fields that alerts match.
type identity struct{ controller, reason, action, eventType string }

func identityOf(s *model.Definition) identity {
	return identity{s.Runtime.ReportingController, s.Runtime.Reason, s.Runtime.Action, s.Runtime.Type}
}

// hasIdentity reports whether the newer side has a definition of the same identity.
func (c *comparison) hasIdentity(s *model.Definition) bool {
	return slices.ContainsFunc(c.groups[groupOf(s)], func(m member) bool { return identityOf(m.definition) == identityOf(s) })
}

// specPair is the definition that a call records, before and now. value is the argument that selects it; empty if no argument does, or for
// any other value.
type specPair struct {
	was, is *model.Definition
	value   string
}

// found is found for the two forms.
func (p specPair) found(b broken) broken {
	return b.found([]*model.Definition{p.was}, []*model.Definition{p.is})
}

// stored returns the differences between the events that the same calls store.
func (c *comparison) stored(l link) []broken {
	var breaks []broken
	for _, p := range l.pairs() {
		breaks = append(breaks, c.identity(l, p)...)
	}
	return slices.Concat(breaks, c.variants(l), l.texts(), l.annotations(), l.container(), l.note(), l.key())
}

// pairs returns the definitions that the same calls record, each pair once.
func (l link) pairs() []specPair {
	var pairs []specPair
	add := func(was, is *model.Definition, value string) {
		if !slices.ContainsFunc(pairs, func(p specPair) bool { return p.was == was && p.is == is }) {
			pairs = append(pairs, specPair{was, is, value})
		}
	}
	if !l.same || l.renamed() {
		l.likeVariants(add)
		return pairs
	}
	was, is := l.was.Select, l.is.Select
	switch i := slices.Index(l.was.Params, was); {
	case was != nil && is != nil && l.is.Params[l.to[i]] != is:
		for _, a := range l.selecting(was, i) {
			for _, b := range l.selecting(is, slices.Index(l.to, slices.Index(l.is.Params, is))) {
				add(pick(l.was, a.was), pick(l.is, b.is), a.was)
			}
		}
	case was != nil:
		for _, v := range l.selecting(was, i) {
			add(pick(l.was, v.was), pick(l.is, v.is), v.was)
		}
	case is != nil:
		for _, v := range l.selecting(is, slices.Index(l.to, slices.Index(l.is.Params, is))) {
			add(pick(l.was, v.was), pick(l.is, v.is), v.was)
		}
	default:
		add(definitionsOf(l.was)[0], definitionsOf(l.is)[0], "")
	}
	return pairs
}

// choice is the text of one argument, before and now. The two differ if a constant changed its value.
type choice struct{ was, is string }

// none is a value that no variant has.
const none = "\x00"

// selecting returns the arguments for a param that selects a definition: the constants that both sides have, or else the values of variants;
// and an argument that is none of these. i is the param's index before; -1 for a new field, which callers do not set.
func (l link) selecting(p *model.Param, i int) []choice {
	if i < 0 {
		return []choice{{"", ""}}
	}
	values := []choice{{none, none}}
	was, is := l.was.Params[i].Enum, l.is.Params[l.to[i]].Enum
	if was != nil && is != nil {
		for _, v := range was.Values {
			if j := slices.IndexFunc(is.Values, func(o model.Constant) bool { return o.Name == v.Name }); j >= 0 {
				values = append(values, choice{v.Value, is.Values[j].Value})
			}
		}
		return values
	}
	for _, e := range []*model.Event{l.was, l.is} {
		for _, s := range definitionsOf(e) {
			if s.Variant != nil {
				values = append(values, choice{s.Variant.Value, s.Variant.Value})
			}
		}
	}
	return values
}

// pick returns the definition that a value selects.
func pick(e *model.Event, value string) *model.Definition {
	specs := definitionsOf(e)
	selected := find(specs, func(s *model.Definition) bool { return s.Variant != nil && s.Variant.Value == value })
	return cmp.Or(selected, specs[len(specs)-1])
}

// likeVariants pairs variants by name, for events whose callers must change anyway.
func (l link) likeVariants(add func(was, is *model.Definition, value string)) {
	for _, was := range definitionsOf(l.was) {
		if kept := sameIdentity(l.eventPair, was); kept != nil {
			add(was, kept, "")
			continue
		}
		for _, is := range definitionsOf(l.is) {
			if variantOf(is) == variantOf(was) {
				add(was, is, variantOf(was))
			}
		}
	}
}

// sameIdentity returns the variant that keeps the identity of an event that had no variants.
func sameIdentity(e eventPair, was *model.Definition) *model.Definition {
	if len(definitionsOf(e.was)) > 1 {
		return nil
	}
	return find(definitionsOf(e.is), func(s *model.Definition) bool { return identityOf(s) == identityOf(was) })
}

func variantOf(s *model.Definition) string {
	if s == nil || s.Variant == nil {
		return ""
	}
	return s.Variant.Value
}

// variants reports variants that no call reaches now and whose identity no other definition has.
func (c *comparison) variants(l link) []broken {
	if l.was.Deprecated != nil {
		return nil
	}
	reached := l.pairs()
	var breaks []broken
	for _, was := range definitionsOf(l.was) {
		if was.Variant == nil || slices.ContainsFunc(reached, func(p specPair) bool { return p.was == was }) {
			continue
		}
		pos, cause := l.is.Source.Pos, ""
		if p := l.was.Select; p.Enum != nil {
			cause = valueCause(p.Enum, was.Variant.Value)
			if is := enumNamed(l.now, p.Enum.Type); is != nil {
				pos = is.Pos
			}
		}
		breaks = append(breaks, l.constants(was, pos, cause)...)
		if c.hasIdentity(was) {
			continue
		}
		b := l.breaks("BW02", pos, fmt.Sprintf("variant %s was removed", was.Variant.Value))
		breaks = append(breaks, b.by(cause, was.Variant.Value, "").found([]*model.Definition{was}, nil))
	}
	return breaks
}

// identity compares the fields that alerts match.
func (c *comparison) identity(l link, p specPair) []broken {
	old, now := idOf(l.old, l.was, p.was), idOf(l.now, l.is, p.is)
	var breaks []broken
	for _, part := range []struct {
		name                           string
		was, is, defaultWas, defaultIs catalog.Scalar
	}{
		{name: "reason", was: old.Reason, is: now.Reason},
		{name: "action", was: old.Action, is: now.Action},
		{"type", old.Type, now.Type, l.old.Catalog.Defaults.Type, l.now.Catalog.Defaults.Type},
		{"controller", old.Controller, now.Controller, l.old.Catalog.ReportingController, l.now.Catalog.ReportingController},
	} {
		if part.was.Value == part.is.Value {
			continue
		}
		pos := cmp.Or(part.is.Pos, now.Pos)
		if part.name == "action" && !part.is.Set() {
			pos = cmp.Or(now.Reason.Pos, now.Pos)
		}
		switch {
		case !part.is.Set() && part.was.Set() && part.was.Pos == part.defaultWas.Pos:
			pos = l.now.Catalog.Go.Package.Pos // the default was taken out, which no line of its own shows
		case part.defaultIs.Set() && part.is.Pos == part.defaultIs.Pos && part.defaultWas.Value == part.defaultIs.Value:
			pos = now.Pos
		}
		what := fmt.Sprintf("%s %s is now %s", part.name, given(part.was.Value), given(part.is.Value))
		if p.value != "" && p.value != none && variantOf(p.was) != variantOf(p.is) {
			what = fmt.Sprintf("for %s, %s", p.value, what)
		}
		b := p.found(l.breaks("BW01", pos, what).by("identity", given(part.was.Value), given(part.is.Value)))
		if l.renamed() {
			b.pos, b.cause = namePos(l.is), renaming
		}
		breaks = append(breaks, b)
		if part.name == "reason" {
			breaks = append(breaks, l.constants(p.was, b.pos, b.cause)...)
		}
	}
	return breaks
}

// idOf returns the identity of a definition as the catalog writes it, with positions.
func idOf(p *model.Package, e *model.Event, s *model.Definition) catalog.Identity {
	ids := p.Catalog.Identities(e.Source)
	for i, other := range definitionsOf(e) {
		if other == s {
			return ids[i]
		}
	}
	return catalog.Identity{Pos: e.Source.Pos}
}

// given shows a value. The host names a controller that the catalog leaves out.
func given(value string) string { return cmp.Or(value, "(the host's)") }

// messagePos returns the position of a spec's message on the newer side.
func (l link) messagePos(s *model.Definition) diag.Pos {
	id := idOf(l.now, l.is, s)
	if id.Message == nil {
		return id.Pos
	}
	return cmp.Or(id.Message.Pos, id.Pos)
}
