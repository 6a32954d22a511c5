package model

import (
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// Former is a name that an event had. Its methods, constructors and matchers call those of the new
// name.
type Former struct {
	Name        string
	RemoveAfter string // the last release with the name; empty if it is not set
	Pos         diag.Pos
	// Methods are the former names of the event's methods, in their order. ArgsType is that of its
	// struct of params; empty if it has none.
	Methods  []string
	ArgsType string
}

// Constructor returns the former name of the constructor of a method.
func (*Former) Constructor(method string) string { return constructorName(method) }

// Matcher returns the former name of the fake's matcher of a method.
func (*Former) Matcher(method string) string { return matcherName(method) }

// FakeArgsType returns the former name of the fake's struct of expected params.
func (f *Former) FakeArgsType() string { return fakeArgsType(f.Name) }

// formerly declares the former names of events. It comes after all that events need, so that a
// finding about a name that is taken is at the former name.
func (n *names) formerly(events []*Event) {
	for _, e := range events {
		for i := range e.Source.Formerly {
			if f := n.former(e, &e.Source.Formerly[i]); f != nil {
				e.Formers = append(e.Formers, f)
			}
		}
	}
}

func (n *names) former(e *Event, src *catalog.Former) *Former {
	f := &Former{Name: src.Name.Value, RemoveAfter: src.RemoveAfter.Value, Pos: src.Name.Pos}
	if !exported(f.Name) {
		n.Errorf(f.Pos, diag.GoName, "%q can't have been the name of a Go method", f.Name)
		return nil
	}
	if first, taken := n.events[f.Name]; taken {
		n.Errorf(f.Pos, diag.GoName, "formerly: the event at %s is called %s; leave this former name out", first, f.Name)
		return nil
	}
	n.events[f.Name] = f.Pos
	n.sameParams(e, f)
	for _, m := range e.Methods {
		name := methodName(f.Name)
		if m.Regarding != nil && len(e.Regarding.Objects) > 1 {
			name = methodOnKind(f.Name, m.Regarding.Alias)
		}
		what := "the former name of event " + e.Name
		if n.recorder.declare(&n.Findings, name, what, f.Pos) {
			n.scope.declare(&n.Findings, constructorName(name), what, f.Pos)
		}
		f.Methods = append(f.Methods, name)
	}
	if e.ArgsType != "" {
		f.ArgsType = argsTypeName(f.Name)
		n.scope.declare(&n.Findings, f.ArgsType, "the params of former event "+f.Name, f.Pos)
	}
	return f
}

// sameParams reports params whose types follow the event's name. Callers of the former name pass
// values of another type.
func (n *names) sameParams(e *Event, f *Former) {
	for _, p := range e.Params {
		if p.Enum != nil && !p.Enum.Vocabulary && !p.literal.GoName.Set() {
			n.Errorf(f.Pos, diag.GoName, "callers of %s pass values of %s for param %s, whose type is %s now; give the param goName: %s",
				f.Name, eventEnumType(f.Name, p.Name), p.Name, p.Enum.Type, eventEnumType(f.Name, p.Name))
		}
	}
}
