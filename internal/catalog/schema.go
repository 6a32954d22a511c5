package catalog

import (
	"embed"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"reflect"
	"regexp"
	"strings"
)

// SchemaFile is the name of the schema's file beside a catalog.
const SchemaFile = "event-gen.schema.json"

// IsSchema reports whether a text is the schema of this or another version.
func IsSchema(text []byte) bool {
	var s struct{ Title string }
	return json.Unmarshal(text, &s) == nil && strings.Contains(s.Title, Group+"/")
}

// Schema returns the JSON Schema (draft 2020-12) of catalogs and configurations, with a newline at
// the end. It tells the two apart by their kind. It judges a document without a kind as a catalog.
func Schema() ([]byte, error) {
	comments, err := docComments()
	if err != nil {
		return nil, err
	}
	d := definitions{map[string]schema{}, comments}
	s := schema{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   KindCatalog + " and " + KindConfiguration + " of " + APIVersion,
		"if":      schema{"properties": schema{"kind": schema{"const": KindConfiguration}}, "required": []string{"kind"}},
		"then":    d.of(reflect.TypeFor[Configuration](), nil),
		"else":    d.of(reflect.TypeFor[Catalog](), nil),
		"$defs":   d.defs,
	}
	out, err := json.MarshalIndent(s, "", "  ")
	return append(out, '\n'), err
}

// schema is a JSON Schema, or a part of one.
type schema map[string]any

// definitions builds the schemas of types, which refer to each other by name.
type definitions struct {
	defs     map[string]schema
	comments map[string]string // of types, and of fields behind a dot
}

// of returns the schema of a type, for a field of that type.
func (d definitions) of(t reflect.Type, f *field) schema {
	if part, ok := reflect.New(t).Interface().(form); ok {
		return part.schema(d)
	}
	switch {
	case t == scalarType:
		return scalarSchema(f.tag("form"))
	case t.Kind() == reflect.Pointer:
		return d.of(t.Elem(), f)
	case t.Kind() == reflect.Slice && t.Elem() != scalarType && shapeOf(t.Elem()).name != nil:
		return entries(d.of(t.Elem(), nil))
	case t.Kind() == reflect.Slice:
		return schema{"type": "array", "items": d.of(t.Elem(), f)}
	}
	if s := shapeOf(t); len(s.fields) == 0 {
		return d.of(s.short.Type, s.short)
	}
	return d.define(t, func(s schema) schema { return s })
}

// define returns a reference to the definition of a struct, which finish completes.
func (d definitions) define(t reflect.Type, finish func(schema) schema) schema {
	if _, known := d.defs[t.Name()]; !known {
		d.defs[t.Name()] = nil
		s := d.structure(t, keysOf(t))
		if short := shapeOf(t).short; short != nil {
			s = oneOf(d.of(short.Type, short), s)
		}
		s = finish(s)
		s["description"] = d.comments[t.Name()]
		d.defs[t.Name()] = s
	}
	return schema{"$ref": "#/$defs/" + t.Name()}
}

// structure returns the schema of the mapping that a struct holds.
func (d definitions) structure(t reflect.Type, fields []field) schema {
	properties, required := schema{}, []string{}
	for _, f := range fields {
		p := d.of(f.Type, &f)
		maps.Copy(p, constraints[f.tag("schema")])
		if f.tag("some") != "" {
			maps.Copy(p, constraints["some"])
		}
		if text := d.comments[t.Name()+"."+f.Name]; text != "" {
			p["description"] = seeBelow.ReplaceAllString(text, "$1")
		}
		properties[f.key] = p
		if f.required || f.tag("schema") == "present" {
			required = append(required, f.key)
		}
	}
	return schema{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// constraints maps values of the tag schema to the constraints that lint checks.
var constraints = map[string]schema{
	"name":       {"minLength": 1, "maxLength": 128}, // as the API server
	"type":       {"enum": []string{"Normal", "Warning"}},
	"rate":       {"pattern": `^[1-9][0-9]*/[smh]$`},
	"some":       {"minItems": 1, "minProperties": 1},
	"present":    {"minLength": 1},
	"other":      {"type": "object", "required": []string{"reason"}},
	"controller": {"pattern": `^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$`},
}

func scalarSchema(form string) schema {
	switch form {
	case "":
		return text("")
	case "quoted": // the text goes into messages as it is
		return text(`^[^\x00-\x1f\x7f-\x9f]*$`)
	case "path":
		return text(`^[^/\\\x00-\x1f\x7f-\x9f][^\\\x00-\x1f\x7f-\x9f]*$`)
	case "boolean":
		return schema{"type": "boolean"}
	case "number":
		return schema{"type": "integer", "minimum": 0, "maximum": 2147483647}
	case "duration":
		return text(`^([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h)(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h))*$|^0$`)
	}
	return schema{"type": "string", "enum": strings.Split(form, "|")}
}

// The patterns of text with placeholders, in which all other braces are doubled, and of the short
// forms of params.
const (
	messagePattern = `^([^{}\x00-\x1f\x7f-\x9f]|\{\{|\}\}|\{[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z]+)?\})*$`
	typePattern    = `[A-Za-z_][A-Za-z0-9_.]*(\[[^()]*\])?(\([0-9]+\))?`
	shortPattern   = `^[A-Za-z_][A-Za-z0-9_]*( +` + typePattern + `)?$`
)

func text(pattern string) schema {
	if pattern == "" {
		return schema{"type": "string"}
	}
	return schema{"type": "string", "pattern": pattern}
}

func entries(value schema) schema {
	return schema{"type": "object", "additionalProperties": value}
}

func oneOf(forms ...schema) schema { return schema{"oneOf": forms} }

func anyOf(forms ...schema) schema { return schema{"anyOf": forms} }

func needs(key string) schema { return schema{"required": []string{key}} }

//go:embed tree.go config.go
var sources embed.FS

// docComments returns the comments of the format's types and fields, each on one line. Its keys are
// names of types, or type.field.
func docComments() (map[string]string, error) {
	comments := map[string]string{}
	for _, name := range []string{"tree.go", "config.go"} {
		source, err := sources.ReadFile(name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		of := ""
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GenDecl:
				if t, ok := n.Specs[0].(*ast.TypeSpec); ok {
					of = t.Name.Name
					comments[of] = strings.Join(strings.Fields(n.Doc.Text()), " ")
				}
			case *ast.Field:
				for _, name := range fieldNames(n) {
					comments[of+"."+name] = strings.Join(strings.Fields(n.Doc.Text()), " ")
				}
			}
			return true
		})
	}
	return comments, nil
}

// fieldNames returns the names of a field. An embedded struct has the name of its type.
func fieldNames(f *ast.Field) (names []string) {
	for _, name := range f.Names {
		names = append(names, name.Name)
	}
	if embedded, ok := f.Type.(*ast.Ident); ok && len(names) == 0 {
		names = []string{embedded.Name}
	}
	return names
}

// seeBelow matches links that are of use only in the documentation.
var seeBelow = regexp.MustCompile(`, see \[below\]\([^)]*\)|\[([^\]]*)\]\([^)]*\)`)
