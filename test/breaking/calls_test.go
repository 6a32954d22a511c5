package breaking

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/event-gen/event-gen/internal/catalog/model"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// value is an argument as a caller writes it: its Go expression, and what it is for either side, which differs for the
// constants of enums.
type value struct {
	text     string
	was, is  any
	constant string // its name, of an enum
}

func same(v any) value { return value{text: fmt.Sprintf("%#v", v), was: v, is: v} }

func meta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID("uid-" + name), ResourceVersion: "7"}
}

// objects are those of a Go type: one of each kind for an interface.
func objectsOf(goType model.GoType) []k8sruntime.Object {
	all := map[string]k8sruntime.Object{
		"k8s.io/api/core/v1.Pod":                   &corev1.Pod{ObjectMeta: meta("pod")},
		"k8s.io/api/core/v1.Node":                  &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node", UID: "uid-node"}},
		"k8s.io/api/core/v1.Secret":                &corev1.Secret{ObjectMeta: meta("secret")},
		"k8s.io/api/core/v1.PersistentVolumeClaim": &corev1.PersistentVolumeClaim{ObjectMeta: meta("claim")},
		"k8s.io/api/batch/v1.Job":                  &batchv1.Job{ObjectMeta: meta("job")},
		"k8s.io/apimachinery/pkg/apis/meta/v1.PartialObjectMetadata": &metav1.PartialObjectMetadata{
			TypeMeta: metav1.TypeMeta{APIVersion: "example.com/v1", Kind: "Widget"}, ObjectMeta: meta("widget"),
		},
	}
	if goType.Name == "Object" {
		var out []k8sruntime.Object
		for _, name := range sortedKeys(all) {
			out = append(out, all[name])
		}
		for _, kind := range []metav1.TypeMeta{{APIVersion: "v1", Kind: "Pod"}, {APIVersion: "example.com/v1", Kind: "Widget"}} {
			out = append(out, &corev1.ObjectReference{
				APIVersion: kind.APIVersion, Kind: kind.Kind, Namespace: "default", Name: "referred", UID: "uid-referred", FieldPath: "spec.x",
			})
		}
		return out
	}
	return []k8sruntime.Object{all[goType.Path+"."+goType.Name]}
}

// call is one call of a method, as it was and as it is.
type call struct {
	regarding k8sruntime.Object
	related   k8sruntime.Object // nil: none
	args      []value           // of the params of before
}

func (c call) String() string {
	var parts []string
	for _, a := range c.args {
		parts = append(parts, a.text)
	}
	return fmt.Sprintf("%T, %T, %.200s", c.regarding, c.related, strings.Join(parts, ", "))
}

// pair is a method on both sides, with the place now of each param of before.
type pair struct {
	oldEvent, newEvent *model.Event
	old, now           *model.Method
	to                 []int
	place              int // of the object that is not nil: 0 is the regarding one, 1 the first of alsoOn
}

// newPair pairs the params: by field, or by position.
func newPair(oldEvent, newEvent *model.Event, old, now *model.Method) pair {
	p := pair{oldEvent: oldEvent, newEvent: newEvent, old: old, now: now, to: make([]int, len(oldEvent.Params))}
	for i, param := range oldEvent.Params {
		p.to[i] = i
		if oldEvent.ArgsType != "" {
			p.to[i] = slices.IndexFunc(newEvent.Params, func(o *model.Param) bool { return o.Field == param.Field })
		}
	}
	return p
}

// calls are the calls of a method: each argument in turn has every value, the others their usual one; and some at random.
func (p pair) calls(m maker) []call {
	domains := make([][]value, len(p.to))
	usual := make([]value, len(p.to))
	for i := range p.to {
		domains[i] = p.domain(i)
		usual[i] = domains[i][0]
	}
	regardings := p.regardings()
	var relateds []k8sruntime.Object
	if r := p.oldEvent.Related; r != nil {
		relateds = objectsOf(r.Object.GoType)
	}
	base := call{regarding: regardings[0], args: usual}
	if len(relateds) > 0 {
		base.related = relateds[0]
	}
	calls := []call{base}
	for i := range p.to {
		for _, v := range domains[i][1:] {
			c := base.with()
			c.args[i] = v
			calls = append(calls, c)
		}
	}
	calls = append(calls, p.selected(base, domains)...)
	for _, o := range regardings[1:] {
		c := base
		c.regarding = o
		calls = append(calls, c)
	}
	for _, o := range append(relateds, nil)[min(1, len(relateds)):] {
		c := base
		c.related = o
		calls = append(calls, c)
	}
	calls = append(calls, p.longest(base, domains)...)
	for range 6 {
		c := call{regarding: pickOf(m.Rand, regardings...), args: slices.Clone(usual), related: base.related}
		for i := range c.args {
			c.args[i] = pickOf(m.Rand, domains[i]...)
		}
		calls = append(calls, c)
	}
	return calls
}

// longest are calls with the longest texts: of the objects' names, and of one argument or all of them. Where an annotation can be cut,
// another text beside the longest has each of several lengths, so that the cut falls on each part of the annotation.
func (p pair) longest(base call, domains [][]value) []call {
	base.regarding = stretched(base.regarding)
	if base.related != nil {
		base.related = stretched(base.related)
	}
	all := base.with()
	calls := []call{base, all}
	for i, domain := range domains {
		if p.oldEvent.Params[i] == p.oldEvent.Select {
			continue
		}
		longest := slices.MaxFunc(domain, func(a, b value) int { return len(a.text) - len(b.text) })
		c := base.with()
		c.args[i], all.args[i] = longest, longest
		calls = append(calls, c)
		for j := range domains {
			if j == i || p.oldEvent.Params[j] == p.oldEvent.Select || len(p.oldEvent.Source.Annotations) == 0 {
				continue
			}
			for _, v := range p.lengths(j) {
				beside := c.with()
				beside.args[j] = v
				calls = append(calls, beside)
			}
		}
	}
	return calls
}

// with is a copy of a call with arguments of its own.
func (c call) with() call {
	c.args = slices.Clone(c.args)
	return c
}

// lengths are texts of many lengths below the bounds of a param, which no two of the catalogs' bounds come near.
func (p pair) lengths(i int) []value {
	var out []value
	for n := slices.Max(p.bounds(i)) - lengthStep; n > 0; n -= lengthStep {
		text := strings.Repeat("x", n)
		switch p.oldEvent.Params[i].Convert {
		case "String":
			out = append(out, same(text))
		case "Error":
			out = append(out, value{text: text, was: errors.New(text), is: errors.New(text)})
		case "Strings":
			out = append(out, same([]string{text}))
		}
	}
	return out
}

const lengthStep = 50

// stretched is a copy of an object with the longest names.
func stretched(obj k8sruntime.Object) k8sruntime.Object {
	name, namespace := strings.Repeat("n", 253), strings.Repeat("s", 63)
	out := obj.DeepCopyObject()
	switch o := out.(type) {
	case *corev1.ObjectReference:
		o.Name, o.Namespace = name, namespace
	case metav1.Object:
		if o.SetName(name); o.GetNamespace() != "" {
			o.SetNamespace(namespace)
		}
	}
	return out
}

// selected are calls of each variant in which each other argument in turn has every value: the usual variant need not show it.
func (p pair) selected(base call, domains [][]value) []call {
	var calls []call
	for s, param := range p.oldEvent.Params {
		if param != p.oldEvent.Select && p.newEvent.Params[p.to[s]] != p.newEvent.Select {
			continue
		}
		for i := range p.oldEvent.Params {
			if i == s {
				continue
			}
			for _, variant := range domains[s][1:] {
				for _, v := range domains[i][1:] {
					c := base.with()
					c.args[s], c.args[i] = variant, v
					calls = append(calls, c)
				}
			}
		}
	}
	return calls
}

// regardings are objects that a method may be called with, those that it accepts first.
func (p pair) regardings() []k8sruntime.Object {
	all := objectsOf(regardingType(p.old))
	rank := func(o k8sruntime.Object) int { return 2*rejects(p.old, o) + rejects(p.now, o) }
	slices.SortStableFunc(all, func(a, b k8sruntime.Object) int { return rank(a) - rank(b) })
	return all
}

// rejects is 1 if a method does not take an object for its kind, else 0.
func rejects(m *model.Method, o k8sruntime.Object) int {
	if m.KindFunc == nil || slices.ContainsFunc(m.KindFunc.Objects, func(known *model.Object) bool {
		return typeOf(o) == known.GoType.Path+"."+known.GoType.Name
	}) {
		return 0
	}
	return 1
}

func regardingType(m *model.Method) model.GoType {
	if m.Regarding == nil {
		return model.GoType{Name: "Object"}
	}
	return m.Regarding.GoType
}

// bounds are where a param's text is cut, on either side: by the run time if by nothing else.
func (p pair) bounds(i int) []int {
	const most = eventrt.MaxNoteBytes - len(eventrt.AggregatePrefix)
	var out []int
	for _, s := range p.old.Definitions {
		out = append(out, cmp.Or(s.Runtime.Params[i].MaxBytes, most))
	}
	for _, s := range p.now.Definitions {
		out = append(out, cmp.Or(s.Runtime.Params[p.to[i]].MaxBytes, most))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// texts are strings at the bounds of both sides, and the literals of both.
func (p pair) texts(i int) []string {
	out := []string{"usual", "", "b"}
	for _, n := range p.bounds(i) {
		out = append(out, strings.Repeat("x", n-1)+"y", strings.Repeat("x", n)+"y", strings.Repeat("x", n)+"z")
	}
	for _, e := range []*model.Event{p.oldEvent, p.newEvent} {
		for _, s := range e.Methods[0].Definitions {
			if s.Variant != nil {
				out = append(out, s.Variant.Value)
			}
		}
	}
	out = append(out, "elsewhere")
	return slices.Compact(out)
}

// domain are the values that an argument is tried with; the first is the usual one.
func (p pair) domain(i int) []value {
	param := p.oldEvent.Params[i]
	if param.Enum != nil {
		return p.constants(i)
	}
	var out []value
	add := func(values ...any) {
		for _, v := range values {
			out = append(out, same(v))
		}
	}
	switch param.Convert {
	case "Bool":
		add(true, false)
	case "Int", "Uint":
		add(7, 0, 120000)
		if param.Convert == "Int" {
			add(-3)
		}
		if widest := widestNumbers[param.Type]; widest != 0 {
			add(widest)
		}
	case "Float":
		add(1.5, 0.0, 1234.56789, -2.0, 1e21, -2.2250738585072014e-308)
		for _, bound := range p.bounds(i) {
			add(floatsBeyond(bound, p.precisions(i))...)
		}
	case "Duration":
		add(90*time.Second, time.Duration(0), 1600*time.Millisecond, 59*time.Minute+59*time.Second+700*time.Millisecond, 26*time.Hour, 4*time.Millisecond,
			15*time.Microsecond, 90*time.Minute, time.Duration(math.MinInt64))
	case "Time":
		add(time.Date(2024, 2, 3, 4, 5, 6, 0, time.UTC), time.Time{}, time.Date(2025, 12, 31, 23, 59, 59, 5, time.UTC))
	case "Error":
		for _, s := range p.texts(i) {
			out = append(out, value{text: fmt.Sprintf("errors.New(%q)", s), was: errors.New(s), is: errors.New(s)})
		}
		out = append(out, value{text: "nil"})
	case "Quantity":
		for _, text := range []string{"1500m", "0", "3Gi", "123456789012345678901234567890123456789", "123456789012345678901234567890123456788"} {
			out = append(out, quantity(text))
		}
		for _, bound := range p.bounds(i) {
			digits := strings.Repeat("7", bound)
			out = append(out, quantity(digits), quantity(digits+"1"), quantity(digits+"2"))
		}
	case "NamespacedName":
		add(types.NamespacedName{Namespace: "ns", Name: "n"}, types.NamespacedName{})
		for _, s := range p.texts(i)[3:] {
			add(types.NamespacedName{Namespace: "ns", Name: s})
		}
	case "ObjectName":
		add(k8sruntime.Object(&corev1.Pod{ObjectMeta: meta("pod")}), k8sruntime.Object(&corev1.Pod{ObjectMeta: meta("p")}), k8sruntime.Object(&corev1.Node{ObjectMeta: meta(strings.Repeat("n", 200))}))
		for _, s := range p.texts(i)[3:] {
			add(k8sruntime.Object(&corev1.Pod{ObjectMeta: meta(strings.TrimPrefix(s, "xxxx"))}))
		}
		out = append(out, value{text: "nil"})
	case "Strings":
		add([]string{"one", "two"}, []string(nil), []string{"one"})
		for _, s := range p.texts(i)[3:] {
			add([]string{s, "end"})
		}
	default:
		for _, s := range p.texts(i) {
			add(s)
		}
	}
	return out
}

// widestNumbers are the numbers with the longest texts, by type.
var widestNumbers = map[string]int{"int": math.MinInt64, "int64": math.MinInt64, "int32": math.MinInt32, "uint32": math.MaxUint32}

func quantity(text string) value {
	q := resource.MustParse(text)
	return value{text: text, was: q, is: q}
}

// precisions are the digits behind the point of a param, on both sides; less than zero: as many as it takes.
func (p pair) precisions(i int) []int {
	return []int{p.oldEvent.Params[i].Definition.Precision - 1, p.newEvent.Params[p.to[i]].Definition.Precision - 1}
}

// floatsBeyond are numbers whose texts are one byte too long for a bound.
func floatsBeyond(bound int, precisions []int) []any {
	const digits = "1.234567890123456"
	var out []any
	for _, behind := range precisions {
		whole := bound
		switch {
		case behind < 0 && bound < len(digits):
			v, err := strconv.ParseFloat(digits[:bound+1], 64)
			if err == nil {
				out = append(out, v)
			}
			continue
		case behind > 0:
			whole -= behind + len(".")
		}
		if whole >= 0 && whole <= 308 {
			out = append(out, math.Pow10(whole))
		} else if whole > 308 {
			out = append(out, -math.MaxFloat64)
		}
	}
	return out
}

// constants are those that both sides have, two texts that are none, and none at all.
func (p pair) constants(i int) []value {
	var out []value
	for _, v := range p.oldEvent.Params[i].Enum.Values {
		now := p.newEvent.Params[p.to[i]].Enum
		if now == nil {
			continue
		}
		if j := slices.IndexFunc(now.Values, func(o model.Constant) bool { return o.Name == v.Name }); j >= 0 {
			out = append(out, value{text: v.Name, was: v.Value, is: now.Values[j].Value, constant: v.Name})
		}
	}
	return append(out, same("?"), same("??"), same(""))
}

// arg reduces a value as the generated code of a param does.
func arg(p *model.Param, v any) eventrt.Arg {
	switch p.Convert {
	case "Bool":
		return eventrt.Bool(v.(bool))
	case "Int":
		return eventrt.Int(v.(int))
	case "Uint":
		return eventrt.Uint(uint(v.(int)))
	case "Float":
		return eventrt.Float(v.(float64))
	case "Duration":
		return eventrt.Duration(v.(time.Duration))
	case "Time":
		return eventrt.Time(v.(time.Time))
	case "Error":
		err, _ := v.(error)
		return eventrt.Error(err)
	case "Quantity":
		return eventrt.Quantity(v.(resource.Quantity))
	case "NamespacedName":
		return eventrt.NamespacedName(v.(types.NamespacedName))
	case "ObjectName":
		obj, _ := v.(k8sruntime.Object)
		return eventrt.ObjectName(obj)
	case "Strings":
		return eventrt.Strings(v.([]string), *p.Extra)
	}
	return eventrt.String(v.(string))
}

// zero is what a field is that callers do not set.
func zero(p *model.Param) eventrt.Arg {
	switch p.Convert {
	case "Bool":
		return eventrt.Bool(false)
	case "Int":
		return eventrt.Int(0)
	case "Uint":
		return eventrt.Uint(uint(0))
	case "Float":
		return eventrt.Float(0.0)
	case "Duration":
		return eventrt.Duration(0)
	case "Time":
		return eventrt.Time(time.Time{})
	case "Error":
		return eventrt.Error(nil)
	case "Quantity":
		return eventrt.Quantity(resource.Quantity{})
	case "NamespacedName":
		return eventrt.NamespacedName(types.NamespacedName{})
	case "ObjectName":
		return eventrt.ObjectName(nil)
	case "Strings":
		return eventrt.Strings(nil, *p.Extra)
	}
	return eventrt.String("")
}

// before is the event of a call as it was, after as it is.
func (p pair) before(c call) eventrt.Event {
	args := make([]eventrt.Arg, len(p.oldEvent.Params))
	texts := make([]string, len(args))
	for i, v := range c.args {
		args[i] = arg(p.oldEvent.Params[i], v.was)
		texts[i], _ = v.was.(string)
	}
	return event(p.oldEvent, p.old, c, args, texts)
}

func (p pair) after(c call) eventrt.Event {
	args := make([]eventrt.Arg, len(p.newEvent.Params))
	texts := make([]string, len(args))
	for i, param := range p.newEvent.Params {
		args[i] = zero(param)
	}
	for i, v := range c.args {
		args[p.to[i]] = arg(p.newEvent.Params[p.to[i]], v.is)
		texts[p.to[i]], _ = v.is.(string)
	}
	return event(p.newEvent, p.now, c, args, texts)
}

func event(e *model.Event, m *model.Method, c call, args []eventrt.Arg, texts []string) eventrt.Event {
	spec := m.Definitions[0]
	if e.Select != nil {
		spec = m.Definitions[len(m.Definitions)-1]
		for _, s := range m.Definitions {
			if s.Variant != nil && s.Variant.Value == texts[slices.Index(e.Params, e.Select)] {
				spec = s
			}
		}
	}
	var related eventrt.ObjectRef
	if e.Related != nil && c.related != nil {
		related = reference(c.related, e.Related.Object)
	}
	event := eventrt.NewEvent(&spec.Runtime, regarding(c.regarding, m), related, args...)
	event.ResolveKinds(scheme)
	return event
}

// regarding refers to an object as generated code does: the kind that its type tells in a closed set, else the object's own.
func regarding(obj k8sruntime.Object, m *model.Method) eventrt.ObjectRef {
	if m.KindFunc == nil {
		return reference(obj, m.Regarding)
	}
	for _, o := range m.KindFunc.Objects {
		if typeOf(obj) == o.GoType.Path+"."+o.GoType.Name {
			ref := eventrt.ObjectOf(obj.(metav1.Object))
			ref.APIVersion, ref.Kind = o.Kind.APIVersion, o.Kind.Kind
			return ref
		}
	}
	return eventrt.AnyObject(obj)
}

func reference(obj k8sruntime.Object, o *model.Object) eventrt.ObjectRef {
	if o.Any {
		return eventrt.AnyObject(obj)
	}
	return eventrt.ObjectOf(obj.(metav1.Object))
}
