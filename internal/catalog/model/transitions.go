package model

import (
	gotypes "go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model/wellknown"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// Transition is the change of a condition that an event stands for. An empty Reason or From stands
// for any.
type Transition struct{ Condition, Status, Reason, From string }

// String describes the transition: "Ready becomes False for ScaleFailed, from True".
func (t *Transition) String() string {
	text := t.Condition + " becomes " + t.Status
	if t.Reason != "" {
		text += " for " + t.Reason
	}
	if t.From != "" {
		text += ", from " + t.From
	}
	return text
}

// Transitions holds the transitions of one kind, and the names of their generated code.
type Transitions struct {
	Object *Object
	// Type is the name of the generated type, and of the method that makes it. Conditions is the
	// function that reads an object's conditions, and Var is the variable of the rules.
	Type, Conditions, Var string
	Rules                 []TransitionRule
}

// TransitionRule is a transition, and the variable of the definition of its event.
type TransitionRule struct {
	*Transition
	Var string
}

// Names returns the condition types of the rules, in their order.
func (t *Transitions) Names() (names []string) {
	for _, r := range t.Rules {
		if !slices.Contains(names, r.Condition) {
			names = append(names, r.Condition)
		}
	}
	return names
}

// maxConditionReason bounds the text of a condition's reason in a message, in bytes.
const maxConditionReason = 128

// The names of the params that take values of a condition, as the run time knows them.
const (
	conditionReason  = "conditionReason"
	conditionMessage = "conditionMessage"
)

// conditionParams maps placeholders to the params that take values of a condition.
var conditionParams = map[string]*Param{
	"condition.reason":  conditionParam(conditionReason, maxConditionReason),
	"condition.message": conditionParam(conditionMessage, 0),
}

// ConditionPlaceholder returns the placeholder of a param that takes a value of a condition; empty
// for other params.
func ConditionPlaceholder(param string) string {
	for placeholder, p := range conditionParams {
		if p.Name == param {
			return placeholder
		}
	}
	return ""
}

func conditionParam(name string, maxBytes int) *Param {
	return &Param{
		Name: name, GoName: name, Field: fieldName(name), Type: "string", GoType: GoType{Name: "string"}, Convert: "String", MaxBytes: maxBytes,
		Definition: eventrt.Param{Name: name},
	}
}

// transition resolves the event's transition, if it has one, and adds params for the values of the
// condition that its texts show. It reports whether the event can be generated.
func (s *eventStep) transition() bool {
	src := s.e.Source.On
	if src == nil {
		return true
	}
	found := len(s.Findings)
	about := s.cat.About(s.e.Source)
	switch src := s.e.Source; {
	case len(src.Params) > 0:
		s.Errorf(src.ParamsPos, diag.Syntax, "an event with on takes its values from the condition: write {condition.message} or {condition.reason}, and leave out params")
	case src.Related != nil, len(src.AlsoOn) > 0, src.Select.Set():
		s.Errorf(src.On.Pos, diag.Syntax, "an event with on is about one object and its condition; it can have neither related nor alsoOn nor select")
	case about != nil && (about.AnyOf || about.Container.Set()):
		s.Errorf(about.Pos, diag.Syntax, "an event with on needs a regarding object of a known kind, or a list of such; it can have neither anyOf nor container")
	}
	for _, text := range []catalog.Scalar{src.Condition, src.Reason} {
		if text.Set() && text.Value == "" {
			s.Errorf(text.Pos, diag.Syntax, "a condition's type and reason can't be empty; write them, or leave out reason")
		}
	}
	// in the order of a condition's fields, not of the message
	for _, name := range []string{"condition.reason", "condition.message"} {
		if s.shows(name) {
			p := *conditionParams[name]
			p.Pos = src.Pos
			s.e.Params = append(s.e.Params, &p)
		}
	}
	s.e.On = &Transition{src.Condition.Value, src.Status.Value, src.Reason.Value, src.From.Value}
	return len(s.Findings) == found
}

// shows reports whether a text of the event has the placeholder.
func (s *eventStep) shows(placeholder string) bool {
	has := func(m *catalog.Message) bool {
		return m != nil && slices.ContainsFunc(m.Segments, func(seg catalog.Segment) bool { return seg.Placeholder == placeholder })
	}
	for i := range s.e.Source.Annotations {
		if has(&s.e.Source.Annotations[i].Value) {
			return true
		}
	}
	return has(s.e.Source.Message)
}

// transitionsOf collects the transitions of each kind, and reports kinds whose conditions can't be
// read.
func (in *inputs) transitionsOf(pkg *Package) (list []*Transitions, findings diag.Findings) {
	of := map[*Object]*Transitions{}
	for _, e := range pkg.Events {
		if e.On == nil {
			continue
		}
		for _, m := range e.Methods {
			o := m.Regarding
			if of[o] == nil {
				if problem := in.unreadable(o); problem != "" {
					findings.Errorf(e.Source.On.Pos, diag.UnknownType, "on needs the conditions of %s: %s", o.Alias, problem)
				}
				name := upperCamel(o.Alias)
				of[o] = &Transitions{Object: o, Type: name + "Transitions"}
				list = append(list, of[o])
				in.names.scope.declare(&findings, of[o].Type, "the type for transitions of "+o.Alias, e.Source.On.Pos)
				in.names.recorder.declare(&findings, of[o].Type, "the method for transitions of "+o.Alias, e.Source.On.Pos)
				of[o].Conditions = in.names.scope.unique(lowerCamel(name)+"Conditions", "conditions", e.Source.On.Pos)
				of[o].Var = in.names.scope.unique(lowerCamel(name)+"Transitions", "transitions", e.Source.On.Pos)
			}
			of[o].Rules = append(of[o].Rules, TransitionRule{e.On, m.Var})
		}
	}
	return list, findings
}

// unreadable returns the reason why an object's conditions can't be read; empty if they can. It is
// also empty if the type was not looked up: then the compiler reports a problem.
func (in *inputs) unreadable(o *Object) string {
	if o.Any {
		return "the conditions of an object of type any are not known; declare its type"
	}
	f, looked := in.facts[in.types.pkg.wanted(o.GoType)]
	switch {
	case !looked, f.Unasked:
		return ""
	case f.problem() != "":
		return o.GoType.Name + " " + f.problem()
	}
	return f.Conditions
}

// conditionWants returns the types of the objects whose conditions are used by events.
func (t *target) conditionWants() (out []want) {
	cat := t.pkg.Catalog
	for i := range cat.Events {
		about := cat.About(&cat.Events[i])
		if cat.Events[i].On == nil || about == nil {
			continue
		}
		for _, d := range cat.Objects {
			if !slices.ContainsFunc(about.Objects, func(alias catalog.Scalar) bool { return alias.Value == d.Alias.Value }) {
				continue
			}
			if k, _, ok := wellknown.Lookup(d.Version.Value, catalog.First(d.Kind, d.Alias).Value); ok {
				out = append(out, t.pkg.wanted(GoType{Path: k.Path, Name: k.Kind}))
			} else if d.Type.Set() && d.Type.Value != anyType {
				if goType, wrong := t.types.resolve(d.Type); len(wrong) == 0 {
					out = append(out, t.pkg.wanted(goType))
				}
			}
		}
	}
	return out
}

// conditionFields are the fields of a condition that generated code reads.
var conditionFields = []string{"Type", "Status", "Reason", "Message"}

// conditionsProblem returns the reason why the conditions of a type can't be read; empty if they
// can. Status.Conditions must be a list of structs with the fields of a condition, all of string
// types.
func conditionsProblem(t *gotypes.Named) string {
	status := fieldOf(t, "Status")
	if status == nil {
		return "expected a field Status, and " + t.Obj().Name() + " has none"
	}
	if _, ok := status.Underlying().(*gotypes.Struct); !ok {
		return "expected Status to be a struct, found " + shortType(status)
	}
	conditions := fieldOf(status, "Conditions")
	if conditions == nil {
		return "expected a field Status.Conditions, and Status has none"
	}
	list, ok := conditions.Underlying().(*gotypes.Slice)
	if !ok {
		return "expected Status.Conditions to be a list of structs, found " + shortType(conditions)
	}
	if _, ok := list.Elem().Underlying().(*gotypes.Struct); !ok {
		return "expected Status.Conditions to be a list of structs, found " + shortType(conditions)
	}
	var missing []string
	for _, name := range conditionFields {
		f := fieldOf(list.Elem(), name)
		if b, ok := underlyingBasic(f); !ok || b.Kind() != gotypes.String {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return "expected " + strings.Join(conditionFields, ", ") + " of string types in " + shortType(list.Elem()) + ", and it lacks " + strings.Join(missing, ", ")
	}
	return ""
}

// fieldOf returns the type of an exported field, promoted ones included; nil if there is none.
func fieldOf(t gotypes.Type, name string) gotypes.Type {
	found, _, _ := gotypes.LookupFieldOrMethod(t, true, nil, name)
	if f, ok := found.(*gotypes.Var); ok {
		return f.Type()
	}
	return nil
}

func underlyingBasic(t gotypes.Type) (*gotypes.Basic, bool) {
	if t == nil {
		return nil, false
	}
	b, ok := t.Underlying().(*gotypes.Basic)
	return b, ok
}

func shortType(t gotypes.Type) string {
	return gotypes.TypeString(t, func(p *gotypes.Package) string { return p.Name() })
}
