package emit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/internal/catalog/model"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// common writes the declarations that events share: enums of the vocabulary, limits, subjects and
// labels.
func (f *file) common() {
	own := slices.IndexFunc(f.p.Enums, func(e *model.Enum) bool { return !e.Vocabulary })
	if own < 0 {
		own = len(f.p.Enums)
	}
	f.enums(f.p.Enums[:own])
	for _, l := range f.p.Limits {
		var fs fields
		fs.text("Name", l.Runtime.Name)
		fs.span(f, "Every", l.Runtime.Every)
		fs.number("Burst", l.Runtime.Burst)
		fs.span(f, "Wait", l.Runtime.Wait)
		f.variable([]string{"// " + l.Var + " is shared by the events that name it."}, l.Var, join(f.rt("Limit"), braces(fs...)))
	}
	for _, s := range f.p.Subjects {
		var fs fields
		fs.text("ReportingController", s.Subject.ReportingController)
		fs.add("Regarding", s.Subject.Regarding != metav1.TypeMeta{}, func() expr { return f.kind(s.Subject.Regarding) })
		f.variable(nil, s.Name, join(f.rt("Subject"), lines(packed(fs, 1)...)))
	}
	for _, l := range f.p.Labels {
		f.variable(nil, l.Name, f.annotations(l.Labels, 0))
	}
}

func (f *file) kind(k metav1.TypeMeta) expr {
	return join(f.name(model.MetaV1Path, "TypeMeta"), kindValues(k))
}

func kindValues(k metav1.TypeMeta) expr {
	var fs fields
	fs.text("APIVersion", k.APIVersion)
	fs.text("Kind", k.Kind)
	return braces(fs...)
}

// definitions writes the definitions of an event as composite literals. The compiler evaluates
// them, so no code runs at start-up.
func (f *file) definitions(e *model.Event) {
	f.shared(e)
	for _, w := range e.Wires() {
		if w.DefinitionFunc == "" {
			f.variable(nil, w.Var, join(f.rt("Definition"), lines(f.definition(e, w.Definitions[0], 1)...)))
			continue
		}
		var list []jen.Code
		for _, d := range w.Definitions {
			list = append(list, lines(f.variant(e, d)...).code)
		}
		f.variable(nil, w.Var, join(id("[...]"), f.rt("Definition"), lines(list...)))
	}
}

// variant returns the lines of one definition in an event's array. If the definitions differ only
// in identity, the line names the shared variables.
func (f *file) variant(e *model.Event, d *model.Definition) []jen.Code {
	r := &d.Runtime
	if e.Shared.Message == "" || e.Shared.Params == "" && len(r.Params) > 0 || e.Shared.Annotations == "" && len(r.Annotations) > 0 {
		return f.definition(e, d, 2)
	}
	var fs fields
	fs.id("Params", e.Shared.Params)
	fs.id("Message", e.Shared.Message)
	fs.id("Annotations", e.Shared.Annotations)
	return append(append(packed(f.identity(e, d), 2), f.anyOf(r, 2)...), packed(fs, 2)...)
}

// shared writes the variables that all definitions of an event share.
func (f *file) shared(e *model.Event) {
	if len(e.Methods) == 0 || len(e.Methods[0].Definitions) == 0 {
		return
	}
	d := e.Methods[0].Definitions[0]
	if name := e.Shared.Params; name != "" {
		f.variable(nil, name, f.params(e, d, 0, len("var  = ")+len(name)))
	}
	if name := e.Shared.Message; name != "" {
		f.variable(shown(d), name, f.segments(d.Runtime.Message, 0, len("var  = ")+len(name)))
	}
	if name := e.Shared.Annotations; name != "" {
		f.variable(nil, name, f.annotations(d.Runtime.Annotations, 0))
	}
}

// definition returns the lines of a definition. indent is the number of tabs before them.
func (f *file) definition(e *model.Event, d *model.Definition, indent int) []jen.Code {
	r := &d.Runtime
	out := append(packed(f.identity(e, d), indent), f.anyOf(r, indent)...)
	add := func(comments []string, name, variable string, value func() expr) {
		s := &jen.Statement{}
		for _, line := range comments {
			s.Comment(line).Line()
		}
		if variable != "" {
			value = func() expr { return id(variable) }
		}
		out = append(out, s.Add(field(name, value()).code))
	}
	if len(r.Params) > 0 {
		add(nil, "Params", e.Shared.Params, func() expr { return f.params(e, d, indent, len("Params: ")) })
	}
	if len(r.Message) > 0 {
		var comments []string
		if e.Shared.Message == "" {
			comments = shown(d)
		}
		add(comments, "Message", e.Shared.Message, func() expr { return f.segments(r.Message, indent, len("Message: ")) })
	}
	if len(r.Annotations) > 0 {
		add(nil, "Annotations", e.Shared.Annotations, func() expr { return f.annotations(r.Annotations, indent) })
	}
	return out
}

// identity returns the fields that are short enough to share lines.
func (f *file) identity(e *model.Event, d *model.Definition) (fs fields) {
	r := &d.Runtime
	fs.id("Subject", f.subjectVar(r.Subject))
	if r.Name != r.Reason {
		fs.add("Name", true, func() expr { return str(r.Name) })
	}
	fs.id("Reason", cmp.Or(d.ReasonConst, strconv.Quote(r.Reason)))
	if r.Action != r.Reason {
		fs.add("Action", true, func() expr { return str(r.Action) })
	}
	fs.add("Type", true, func() expr { return f.eventType(r.Type) })
	fs.add("Related", r.Related != metav1.TypeMeta{}, func() expr { return f.kind(r.Related) })
	fs.flag("HasRelated", r.HasRelated)
	fs.flag("RelatedOptional", r.RelatedOptional)
	fs.text("RelatedPrefix", r.RelatedPrefix)
	fs.text("FieldPath", r.FieldPath)
	fs.add("FieldPathParam", r.FieldPath != "", func() expr { return num(r.FieldPathParam) })
	fs.id("Labels", e.LabelsVar)
	fs.add("Correlation", r.Correlation != eventrt.Correlation{}, func() expr { return f.correlation(r.Correlation) })
	return fs
}

func (f *file) eventType(t string) expr {
	if t == eventrt.Normal || t == eventrt.Warning {
		return f.rt(t)
	}
	return str(t)
}

// subjectVar returns the variable of a subject; empty for the zero subject.
func (f *file) subjectVar(s eventrt.Subject) string {
	i := slices.IndexFunc(f.p.Subjects, func(v model.SubjectVar) bool { return v.Subject == s })
	if i < 0 {
		return ""
	}
	return f.p.Subjects[i].Name
}

// anyOf returns the line of a closed set of kinds; none if the event has no such set.
func (f *file) anyOf(r *eventrt.Definition, indent int) []jen.Code {
	if len(r.AnyOf) == 0 {
		return nil
	}
	kinds := make([]expr, len(r.AnyOf))
	for i, k := range r.AnyOf {
		kinds[i] = kindValues(k)
	}
	return []jen.Code{field("AnyOf", list(f.name(model.MetaV1Path, "TypeMeta"), kinds, indent, len("AnyOf: "))).code}
}

func (f *file) params(e *model.Event, d *model.Definition, indent, columns int) expr {
	values := make([]expr, len(d.Runtime.Params))
	for i := range values {
		values[i] = f.param(e.Params[i], &d.Runtime.Params[i])
	}
	return list(f.rt("Param"), values, indent, columns)
}

func (f *file) param(p *model.Param, r *eventrt.Param) expr {
	var fs fields
	fs.text("Name", r.Name)
	fs.number("MaxBytes", r.MaxBytes)
	fs.flag("Optional", r.Optional)
	fs.text("Prefix", r.Prefix)
	fs.flag("Sensitive", r.Sensitive)
	fs.flag("Quote", r.Quote)
	fs.add("Layout", r.Layout != "", func() expr { return f.name("time", p.Layout) })
	fs.number("Precision", r.Precision)
	fs.span(f, "Round", r.Round)
	fs.span(f, "Unit", r.Unit)
	return braces(fs...)
}

// shown returns the comment above a message's segments: the template as the catalog has it. A
// message without placeholders has no comment.
func shown(d *model.Definition) []string {
	placeholder := func(s eventrt.Segment) bool { return s.Value != eventrt.NoValue }
	if !slices.ContainsFunc(d.Runtime.Message, placeholder) {
		return nil
	}
	return commentLines(paragraph(oneLine(d.Message)))
}

func (f *file) segments(message []eventrt.Segment, indent, columns int) expr {
	values := make([]expr, len(message))
	for i, s := range message {
		var value, fs fields
		switch s.Value {
		case eventrt.NoValue:
		case eventrt.ParamValue:
			value = fields{field("Value", f.rt("ParamValue")), field("Param", num(s.Param))}
		default:
			value = fields{field("Value", f.rt(model.Placeholders[s.Value].Constant))}
		}
		fs.add("Text", s.Text != "", func() expr { return quoted(s.Text, indent+1, len("{Text: , },")+braces(value...).width) })
		values[i] = braces(append(fs, value...)...)
	}
	return list(f.rt("Segment"), values, indent, columns)
}

func (f *file) annotations(list []eventrt.AnnotationDefinition, indent int) expr {
	values := make([]jen.Code, len(list))
	for i, a := range list {
		var fs fields
		fs.text("Key", a.Key)
		fs.add("Value", len(a.Value) > 0, func() expr { return f.segments(a.Value, indent+1, len(`{Key: , Value: }`)+str(a.Key).width) })
		values[i] = braces(fs...).code
	}
	return join(id("[]"), f.rt("AnnotationDefinition"), lines(values...))
}

func (f *file) correlation(c eventrt.Correlation) expr {
	var fs fields
	fs.add("Merged", c.Merged != 0, func() expr { return id(fmt.Sprintf("0b%b", c.Merged)) })
	fs.flag("LatestNote", c.LatestNote)
	fs.add("Limit", c.Limit != nil, func() expr { return id("&" + f.p.LimitVar(c.Limit)) })
	fs.span(f, "Interval", c.Interval)
	fs.span(f, "Window", c.Window)
	fs.number("Threshold", c.Threshold)
	fs.number("Burst", c.Burst)
	fs.span(f, "Every", c.Every)
	fs.flag("NoAggregate", c.NoAggregate)
	return join(f.rt("Correlation"), braces(fs...))
}

// definitionsFunc writes the function that lists the definitions.
func (f *file) definitionsFunc() {
	var pointers []jen.Code
	for _, e := range f.p.Events {
		for _, w := range e.Wires() {
			for i := range w.Definitions {
				pointers = append(pointers, jen.Op("&").Id(definitionAt(w, i)))
			}
		}
	}
	typ := join(id("[]*"), f.rt("Definition"))
	f.function(function{
		doc: []string{"// Definitions returns all definitions, in the catalog's order. Do not change them."}, name: "Definitions", result: typ,
		body: []jen.Code{jen.Return(join(typ, lines(pointers...)).code)},
	})
}
