package proof

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// method picks the entry's method for the site's object: the method of the object's type, or the
// one that takes every object.
func (p *prover) method() bool {
	for _, m := range p.event.Methods {
		switch {
		case m.Regarding == nil || m.Regarding.Any:
			if p.verdict.Method == nil {
				p.verdict.Method = m
			}
		case !p.site.Regarding.Nil && isType(p.site.Regarding.Type, m.Regarding.GoType):
			p.verdict.Method = m
			return true
		}
	}
	if p.verdict.Method == nil {
		return p.fail(ObjectDiffers, fmt.Sprintf("The object is a %s, and the entry has no method for it.", typeString(p.site.Regarding.Type)))
	}
	return true
}

func typeString(t types.Type) string {
	if t == nil {
		return "value of unknown type"
	}
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// identity finds the definitions that the site's identities select, and the argument that selects
// them.
func (p *prover) identity() bool {
	if len(p.site.Identities) == 0 {
		return p.fail(IdentityDiffers, "The reason or the type of the raw call is not known.")
	}
	if p.event.Select == nil {
		return p.constantIdentity(p.verdict.Method.Definitions[0])
	}
	if len(p.identities()) == 1 {
		return p.oneVariant(p.site.Identities[0])
	}
	return p.variants()
}

// identities returns the site's identities without the fields that its API does not store.
func (p *prover) identities() []Identity {
	var out []Identity
	for _, id := range p.site.Identities {
		id.Action = ""
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

func (p *prover) constantIdentity(d *model.Definition) bool {
	p.definitions = []*model.Definition{d}
	for _, id := range p.identities() {
		if !stores(d, id) {
			return p.fail(IdentityDiffers, fmt.Sprintf("The raw call records %s %s, the entry %s %s.", id.Type, id.Reason, d.Runtime.Type, d.Runtime.Reason))
		}
	}
	return true
}

func stores(d *model.Definition, id Identity) bool {
	return d.Runtime.Reason == id.Reason && d.Runtime.Type == id.Type
}

// oneVariant selects the variant that a constant identity names.
func (p *prover) oneVariant(id Identity) bool {
	for _, d := range p.verdict.Method.Definitions {
		if d.Variant != nil && stores(d, id) {
			p.definitions = []*model.Definition{d}
			p.chosen = Argument{How: Constant, Text: d.Variant.Value, Name: d.Variant.Name}
			return true
		}
	}
	return p.fail(IdentityDiffers, fmt.Sprintf("No variant of the entry records %s %s.", id.Type, id.Reason))
}

// variants selects by the raw call's reason, or its type, at run time.
func (p *prover) variants() bool {
	byReason := func(id Identity) string { return id.Reason }
	byType := func(id Identity) string { return id.Type }
	switch {
	case p.event.Select.Enum != nil:
		return p.fail(IdentityDiffers, fmt.Sprintf("The raw call can record several reasons or types, and param %s is an enum, to which text is not converted: give it a string type.",
			p.event.Select.Name))
	case p.site.Reason != nil && p.selectBy(byReason):
		p.chosen = p.selected(p.site.Reason)
	case p.site.Type != nil && p.selectBy(byType):
		p.chosen = p.selected(p.site.Type)
	default:
		return p.fail(IdentityDiffers, "The raw call can record several reasons or types, and the entry's variants are not selected by them.")
	}
	return true
}

// selectBy reports whether a part of each identity is the value that selects its definition.
func (p *prover) selectBy(part func(Identity) string) bool {
	var found []*model.Definition
	for _, id := range p.identities() {
		d := p.definitionFor(part(id))
		if d == nil || !stores(d, id) {
			return false
		}
		if !slices.Contains(found, d) {
			found = append(found, d)
		}
	}
	p.definitions = found
	return true
}

// definitionFor returns the definition that a value of the select param selects.
func (p *prover) definitionFor(value string) *model.Definition {
	for _, d := range p.verdict.Method.Definitions {
		if d.Variant == nil || d.Variant.Value == value {
			return d // the definition without a value is last
		}
	}
	return nil
}

// empty notes the fields that the raw call can leave empty. An entry never leaves one empty.
func (p *prover) empty() {
	if what := p.site.Empty; len(what) > 0 {
		p.cause(Empty, "", "The "+strings.Join(what, " and the ")+" of the raw call can also be empty, as far as is known.")
	}
}

// action compares actions, which only the events API has.
func (p *prover) action() {
	if p.site.API != Events {
		return
	}
	for _, id := range p.site.Identities {
		for _, d := range p.definitions {
			if stores(d, id) && d.Runtime.Action != id.Action {
				p.cause(Action, "", fmt.Sprintf("The raw call has the action %q, as far as is known, the entry %q.", id.Action, d.Runtime.Action))
			}
		}
	}
}
