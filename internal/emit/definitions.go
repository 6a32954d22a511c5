package emit

import (
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/internal/model"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// Definitions are most of a file, and all alike. They are written as text: jennifer's tree of them would be the greater part
// of a run.

// common writes what definitions of several events share.
func (f *file) common() {
	if name := f.p.ControllerConst; name != "" {
		f.write("// %s is the controller that records the events.\nconst %s = %s\n\n", name, name, strconv.Quote(f.p.Controller))
	}
	for _, l := range f.p.Limits {
		var fs fields
		fs.text("Name", l.Runtime.Name)
		fs.add("Every", true, f.duration(l.Runtime.Every))
		fs.number("Burst", l.Runtime.Burst)
		fs.add("Wait", true, f.duration(l.Runtime.Wait))
		f.write("// %s is shared by the events that name it.\nvar %s = %s\n\n", l.Var, l.Var, f.rt("Limit")+fs.literal())
	}
	kinds := f.p.Kinds
	switch len(kinds) {
	case 0:
	case 1:
		f.write("var %s = %s\n\n", kinds[0].Name, f.kind(kinds[0].Kind))
	default:
		f.write("var (\n")
		for _, k := range kinds {
			f.write("\t%s = %s\n", k.Name, f.kind(k.Kind))
		}
		f.write(")\n\n")
	}
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

// definitions writes the definitions of events as composite literals, which the compiler lays out: nothing runs at start.
func (f *file) definitions(events []*model.Event) {
	for _, e := range events {
		f.shared(e)
		for _, d := range e.Definitions() {
			f.write("var %s = %s{", d.Var, f.rt("Definition"))
			f.definition(e, d)
			f.write("\n}\n\n")
		}
	}
}

// shared writes what all definitions of an event have in common.
func (f *file) shared(e *model.Event) {
	if len(e.Methods) == 0 || len(e.Methods[0].Definitions) == 0 {
		return
	}
	d := e.Methods[0].Definitions[0]
	if name := e.Shared.Params; name != "" {
		f.write("var %s = %s\n\n", name, f.params(e, d, 0, len("var  = ")+len(name)))
	}
	if name := e.Shared.Message; name != "" {
		f.template(d, 0)
		f.write("var %s = %s\n\n", name, f.segments(d.Runtime.Message, 0, len("var  = ")+len(name)))
	}
	if name := e.Shared.Annotations; name != "" {
		f.write("var %s = %s\n\n", name, f.annotations(d.Runtime.Annotations, 0))
	}
}

func (f *file) definition(e *model.Event, d *model.Definition) {
	r := &d.Runtime
	f.write("%s", packed(f.identity(e, d), 1))
	if len(r.Params) > 0 {
		f.write("\n\tParams: %s,", shared(e.Shared.Params, func() string { return f.params(e, d, 1, len("Params: ")) }))
	}
	if len(r.Message) > 0 {
		f.write("\n")
		if e.Shared.Message == "" {
			f.template(d, 1)
		}
		f.write("\tMessage: %s,", shared(e.Shared.Message, func() string { return f.segments(r.Message, 1, len("Message: ")) }))
	}
	if len(r.Annotations) > 0 {
		f.write("\n\tAnnotations: %s,", shared(e.Shared.Annotations, func() string { return f.annotations(r.Annotations, 1) }))
	}
}

// shared is the name of a shared variable, or, where there is none, the value.
func shared(name string, value func() string) string {
	if name != "" {
		return name
	}
	return value()
}

// identity are the fields that have room beside others on a line.
func (f *file) identity(e *model.Event, d *model.Definition) []string {
	r := &d.Runtime
	var fs fields
	fs.text("Name", r.Name)
	fs.add("Reason", true, reason(d))
	fs.text("Action", r.Action)
	fs.add("Type", true, f.eventType(r.Type))
	fs.add("ReportingController", r.ReportingController != "", f.controller(r.ReportingController))
	fs.add("Regarding", r.Regarding != metav1.TypeMeta{}, f.kindVar(r.Regarding))
	fs.add("Related", r.Related != metav1.TypeMeta{}, f.kindVar(r.Related))
	fs.flag("HasRelated", r.HasRelated)
	fs.flag("RelatedOptional", r.RelatedOptional)
	fs.text("RelatedPrefix", r.RelatedPrefix)
	if len(r.AnyOf) > 0 {
		fs.add("AnyOf", true, f.kindVars(r.AnyOf))
	}
	fs.text("FieldPath", r.FieldPath)
	fs.add("FieldPathParam", r.FieldPath != "", strconv.Itoa(r.FieldPathParam))
	fs.add("Correlation", r.Correlation != eventrt.Correlation{}, f.correlation(r.Correlation))
	return fs
}

func reason(d *model.Definition) string {
	if d.ReasonConst == "" {
		return strconv.Quote(d.Runtime.Reason)
	}
	return d.ReasonConst
}

func (f *file) eventType(t string) string {
	if t == eventrt.Normal || t == eventrt.Warning {
		return f.rt(t)
	}
	return strconv.Quote(t)
}

func (f *file) controller(name string) string {
	if f.p.ControllerConst != "" && name == f.p.Controller {
		return f.p.ControllerConst
	}
	return strconv.Quote(name)
}

// kindVar is the variable of a kind; every kind that is not zero has one.
func (f *file) kindVar(k metav1.TypeMeta) string {
	i := slices.IndexFunc(f.p.Kinds, func(v model.KindVar) bool { return v.Kind == k })
	if i < 0 {
		return ""
	}
	return f.p.Kinds[i].Name
}

func (f *file) kindVars(kinds []metav1.TypeMeta) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = f.kindVar(k)
	}
	return "[]" + f.name(model.MetaV1Path, "TypeMeta") + "{" + strings.Join(names, ", ") + "}"
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
	if r.Round != 0 {
		fs.add("Round", true, f.duration(r.Round))
	}
	if r.Unit != 0 {
		fs.add("Unit", true, f.duration(r.Unit))
	}
	return fs.literal()
}

// template writes a message that has placeholders as the catalog does, above its segments.
func (f *file) template(d *model.Definition, indent int) {
	placeholder := func(s eventrt.Segment) bool { return s.Value != eventrt.NoValue }
	if slices.ContainsFunc(d.Runtime.Message, placeholder) {
		for _, line := range commentLines(paragraph(oneLine(d.Message))) {
			f.write("%s%s\n", strings.Repeat("\t", indent), line)
		}
	}
}

var valueNames = map[eventrt.Value]string{
	eventrt.ParamValue:         "ParamValue",
	eventrt.RegardingName:      "RegardingName",
	eventrt.RegardingNamespace: "RegardingNamespace",
	eventrt.RegardingKind:      "RegardingKind",
	eventrt.RegardingUID:       "RegardingUID",
	eventrt.RelatedName:        "RelatedName",
	eventrt.RelatedNamespace:   "RelatedNamespace",
	eventrt.RelatedKind:        "RelatedKind",
	eventrt.RelatedUID:         "RelatedUID",
}

func (f *file) segments(message []eventrt.Segment, indent, columns int) string {
	values := make([]string, len(message))
	for i, s := range message {
		var value, fs fields
		if s.Value != eventrt.NoValue {
			value.add("Value", true, f.rt(valueNames[s.Value]))
		}
		value.add("Param", s.Value == eventrt.ParamValue, strconv.Itoa(s.Param))
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
	if c.Interval != 0 {
		fs.add("Interval", true, f.duration(c.Interval))
	}
	if c.Window != 0 {
		fs.add("Window", true, f.duration(c.Window))
	}
	fs.number("Threshold", c.Threshold)
	fs.number("Burst", c.Burst)
	if c.Every != 0 {
		fs.add("Every", true, f.duration(c.Every))
	}
	fs.flag("NoAggregate", c.NoAggregate)
	return f.rt("Correlation") + fs.literal()
}

// definitionsFunc writes the function that lists the definitions.
func (f *file) definitionsFunc() {
	var pointers []string
	for _, e := range f.p.Events {
		for _, d := range e.Definitions() {
			pointers = append(pointers, "&"+d.Var)
		}
	}
	typ := "[]*" + f.rt("Definition")
	f.write("// Definitions lists what the catalog declares, in its order. The definitions must not be changed.\n")
	f.write("func Definitions() %s {\n\treturn %s{%s\n\t}\n}\n", typ, typ, packed(pointers, 2))
}
