package clientgo_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	"pgregory.net/rapid"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/clientgo"
	"github.com/event-gen/event-gen/runtime/internal/seed"
)

// coreStep is one call of a recorder of tools/record, after a pause.
type coreStep struct {
	pause             time.Duration
	expired           bool // the server has forgotten all events meanwhile
	recorder          int
	object            corev1.ObjectReference
	eventType, reason string
	message           string
	annotations       map[string]string
}

var coreSources = []corev1.EventSource{{Component: "widget-controller"}, {Component: "kubelet", Host: "node-1"}}

// group is what client-go aggregates and limits by; its spam key has no reason.
func (s *coreStep) group(withReason bool) string {
	o := s.object
	key := fmt.Sprintf("%d %s/%s/%s/%s %s", s.recorder, o.Kind, o.Namespace, o.Name, o.UID, s.eventType)
	if withReason {
		key += " " + s.reason
	}
	return key
}

// coreHistories draws histories in which what client-go does is certain. It forgets at random which
// messages have passed, once one was aggregated: after that only new ones come, until the group was
// quiet for more than ten minutes. Unless the burst is large, no more than 25 come from one
// {source, object, type}, whatever their reason.
func coreHistories(largeBurst bool) *rapid.Generator[[]coreStep] {
	return rapid.Custom(func(t *rapid.T) []coreStep {
		h := coreHistory{groups: map[string]*coreGroup{}, spent: map[string]int{}, limit: !largeBurst}
		cast := drawCast(t)
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			h.add(drawCoreStep(t, &cast))
		}
		return h.steps
	})
}

type coreGroup struct {
	distinct   map[string]bool
	last       time.Duration
	aggregated bool
}

type coreHistory struct {
	steps  []coreStep
	groups map[string]*coreGroup
	spent  map[string]int
	now    time.Duration
	fresh  int
	limit  bool

	expired bool // since the last step
}

func (h *coreHistory) add(s coreStep) {
	h.now += s.pause
	h.expired = h.expired || s.expired
	if spam := s.group(false); h.limit {
		if h.spent[spam] == 25 {
			return
		}
		h.spent[spam]++
	}
	g := h.groups[s.group(true)]
	if g == nil || h.now-g.last > 10*time.Minute {
		g = &coreGroup{distinct: map[string]bool{}}
		h.groups[s.group(true)] = g
	}
	if g.aggregated {
		h.fresh++
		s.message = fmt.Sprintf("another message: %d", h.fresh)
	}
	g.last = h.now
	g.distinct[s.message] = true
	g.aggregated = len(g.distinct) >= 10
	h.steps = append(h.steps, s)
	last := &h.steps[len(h.steps)-1]
	last.pause, last.expired = h.now-h.before(), h.expired
	h.expired = false
}

// before is the moment of the step before the last; steps that were left out add to the pause.
func (h *coreHistory) before() (at time.Duration) {
	for _, s := range h.steps[:len(h.steps)-1] {
		at += s.pause
	}
	return at
}

// pauses are never zero: client-go names two events of one object in one nanosecond alike, and
// loses the second.
var pauses = []time.Duration{1, 1, 1, time.Millisecond, time.Second, 20 * time.Second, 5 * time.Minute, 10 * time.Minute, 10*time.Minute + 1}

// cast is what a history chooses from: where it is small, messages gather until they are
// aggregated.
type cast struct {
	objects                 []corev1.ObjectReference
	recorders               []int
	types, reasons, actions []string
	pauses                  []time.Duration
}

func drawCast(t *rapid.T) cast {
	return cast{
		objects:   some(t, "objects", drawnObjects),
		recorders: some(t, "recorders", []int{0, 1}),
		types:     some(t, "types", []string{corev1.EventTypeNormal, corev1.EventTypeWarning}),
		reasons:   some(t, "reasons", []string{"Started", "Killed"}),
		actions:   some(t, "actions", []string{"starting", "stopping"}),
		pauses:    some(t, "pauses", pauses),
	}
}

// some draws one to all of a few values.
func some[T any](t *rapid.T, what string, values []T) []T {
	n := rapid.IntRange(1, len(values)).Draw(t, what)
	return rapid.Permutation(values).Draw(t, what)[:n]
}

func drawCoreStep(t *rapid.T, c *cast) coreStep {
	kind := rapid.IntRange(0, 4).Draw(t, "message kind")
	message := fmt.Sprintf("message %d", rapid.IntRange(0, 15).Draw(t, "message"))
	switch kind {
	case 0:
		message = "50% of\n\"it\" <is> é日🎉 done %s %d%"
	case 1:
		message = strings.Repeat("long ", 400)
	}
	pause, expired := rapid.SampledFrom(c.pauses).Draw(t, "pause"), rapid.IntRange(0, 19).Draw(t, "expired") == 0
	if expired {
		pause = max(pause, 6*time.Minute) // until then the drop-in has written everything
	}
	return coreStep{
		pause:       pause,
		expired:     expired,
		recorder:    rapid.SampledFrom(c.recorders).Draw(t, "recorder"),
		object:      drawObject(t, c.objects, true),
		eventType:   rapid.SampledFrom(c.types).Draw(t, "type"),
		reason:      rapid.SampledFrom(c.reasons).Draw(t, "reason"),
		message:     message,
		annotations: rapid.SampledFrom([]map[string]string{nil, {"example.com/revision": "7\n8"}}).Draw(t, "annotations"),
	}
}

var drawnObjects = []corev1.ObjectReference{
	{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: "web", UID: types.UID("u-1"), ResourceVersion: "10"},
	{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: "web", UID: types.UID("u-2"), ResourceVersion: "20"},
	{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: "api", UID: types.UID("u-1")},
	{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"},
	{APIVersion: "v1", Kind: "Node", Name: "node-1", UID: types.UID("node-1")},
	{},
}

func drawObject(t *rapid.T, objects []corev1.ObjectReference, moving bool) corev1.ObjectReference {
	ref := rapid.SampledFrom(objects).Draw(t, "object")
	ref.FieldPath = rapid.SampledFrom([]string{"", "", "spec.containers{app}"}).Draw(t, "field path")
	if moving && ref.ResourceVersion != "" {
		ref.ResourceVersion = fmt.Sprint(rapid.IntRange(10, 20).Draw(t, "resource version"))
	}
	return ref
}

// TestCoreEventsAreThoseOfClientGo plays random histories through client-go's tools/record and
// through the drop-in.
func TestCoreEventsAreThoseOfClientGo(t *testing.T) {
	for _, burst := range []int{0, 1 << 20} {
		t.Run(fmt.Sprintf("burst %d", burst), func(t *testing.T) {
			seed.Check(t, func(rt *rapid.T) {
				history := coreHistories(burst > 0).Draw(rt, "history")
				options := record.CorrelatorOptions{BurstSize: burst}
				var theirs, ours []corev1.Event
				synctest.Test(t, func(t *testing.T) {
					theirs = playCore(t, history, record.NewBroadcaster(record.WithCorrelatorOptions(options)))
				})
				synctest.Test(t, func(t *testing.T) {
					ours = playCore(t, history, clientgo.NewBroadcaster(clientgo.WithCorrelatorOptions(options)))
				})
				if diff := compareCore(theirs, ours, expires(history)); diff != "" {
					rt.Fatalf("stored events (- client-go, + drop-in):\n%s", diff)
				}
			})
		})
	}
}

func playCore(t *testing.T, history []coreStep, b record.EventBroadcaster) []corev1.Event {
	var sink coreStore
	b.StartRecordingToSink(&sink)
	recorders := []record.EventRecorder{b.NewRecorder(scheme.Scheme, coreSources[0]), b.NewRecorder(scheme.Scheme, coreSources[1])}
	for _, s := range history {
		later(s.pause)
		if s.expired {
			sink.forget()
		}
		if s.annotations != nil {
			recorders[s.recorder].AnnotatedEventf(&s.object, s.annotations, s.eventType, s.reason, "%s", s.message)
		} else {
			recorders[s.recorder].Event(&s.object, s.eventType, s.reason, s.message)
		}
		synctest.Wait()
	}
	b.Shutdown()
	synctest.Wait()
	return sink.list()
}

var nameForm = regexp.MustCompile(`^(.*)\.([0-9a-f]+)$`)

func expires(history []coreStep) bool {
	return slices.ContainsFunc(history, func(s coreStep) bool { return s.expired })
}

// forgetOccurrence leaves out what an event that is created anew has of its first occurrence here,
// and of its last with client-go.
func forgetOccurrence(e *corev1.Event) {
	e.Annotations, e.InvolvedObject.ResourceVersion = nil, ""
	if strings.HasPrefix(e.Message, eventrt.AggregatePrefix) {
		e.InvolvedObject.FieldPath = ""
	}
}

// compareCore leaves out what differs on purpose: names but for their form, versions, and what
// client-go's aggregates lose.
func compareCore(theirs, ours []corev1.Event, expired bool) string {
	for _, list := range [][]corev1.Event{theirs, ours} {
		for i := range list {
			normalizeCore(&list[i])
			if expired {
				forgetOccurrence(&list[i])
			}
		}
		slices.SortStableFunc(list, func(a, b corev1.Event) int { return strings.Compare(coreOrder(&a), coreOrder(&b)) })
	}
	return cmp.Diff(theirs, ours)
}

func normalizeCore(e *corev1.Event) {
	if e.InvolvedObject.Name != "" {
		e.Name = nameForm.ReplaceAllString(e.Name, "$1")
	} else {
		e.Name = "" // client-go makes a UUID
	}
	e.ResourceVersion = ""
	if strings.HasPrefix(e.Message, eventrt.AggregatePrefix) {
		e.Annotations, e.ReportingController, e.ReportingInstance = nil, "", ""
	}
}

func coreOrder(e *corev1.Event) string {
	return fmt.Sprint(e.InvolvedObject, e.Source, e.Type, e.Reason, e.Message)
}
