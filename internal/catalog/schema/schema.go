// Package schema makes the JSON Schema with which editors complete and check catalogs. It is made from the Go types that hold
// catalogs.
package schema

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/v1alpha1"
)

// FileName is the name of the schema's file beside a catalog.
const FileName = "event-gen.schema.json"

// IsOurs reports whether a text is such a schema, of whatever version.
func IsOurs(text []byte) bool {
	var s struct{ Title string }
	return json.Unmarshal(text, &s) == nil && strings.Contains(s.Title, catalog.Group+"/")
}

// All returns the schema of catalogs and of configurations, by their kind, of draft 2020-12, ending in a newline. A document that
// has no kind yet is judged as a catalog.
func All() ([]byte, error) {
	comments, err := docComments(v1alpha1.Source)
	if err != nil {
		return nil, err
	}
	s := reflector(comments).Reflect(&v1alpha1.EventCatalog{})
	for name, definition := range reflector(comments).Reflect(&v1alpha1.Configuration{}).Definitions {
		if _, known := s.Definitions[name]; !known {
			s.Definitions[name] = definition
		}
	}
	s.ID = ""
	s.Title = catalog.KindCatalog + " and " + catalog.KindConfiguration + " of " + catalog.APIVersion
	s.If, s.Then, s.Else, s.Ref = isConfiguration(), reference(catalog.KindConfiguration), reference(catalog.KindCatalog), ""
	refine(s.Definitions)
	out, err := json.MarshalIndent(s, "", "  ")
	return append(out, '\n'), err
}

func isConfiguration() *jsonschema.Schema {
	kind := jsonschema.NewProperties()
	kind.Set("kind", &jsonschema.Schema{Const: catalog.KindConfiguration})
	return &jsonschema.Schema{Properties: kind, Required: []string{"kind"}}
}

func reference(name string) *jsonschema.Schema { return &jsonschema.Schema{Ref: "#/$defs/" + name} }

// reflector describes types and fields with their comments.
func reflector(comments map[string]string) *jsonschema.Reflector {
	r := &jsonschema.Reflector{Mapper: mapper, CommentMap: map[string]string{}}
	path := reflect.TypeFor[v1alpha1.EventCatalog]().PkgPath()
	for name, text := range comments {
		r.CommentMap[path+"."+name] = text
	}
	return r
}

// mapper returns the schemas of types whose JSON differs from their Go form.
func mapper(t reflect.Type) *jsonschema.Schema {
	if t == reflect.TypeFor[metav1.Duration]() {
		return &jsonschema.Schema{Type: "string", Pattern: `^([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h)(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h))*$|^0$`,
			Description: "A duration such as 30s or 10m."}
	}
	return nil
}

// refine adds what Go types can't express: short forms, closed sets, and keys that belong together.
func refine(defs jsonschema.Definitions) {
	closed(defs["EventCatalog"], "apiVersion", catalog.APIVersion)
	closed(defs["EventCatalog"], "kind", catalog.KindCatalog)
	closed(defs["Configuration"], "apiVersion", catalog.APIVersion)
	closed(defs["Configuration"], "kind", catalog.KindConfiguration)
	closed(defs["LintSettings"], "failOn", "error", "warning", "info")
	values := &jsonschema.Schema{Type: "string", Enum: property(defs["LintSettings"], "failOn").Enum}
	property(defs["LintSettings"], "severities").AdditionalProperties = values
	closed(defs["GoSettings"], "args", "positional", "struct")
	closed(defs["Correlation"], "note", "first", "latest")
	closed(defs["Object"], "scope", "Namespaced", "Cluster")
	for _, name := range []string{"Defaults", "Event", "Variant"} {
		closed(defs[name], "type", "Normal", "Warning")
	}
	each(defs, numbers, func(p *jsonschema.Schema) { p.Minimum, p.Maximum = "0", "2147483647" })
	defs["Event"].OneOf = []*jsonschema.Schema{plainEvent(), selectingEvent()}
	defs["Regarding"].OneOf = []*jsonschema.Schema{
		{Required: []string{"anyOf"}, Not: anyOf(needs("object"), needs("container"))},
		{Required: []string{"object"}, Not: needs("anyOf")},
	}
	property(defs["Regarding"], "anyOf").MinItems = new(uint64(1))
	each(defs, names, func(p *jsonschema.Schema) { p.MinLength, p.MaxLength = new(uint64(1)), new(uint64(longestName)) })
	for _, name := range []string{"Spec", "Event"} {
		property(defs[name], "reportingController").Pattern = qualifiedName
	}
	each(defs, onOneLine, func(p *jsonschema.Schema) { p.Pattern = linePattern })
	defs["Deprecated"].Required = append(defs["Deprecated"].Required, "replacedBy")
	property(defs["Deprecated"], "replacedBy").MinLength = new(uint64(1))
	property(defs["Event"], "variants").MinProperties = new(uint64(1))
	property(defs["Event"], "annotations").AdditionalProperties.Pattern = messagePattern
	defs["Event"].Properties.Set("other", other(property(defs["Event"], "other").Description))
	property(defs["Event"], "alsoOn").MinItems = new(uint64(1))
	property(defs["Event"], "params").MaxItems = new(uint64(catalog.MaxParams))
	property(defs["Limit"], "rate").Pattern = `^[1-9][0-9]*/[smh]$`
	defs["ParamType"].Required = append(defs["ParamType"].Required, "type")
	each(defs, messages, func(p *jsonschema.Schema) { p.Pattern = messagePattern })
	for name, short := range shortForms {
		*defs[name] = *oneOf(defs[name].Description, append(short, full(defs[name])))
	}
}

// messages are the keys whose text has placeholders.
var messages = map[string][]string{"Event": {"message"}, "Variant": {"message"}}

// messagePattern is text with placeholders, and with braces that are doubled.
const messagePattern = `^([^{}\x00-\x1f\x7f-\x9f]|\{\{|\}\}|\{[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z]+)?\})*$`

// names are the keys that hold a name.
var names = map[string][]string{"Event": {"reason", "action"}, "Variant": {"reason", "action"}}

// longestName is the number of characters that the API server accepts in a reason or an action.
const longestName = 128

// each changes the schemas of some keys, which stand behind the names of their types.
func each(defs jsonschema.Definitions, of map[string][]string, change func(*jsonschema.Schema)) {
	for name, keys := range of {
		for _, key := range keys {
			change(property(defs[name], key))
		}
	}
}

// onOneLine are the keys whose text goes into messages as it is.
var onOneLine = map[string][]string{"Param": {"prefix", "separator"}, "ParamType": {"prefix", "separator"}, "Related": {"prefix"}}

// linePattern is text without control characters.
const linePattern = `^[^\x00-\x1f\x7f-\x9f]*$`

// qualifiedName is a qualified name of Kubernetes: at most 63 characters, behind a domain of at most 253 and a slash if there is one.
const qualifiedName = `^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$`

// numbers are the keys that hold a count.
var numbers = map[string][]string{
	"ParamType": {"maxBytes", "precision"}, "Param": {"maxBytes", "precision"}, "Correlation": {"threshold"}, "Budget": {"burst"}, "Limit": {"burst"},
}

// The patterns of the short forms, as package catalog reads them.
const (
	typePattern  = `[A-Za-z_][A-Za-z0-9_.]*(\[[^()]*\])?(\([0-9]+\))?`
	namePattern  = `[A-Za-z_][A-Za-z0-9_]*`
	shortPattern = "^" + namePattern + "( +" + typePattern + ")?$"
)

// shortForms are the types that can also be written as something simpler than a mapping.
var shortForms = map[string][]*jsonschema.Schema{
	"Object":    {text("")},
	"Regarding": {text(""), {Type: "array", Items: text("")}},
	"Related":   {text("")},
	"ParamType": {text("^" + typePattern + "$")},
	"Param":     {text(shortPattern)},
	"Doc":       {text("")},
	"Variant":   {{Type: "null"}},
}

func text(pattern string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: pattern}
}

// full returns a definition without its description, which stands where the definition is used.
func full(s *jsonschema.Schema) *jsonschema.Schema {
	mapping := *s
	mapping.Description = ""
	return &mapping
}

func oneOf(description string, forms []*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Description: description, OneOf: forms}
}

func anyOf(forms ...*jsonschema.Schema) *jsonschema.Schema { return &jsonschema.Schema{AnyOf: forms} }

func needs(key string) *jsonschema.Schema { return &jsonschema.Schema{Required: []string{key}} }

// other returns the schema of a variant that is present and has a reason of its own.
func other(description string) *jsonschema.Schema {
	return &jsonschema.Schema{
		Description: description, Type: "object", Required: []string{"reason"}, AllOf: []*jsonschema.Schema{reference("Variant")},
	}
}

// plainEvent has one wire identity.
func plainEvent() *jsonschema.Schema {
	return &jsonschema.Schema{Required: []string{"reason"}, Not: anyOf(needs("select"), needs("variants"), needs("other"))}
}

// selectingEvent has a wire identity for each variant.
func selectingEvent() *jsonschema.Schema {
	return &jsonschema.Schema{Required: []string{"name", "select", "variants", "other"}, Not: needs("reason")}
}

// closed restricts a key to words.
func closed(s *jsonschema.Schema, key string, words ...string) {
	property := property(s, key)
	for _, w := range words {
		property.Enum = append(property.Enum, w)
	}
}

func property(s *jsonschema.Schema, key string) *jsonschema.Schema {
	p, ok := s.Properties.Get(key)
	if !ok {
		panic("the typed form has no key " + key) // a test makes every schema there is
	}
	return p
}

// sentence returns a doc comment on one line, without the name that it starts with.
func sentence(name, comment string) string {
	text := strings.Join(strings.Fields(comment), " ")
	for _, verb := range []string{" is ", " are "} {
		if rest, ok := strings.CutPrefix(text, name+verb); ok {
			return strings.ToUpper(rest[:1]) + rest[1:]
		}
	}
	return text
}

// docComments returns the doc comments of a file's types, by name, and of their fields, by type and field.
func docComments(source string) (map[string]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "types.go", source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	comments := map[string]string{}
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.TYPE {
			continue
		}
		for _, spec := range d.Specs {
			t := spec.(*ast.TypeSpec)
			comments[t.Name.Name] = sentence(t.Name.Name, d.Doc.Text())
			if s, ok := t.Type.(*ast.StructType); ok {
				fieldComments(comments, t.Name.Name, s)
			}
		}
	}
	return comments, nil
}

func fieldComments(comments map[string]string, typeName string, s *ast.StructType) {
	for _, field := range s.Fields.List {
		for _, name := range field.Names {
			comments[typeName+"."+name.Name] = sentence(name.Name, field.Doc.Text())
		}
	}
}
