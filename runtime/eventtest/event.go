package eventtest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// Event is an event as plain data: a recorded event, or, as a Matcher, an expected one. In an
// expectation, zero fields match anything, also in references, and maps need only the keys to
// compare.
type Event struct {
	// Name is the event's name in the generated Go API.
	Name    string
	Type    string
	Reason  string
	Action  string
	Message string
	// Regarding and Related are the objects; Ref makes references. The fieldPath of a container
	// param is set.
	Regarding corev1.ObjectReference
	Related   corev1.ObjectReference
	// ReportingController is empty if the broadcaster would set it.
	ReportingController string
	// Params are the arguments as the message shows them, by the catalog's names.
	Params map[string]string
	// Annotations are the recorder's and the catalog's.
	Annotations map[string]string
	// Labels are the catalog's, the recorder's and those copied from the object.
	Labels map[string]string
	Time   time.Time
}

// Recorded is a recorded event, as data and as it was emitted.
type Recorded struct {
	Event
	Emitted eventrt.Event
}

// Ref refers to an object by namespace, name, UID and, if the object carries them, kind and
// apiVersion. A nil object is the zero reference, which matches anything.
func Ref(obj metav1.Object) corev1.ObjectReference {
	o := eventrt.ObjectOf(obj)
	if typed, ok := obj.(k8sruntime.Object); ok && o.Present() {
		o = eventrt.AnyObject(typed)
	}
	return anyVersion(o)
}

// RefAs is Ref with the kind that a catalog declares for the object. A nil object matches every
// object of the kind.
func RefAs(obj metav1.Object, apiVersion, kind string) corev1.ObjectReference {
	ref := Ref(obj)
	ref.APIVersion, ref.Kind = apiVersion, kind
	return ref
}

// RefNamed refers to an object by its name alone. An empty name is the zero reference, which
// matches anything.
func RefNamed(name string) corev1.ObjectReference { return corev1.ObjectReference{Name: name} }

// RefAny is Ref for an object of any kind.
func RefAny(obj k8sruntime.Object) corev1.ObjectReference { return anyVersion(eventrt.AnyObject(obj)) }

func anyVersion(o eventrt.ObjectRef) corev1.ObjectReference {
	ref := o.Reference()
	ref.ResourceVersion = ""
	return ref
}

func eventOf(e *eventrt.Event) Event {
	if e.Definition() == nil {
		return Event{}
	}
	v := Event{
		Name:                cmp.Or(e.Definition().Name, e.Definition().Reason),
		Type:                e.Type(),
		Reason:              e.Reason(),
		Action:              e.Action(),
		Message:             e.Message(),
		Regarding:           e.RegardingReference(),
		Related:             e.Related().Reference(),
		ReportingController: e.ReportingController(),
		Annotations:         e.AnnotationMap(),
		Time:                e.Time(),
	}
	if labels, _ := e.Labels(); len(labels) > 0 {
		v.Labels = make(map[string]string, len(labels))
		for _, l := range labels {
			v.Labels[l.Key] = l.Value
		}
	}
	if n := len(e.Args()); n > 0 {
		v.Params = make(map[string]string, n)
	}
	for i := range e.Args() {
		v.Params[e.Definition().Params[i].Name] = paramText(e, i)
	}
	return v
}

// paramText is an argument as the message shows it.
func paramText(e *eventrt.Event, i int) string {
	only := eventrt.Definition{Params: e.Definition().Params, Message: []eventrt.Segment{{Value: eventrt.ParamValue, Param: i}}}
	return string(internals.AppendMessage(nil, &only, e.Regarding(), e.Related(), e.Args()))
}

// Mismatch implements Matcher.
func (e Event) Mismatch(r *Recorded) []string {
	var d differences
	d.text("name", e.Name, r.Name)
	d.text("type", e.Type, r.Type)
	d.text("reason", e.Reason, r.Reason)
	d.text("action", e.Action, r.Action)
	d.text("message", e.Message, r.Message)
	d.reference("regarding", &e.Regarding, &r.Regarding)
	d.reference("related", &e.Related, &r.Related)
	d.text("controller", e.ReportingController, r.ReportingController)
	d.entries("param", e.Params, r.Params)
	d.entries("annotation", e.Annotations, r.Annotations)
	d.entries("label", e.Labels, r.Labels)
	if !e.Time.IsZero() && !e.Time.Equal(r.Time) {
		d.add("time", e.Time.String(), r.Time.String())
	}
	return d
}

// differences returns the differences, one a line.
type differences []string

func (d *differences) add(what, want, got string) {
	*d = append(*d, fmt.Sprintf("%s: expected %s, recorded %s", what, want, got))
}

func (d *differences) noRelated(r *Recorded) {
	if r.Emitted.Related().Present() {
		d.add("related", "none", referenceText(&r.Related))
	}
}

// text compares unless nothing is expected.
func (d *differences) text(what, want, got string) {
	if want != "" && want != got {
		d.add(what, fmt.Sprintf("%q", want), fmt.Sprintf("%q", got))
	}
}

func (d *differences) reference(what string, want, got *corev1.ObjectReference) {
	if *want != (corev1.ObjectReference{}) && *got == (corev1.ObjectReference{}) {
		d.add(what, referenceText(want), "none")
		return
	}
	d.text(what+".apiVersion", want.APIVersion, got.APIVersion)
	d.text(what+".kind", want.Kind, got.Kind)
	d.text(what+".namespace", want.Namespace, got.Namespace)
	d.text(what+".name", want.Name, got.Name)
	d.text(what+".uid", string(want.UID), string(got.UID))
	d.text(what+".fieldPath", want.FieldPath, got.FieldPath)
	d.text(what+".resourceVersion", want.ResourceVersion, got.ResourceVersion)
}

func (d *differences) entries(what string, want, got map[string]string) {
	for _, key := range sortedKeys(want) {
		switch value, ok := got[key]; {
		case !ok:
			d.add(what+" "+key, fmt.Sprintf("%q", want[key]), "none")
		case value != want[key]:
			d.add(what+" "+key, fmt.Sprintf("%q", want[key]), fmt.Sprintf("%q", value))
		}
	}
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// line is a recorded event in one line.
func (e *Event) line() string {
	s := strings.TrimSpace(fmt.Sprintf("%s %s %s", e.Type, e.Reason, referenceText(&e.Regarding)))
	if related := referenceText(&e.Related); related != "" {
		s += " (related " + related + ")"
	}
	return strings.TrimSpace(fmt.Sprintf("%s %q", s, e.Message))
}

// referenceText is kind namespace/name:fieldPath, as far as they are known.
func referenceText(r *corev1.ObjectReference) string {
	name := r.Name
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	if r.FieldPath != "" {
		name += ":" + r.FieldPath
	}
	return strings.TrimSpace(r.Kind + " " + name)
}

// String returns the expectation in one line.
func (e Event) String() string {
	var parts []string
	part := func(name, value string) {
		if value != "" {
			parts = append(parts, name+" "+value)
		}
	}
	quoted := func(name, value string) {
		if value != "" {
			part(name, strconv.Quote(value))
		}
	}
	part("name", e.Name)
	part("type", e.Type)
	part("reason", e.Reason)
	part("action", e.Action)
	part("regarding", referenceText(&e.Regarding))
	part("related", referenceText(&e.Related))
	quoted("message", e.Message)
	part("controller", e.ReportingController)
	for _, key := range sortedKeys(e.Params) {
		quoted("param "+key, e.Params[key])
	}
	for _, key := range sortedKeys(e.Annotations) {
		quoted("annotation "+key, e.Annotations[key])
	}
	for _, key := range sortedKeys(e.Labels) {
		quoted("label "+key, e.Labels[key])
	}
	if !e.Time.IsZero() {
		part("time", e.Time.String())
	}
	if len(parts) == 0 {
		return "any event"
	}
	return strings.Join(parts, ", ")
}
