package emit

import (
	"time"

	"github.com/dave/jennifer/jen"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/internal/model"
	eventrt "github.com/event-gen/event-gen/runtime"
)

func (f *file) definitionsComment() {
	if len(f.p.Events) > 0 {
		f.Comment("What the catalog says of each event; the compiler lays it out, and nothing runs at start.")
	}
}

// definitions writes the definitions of events as composite literals.
func (f *file) definitions(events []*model.Event) {
	for _, e := range events {
		for _, m := range e.Methods {
			for _, s := range m.Definitions {
				f.Line()
				f.Var().Id(s.Var).Op("=").Add(definitionLiteral(e, s))
			}
		}
	}
}

// definitionsFunc writes the function that lists the definitions.
func (f *file) definitionsFunc() {
	var pointers []jen.Code
	for _, e := range f.p.Events {
		for _, m := range e.Methods {
			for _, s := range m.Definitions {
				pointers = append(pointers, jen.Op("&").Id(s.Var))
			}
		}
	}
	f.Comment("Definitions lists what the catalog declares, in its order. The definitions must not be changed.")
	f.Func().Id("Definitions").Params().Index().Op("*").Add(rt("Definition")).Block(
		jen.Return(jen.Index().Op("*").Add(rt("Definition")).Custom(multiLine, pointers...)),
	)
}

var (
	multiLine = jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}
	singles   = jen.Options{Open: "{", Close: "}", Separator: ","}
)

// fields collects the fields of a literal that are not zero, in the order they are added.
type fields []jen.Code

func (f *fields) add(name string, set bool, value jen.Code) {
	if set {
		*f = append(*f, jen.Id(name).Op(":").Add(value))
	}
}

func (f *fields) text(name, value string) { f.add(name, value != "", jen.Lit(value)) }
func (f *fields) flag(name string, on bool) {
	f.add(name, on, jen.True())
}
func (f *fields) number(name string, n int) { f.add(name, n != 0, jen.Lit(n)) }
func (f *fields) duration(name string, d time.Duration) {
	f.add(name, d != 0, duration(d))
}

func definitionLiteral(e *model.Event, s *model.Definition) *jen.Statement {
	r := &s.Runtime
	var f fields
	f.text("Name", r.Name)
	f.add("Reason", true, reason(s))
	f.text("Action", r.Action)
	f.add("Type", true, eventType(r.Type))
	f.text("ReportingController", r.ReportingController)
	f.add("Regarding", r.Regarding != metav1.TypeMeta{}, kind(r.Regarding))
	f.add("Related", r.Related != metav1.TypeMeta{}, kind(r.Related))
	f.flag("HasRelated", r.HasRelated)
	f.flag("RelatedOptional", r.RelatedOptional)
	f.text("RelatedPrefix", r.RelatedPrefix)
	f.add("AnyOf", len(r.AnyOf) > 0, kinds(r.AnyOf))
	f.text("FieldPath", r.FieldPath)
	f.number("FieldPathParam", r.FieldPathParam)
	f.add("Params", len(r.Params) > 0, definitionParams(e, r.Params))
	f.add("Message", len(r.Message) > 0, segments(r.Message))
	f.add("Annotations", len(r.Annotations) > 0, annotations(r.Annotations))
	f.add("Correlation", r.Correlation != eventrt.Correlation{}, correlation(r.Correlation))
	return rt("Definition").Custom(multiLine, f...)
}

func reason(s *model.Definition) *jen.Statement {
	if s.ReasonConst == "" {
		return jen.Lit(s.Runtime.Reason)
	}
	return jen.Id(s.ReasonConst)
}

func eventType(t string) *jen.Statement {
	if t == eventrt.Normal || t == eventrt.Warning {
		return rt(t)
	}
	return jen.Lit(t)
}

func kind(k metav1.TypeMeta) *jen.Statement {
	return typeMeta().Add(kindValues(k))
}

func typeMeta() *jen.Statement { return jen.Qual(model.MetaV1Path, "TypeMeta") }

func kindValues(k metav1.TypeMeta) *jen.Statement {
	var f fields
	f.text("APIVersion", k.APIVersion)
	f.text("Kind", k.Kind)
	return jen.Custom(singles, f...)
}

func kinds(list []metav1.TypeMeta) *jen.Statement {
	values := make([]jen.Code, len(list))
	for i, k := range list {
		values[i] = kindValues(k)
	}
	return jen.Index().Add(typeMeta()).Custom(singles, values...)
}

func definitionParams(e *model.Event, params []eventrt.Param) *jen.Statement {
	values := make([]jen.Code, len(params))
	for i := range params {
		values[i] = definitionParam(e.Params[i], &params[i])
	}
	return jen.Index().Add(rt("Param")).Custom(lined(values), values...)
}

// lined puts a list of one on its line, and longer ones on lines of their own.
func lined(values []jen.Code) jen.Options {
	if len(values) == 1 {
		return singles
	}
	return multiLine
}

func definitionParam(p *model.Param, r *eventrt.Param) *jen.Statement {
	var f fields
	f.text("Name", r.Name)
	f.number("MaxBytes", r.MaxBytes)
	f.flag("Optional", r.Optional)
	f.text("Prefix", r.Prefix)
	f.flag("Sensitive", r.Sensitive)
	f.flag("Quote", r.Quote)
	f.add("Layout", r.Layout != "", jen.Qual("time", p.Layout))
	f.number("Precision", r.Precision)
	f.duration("Round", r.Round)
	f.duration("Unit", r.Unit)
	return jen.Custom(singles, f...)
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

func segments(list []eventrt.Segment) *jen.Statement {
	values := make([]jen.Code, len(list))
	for i, s := range list {
		var f fields
		f.text("Text", s.Text)
		f.add("Value", s.Value != eventrt.NoValue, rt(valueNames[s.Value]))
		f.number("Param", s.Param)
		values[i] = jen.Custom(singles, f...)
	}
	return jen.Index().Add(rt("Segment")).Custom(lined(values), values...)
}

func annotations(list []eventrt.AnnotationDefinition) *jen.Statement {
	values := make([]jen.Code, len(list))
	for i, a := range list {
		var f fields
		f.text("Key", a.Key)
		f.add("Value", len(a.Value) > 0, segments(a.Value))
		values[i] = jen.Custom(singles, f...)
	}
	return jen.Index().Add(rt("AnnotationDefinition")).Custom(lined(values), values...)
}

func correlation(c eventrt.Correlation) *jen.Statement {
	var f fields
	f.add("Merged", c.Merged != 0, jen.Id(binary(c.Merged)))
	f.duration("Window", c.Window)
	f.number("Threshold", c.Threshold)
	f.number("Burst", c.Burst)
	f.duration("Every", c.Every)
	f.flag("NoAggregate", c.NoAggregate)
	return rt("Correlation").Custom(singles, f...)
}
