package proof

import (
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	k8stypes "k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"pgregory.net/rapid"

	"github.com/event-gen/event-gen/internal/adoption/migrate/proof/testdata/values"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/seed"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// TestProofHolds plays random raw calls, as fmt renders them, and the proof's typed calls through
// one fake recorder. If the strings differ, one of the proof's causes must explain it. -rapid.seed
// plays a run again.
func TestProofHolds(t *testing.T) {
	outcomes := map[Outcome]int{}
	seed.Check(t, func(rt *rapid.T) {
		c := drawCase(t, rt)
		v := Prove(c.site, c.event)
		outcomes[v.Outcome()]++
		if v.Outcome() == NoCall {
			return
		}
		for range 4 { // the verdict is about all values
			c.drawValues(rt)
			c.compare(rt, &v)
		}
	})
	t.Logf("outcomes: %v", outcomes)
}

// playedCase is an entry, a raw call, and the values of the variables that it reads.
type playedCase struct {
	*reader
	event  *model.Event
	site   *RawCall
	values map[string]any
}

// odd are texts for which renderings differ.
var odd = []string{"", "plain", "50%", "%d", "%!s(<nil>)", "two\nlines", "tab\tand\x7f", "bad \xff\xfe", "\u2028", "[a b]", "…", "ünïcode",
	strings.Repeat("long ", 60), strings.Repeat("é", 700), "\xff" + strings.Repeat("x", 130), `"quoted"`, "<nil>"}

func drawText(t *rapid.T, label string) string {
	if rapid.Bool().Draw(t, label+" is odd") {
		return rapid.SampledFrom(odd).Draw(t, label)
	}
	return rapid.StringN(0, 40, -1).Draw(t, label)
}

// drawValues gives every expression of testdata/values a value.
func (c *playedCase) drawValues(t *rapid.T) {
	s := func(label string) string { return drawText(t, label) }
	var list []string
	for i := range rapid.IntRange(0, 4).Draw(t, "elements") {
		list = append(list, s(fmt.Sprint("element ", i)))
	}
	pod, node := &corev1.Pod{}, corev1.Node{}
	pod.Name, pod.Namespace, pod.UID, node.Name = s("pod"), s("namespace"), k8stypes.UID(s("uid of pod")), s("node")
	text, n := s("S"), rapid.Int32().Draw(t, "number")
	f := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, 1, 1e21, -1e-7, 0.1, 123456.789})).Draw(t, "float")
	var failing *values.Failing
	if rapid.Bool().Draw(t, "failing") {
		failing = &values.Failing{Text: text}
	}
	failure := rapid.SampledFrom([]error{nil, failing, fmt.Errorf("%s", text), values.Odd{Text: text}, values.Both{Text: text}}).Draw(t, "error")
	stringer := rapid.SampledFrom([]fmt.Stringer{nil, values.Level(n), values.Loud(text), (*values.Shy)(nil), &values.Shy{Text: text}, values.Both{Text: text}, time.Second}).Draw(t, "Stringer")
	quantity := *resource.NewQuantity(int64(n%3)*1024, resource.BinarySI)
	named := k8stypes.NamespacedName{Namespace: pod.Namespace, Name: pod.Name}
	if rapid.Bool().Draw(t, "no name") {
		named = k8stypes.NamespacedName{}
	}
	duration := time.Duration(rapid.Int64().Draw(t, "duration"))
	moment := time.Unix(int64(n), 0)
	c.values = map[string]any{
		"S": text, "S2": s("S2"), "Phase": corev1.PodPhase(s("phase")), "Word": values.Loud(s("word")), "Bytes": []byte(text),
		"I": int(n), "I32": n, "I64": int64(n) << 20, "U32": uint32(n), "N": values.Count(n), "L": values.Level(n % 3), "B": n%2 == 0,
		"FlagB": values.Flag(n%2 == 0), "F": f, "F32": float32(f), "D": duration, "T": moment, "Err": failure, "Fail": failing,
		"List": list, "NN": named, "UID": k8stypes.UID(text), "Q": quantity, "&Q": &quantity, "Str": stringer, "S3": values.Shy{Text: text},
		"&S3": &values.Shy{Text: text}, "Mixed": values.Both{Text: text}, "Any": rapid.SampledFrom([]any{nil, text, int(n), failure, list}).Draw(t, "any"),
		"Pod.Name": pod.Name, "Pod.GetNamespace()": pod.Namespace, "Pod.UID": pod.UID, "Pod.ObjectMeta.Name": pod.Name, "NodeV.Name": node.Name,
		"Pod": pod, "NodeV": node, `strings.Join(List, ", ")`: strings.Join(list, ", "), `strings.Join(List, " ")`: strings.Join(list, " "),
		"len(List)": len(list),
	}
	c.values["S + S2"] = text + c.values["S2"].(string)
	c.values["Err.Error()"], c.values["Q.String()"], c.values["D.String()"], c.values["NN.String()"], c.values["S3.String()"] =
		call(failure, "Error"), quantity.String(), duration.String(), named.String(), text
}

// call returns the result of a value's method; nil if it panics.
func call(v any, method string) (result any) {
	defer func() {
		if recover() != nil {
			result = nil
		}
	}()
	return reflect.ValueOf(v).MethodByName(method).Call(nil)[0].Interface()
}

// arguments are the expressions of random calls; methods are the expressions whose text comes from
// a method.
var arguments = []string{
	"S", "S2", "Phase", "Word", "Bytes", "I", "I32", "I64", "U32", "N", "L", "B", "FlagB", "F", "F32", "D", "T", "Err", "Fail", "List", "NN", "UID",
	"Q", "&Q", "Str", "S3", "&S3", "Mixed", "Any", "Pod.Name", "Pod.GetNamespace()", "Pod.UID", "Pod.ObjectMeta.Name", "NodeV.Name",
	`strings.Join(List, ", ")`, `strings.Join(List, " ")`, "S + S2", "len(List)", "Err.Error()", "Q.String()", "D.String()", "NN.String()", "S3.String()",
}

var verbsDrawn = []string{"%s", "%v", "%v", "%d", "%q", "%t", "%.2f", "%f", "%g", "%5s", "%x", "%+v"}

// fitting are the arguments that suit a type of params, with verbs.
var fitting = map[string][]string{
	"string": {"%s S", "%v S2", "%s Phase", "%v Word", "%s Err.Error()", "%q S", "%v Err", "%s S + S2", "%d I", "%s Pod.Name", `%s strings.Join(List, " ")`},
	"name":   {"%s S", "%v Pod.Name"}, "uid": {"%s UID", "%v UID", "%s S"}, "int": {"%d I", "%v I", "%d len(List)", "%d L", "%d I32"},
	"int32": {"%d I32", "%v I32", "%d N"}, "int64": {"%d I64", "%d I32", "%v I64", "%d U32"}, "uint32": {"%d U32", "%v U32"},
	"bool": {"%t B", "%v B", "%t FlagB"}, "float64": {"%.2f F", "%v F", "%.2f F32", "%f F", "%g F"}, "duration": {"%s D", "%v D", "%s D.String()"},
	"error": {"%v Err", "%s Err", "%v Fail", "%s Fail", "%s Err.Error()", "%v Mixed"}, "quantity": {"%s Q.String()", "%v &Q", "%s Q"},
	"namespacedName": {"%s NN", "%v NN", "%s NN.String()"}, "strings": {`%s strings.Join(List, ", ")`, "%v List", "%s List"},
	"corev1.PodPhase": {"%s Phase", "%v Phase", "%s S"}, "time": {"%s T", "%v T"},
	"level": {"%v L", "%s L", "%d L"}, "shy": {"%v &S3", "%s S3.String()", "%s S3"}, "stringer": {"%v Str", "%s Str"},
}

var literals = []string{"", "a", "Cannot scale: ", " to ", "100% of ", "{", "[", "]", " ", ": ", "é", "no {regarding}"}

// drawCase draws an entry, and a call that is usually near it.
func drawCase(t *testing.T, rt *rapid.T) *playedCase {
	c := &playedCase{reader: newReader(t)}
	if rapid.IntRange(1, 6).Draw(rt, "format") == 1 {
		c.drawComputed(rt)
		return c
	}
	var params []string
	var kinds []string
	for i := range rapid.IntRange(0, 3).Draw(rt, "params") {
		kind := rapid.SampledFrom(keys(fitting)).Draw(rt, "type")
		if wide(append(kinds, kind)) > 2 {
			kind = "name"
		}
		kinds = append(kinds, kind)
		params = append(params, drawParam(rt, i, kind))
	}
	message, text := drawMessage(rt, c.reader, params, kinds)
	e, findings := built(t, fmt.Sprintf("{reason: Failed, type: Warning, regarding: Pod, params: [%s], message: %s}", strings.Join(params, ", "), message))
	if c.event = e; e == nil {
		rt.Fatalf("the entry is no valid one: %v", findings)
	}
	overrideStringers(c.event, kinds)
	c.site = c.reader.site(text)
	c.drawWhole(rt)
	return c
}

// wide counts the params whose text can exceed 300 bytes. Three such params would not fit into a
// message, nor would three params with one such param, together with the object's name.
func wide(kinds []string) (n int) {
	for _, kind := range kinds {
		if kind == "namespacedName" || kind == "float64" {
			n++
		}
	}
	return n
}

func keys(m map[string][]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// drawParam is a param in YAML, with some of the options of its type.
func drawParam(t *rapid.T, i int, kind string) string {
	fields := []string{fmt.Sprintf("name: p%d", i), "type: " + kind}
	flag := func(option string, one int) {
		if rapid.IntRange(1, one).Draw(t, option) == 1 {
			fields = append(fields, option)
		}
	}
	switch kind {
	case "level", "shy", "stringer":
		fields[1] = "type: string"
		return "{" + strings.Join(append(fields, "maxBytes: 200"), ", ") + "}"
	case "string":
		fields = append(fields, fmt.Sprintf("maxBytes: %d", rapid.SampledFrom([]int{8, 40, 200}).Draw(t, "maxBytes")))
		flag("quote: true", 4)
	case "error", "quantity":
		fields = append(fields, fmt.Sprintf("maxBytes: %d", rapid.SampledFrom([]int{8, 40, 200}).Draw(t, "maxBytes")))
	case "strings":
		fields = append(fields, "maxBytes: 100")
		flag(`separator: " "`, 2)
	case "float64":
		flag("precision: 2", 2)
	case "corev1.PodPhase", "name":
		fields = append(fields, "maxBytes: 60")
	case "duration":
		flag("round: 1s", 4)
	}
	flag("sensitive: true", 12)
	if rapid.IntRange(1, 4).Draw(t, "optional") == 1 && kind != "quantity" {
		fields = append(fields, "optional: true")
		flag(`prefix: "; "`, 2)
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

// drawMessage returns a message with every param once or twice, and the text of a call.
func drawMessage(t *rapid.T, r *reader, params, kinds []string) (message string, text []Part) {
	var pieces []Part
	literal := func() {
		s := rapid.SampledFrom(literals).Draw(t, "literal")
		message += strings.NewReplacer("{", "{{", "}", "}}").Replace(s)
		if rapid.IntRange(1, 25).Draw(t, "other text") == 1 {
			s = rapid.SampledFrom([]string{"other", "\n", "a\tb", "%", "\xff"}).Draw(t, "literal of the call")
		} else if rapid.IntRange(1, 10).Draw(t, "line break") == 1 {
			s = strings.ReplaceAll(s, " ", "\n")
		}
		pieces = append(pieces, Part{Literal: s})
	}
	literal()
	for i, kind := range kinds {
		message += fmt.Sprintf("{p%d}", i)
		if strings.Contains(params[i], "prefix") {
			pieces = append(pieces, Part{Literal: "; "})
		}
		pieces = append(pieces, drawArgument(t, r, kind))
		literal()
	}
	if (len(kinds) < 3 || wide(kinds) == 0) && rapid.IntRange(1, 4).Draw(t, "shows the object") == 1 {
		message += "{regarding.name}"
		pieces = append(pieces, r.part("%s", rapid.SampledFrom([]string{"Pod.Name", "Pod.ObjectMeta.Name", "Pod.Name", "NodeV.Name", "S"}).Draw(t, "name")))
	}
	if message == "" {
		message, pieces = "constant", append(pieces, Part{Literal: "constant"})
	}
	for _, p := range pieces {
		if p.Expr != nil || p.Literal != "" {
			text = appendPart(text, p)
		}
	}
	if len(text) == 0 {
		text = []Part{{Literal: " "}}
	}
	return strconv.Quote(message), text
}

func drawArgument(t *rapid.T, r *reader, kind string) Part {
	if rapid.IntRange(1, 8).Draw(t, "any argument") == 1 {
		return r.part(rapid.SampledFrom(verbsDrawn).Draw(t, "verb"), rapid.SampledFrom(arguments).Draw(t, "argument"))
	}
	verb, expr, _ := strings.Cut(rapid.SampledFrom(fitting[kind]).Draw(t, "argument of "+kind), " ")
	return r.part(verb, expr)
}

// overrideStringers makes params of types that a catalog finds by loading their package.
func overrideStringers(e *model.Event, kinds []string) {
	const path = "github.com/event-gen/event-gen/internal/adoption/migrate/proof/testdata/values"
	for i, kind := range kinds {
		q := e.Params[i]
		switch kind {
		case "level":
			q.Convert, q.GoType, q.Definition.Optional = "Stringer", model.GoType{Path: path, Name: "Level"}, false
		case "shy":
			q.Convert, q.GoType, q.ByAddress, q.Definition.Optional = "Stringer", model.GoType{Path: path, Name: "Shy"}, true, false
		case "stringer":
			q.Convert, q.GoType = "Stringer", model.GoType{Path: "fmt", Name: "Stringer"}
		}
	}
}

// drawWhole draws how the text is passed: as a format with arguments, or as one value that may be
// used as a format.
func (c *playedCase) drawWhole(t *rapid.T) {
	text := c.site.Text
	if len(text) == 1 && text[0].Expr != nil && isPlain(text[0].Verb) && c.info.TypeOf(text[0].Expr) == types.Typ[types.String] && rapid.Bool().Draw(t, "formats") {
		text[0].Formats = true
		c.site.Whole = text[0]
		return
	}
	whole := Part{Verb: "%s"}
	for _, p := range text {
		if p.Method != "" {
			return
		}
		if p.Expr != nil {
			whole.Args = append(whole.Args, p.Expr)
		}
	}
	whole.Expr = c.reader.expr(strconv.Quote(shownText(text)))
	whole.Type = c.info.TypeOf(whole.Expr)
	if len(whole.Args) > 0 && rapid.Bool().Draw(t, "has the whole text") {
		c.site.Whole, c.site.Format = whole, shownText(text)
	}
}

// drawComputed draws a call whose format is not constant, with up to three arguments or a slice.
// Half of the calls show the proof the format as the text, as if it had no arguments.
func (c *playedCase) drawComputed(t *rapid.T) {
	shown := rapid.SampledFrom([]string{"{regarding.name}", "{p0}", "{p0}: %s"}).Draw(t, "message")
	c.event = entry(c.t, fmt.Sprintf("{reason: Failed, type: Warning, regarding: Pod, params: [{name: p0, type: string, maxBytes: 200}], message: %q}", shown))
	if !strings.Contains(shown, "p0") {
		c.event = entry(c.t, fmt.Sprintf("{reason: Failed, type: Warning, regarding: Pod, message: %q}", shown))
	}
	whole := c.part("%s", rapid.SampledFrom([]string{"Pod.Name", "S", "S + S2"}).Draw(t, "format"))
	c.site = c.reader.site([]Part{whole})
	switch n := rapid.IntRange(0, 4).Draw(t, "arguments"); n {
	case 0:
		whole.Formats = true
		c.site.Text[0] = whole
	case 4:
		whole.Args, whole.Spread = []ast.Expr{c.expr("List")}, true
	default:
		for range n {
			whole.Args = append(whole.Args, c.expr(rapid.SampledFrom([]string{"S", "I", "Err", "Pod.Name", "List"}).Draw(t, "argument")))
		}
	}
	if c.site.Whole = whole; rapid.Bool().Draw(t, "seen as such") {
		c.site.Text = []Part{whole}
	}
}

// compare records the raw call and the typed one.
func (c *playedCase) compare(t *rapid.T, v *Verdict) {
	fake := record.NewFakeRecorder(2)
	pod := c.values["Pod"].(*corev1.Pod)
	format, args, ok := c.raw()
	if !ok {
		return // the raw call panics before it records
	}
	fake.Eventf(pod, "Warning", "Failed", format, args...)
	d := &v.Method.Definitions[0].Runtime
	var typed []eventrt.Arg
	for i, a := range v.Args {
		typed = append(typed, c.arg(t, c.event.Params[i], a))
	}
	eventrt.FromRecord(fake).EmitNew(d, eventrt.ObjectOf(pod), eventrt.ObjectRef{}, typed...)
	want, got := <-fake.Events, <-fake.Events
	if want == got {
		return
	}
	for _, cause := range v.Causes {
		if c.atWork(cause, d, want, got) {
			return
		}
	}
	t.Fatalf("%s, by causes that are not at work\nraw   %q\ntyped %q\nformat %q, arguments %q\nentry %s\ncall  %s\n%v",
		v.Outcome(), want, got, format, args, v.Method.Definitions[0].Message, shown(v), v.Causes)
}

// raw is the raw call's format and arguments.
func (c *playedCase) raw() (format string, args []any, ok bool) {
	if w := c.site.Whole; c.computed() {
		return c.value(types.ExprString(w.Expr)).(string), c.elements(w.Args, w.Spread), true
	}
	for _, p := range c.site.Text {
		if p.Expr == nil {
			format += strings.ReplaceAll(p.Literal, "%", "%%")
			continue
		}
		value, ok := c.rawValue(p)
		if !ok {
			return "", nil, false
		}
		if p.Formats {
			return reflect.ValueOf(value).String(), nil, true
		}
		format += p.Verb
		args = append(args, value)
	}
	return format, args, true
}

// computed reports whether the format of the call is not constant, and has arguments.
func (c *playedCase) computed() bool { return len(c.site.Whole.Args) > 0 && c.site.Format == "" }

// elements returns the values of arguments, or the elements of a slice if it is spread.
func (c *playedCase) elements(args []ast.Expr, spread bool) (out []any) {
	for _, x := range args {
		value := c.value(types.ExprString(x))
		if list, ok := value.([]string); ok && spread {
			for _, element := range list {
				out = append(out, element)
			}
			continue
		}
		out = append(out, value)
	}
	return out
}

func (c *playedCase) rawValue(p Part) (any, bool) {
	text := types.ExprString(p.Expr)
	if len(p.Args) > 0 {
		return fmt.Sprintf(c.value(text).(string), c.elements(p.Args, p.Spread)...), true
	}
	if p.Method != "" {
		value := c.values[text+"."+p.Method+"()"]
		return value, value != nil
	}
	return c.value(text), true
}

func (c *playedCase) value(text string) any {
	value, ok := c.values[text]
	if !ok {
		c.t.Fatalf("no value of %s", text)
	}
	return value
}

// atWork reports whether a cause can explain the different strings of a case.
func (c *playedCase) atWork(cause Cause, d *eventrt.Definition, want, got string) bool {
	id := cause.ID
	switch id {
	case Redacted, Rendering:
		return true
	case Panic:
		return strings.Contains(want, "PANIC=") && (strings.Contains(got, "<panic>"[:3]) || strings.Contains(got, "PANIC="))
	}
	text := c.site.Text
	if c.computed() {
		text = []Part{c.site.Whole}
	}
	for _, p := range text {
		if p.Expr == nil {
			if id == Control && eventrt.Clean(p.Literal, 0) != p.Literal || id == UTF8 && !utf8.ValidString(p.Literal) ||
				id == Percent && strings.Contains(p.Literal, "%") || id == Cut && exceeds(cause.Param, d, p.Literal) {
				return true
			}
			continue
		}
		value, _ := c.rawValue(p)
		// the method of the value itself, even if the raw call has the text that the method
		// returned
		if id == OwnFormat {
			value = c.value(types.ExprString(p.Expr))
		}
		if valueAtWork(cause, d, p, value) {
			return true
		}
	}
	return false
}

func valueAtWork(cause Cause, d *eventrt.Definition, p Part, value any) bool {
	texts := []string{fmt.Sprintf(p.Verb, value)}
	if v := reflect.ValueOf(value); v.IsValid() && v.Kind() == reflect.String {
		texts = append(texts, v.String())
	}
	has := func(such func(string) bool) bool { return slices.ContainsFunc(texts, such) }
	switch cause.ID {
	case Cut:
		return has(func(s string) bool { return exceeds(cause.Param, d, s) })
	case Control:
		return has(func(s string) bool { return utf8.ValidString(s) && eventrt.Clean(s, 0) != s })
	case UTF8:
		return has(func(s string) bool { return !utf8.ValidString(s) })
	case Percent:
		return p.Formats && has(func(s string) bool { return strings.Contains(s, "%") })
	case NilText:
		return value == nil && p.Verb == "%s"
	case OwnFormat:
		_, isOdd := value.(values.Odd)
		_, isBoth := value.(values.Both)
		return isOdd || isBoth
	case Zero:
		v := reflect.ValueOf(value)
		return !v.IsValid() || v.IsZero() || slices.Contains(texts, "") || slices.Contains(texts, "/") || slices.Contains(texts, "0s") || v.Kind() == reflect.Slice && v.Len() == 0
	}
	return false
}

// exceeds reports whether a text is longer than the bound of a placeholder. The bound of a quoted
// one includes the quotes.
func exceeds(placeholder string, d *eventrt.Definition, text string) bool {
	text = eventrt.Clean(text, 0)
	for _, p := range d.Params {
		if p.Name == placeholder {
			return p.MaxBytes > 0 && max(len(text), len(strconv.Quote(text))) > p.MaxBytes
		}
	}
	return len(text) > 253
}

// arg is an argument of the typed call as generated code reduces it.
func (c *playedCase) arg(t *rapid.T, q *model.Param, a Argument) eventrt.Arg {
	value := c.typedValue(a)
	v := reflect.ValueOf(value)
	if a.How != Constant && a.How != Nil && v.IsValid() && q.Convert != "Error" && q.GoType.Name != "Stringer" && !q.GoType.Slice && v.Type().Name() != q.GoType.Name {
		t.Fatalf("%s: a %s is passed for a %s", source(a), v.Type(), q.GoType.Name)
	}
	switch q.Convert {
	case "String":
		return eventrt.String(v.String())
	case "Int":
		return eventrt.Int(v.Int())
	case "Uint":
		return eventrt.Uint(v.Uint())
	case "Bool":
		return eventrt.Bool(v.Bool())
	case "Float":
		return eventrt.Float(v.Float())
	case "Duration":
		return eventrt.Duration(value.(time.Duration))
	case "Time":
		return eventrt.Time(value.(time.Time))
	case "Error":
		err, _ := value.(error)
		return eventrt.Error(err)
	case "Stringer":
		if shy, ok := value.(values.Shy); ok {
			return eventrt.Stringer(&shy)
		}
		s, _ := value.(fmt.Stringer)
		return eventrt.Stringer(s)
	case "Quantity":
		return eventrt.Quantity(value.(resource.Quantity))
	case "NamespacedName":
		return eventrt.NamespacedName(value.(k8stypes.NamespacedName))
	case "Strings":
		list, _ := value.([]string)
		return eventrt.Strings(list, *q.Extra)
	}
	t.Fatalf("no value for %s", q.Convert)
	return eventrt.Arg{}
}

// goTypes are the types that arguments are converted to.
var goTypes = map[string]reflect.Type{
	"string": reflect.TypeFor[string](), "int": reflect.TypeFor[int](), "int32": reflect.TypeFor[int32](), "int64": reflect.TypeFor[int64](),
	"uint32": reflect.TypeFor[uint32](), "float64": reflect.TypeFor[float64](), "bool": reflect.TypeFor[bool](),
	"PodPhase": reflect.TypeFor[corev1.PodPhase](), "UID": reflect.TypeFor[k8stypes.UID](),
}

// typedValue evaluates an argument of the typed call.
func (c *playedCase) typedValue(a Argument) any {
	var result any
	switch a.How {
	case Pass:
		return c.value(types.ExprString(a.Expr))
	case Convert:
		return reflect.ValueOf(c.value(types.ExprString(a.Expr))).Convert(goTypes[a.Type.Name]).Interface()
	case Call:
		result = c.value(types.ExprString(a.Expr) + "." + a.Method + "()")
	case Sprintf:
		result = c.sprintf(a)
	case Constant:
		return a.Text
	case Nil:
		return nil
	}
	if a.Converted {
		return reflect.ValueOf(result).Convert(goTypes[a.Type.Name]).Interface()
	}
	return result
}

func (c *playedCase) sprintf(a Argument) string {
	format := a.Format
	if format == "" {
		format = types.ExprString(a.Expr)
		if text, err := strconv.Unquote(format); err == nil {
			format = text
		} else {
			format = c.value(format).(string)
		}
	}
	return fmt.Sprintf(format, c.elements(a.Args, a.Spread)...)
}
