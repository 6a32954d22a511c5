package eventrt_test

import (
	"reflect"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/problems"
)

func TestAnEventSaysWhatIsWrongWithIt(t *testing.T) {
	var nilJob *batchv1.Job
	web := eventrt.ObjectOf(pod())
	untold := eventrt.AnyObject(&unknown{*pod()})
	with := func(change func(*eventrt.Definition)) *eventrt.Definition {
		def := plainDefinition()
		change(def)
		return def
	}
	anyKind := with(func(s *eventrt.Definition) { s.Regarding = metav1.TypeMeta{} })
	related := with(func(s *eventrt.Definition) {
		s.HasRelated, s.Related = true, metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}
	})
	optional := with(func(s *eventrt.Definition) { s.HasRelated, s.RelatedOptional, s.Related = true, true, podKind })
	relatedAny := with(func(s *eventrt.Definition) { s.HasRelated, s.RelatedOptional = true, true })
	closed := with(func(s *eventrt.Definition) {
		s.Regarding = metav1.TypeMeta{}
		s.AnyOf = []metav1.TypeMeta{{APIVersion: "apps/v1", Kind: "Deployment"}, {APIVersion: "v1", Kind: "Pod"}}
	})
	kind := func(apiVersion, kind string) eventrt.ObjectRef {
		return eventrt.ReferenceOf(&corev1.ObjectReference{APIVersion: apiVersion, Kind: kind, Name: "x"})
	}
	var none eventrt.ObjectRef
	tests := []struct {
		name               string
		def                *eventrt.Definition
		regarding, related eventrt.ObjectRef
		args               []eventrt.Arg
		want               eventrt.Problem
	}{
		{"nothing", plainDefinition(), web, none, nil, eventrt.NoProblem},
		{"no spec", nil, web, none, nil, problems.NoDefinition},
		{"no spec but arguments", nil, web, none, []eventrt.Arg{eventrt.Int(1)}, problems.NoDefinition},
		{"nil object", plainDefinition(), eventrt.ObjectOf(nil), none, nil, problems.NilRegarding},
		{"typed nil object", plainDefinition(), eventrt.ObjectOf(nilJob), none, nil, problems.NilRegarding},
		{"typed nil object of any kind", anyKind, eventrt.AnyObject(nilJob), none, nil, problems.NilRegarding},
		{"object without metadata", anyKind, eventrt.AnyObject(&corev1.PodList{}), none, nil, problems.NilRegarding},
		{"no name", plainDefinition(), eventrt.ObjectOf(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", UID: "u"}}), none, nil, eventrt.NoProblem},
		{"empty object", plainDefinition(), eventrt.ObjectOf(&corev1.Pod{}), none, nil, eventrt.NoProblem},
		{"nil related object", related, web, eventrt.ObjectOf(nilJob), nil, problems.NilRelated},
		{"nil related object that is optional", optional, web, eventrt.ObjectOf(nilJob), nil, eventrt.NoProblem},
		{"related object", related, web, web, nil, eventrt.NoProblem},
		{"untold kind", anyKind, untold, none, nil, problems.UnknownKind},
		{"reference without kind", anyKind, kind("v1", ""), none, nil, problems.UnknownKind},
		{"reference whose kind the spec knows", plainDefinition(), kind("", ""), none, nil, eventrt.NoProblem},
		{"untold kind of the related object", relatedAny, web, untold, nil, problems.UnknownKind},
		{"related reference without kind", relatedAny, web, kind("v1", ""), nil, problems.UnknownKind},
		{"one of the kinds", closed, kind("v1", "Pod"), none, nil, eventrt.NoProblem},
		{"one of the kinds in another version", closed, kind("apps/v1beta2", "Deployment"), none, nil, eventrt.NoProblem},
		{"none of the kinds", closed, kind("v1", "Node"), none, nil, problems.KindNotAllowed},
		{"one of the kinds' names in another group", closed, kind("example.com/v1", "Pod"), none, nil, problems.KindNotAllowed},
		{"untold kind of a closed set", closed, untold, none, nil, problems.UnknownKind},
		{"more arguments than params", messageDefinition(eventrt.Param{}), web, none, []eventrt.Arg{eventrt.Int(1), eventrt.Int(2)}, problems.TooManyArgs},
		{"more arguments than any event has", messageDefinition(make([]eventrt.Param, 9)...), web, none, make([]eventrt.Arg, 9), problems.TooManyArgs},
		{"fewer arguments than params", messageDefinition(eventrt.Param{}), web, none, nil, eventrt.NoProblem},
		{"no reason", with(func(s *eventrt.Definition) { s.Reason = "" }), web, none, nil, problems.NoReason},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := eventrt.NewEvent(tt.def, tt.regarding, tt.related, tt.args...)
			if got := e.Problem(); got != tt.want {
				t.Errorf("problem: %v, want %v", got, tt.want)
			}
			_, _ = e.Message(), e.RegardingReference() // whatever is wrong, nothing panics
		})
	}
	var zero eventrt.Event
	if zero.Problem() != problems.NoDefinition {
		t.Errorf("a zero event: %v", zero.Problem())
	}
}

func TestKindsAreLookedUp(t *testing.T) {
	def := plainDefinition()
	def.Regarding, def.HasRelated = metav1.TypeMeta{}, true
	lookup := func(t reflect.Type) (metav1.TypeMeta, bool) {
		switch t {
		case reflect.TypeFor[*unknown]():
			return podKind, true
		case reflect.TypeFor[*withoutKind]():
			return metav1.TypeMeta{}, true
		}
		return metav1.TypeMeta{}, false
	}
	known, other, without := eventrt.AnyObject(&unknown{*pod()}), eventrt.AnyObject(&other{*pod()}), eventrt.AnyObject(&withoutKind{*pod()})
	tests := []struct {
		name               string
		regarding, related eventrt.ObjectRef
		want               eventrt.Problem
	}{
		{"both known", known, known, eventrt.NoProblem},
		{"regarding unknown", other, known, problems.UnknownKind},
		{"related unknown", known, other, problems.UnknownKind},
		{"an empty kind", without, known, problems.UnknownKind},
		{"a kind that is not allowed", eventrt.AnyObject(&unknown{*pod()}), known, problems.KindNotAllowed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			def.AnyOf = nil
			if tt.want == problems.KindNotAllowed {
				def.AnyOf = []metav1.TypeMeta{{APIVersion: "v1", Kind: "Node"}}
			}
			e := eventrt.NewEvent(def, tt.regarding, tt.related)
			internals.ResolveKinds(&e, nil)
			if e.Problem() != problems.UnknownKind {
				t.Fatalf("before: %v", e.Problem())
			}
			internals.ResolveKinds(&e, lookup)
			if e.Problem() != tt.want {
				t.Errorf("after: %v, want %v", e.Problem(), tt.want)
			}
			if tt.want == eventrt.NoProblem && (typeOf(e.Regarding()) != podKind || typeOf(e.Related()) != podKind) {
				t.Errorf("kinds %v and %v", typeOf(e.Regarding()), typeOf(e.Related()))
			}
		})
	}
}

func TestTheKindOfTheDefinitionIsTheObjects(t *testing.T) {
	def := plainDefinition()
	def.HasRelated, def.Related = true, metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}
	e := eventrt.NewEvent(def, eventrt.ObjectOf(pod()), eventrt.ObjectOf(pod()))
	if ref := e.RegardingReference(); ref != (corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "prod", Name: "web-0", UID: "uid-of-web-0", ResourceVersion: "7"}) {
		t.Errorf("regarding %+v", ref)
	}
	if e.Related().Kind != "Node" {
		t.Errorf("related %+v", e.Related())
	}
	told := eventrt.ReferenceOf(&corev1.ObjectReference{APIVersion: "example.com/v1", Kind: "Pod", Name: "x"})
	if e := eventrt.NewEvent(def, told, told); e.Regarding().APIVersion != "example.com/v1" {
		t.Errorf("an object's own kind gave way: %+v", typeOf(e.Regarding()))
	}
}

type mutable struct{ text string }

func (m *mutable) Error() string  { return m.text }
func (m *mutable) String() string { return m.text }

func TestWhatChangesAfterwardsDoesNotChangeTheEvent(t *testing.T) {
	obj, cause, list := pod(), &mutable{"before"}, []string{"before", "too"}
	ref := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Name: "before"}
	loose := unstructuredOf(map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "before"}})
	def := messageDefinition(eventrt.Param{}, eventrt.Param{}, eventrt.Param{})
	args := []eventrt.Arg{eventrt.Error(cause), eventrt.Stringer(cause), eventrt.Strings(list, ",")}
	annotations := map[string]string{"a": "before"}
	sent := &publishedEvents{}
	r := eventrt.NewRecorder(sent).WithAnnotations(annotations)
	for _, o := range []eventrt.ObjectRef{eventrt.ObjectOf(obj), eventrt.ReferenceOf(ref), eventrt.AnyObject(loose)} {
		r.Emit(eventrt.NewEvent(def, o, eventrt.ObjectRef{}, args...))
	}

	obj.Name, ref.Name, cause.text, list[0], annotations["a"] = "after", "after", "after", "after", "after"
	loose.SetName("after")
	clear(args)

	for i, name := range []string{"web-0", "before", "before"} {
		e := &sent.events[i]
		if e.Message() != "before before before,too" || e.Regarding().Name != name || e.Annotations()[0].Value != "before" {
			t.Errorf("%q about %+v with %v", e.Message(), e.Regarding(), e.Annotations())
		}
	}
}

// An action that a definition leaves out is its reason, unless others decided the event.
func TestStoredAction(t *testing.T) {
	for _, c := range []struct {
		def  eventrt.Definition
		want string
	}{
		{eventrt.Definition{Reason: "Started"}, "Started"},
		{eventrt.Definition{Reason: "Started", Action: "Start"}, "Start"},
		{eventrt.Definition{Reason: "Started", Forwarded: true}, ""},
	} {
		if got := eventrt.NewEvent(&c.def, eventrt.ObjectOf(pod()), eventrt.ObjectRef{}).Action(); got != c.want {
			t.Errorf("%+v: action %q, want %q", c.def, got, c.want)
		}
	}
}

func typeOf(o *eventrt.ObjectRef) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: o.APIVersion, Kind: o.Kind}
}
