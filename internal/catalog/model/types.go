package model

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// Bounds of text, in bytes of UTF-8 (apimachinery pkg/util/validation for the names).
const (
	maxMessage        = eventrt.MaxNoteBytes - len(eventrt.AggregatePrefix)
	maxName           = 253
	maxNamespace      = 63
	maxKind           = 63
	maxUID            = 36
	maxNamespacedName = maxNamespace + 1 + maxName
	maxKindAndName    = maxKind + 1 + maxName
	maxRedacted       = len("<redacted>")
	maxFloat          = 24  // -2.2250738585072014e-308
	maxFloatWhole     = 311 // sign, the 309 digits of the largest number, point
	maxDuration       = 25  // -2562047h47m16.854775808s
)

// Placeholder is a value of an object that messages can show.
type Placeholder struct {
	Name     string // in a catalog
	Constant string // in eventrt
	bytes    int    // the bound of its text; zero: the bound of the kind
}

// Placeholders are the placeholders of objects. A param's placeholder has the param's name.
var Placeholders = map[eventrt.Value]Placeholder{
	eventrt.RegardingName:      {"regarding.name", "RegardingName", maxName},
	eventrt.RegardingNamespace: {"regarding.namespace", "RegardingNamespace", maxNamespace},
	eventrt.RegardingKind:      {"regarding.kind", "RegardingKind", 0},
	eventrt.RegardingUID:       {"regarding.uid", "RegardingUID", maxUID},
	eventrt.RelatedName:        {"related.name", "RelatedName", maxName},
	eventrt.RelatedNamespace:   {"related.namespace", "RelatedNamespace", maxNamespace},
	eventrt.RelatedKind:        {"related.kind", "RelatedKind", 0},
	eventrt.RelatedUID:         {"related.uid", "RelatedUID", maxUID},
}

// rendering describes the texts by which the run time shows the values of a type. There is one for
// each function of eventrt that makes an Arg.
type rendering struct {
	// shape is a regular expression for all of its texts; empty: any text.
	shape string
	// text is true if the run time keeps the value as text, which it cuts at a bound.
	text bool
	// least is the smallest bound of a text, in bytes.
	least int
}

var renderings = map[string]rendering{
	"Bool": {shape: "true|false"},
	"Int":  {shape: "-?[0-9]+"},
	"Uint": {shape: "[0-9]+"},
	// a float over its bound is shown in scientific notation
	"Float":          {shape: "[-+0-9.e]+|[-+]?Inf|NaN", least: len("-2e+308")},
	"Duration":       {shape: "[-0-9.a-zµ]+"},
	"Time":           {},
	"String":         {text: true},
	"Enum":           {text: true},
	"Strings":        {text: true},
	"Quantity":       {text: true},
	"NamespacedName": {shape: `\S*?`, text: true},
	"Error":          {text: true, least: len(nilText)},
	"ObjectName":     {text: true, least: len(nilText)},
	"Stringer":       {text: true, least: len(nilText)},
}

// nilText is the text that the run time shows for nil.
const nilText = "<nil>"

// paramType is a row of the table of types in docs/catalog.md.
type paramType struct {
	goType    GoType
	convert   string // the function of eventrt, which is also the key of the rendering
	byAddress bool
	maxBytes  int // zero: unbounded
	// the keys that have an effect on this type but not on all types, separated by spaces
	options     string
	alwaysShown bool     // the text of the zero value looks like any other
	constants   []string // values of the type's constants, if they are known
}

// has reports whether a key of optionKeys has an effect on the type.
func (t paramType) has(key string) bool { return slices.Contains(strings.Fields(t.options), key) }

var paramTypes = map[string]paramType{
	"string":         {goType: GoType{Name: "string"}, convert: "String", options: "maxBytes quote"},
	"bool":           predeclared("bool"),
	"int":            predeclared("int"),
	"int32":          predeclared("int32"),
	"int64":          predeclared("int64"),
	"uint32":         predeclared("uint32"),
	"float64":        predeclared("float64"),
	"duration":       {goType: GoType{Path: "time", Name: "Duration"}, convert: "Duration", maxBytes: maxDuration, options: "round unit"},
	"time":           {goType: GoType{Path: "time", Name: "Time"}, convert: "Time", maxBytes: len("2006-01-02T15:04:05Z"), options: "layout"},
	"error":          {goType: GoType{Name: "error"}, convert: "Error", options: "maxBytes"},
	"quantity":       {goType: GoType{Path: quantityPath, Name: "Quantity"}, convert: "Quantity", options: "maxBytes"},
	"name":           {goType: GoType{Name: "string"}, convert: "String", maxBytes: maxName, options: "maxBytes"},
	"namespace":      {goType: GoType{Name: "string"}, convert: "String", maxBytes: maxNamespace, options: "maxBytes"},
	"uid":            {goType: GoType{Path: k8sTypesPath, Name: "UID"}, convert: "String", maxBytes: maxUID, options: "maxBytes"},
	"namespacedName": {goType: GoType{Path: k8sTypesPath, Name: "NamespacedName"}, convert: "NamespacedName", maxBytes: maxNamespacedName, options: "maxBytes"},
	"object":         {goType: GoType{Path: K8sRuntimePath, Name: "Object"}, convert: "ObjectName", maxBytes: maxKindAndName, options: "maxBytes"},
	"strings":        {goType: GoType{Name: "string", Slice: true}, convert: "Strings", options: "maxBytes separator"},
	enumType:         {convert: "Enum", options: "values goName"},
}

const (
	quantityPath = "k8s.io/apimachinery/pkg/api/resource"
	k8sTypesPath = "k8s.io/apimachinery/pkg/types"
	enumType     = "enum"
)

// predeclared returns a basic type itself.
func predeclared(name string) paramType {
	t := basicTypes[name]
	t.goType = GoType{Name: name}
	return t
}

// basicTypes are the predeclared types. A named type with one of them as its underlying type can be
// a param.
var basicTypes = map[string]paramType{
	"string":  {convert: "String", options: "maxBytes values"},
	"bool":    {convert: "Bool", maxBytes: len("false")},
	"int":     {convert: "Int", maxBytes: 20},
	"int8":    {convert: "Int", maxBytes: 4},
	"int16":   {convert: "Int", maxBytes: 6},
	"int32":   {convert: "Int", maxBytes: 11},
	"int64":   {convert: "Int", maxBytes: 20},
	"uint":    {convert: "Uint", maxBytes: 20},
	"uint8":   {convert: "Uint", maxBytes: 3},
	"uint16":  {convert: "Uint", maxBytes: 5},
	"uint32":  {convert: "Uint", maxBytes: 10},
	"uint64":  {convert: "Uint", maxBytes: 20},
	"float32": {convert: "Float", maxBytes: maxFloat, options: "maxBytes precision"},
	"float64": {convert: "Float", maxBytes: maxFloat, options: "maxBytes precision"},
}

// optionKey is a key of a param that some types have.
type optionKey struct {
	key string
	pos diag.Pos
}

// optionKeys returns the option keys of a param. A key that is absent has no position.
func optionKeys(p *catalog.Param) []optionKey {
	var values diag.Pos
	if len(p.Values) > 0 {
		values = p.Values[0].Pos
	}
	return []optionKey{
		{"maxBytes", p.MaxBytes.Pos}, {"quote", p.Quote.Pos}, {"precision", p.Precision.Pos}, {"round", p.Round.Pos}, {"unit", p.Unit.Pos},
		{"layout", p.Layout.Pos}, {"values", values}, {"goName", p.GoName.Pos}, {"separator", p.Separator.Pos},
	}
}

var layouts = map[string]string{
	"ANSIC": time.ANSIC, "UnixDate": time.UnixDate, "RubyDate": time.RubyDate, "RFC822": time.RFC822, "RFC822Z": time.RFC822Z,
	"RFC850": time.RFC850, "RFC1123": time.RFC1123, "RFC1123Z": time.RFC1123Z, "RFC3339": time.RFC3339,
	"RFC3339Nano": time.RFC3339Nano, "Kitchen": time.Kitchen, "Stamp": time.Stamp, "StampMilli": time.StampMilli,
	"StampMicro": time.StampMicro, "StampNano": time.StampNano, "DateTime": time.DateTime, "DateOnly": time.DateOnly,
	"TimeOnly": time.TimeOnly,
}

// longestTimes are times with the longest names of weekdays and months and the most digits, in
// years of four digits.
var longestTimes = []time.Time{
	time.Date(2023, time.September, 27, 23, 59, 59, 123456789, time.UTC), // a Wednesday
	time.Date(2023, time.September, 27, 12, 59, 59, 123456789, time.UTC),
}

// layoutBytes bounds the text of a time in a layout, in UTC and for years of four digits.
func layoutBytes(layout string) int {
	most := 0
	for _, t := range longestTimes {
		most = max(most, len(t.Format(layout)))
	}
	return most
}

// units maps the text after the number to the unit of a duration.
var units = map[string]time.Duration{
	"ns": time.Nanosecond, "us": time.Microsecond, "µs": time.Microsecond, "ms": time.Millisecond,
	"s": time.Second, "m": time.Minute, "h": time.Hour,
}

// unitBytes bounds the text of a duration that is shown as a whole number of units.
func unitBytes(unit time.Duration) int {
	const least = time.Duration(-1 << 63)
	name := "s"
	for n, u := range units {
		if u == unit && len(n) >= len(name) {
			name = n
		}
	}
	return len(strconv.FormatInt(int64(least/unit), 10)) + len(name)
}

// isNamedType reports whether a param's type is a Go type: qualified, or of the generated package.
func isNamedType(name string) bool {
	_, known := paramTypes[name]
	name, _, _ = cutArgs(name)
	return !known && (strings.Contains(name, ".") || exported(name))
}
