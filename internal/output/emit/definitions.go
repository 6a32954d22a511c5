package emit

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/internal/catalog/model"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// Definitions make up most of a file. They are written as text, because jennifer's tree of them would take most of a run.

// common writes what several events share: enums of the vocabulary, limits and subjects.
func (f *file) common() {
	own := slices.IndexFunc(f.p.Enums, func(e *model.Enum) bool { return !e.Vocabulary })
	if own < 0 {
		own = len(f.p.Enums)
	}
	f.enums(f.p.Enums[:own])
	for _, l := range f.p.Limits {
		var fs fields
		fs.text("Name", l.Runtime.Name)
		f.span(&fs, "Every", l.Runtime.Every)
		fs.number("Burst", l.Runtime.Burst)
		f.span(&fs, "Wait", l.Runtime.Wait)
		f.doc([]string{"// " + l.Var + " is shared by the events that name it."})
		f.write("var %s = %s\n\n", l.Var, f.rt("Limit")+fs.literal())
	}
	for _, s := range f.p.Subjects {
		f.subject(s.Name, s.Subject)
	}
}

func (f *file) subject(name string, s eventrt.Subject) {
	var fs fields
	fs.text("ReportingController", s.ReportingController)
	if s.Regarding != (metav1.TypeMeta{}) {
		fs.add("Regarding", true, f.kind(s.Regarding))
	}
	f.write("var %s = %s{\n", name, f.rt("Subject"))
	f.keyed(packed(fs, 1), 1)
	f.write("}\n\n")
}

func (f *file) kind(k metav1.TypeMeta) string {
	return f.name(model.MetaV1Path, "TypeMeta") + kindValues(k)
}

func kindValues(k metav1.TypeMeta) string {
	var fs fields
	fs.text("APIVersion", k.APIVersion)
	fs.text("Kind", k.Kind)
	return fs.literal()
}

// definitions writes the definitions of events as composite literals. The compiler lays them out, so nothing runs at start.
func (f *file) definitions(events []*model.Event) {
	for _, e := range events {
		f.shared(e)
		for _, w := range e.Wires() {
			f.wire(e, w)
		}
	}
}

// wire writes a definition, or the array of definitions of a select.
func (f *file) wire(e *model.Event, w model.Wire) {
	if w.DefinitionFunc == "" {
		f.write("var %s = %s{\n", w.Var, f.rt("Definition"))
		f.keyed(f.definition(e, w.Definitions[0], 1), 1)
		f.write("}\n\n")
		return
	}
	f.write("var %s = [...]%s{\n", w.Var, f.rt("Definition"))
	for _, d := range w.Definitions {
		f.write("\t{\n")
		f.keyed(f.variant(e, d), 2)
		f.write("\t},\n")
	}
	f.write("}\n\n")
}

// variant returns the lines of one definition in an event's array. If the definitions differ in identity only, the shared variables stand
// beside it.
func (f *file) variant(e *model.Event, d *model.Definition) []line {
	r := &d.Runtime
	if e.Shared.Message == "" || e.Shared.Params == "" && len(r.Params) > 0 || e.Shared.Annotations == "" && len(r.Annotations) > 0 {
		return f.definition(e, d, 2)
	}
	var fs fields
	fs.add("Params", e.Shared.Params != "", e.Shared.Params)
	fs.add("Message", true, e.Shared.Message)
	fs.add("Annotations", e.Shared.Annotations != "", e.Shared.Annotations)
	return append(append(packed(f.identity(e, d), 2), f.anyOf(r, 2)...), packed(fs, 2)...)
}

// shared writes the variables that all definitions of an event share.
func (f *file) shared(e *model.Event) {
	if len(e.Methods) == 0 || len(e.Methods[0].Definitions) == 0 {
		return
	}
	d := e.Methods[0].Definitions[0]
	if name := e.Shared.Params; name != "" {
		f.write("var %s = %s\n\n", name, f.params(e, d, 0, len("var  = ")+len(name)))
	}
	if name := e.Shared.Message; name != "" {
		f.doc(shown(d))
		f.write("var %s = %s\n\n", name, f.segments(d.Runtime.Message, 0, len("var  = ")+len(name)))
	}
	if name := e.Shared.Annotations; name != "" {
		f.write("var %s = %s\n\n", name, f.annotations(d.Runtime.Annotations, 0))
	}
}

// definition returns the lines of a definition, to be indented by that many tabs.
func (f *file) definition(e *model.Event, d *model.Definition, indent int) []line {
	r := &d.Runtime
	lines := append(packed(f.identity(e, d), indent), f.anyOf(r, indent)...)
	add := func(comments []string, name, variable string, value func() string) {
		if variable == "" {
			variable = value()
		}
		lines = append(lines, line{comments: comments, items: []string{name + ": " + variable}})
	}
	if len(r.Params) > 0 {
		add(nil, "Params", e.Shared.Params, func() string { return f.params(e, d, indent, len("Params: ")) })
	}
	if len(r.Message) > 0 {
		var comments []string
		if e.Shared.Message == "" {
			comments = shown(d)
		}
		add(comments, "Message", e.Shared.Message, func() string { return f.segments(r.Message, indent, len("Message: ")) })
	}
	if len(r.Annotations) > 0 {
		add(nil, "Annotations", e.Shared.Annotations, func() string { return f.annotations(r.Annotations, indent) })
	}
	return lines
}

// identity returns the fields that are short enough to share lines.
func (f *file) identity(e *model.Event, d *model.Definition) []string {
	r := &d.Runtime
	var fs fields
	fs.add("Subject", r.Subject != eventrt.Subject{}, f.subjectVar(r.Subject))
	fs.add("Name", r.Name != r.Reason, strconv.Quote(r.Name))
	fs.add("Reason", true, cmp.Or(d.ReasonConst, strconv.Quote(r.Reason)))
	fs.add("Action", r.Action != r.Reason, strconv.Quote(r.Action))
	fs.add("Type", true, f.eventType(r.Type))
	fs.add("Related", r.Related != metav1.TypeMeta{}, f.kind(r.Related))
	fs.flag("HasRelated", r.HasRelated)
	fs.flag("RelatedOptional", r.RelatedOptional)
	fs.text("RelatedPrefix", r.RelatedPrefix)
	fs.text("FieldPath", r.FieldPath)
	fs.add("FieldPathParam", r.FieldPath != "", strconv.Itoa(r.FieldPathParam))
	fs.add("Correlation", r.Correlation != eventrt.Correlation{}, f.correlation(r.Correlation))
	return fs
}

func (f *file) eventType(t string) string {
	if t == eventrt.Normal || t == eventrt.Warning {
		return f.rt(t)
	}
	return strconv.Quote(t)
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
func (f *file) anyOf(r *eventrt.Definition, indent int) []line {
	if len(r.AnyOf) == 0 {
		return nil
	}
	kinds := make([]string, len(r.AnyOf))
	for i, k := range r.AnyOf {
		kinds[i] = kindValues(k)
	}
	return []line{{items: []string{"AnyOf: " + list(f.name(model.MetaV1Path, "TypeMeta"), kinds, indent, len("AnyOf: "))}}}
}

func (f *file) params(e *model.Event, d *model.Definition, indent, columns int) string {
	values := make([]string, len(d.Runtime.Params))
	for i := range values {
		values[i] = f.param(e.Params[i], &d.Runtime.Params[i])
	}
	return list(f.rt("Param"), values, indent, columns)
}

func (f *file) param(p *model.Param, r *eventrt.Param) string {
	var fs fields
	fs.text("Name", r.Name)
	fs.number("MaxBytes", r.MaxBytes)
	fs.flag("Optional", r.Optional)
	fs.text("Prefix", r.Prefix)
	fs.flag("Sensitive", r.Sensitive)
	fs.flag("Quote", r.Quote)
	if r.Layout != "" {
		fs.add("Layout", true, f.name("time", p.Layout))
	}
	fs.number("Precision", r.Precision)
	f.span(&fs, "Round", r.Round)
	f.span(&fs, "Unit", r.Unit)
	return fs.literal()
}

// shown returns the comment above a message's segments: its template, as the catalog has it. A message without placeholders has none.
func shown(d *model.Definition) []string {
	placeholder := func(s eventrt.Segment) bool { return s.Value != eventrt.NoValue }
	if !slices.ContainsFunc(d.Runtime.Message, placeholder) {
		return nil
	}
	return commentLines(paragraph(oneLine(d.Message)))
}

func (f *file) segments(message []eventrt.Segment, indent, columns int) string {
	values := make([]string, len(message))
	for i, s := range message {
		var value, fs fields
		switch s.Value {
		case eventrt.NoValue:
		case eventrt.ParamValue:
			value.add("Value", true, f.rt("ParamValue"))
			value.add("Param", true, strconv.Itoa(s.Param))
		default:
			value.add("Value", true, f.rt(model.Placeholders[s.Value].Constant))
		}
		fs.add("Text", s.Text != "", quoted(s.Text, indent+1, len("{Text: , },")+len(value.literal())))
		values[i] = append(fs, value...).literal()
	}
	return list(f.rt("Segment"), values, indent, columns)
}

func (f *file) annotations(list []eventrt.AnnotationDefinition, indent int) string {
	tabs := "\n\t" + strings.Repeat("\t", indent)
	var b strings.Builder
	b.WriteString("[]" + f.rt("AnnotationDefinition") + "{")
	for _, a := range list {
		var fs fields
		fs.text("Key", a.Key)
		if len(a.Value) > 0 {
			fs.add("Value", true, f.segments(a.Value, indent+1, len(`{Key: , Value: }`)+len(strconv.Quote(a.Key))))
		}
		b.WriteString(tabs + fs.literal() + ",")
	}
	b.WriteString(tabs[:len(tabs)-1] + "}")
	return b.String()
}

func (f *file) correlation(c eventrt.Correlation) string {
	var fs fields
	fs.add("Merged", c.Merged != 0, binary(c.Merged))
	fs.flag("LatestNote", c.LatestNote)
	fs.add("Limit", c.Limit != nil, "&"+f.p.LimitVar(c.Limit))
	f.span(&fs, "Interval", c.Interval)
	f.span(&fs, "Window", c.Window)
	fs.number("Threshold", c.Threshold)
	fs.number("Burst", c.Burst)
	f.span(&fs, "Every", c.Every)
	fs.flag("NoAggregate", c.NoAggregate)
	return f.rt("Correlation") + fs.literal()
}

// definitionsFunc writes the function that lists the definitions.
func (f *file) definitionsFunc() {
	var pointers []string
	for _, e := range f.p.Events {
		for _, w := range e.Wires() {
			for i := range w.Definitions {
				pointers = append(pointers, definitionAt(w, i))
			}
		}
	}
	typ := "[]*" + f.rt("Definition")
	f.doc([]string{"// Definitions returns all definitions, in the catalog's order. Do not change them."})
	f.write("func Definitions() %s {\n\treturn %s{\n", typ, typ)
	for _, p := range pointers {
		f.write("\t\t%s,\n", p)
	}
	f.write("\t}\n}\n")
}
