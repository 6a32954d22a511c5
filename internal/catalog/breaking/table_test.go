package breaking

import (
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// compatible lists the fields whose change breaks nothing by itself. Its keys are the reasons.
var compatible = map[string]string{
	"the fields made of it have rows":                                  "Package.Catalog Event.Source Object.Pos Param.Pos Param.boundable Param.literal Enum.Pos",
	"packageNames compares it":                                         "Package.Name Package.Path",
	"the path of the package and not of the file is what callers name": "Package.Output",
	"it is in the header only":                                         "Package.Source",
	"it is shown in comments and documentation only":                   "Package.Documented Event.Summary Event.Runbook Event.Since Enum.Param Definition.Summary Definition.Runbook",
	"it is New with Recorder":                                          "Package.NewRecorder",
	"a role is reviewed where it is applied":                           "Package.RBAC",
	"each definition has it":                                           "Package.Controller",
	"each event has ArgsType":                                          "Package.ArgsStruct",
	"no caller sees the name, and nothing stores it":                   "Package.Imports Package.Subjects Package.Labels Event.LabelsVar Event.Shared Event.Declares Wire.DefinitionFunc Wire.Var Enum.TextsVar Transitions.Conditions Transitions.Var",
	"the objects of each event have rows":                              "Package.Objects",
	"each definition has ReasonConst":                                  "Package.Reasons",
	"each param has Enum":                                              "Package.Enums",
	"each definition has its limit":                                    "Package.Limits",
	"pairPackages pairs events by name and by likeness":                "Package.Events",
	"renamed reports it":                                               "Event.Name eventrt.Definition.Name",
	"it announces a removal, and is no break itself":                   "Event.Deprecated Event.Formers",
	"it is empty without findings":                                     "Event.unresolved",
	"the definition has it":                                            "Related.Prefix Param.Layout",
	"methods named for it have rows":                                   "Object.Alias",
	"GoType tells":                                                     "Object.Any",
	"definitions have the kinds":                                       "Object.Kind",
	"it is New with Name":                                              "Method.Constructor",
	"Regarding.Objects has its kinds":                                  "eventrt.Definition.AnyOf",
	"callers do not name parameters":                                   "Method.RegardingName Method.AlsoNames Method.RelatedName Method.ArgsName Param.GoName",
	"the list of params tells":                                         "Param.Name eventrt.Param.Name",
	"GoType and Convert are made of it":                                "Param.Type",
	"fields of a struct are paired by it":                              "Param.Field",
	"it follows the methods of GoType":                                 "Param.ByAddress",
	"MaxBytes follows them":                                            "Param.constants",
	"GoType has it":                                                    "Enum.Type Enum.Parse",
	"it decides the place in the file":                                 "Enum.Vocabulary",
	"values are paired by it, or their type has a row":                 "Constant.Name",
	"definitions are paired by it":                                     "Definition.Variant",
	"the template of the run time is made of it":                       "Definition.Message",
	"it follows message and params":                                    "Definition.MaxBytes",
	"transitions are paired by it":                                     "Transitions.Type",
	"each event has its transition and its object":                     "Transitions.Object Transitions.Rules",
	"Event.Related tells":                                              "eventrt.Definition.HasRelated",
	"Related.Optional tells":                                           "eventrt.Definition.RelatedOptional",
	"Regarding.Container tells":                                        "eventrt.Definition.FieldPath eventrt.Definition.FieldPathParam",
	"Regarding.AnyOf tells":                                            "Method.KindFunc",
	"the params of the event have rows; the bound of the one that takes the rest follows them and the message": "eventrt.Definition.Params",
	"no catalog sets it":                      "eventrt.Definition.Forwarded eventrt.Definition.shared eventrt.Definition.verbatim",
	"annotations and labels are paired by it": "AnnotationDefinition.Key",
	"Param.MaxBytes has it":                   "eventrt.Param.MaxBytes",
}

// Each field of the model has a row, with a rule or with parts that have rows of their own, or a
// reason why its change breaks nothing; never both.
func TestEveryFieldHasARow(t *testing.T) {
	why := map[string]string{}
	for reason, fields := range compatible {
		for field := range strings.FieldsSeq(fields) {
			why[field] = reason
		}
	}
	used := map[string]bool{}
	var visit func(reflect.Type)
	visit = func(of reflect.Type) {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct {
			return
		}
		for i := range of.NumField() {
			f := of.Field(i)
			key := keyOf(of, f.Name)
			r, known := table[key]
			first := !used[key]
			used[key] = true
			switch {
			case known == (why[key] != ""):
				t.Errorf("%s: expected a row, or a reason why a change breaks nothing: %q", key, why[key])
			case !known:
			case r.rule != "" && r.name == "":
				t.Errorf("%s has no name", key)
			case r.rule != "" && severityOf(r.rule) == 0 && r.rule[:2] != "BW":
				t.Errorf("%s has an unknown rule", key)
			case first && (r.parts || r.pairs != nil || r.rule == ""):
				visit(f.Type)
			}
		}
	}
	visit(reflect.TypeFor[model.Package]())
	visit(reflect.TypeFor[model.Event]())
	for _, key := range slices.Concat(slices.Collect(maps.Keys(table)), slices.Collect(maps.Keys(why))) {
		if !used[key] {
			t.Errorf("%s is no field of the model", key)
		}
	}
}

// Each row with a rule has a change in testdata, in both directions: an archive of testdata/changes
// expects findings of the change and of the change back.
func TestEveryRowHasBothDirections(t *testing.T) {
	tried := map[string]bool{}
	for key, r := range table {
		if r.rule == "" || r.parts {
			continue
		}
		was := r
		t.Cleanup(func() { table[key] = was })
		unless, pairs := r.unless, r.pairs
		r.unless = func(s *site, before, after reflect.Value) bool {
			tried[key] = true
			return unless != nil && unless(s, before, after)
		}
		if pairs != nil {
			r.pairs = func(s *site, before, after reflect.Value) []pairing {
				all := pairs(s, before, after)
				if slices.ContainsFunc(all, func(p pairing) bool { return !p.was.IsValid() || !p.is.IsValid() }) {
					tried[key] = true
				}
				return all
			}
		}
		table[key] = r
	}
	files, _ := filepath.Glob("testdata/changes/*.txtar")
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		old, now := state(t, archive, "before/"), state(t, archive, "after/")
		lines(old, now)
		lines(now, old)
	}
	for key, r := range table {
		if r.rule != "" && !r.parts && !tried[key] {
			t.Errorf("no change in testdata/changes is one of %s (%s)", key, r.rule)
		}
	}
}
