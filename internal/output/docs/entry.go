package docs

import (
	"cmp"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog/model"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// anyKind is the text for an object that can have any kind.
const anyKind = "any kind"

// entry is one wire identity of an event with its message, for all kinds of its regarding object.
type entry struct {
	ID         string
	Reason     string
	Action     string // empty if it equals the reason
	Type       string
	Controller string // empty if the program sets it at run time
	Name       string // of the Go method
	Variant    string // the value that selects it
	Other      bool   // recorded for values that no variant has
	// a sentence with the values that select it; empty if the event has no variants
	Selected    string
	Kinds       []string
	AlsoOn      []string // the kinds of the further objects on which each call records an event
	Container   bool     // about a container of the object
	Related     related
	Message     []piece
	Params      []param
	Annotations []annotation
	Labels      []label
	Doc         string
	Transition  string // the transition that the event stands for; empty if it has none
	Pace        string // the schedule of its writes; empty: the default schedule
	Runbook     string // an http or https address
	Since       string
	Formerly    []string // the former names
	Deprecated  *deprecated
}

// related is the related object. Its kind is empty if the event has no related object.
type related struct {
	Kind     string
	Optional bool
}

// piece is a part of a message: literal text, or the name of a placeholder. An optional placeholder
// without a value is not shown, nor is its prefix.
type piece struct {
	Text        string
	Placeholder bool
	Optional    bool
	Prefix      string
}

// deprecated is the deprecation of an event: its replacement, and the last release with it.
type deprecated struct {
	ReplacedBy    string
	ReplacementID string // empty if no entry has that name
	Reason        string
	RemoveAfter   string
}

// entries returns the entries of one event: one, or one for each variant and, last, one for other.
func entries(pkg *model.Package, e *model.Event, ids identifiers) []*entry {
	if len(e.Methods) == 0 {
		return nil
	}
	var out []*entry
	for _, s := range e.Methods[0].Definitions {
		out = append(out, newEntry(pkg, e, s, ids))
	}
	return out
}

func newEntry(pkg *model.Package, e *model.Event, s *model.Definition, ids identifiers) *entry {
	n := &entry{
		Reason:     s.Runtime.Reason,
		Type:       s.Runtime.Type,
		Controller: s.Runtime.ReportingController,
		Name:       e.Name,
		Kinds:      kinds(e.Objects()),
		Container:  e.Regarding.Container != nil,
		Message:    pieces(s.Runtime.Message, s),
		Params:     params(e),
		Doc:        strings.TrimSpace(cmp.Or(s.Summary, e.Summary)),
		Pace:       s.Pace(),
		Runbook:    webAddress(cmp.Or(s.Runbook, e.Runbook)),
		Since:      e.Since,
		Other:      e.Select != nil && s.Variant == nil,
	}
	for _, a := range s.Runtime.Annotations {
		n.Annotations = append(n.Annotations, annotation{a.Key, pieces(a.Value, s)})
	}
	for _, l := range s.Runtime.Labels {
		n.Labels = append(n.Labels, label{l.Key, segmentsText(l.Value), l.Value == nil})
	}
	if e.On != nil {
		n.transition(e.On)
	}
	if s.Runtime.Action != n.Reason {
		n.Action = s.Runtime.Action
	}
	if s.Variant != nil {
		n.Variant = s.Variant.Value
	}
	n.Selected = selected(e, s)
	for _, a := range e.Also {
		n.AlsoOn = append(n.AlsoOn, kindOf(a.Object))
	}
	if e.Related != nil {
		n.Related = related{kindOf(e.Related.Object), e.Related.Optional}
	}
	for _, former := range e.Formers {
		n.Formerly = append(n.Formerly, former.Name)
	}
	if d := e.Deprecated; d != nil {
		n.Deprecated = &deprecated{ReplacedBy: d.ReplacedBy, Reason: model.Sentence(d.Reason), RemoveAfter: d.RemoveAfter}
	}
	n.ID = ids.unique(n.id(pkg.Name))
	return n
}

// id returns the id of an entry. It begins with the reason, so that readers of a link know its
// subject. Additions to the catalogs do not change it.
func (e *entry) id(pkg string) string {
	parts := []string{slug(e.Reason), slug(pkg), slug(e.Name)}
	switch {
	case e.Other:
		parts = append(parts, "", "other")
	case e.Variant != "":
		parts = append(parts, slug(e.Variant))
	}
	return strings.Join(parts, ".")
}

// transition describes when the event is recorded, and shows the values of the condition as the
// catalog writes them.
func (e *entry) transition(t *model.Transition) {
	e.Transition = "Recorded when the condition " + t.String() + "."
	e.Params = nil
	shown := [][]piece{e.Message}
	for _, a := range e.Annotations {
		shown = append(shown, a.Value)
	}
	for _, pieces := range shown {
		for i := range pieces {
			if placeholder := model.ConditionPlaceholder(pieces[i].Text); pieces[i].Placeholder && placeholder != "" {
				pieces[i].Text = placeholder
			}
		}
	}
}

func kinds(objects []*model.Object) []string {
	var out []string
	for _, o := range objects {
		if kind := kindOf(o); !slices.Contains(out, kind) {
			out = append(out, kind)
		}
	}
	return out
}

func kindOf(o *model.Object) string {
	if o.Any {
		return anyKind
	}
	return o.Kind.Kind
}

func pieces(of []eventrt.Segment, s *model.Definition) []piece {
	prefix := s.Runtime.RelatedPrefix // of the first placeholder alone
	var out []piece
	for _, segment := range of {
		if segment.Text != "" {
			out = append(out, piece{Text: segment.Text})
		}
		switch segment.Value {
		case eventrt.NoValue:
		case eventrt.ParamValue:
			p := &s.Runtime.Params[segment.Param]
			out = append(out, piece{Text: p.Name, Placeholder: true, Optional: p.Optional, Prefix: p.Prefix})
		default:
			p := piece{Text: model.Placeholders[segment.Value].Name, Placeholder: true}
			if segment.Value >= eventrt.RelatedName && s.Runtime.RelatedOptional {
				p.Optional, p.Prefix, prefix = true, prefix, ""
			}
			out = append(out, p)
		}
	}
	return out
}

// selected describes the values of the event's param that select a definition: "For outcome Lost.".
func selected(e *model.Event, s *model.Definition) string {
	switch {
	case e.Select == nil:
		return ""
	case s.Variant != nil:
		return "For " + e.Select.Name + " " + s.Variant.Value + "."
	case e.Select.Enum != nil:
		return "For " + e.Select.Name + " " + strings.Join(e.Others(), ", ") + "."
	}
	return "For every other value of " + e.Select.Name + "."
}

// Literals returns the literal parts of the message. The page's search finds an entry by them.
func (e *entry) Literals() []string {
	literals := []string{}
	for _, p := range e.Message {
		if !p.Placeholder {
			literals = append(literals, p.Text)
		}
	}
	return literals
}

// resolveReplacements finds the entries that replace deprecated ones.
func resolveReplacements(all []*entry) {
	ids := map[string]string{}
	for _, e := range all {
		if ids[e.Name] == "" {
			ids[e.Name] = e.ID
		}
	}
	for _, e := range all {
		if e.Deprecated != nil {
			e.Deprecated.ReplacementID = ids[e.Deprecated.ReplacedBy]
		}
	}
}

// param describes the values of a placeholder.
type param struct {
	Name     string
	Type     string   // as the catalog writes it
	Values   []string // the known values; most types have none
	Optional bool
	Redacted bool
}

// annotation is an annotation that every event of an entry has.
type annotation struct {
	Key   string
	Value []piece
}

// label is a label of an entry's events: a constant, or one that is copied from the object.
type label struct {
	Key, Value string
	Copied     bool
}

func segmentsText(list []eventrt.Segment) (text string) {
	for _, s := range list {
		text += s.Text
	}
	return text
}

func params(e *model.Event) []param {
	var out []param
	for _, p := range e.Params {
		out = append(out, param{
			Name: p.Name, Type: p.Type, Values: p.Values(), Optional: p.Definition.Optional, Redacted: p.Definition.Sensitive,
		})
	}
	return out
}
