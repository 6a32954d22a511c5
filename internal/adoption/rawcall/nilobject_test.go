package rawcall

import (
	"strings"
	"testing"
)

// objectHelpers make objects for the cases of EV522.
const objectHelpers = `
type podList []*corev1.Pod

type podPointer *corev1.Pod

type alias = corev1.Pod

func none() *corev1.Pod { return nil }

func made() *corev1.Pod { return &corev1.Pod{} }

func named(name string) *corev1.Pod { return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}} }

func maybe(ok bool) *corev1.Pod {
	if ok {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
	}
	return nil
}

func fill(pod *corev1.Pod) { pod.Name = "a" }

func (r *reconciler) scaled(pod *corev1.Pod, reason string) { r.recorder.Event(pod, "Normal", reason, "x") }

func (r *reconciler) lost(pod *corev1.Pod) { r.recorder.Event(pod, "Normal", "Lost", "x") }

func (r *reconciler) related(pod *corev1.Pod) { r.events.Eventf(other, pod, "Normal", "Lost", "Lose", "x") }

var other *corev1.Pod

func (r *reconciler) made(pod *corev1.Pod) {
	pod = made()
	pod.Name = "a"
	r.recorder.Event(pod, "Normal", "Made", "x")
}

func (r *reconciler) checked(pod *corev1.Pod, reason string) {
	if pod == nil {
		return
	}
	r.recorder.Event(pod, "Normal", reason, "x")
}
`

// TestNilObjects holds which objects are certainly nil, or have no name, as the regarding object of
// each API. It also holds which are nil as the related object. CALL stands for the call.
func TestNilObjects(t *testing.T) {
	const (
		fine    = 0
		isNil   = 1 // nil by a type: bad as the related object too
		noName  = 2 // bad as the regarding object only
		literal = 3 // nil itself: as the related object, it means none
	)
	for _, spelling := range []struct {
		code, object string
		is           int
	}{
		// nil, by a name, a conversion, a variable and a check.
		{`CALL`, `nil`, literal},
		{`CALL`, `(nil)`, literal},
		{`CALL`, `(*corev1.Pod)(nil)`, isNil},
		{`CALL`, `((*corev1.Pod)(nil))`, isNil},
		{`CALL`, `(*alias)(nil)`, isNil},
		{`CALL`, `(*corev1.Pod)(podPointer(nil))`, isNil},
		{`CALL`, `runtime.Object(nil)`, literal},
		{`CALL`, `runtime.Object((*corev1.Pod)(nil))`, isNil},
		{`p := made(); CALL`, `p`, noName},
		{`p := made(); p.Name = "a"; CALL`, `p`, fine},
		{`p := named("a"); CALL`, `p`, fine},
		{`var p *corev1.Pod; CALL`, `p`, isNil},
		{`var p, q *corev1.Pod; _ = q; CALL`, `p`, isNil},
		{`var p *corev1.Pod = nil; CALL`, `p`, isNil},
		{`p := (*corev1.Pod)(nil); CALL`, `p`, isNil},
		{`var p *alias; CALL`, `p`, isNil},
		{`var p *corev1.Pod; if ok { CALL }`, `p`, isNil},
		{`var p *corev1.Node; CALL`, `p`, isNil},
		{`p := none(); CALL`, `p`, isNil},
		{`CALL`, `none()`, isNil},
		{`if pod == nil { CALL }`, `pod`, isNil},
		{`if nil == pod { CALL }`, `pod`, isNil},
		{`if ok && pod == nil { CALL }`, `pod`, isNil},
		{`if (pod == nil) && ok { CALL }`, `pod`, isNil},
		{`if pod != nil { n++ } else { CALL }`, `pod`, isNil},
		{`switch pod { case nil: CALL }`, `pod`, isNil},
		{`if pod != nil || ok { n++ } else { CALL }`, `pod`, isNil},
		{`if pod != nil && ok { n++ } else { CALL }`, `pod`, fine},
		{`if pod != nil { n++ } else if ok { CALL }`, `pod`, isNil},
		{`switch { case pod == nil, ok: CALL }`, `pod`, fine},
		{`switch { case pod != nil: CALL }`, `pod`, fine},
		{`switch pod { case nil, other: CALL }`, `pod`, fine},
		{`switch { case pod == nil: CALL }`, `pod`, isNil},
		{`if p := pods[0]; p == nil { CALL }`, `p`, isNil},
		// What may be nil, or is not.
		{`CALL`, `pod`, fine},
		{`CALL`, `pod.DeepCopy()`, fine},
		{`CALL`, `maybe(ok)`, fine},
		{`p := maybe(ok); CALL`, `p`, fine},
		{`var p *corev1.Pod; p = pod; CALL`, `p`, fine},
		{`var p *corev1.Pod; if ok { p = pod }; CALL`, `p`, fine},
		{`var p *corev1.Pod; for _, p = range pods { CALL }`, `p`, fine},
		{`var p *corev1.Pod; func() { p = pod }(); CALL`, `p`, fine},
		{`var p *corev1.Pod; g := &p; *g = pod; CALL`, `p`, fine},
		{`var p *corev1.Pod; p, n = pod, 1; CALL`, `p`, fine},
		{`p := (*corev1.Pod)(nil); if ok { p = pod }; CALL`, `p`, fine},
		{`var o runtime.Object = pod; CALL`, `o`, fine},
		{`if pod != nil { CALL }`, `pod`, fine},
		{`if pod == nil { return }; CALL`, `pod`, fine},
		{`if pod == nil || ok { CALL }`, `pod`, fine},
		{`if pod == nil { pod = pods[0] }; CALL`, `pod`, fine},
		{`if pod == nil { pod = pods[0]; CALL }`, `pod`, fine},
		{`if pod == nil { n++ } else { CALL }`, `pod`, fine},
		{`if pod == nil { p := pods[0]; CALL }`, `p`, fine},
		// Literals and new without a name.
		{`CALL`, `&corev1.Pod{}`, noName},
		{`CALL`, `(&corev1.Pod{})`, noName},
		{`CALL`, `new(corev1.Pod)`, noName},
		{`CALL`, `&alias{}`, noName},
		{`CALL`, `&corev1.Pod{Spec: pod.Spec}`, noName},
		{`CALL`, `&corev1.Pod{TypeMeta: metav1.TypeMeta{Kind: "Pod"}}`, noName},
		{`CALL`, `&corev1.Pod{ObjectMeta: metav1.ObjectMeta{}}`, noName},
		{`CALL`, `&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "a"}}`, noName},
		{`CALL`, `&corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: pod.UID}}`, noName},
		{`CALL`, `&corev1.ObjectReference{Kind: "Pod", UID: pod.UID}`, noName},
		{`CALL`, `runtime.Object(&corev1.Pod{})`, noName},
		{`p := &corev1.Pod{}; CALL`, `p`, noName},
		{`p := new(corev1.Pod); CALL`, `p`, noName},
		{`var p = &corev1.Pod{}; CALL`, `p`, noName},
		{`var p corev1.Pod; CALL`, `&p`, noName},
		{`p := corev1.Pod{}; CALL`, `&p`, noName},
		{`p := &corev1.Pod{Spec: pod.Spec}; CALL`, `p`, noName},
		{`CALL`, `made()`, noName},
		// With a name, or one that something else may set.
		{`CALL`, `&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a"}}`, fine},
		{`CALL`, `&corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "a-"}}`, fine},
		{`CALL`, `&corev1.Pod{ObjectMeta: pod.ObjectMeta}`, fine},
		{`CALL`, `&corev1.Pod{ObjectMeta: *pod.ObjectMeta.DeepCopy()}`, fine},
		{`CALL`, `&corev1.ObjectReference{Kind: "Pod", Name: pod.Name}`, fine},
		{`CALL`, `&metav1.PartialObjectMetadata{ObjectMeta: pod.ObjectMeta}`, fine},
		{`CALL`, `named("a")`, fine},
		{`p := &corev1.Pod{}; p.Name = "a"; CALL`, `p`, fine},
		{`p := &corev1.Pod{}; p.SetName("a"); CALL`, `p`, fine},
		{`p := &corev1.Pod{}; p.ObjectMeta = pod.ObjectMeta; CALL`, `p`, fine},
		{`p := &corev1.Pod{}; pod.DeepCopyInto(p); CALL`, `p`, fine},
		{`p := &corev1.Pod{}; fill(p); CALL`, `p`, fine},
		{`var p corev1.Pod; fill(&p); CALL`, `&p`, fine},
		{`p := &corev1.Pod{}; *p = *pod; CALL`, `p`, fine},
		{`p := &corev1.Pod{}; p = pod; CALL`, `p`, fine},
		{`p := &corev1.Pod{Spec: pod.Spec}; p.Name = "a"; CALL`, `p`, fine},
	} {
		for call, bad := range map[string]bool{
			`r.recorder.Event(X, "Normal", "Scaled", "x")`:                      spelling.is != fine,
			`r.events.Eventf(X, nil, "Normal", "Scaled", "Scale", "x")`:         spelling.is != fine,
			`r.events.Eventf(other, X, "Normal", "Scaled", "Scale", "x")`:       spelling.is == isNil,
			`r.recorder.AnnotatedEventf(X, nil, "Normal", "Scaled", "x %d", n)`: spelling.is != fine,
		} {
			code := strings.Replace(spelling.code, "CALL", strings.Replace(call, "X", spelling.object, 1), 1)
			const head = "func (r *reconciler) f(pod, other *corev1.Pod, pods podList, n int, ok bool) {\n\t"
			found := judge(t, head+code+"\n}\n"+objectHelpers, nil)
			if len(found) > 1 || strings.Contains(strings.Join(found, ""), "[EV522]") != bad {
				t.Errorf("%s: EV522 is %v, want %v: %s", code, !bad, bad, found)
			}
		}
	}
}

// TestNilObjectsOfHelpers: the call of a helper is judged by its object, unless the helper looks
// for nil.
func TestNilObjectsOfHelpers(t *testing.T) {
	for code, bad := range map[string]bool{
		`r.scaled(nil, "Scaled")`:                                        true,
		`r.scaled((*corev1.Pod)(nil), "Scaled")`:                         true,
		`var p *corev1.Pod; r.scaled(p, "Scaled")`:                       true,
		`p := none(); r.scaled(p, "Scaled")`:                             true,
		`if pod == nil { r.scaled(pod, "Scaled") }`:                      true,
		`r.scaled(&corev1.Pod{}, "Scaled")`:                              true,
		`r.scaled(&corev1.Pod{Spec: pod.Spec}, "Scaled")`:                true,
		`p := new(corev1.Pod); r.scaled(p, "Scaled")`:                    true,
		`r.scaled(made(), "Scaled")`:                                     true,
		`r.scaled(pod, "Scaled")`:                                        false,
		`r.scaled(named("a"), "Scaled")`:                                 false,
		`p := &corev1.Pod{}; fill(p); r.scaled(p, "Scaled")`:             false,
		`var p *corev1.Pod; if n > 1 { p = pod }; r.scaled(p, "Scaled")`: false,
		`r.lost(nil)`:                                true,
		`var p *corev1.Pod; r.lost(p)`:               true,
		`if pod == nil { r.lost(pod) }`:              true,
		`r.lost(&corev1.Pod{})`:                      true,
		`p := &corev1.Pod{}; r.lost(p)`:              true,
		`r.lost(made())`:                             true,
		`r.related(nil)`:                             true,
		`var p *corev1.Pod; r.related(p)`:            true,
		`r.lost(pod)`:                                false,
		`r.lost(named("a"))`:                         false,
		`r.related(pod)`:                             false,
		`r.related(&corev1.Pod{})`:                   false,
		`r.made(nil)`:                                false,
		`r.checked(nil, "Scaled")`:                   false,
		`var p *corev1.Pod; r.checked(p, "Scaled")`:  false,
		`if pod == nil { r.checked(pod, "Scaled") }`: false,
	} {
		found := judge(t, function+code+"\n}\n"+objectHelpers, nil)
		if len(found) > 1 || strings.Contains(strings.Join(found, ""), "[EV522]") != bad {
			t.Errorf("%s: EV522 is %v, want %v: %s", code, !bad, bad, found)
		}
	}
}
