package sinktest

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink/internal/rules"
)

// randomEvents is how many events testRandom creates.
const randomEvents = 750

// testRandom creates random events, valid and invalid, through the API itself, half of them through
// each group, and compares the fields that it finds wrong with those that the in-memory sink finds
// wrong.
func testRandom(t *testing.T, h Harness) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	valid := 0
	for range randomEvents {
		f := form.Form(r.IntN(2))
		e := randomEvent(r, &h)
		want := fieldsOf(rules.Create(e, f))
		if len(want) == 0 {
			valid++
		}
		checkWrong(t, f.String(), want, createRaw(t.Context(), &h, e, f, func(*corev1.Event) {}))
		if t.Failed() {
			t.Fatalf("seed %d, event %+v", seed, e)
		}
	}
	t.Logf("%d of %d events are valid", valid, randomEvents)
}

// randomEvent is a valid event with a few fields replaced.
func randomEvent(r *rand.Rand, h *Harness) *corev1.Event {
	e := legacyEvent(h)
	if r.IntN(3) > 0 {
		e.EventTime = micros(moment)
	}
	mutations := randomMutations(r, e)
	for range r.IntN(4) {
		mutations[r.IntN(len(mutations))]()
	}
	return e
}

func randomMutations(r *rand.Rand, e *corev1.Event) []func() {
	second := metav1.Time{Time: moment.Truncate(time.Second)}
	return []func(){
		func() { e.Reason = randomText(r, textLimit) },
		func() { e.Action = randomText(r, textLimit) },
		func() { e.ReportingInstance = randomText(r, textLimit) },
		func() { e.ReportingController = randomText(r, 63) },
		func() { e.Message = randomText(r, noteLimit) },
		func() { e.Type = randomOf(r, "", "Normal", "Warning", "warning", "Error") },
		func() {
			e.Name += randomOf(r, "", ".", "-x", "_x", "X", " ", strings.Repeat("x", 200), strings.Repeat("x", 300))
		},
		func() { e.InvolvedObject.Namespace = randomOf(r, "", "default", "other", e.Namespace) },
		func() { e.Annotations = map[string]string{randomText(r, 63): randomText(r, 300)} },
		func() { e.Labels = map[string]string{randomText(r, 63): randomText(r, 63)} },
		func() { e.Count = r.Int32N(5) - 1 },
		func() { e.FirstTimestamp = second },
		func() { e.LastTimestamp = second },
		func() { e.Source.Component = randomText(r, 300) },
		func() { e.Source.Host = randomText(r, 300) },
		func() { e.Series = &corev1.EventSeries{Count: r.Int32N(5) - 1} },
		func() { e.Series = &corev1.EventSeries{Count: r.Int32N(5) - 1, LastObservedTime: micros(moment)} },
		func() { e.Related = &corev1.ObjectReference{Kind: randomText(r, 10), Namespace: randomText(r, 10)} },
	}
}

// randomText is around the limit as often as not.
func randomText(r *rand.Rand, limit int) string {
	unit := randomOf(r, "a", "A", "1", "é", "日", "a/", "a.", "-", "_", " ", "\n")
	n := r.IntN(4)
	if r.IntN(2) == 0 {
		n = limit/len(unit) - 1 + r.IntN(3)
	}
	return strings.Repeat(unit, n)
}

func randomOf(r *rand.Rand, values ...string) string { return values[r.IntN(len(values))] }
