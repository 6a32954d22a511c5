package breaking

import (
	"fmt"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/model"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// identity is what alerts match on.
type identity struct{ controller, reason, action, kind string }

func identityOf(s *model.Definition) identity {
	return identity{s.Runtime.ReportingController, s.Runtime.Reason, s.Runtime.Action, s.Runtime.Type}
}

func identitiesOf(set *model.Set) map[identity]bool {
	all := map[identity]bool{}
	for _, p := range set.Packages {
		for _, e := range p.Events {
			for _, s := range definitionsOf(e) {
				all[identityOf(s)] = true
			}
		}
	}
	return all
}

// identities compares each wire identity with what became of it: the one of the same variant.
func (c *comparison) identities(e eventPair) {
	now := map[string]*model.Definition{}
	for _, s := range definitionsOf(e.is) {
		now[variantOf(s)] = s
	}
	for _, was := range definitionsOf(e.was) {
		is := now[variantOf(was)]
		if kept := sameIdentity(e, was); kept != nil {
			is = kept
		}
		switch {
		case is == nil && !c.wire[identityOf(was)] && e.was.Deprecated == nil:
			c.report(e.is.Source.Pos, "BW02", "variant %s of event %s was removed without having been deprecated; %s", variantOf(was), e.was.Name,
				matchers(was, nil))
		case is != nil:
			c.identity(e, was, is)
		}
	}
}

// sameIdentity is the variant that keeps the identity of an event that had none.
func sameIdentity(e eventPair, was *model.Definition) *model.Definition {
	if len(definitionsOf(e.was)) > 1 {
		return nil
	}
	for _, s := range definitionsOf(e.is) {
		if identityOf(s) == identityOf(was) {
			return s
		}
	}
	return nil
}

// other is no name of a variant, which is a word.
const other = "(other)"

func variantOf(s *model.Definition) string {
	if s.Variant == nil {
		return other
	}
	return s.Variant.Value
}

func (c *comparison) identity(e eventPair, was, is *model.Definition) {
	var changes []string
	for _, part := range []struct{ name, was, is string }{
		{"reason", was.Runtime.Reason, is.Runtime.Reason},
		{"action", was.Runtime.Action, is.Runtime.Action},
		{"type", was.Runtime.Type, is.Runtime.Type},
		{"controller", was.Runtime.ReportingController, is.Runtime.ReportingController},
	} {
		if part.was != part.is {
			changes = append(changes, fmt.Sprintf("%s %s is now %s", part.name, given(part.was), given(part.is)))
		}
	}
	if len(changes) > 0 {
		c.report(e.is.Source.Pos, "BW01", "event %s: %s; %s", e.is.Name, strings.Join(changes, ", "), matchers(was, is))
	}
	if literals(was) != literals(is) {
		c.report(e.is.Source.Pos, "BW06", "event %s: the words of the message were %q and are %q; %s", e.is.Name, was.Message, is.Message,
			matchers(was, is))
	}
}

// given is a value; a controller that the catalog leaves out is the host's.
func given(value string) string {
	if value == "" {
		return "(the host's)"
	}
	return value
}

// literals are the words of a message, whatever stands between them.
func literals(s *model.Definition) string {
	var parts []string
	for _, seg := range s.Runtime.Message {
		text := seg.Text
		if seg.Value != eventrt.NoValue {
			text += "\x00"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "")
}

// kinds reports kinds that events are no longer about or related to.
func (c *comparison) kinds(e eventPair) {
	was, is := kindsOf(e.was.Regarding.Objects), kindsOf(e.is.Regarding.Objects)
	for i, kind := range was {
		if !slices.Contains(is, kind) {
			c.report(e.is.Source.Pos, "BW03", "event %s is no longer about %s, but about %s; %s", e.is.Name, kind, strings.Join(is, ", "),
				matchers(e.was.Methods[min(i, len(e.was.Methods)-1)].Definitions[0], definitionsOf(e.is)[0]))
		}
	}
	if e.was.Related == nil {
		return
	}
	before, now := kindName(e.was.Related.Object), "nothing"
	if e.is.Related != nil {
		now = kindName(e.is.Related.Object)
	}
	if before != now {
		c.report(e.is.Source.Pos, "BW03", "event %s was related to %s and is to %s; %s", e.is.Name, before, now, eventMatchers(e))
	}
}

func kindsOf(objects []*model.Object) []string {
	var kinds []string
	for _, o := range objects {
		kinds = append(kinds, kindName(o))
	}
	return kinds
}

func kindName(o *model.Object) string {
	if o.Any {
		return "any kind"
	}
	return o.Kind.APIVersion + " " + o.Kind.Kind
}

// annotations reports keys that are gone.
func (c *comparison) annotations(e eventPair) {
	now := map[string]bool{}
	for _, a := range e.is.Source.Annotations {
		now[a.Key.Value] = true
	}
	for _, a := range e.was.Source.Annotations {
		if !now[a.Key.Value] {
			c.report(e.is.Source.Pos, "BW04", "event %s no longer has the annotation %s; %s", e.is.Name, a.Key.Value, eventMatchers(e))
		}
	}
}
