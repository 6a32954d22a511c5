package e2e

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/event-gen/event-gen/examples/certmanager/certificateevents"
	"github.com/event-gen/event-gen/examples/certmanager/certificaterequestevents"
	"github.com/event-gen/event-gen/examples/cronjobevents"
	"github.com/event-gen/event-gen/examples/jobevents"
	"github.com/event-gen/event-gen/examples/kubelet/containerevents"
	"github.com/event-gen/event-gen/examples/kubelet/podevents"
	"github.com/event-gen/event-gen/examples/workloads/daemonsetevents"
	"github.com/event-gen/event-gen/examples/workloads/deploymentevents"
	"github.com/event-gen/event-gen/examples/workloads/replicasetevents"
	"github.com/event-gen/event-gen/examples/workloads/statefulsetevents"
	"github.com/event-gen/event-gen/internal/output/emit/testdata/golden/features/featureevents"
	"github.com/event-gen/event-gen/internal/plumbing/seed"
	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink"
)

// vocabularies are generated packages: those of the examples, and the generator's features.
var vocabularies = [][]*eventrt.Definition{
	jobevents.Definitions(), cronjobevents.Definitions(), deploymentevents.Definitions(), replicasetevents.Definitions(), statefulsetevents.Definitions(),
	daemonsetevents.Definitions(), podevents.Definitions(), containerevents.Definitions(), certificateevents.Definitions(),
	certificaterequestevents.Definitions(), featureevents.Definitions(),
}

// perDefinition is how often each event is recorded in each group, with other arguments every time.
const perDefinition = 12

// TestNoArgumentIsRejected records every event of the vocabularies with random arguments, of
// whatever type, about and related to objects of whatever name: the server takes all of them. If
// the texts are words, it holds what was recorded; others are cut, and their bytes replaced.
func TestNoArgumentIsRejected(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	drawn := seed.Of(t)
	for group, newSink := range groups {
		for _, words := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, words=%t", group, words), func(t *testing.T) {
				g := &anything{rng: rand.New(rand.NewPCG(drawn, 0)), words: words, namespace: newNamespace(t, clients)}
				b := newBroadcaster(t, newSink(c.RESTConfig()))
				seen := &recorded{}
				b.Attach(broadcaster.Subscriber{Buffer: 10_000, Show: seen.add})
				n := g.emitAll(eventrt.NewRecorder(b).WithReportingController("example.com/host"))
				shutdown(t, b)
				if s := b.Stats(); s.Recorded != uint64(n) || s.Failures != 0 {
					t.Errorf("%d events were recorded: %+v", n, s)
				}
				checkAllWritten(t, b.Stats())
				if words {
					checkSame(t, seen.events, storedByObject(t, clients, g.namespace))
				}
			})
		}
	}
}

// anything makes what a caller can give.
type anything struct {
	rng       *rand.Rand
	words     bool // texts are words
	namespace string
	count     int
}

// emitAll records every event some times.
func (g *anything) emitAll(rec *eventrt.Recorder) (n int) {
	for _, defs := range vocabularies {
		for _, s := range defs {
			for range perDefinition {
				rec.WithAnnotations(map[string]string{"example.com/any": g.text()}).Emit(g.event(s))
				n++
			}
		}
	}
	return n
}

func (g *anything) event(s *eventrt.Definition) eventrt.Event {
	args := make([]eventrt.Arg, len(s.Params))
	for i := range args {
		args[i] = g.arg()
	}
	kind := s.Regarding
	if len(s.AnyOf) > 0 {
		kind = pick(g.rng, s.AnyOf)
	}
	related := eventrt.ObjectRef{}
	if s.HasRelated && !(s.RelatedOptional && g.rng.IntN(2) == 0) {
		related = g.object(s.Related)
	}
	return eventrt.NewEvent(s, g.object(kind), related, args...)
}

// object is one that no other event is about. Its namespace exists: the server has no other
// objects.
func (g *anything) object(kind metav1.TypeMeta) eventrt.ObjectRef {
	g.count++
	if kind.Kind == "" {
		kind = metav1.TypeMeta{APIVersion: "example.com/v1", Kind: "Thing"}
	}
	return eventrt.ReferenceOf(&corev1.ObjectReference{
		APIVersion: kind.APIVersion, Kind: kind.Kind, Namespace: g.namespace,
		Name: fmt.Sprint(g.count, g.text()), UID: types.UID(fmt.Sprint(g.count, g.text())),
		FieldPath: g.text(), ResourceVersion: g.text(),
	})
}

var texts = []string{
	"", "web", "a: b", "\x00", "\xff\xfe", "é\n\r\t\u2028", "{}%s%!d(MISSING)", `"\`, "<script>", "/", "..", "-", "😀", "\ufeff",
	"(combined from similar events): ", strings.Repeat("n", 253), strings.Repeat("é", 2000), strings.Repeat("\xff", 5000),
	strings.Repeat("\"", 1200), strings.Repeat("😀\n", 2_000),
}

// text is one of those, or some of them, or random bytes.
func (g *anything) text() string {
	if g.words {
		return pick(g.rng, []string{"web", "a: b", "(100%)"})
	}
	switch g.rng.IntN(4) {
	case 0:
		return pick(g.rng, texts[:len(texts)-4]) + pick(g.rng, texts)
	case 1:
		random := make([]byte, g.rng.IntN(1500))
		for i := range random {
			random[i] = byte(g.rng.Uint32())
		}
		return string(random)
	}
	return pick(g.rng, texts)
}

// panics is an error and a Stringer that can't say what it is.
type panics struct{}

func (panics) Error() string  { panic("no text") }
func (panics) String() string { panic("no text") }

func (g *anything) arg() eventrt.Arg {
	number := pick(g.rng, []int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MaxInt32, g.rng.Int64()})
	real := pick(g.rng, []float64{0, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.SmallestNonzeroFloat64, g.rng.NormFloat64()})
	return pick(g.rng, []eventrt.Arg{
		eventrt.String(g.text()), eventrt.String(g.text()), eventrt.Error(errors.New(g.text())), eventrt.Error(nil),
		eventrt.Error(panics{}), eventrt.Stringer(panics{}), eventrt.Strings([]string{g.text(), g.text()}, g.text()),
		eventrt.Bool(number < 0), eventrt.Int(number), eventrt.Uint(uint64(number)), eventrt.Float(real),
		eventrt.Duration(time.Duration(number)), eventrt.Time(time.Unix(number, 0)), eventrt.Time(time.Time{}),
		eventrt.Quantity(*resource.NewQuantity(number, resource.BinarySI)), eventrt.Quantity(resource.MustParse("0.123456789123456789E18")),
		eventrt.NamespacedName(types.NamespacedName{Namespace: g.text(), Name: g.text()}),
		eventrt.ObjectName(nil), eventrt.ObjectName(&corev1.ObjectReference{Kind: g.text(), Name: g.text()}),
		{},
	})
}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// recorded collects events as subscribers see them.
type recorded struct {
	mu     sync.Mutex
	events []eventrt.Event
}

func (r *recorded) add(e eventrt.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

// facts are what an event says, in whichever form it is stored.
type facts struct {
	Reason, Action, Type, Message, Controller string
	Regarding, Related                        string
	Annotations                               map[string]string
}

func checkSame(t *testing.T, events []eventrt.Event, stored map[string]eventsv1.Event) {
	t.Helper()
	for i := range events {
		e := &events[i]
		got, ok := stored[e.Regarding().Name]
		if !ok {
			t.Errorf("%s about %s is not on the server", e.Reason(), e.Regarding().Name)
			continue
		}
		if was, is := recordedFacts(e), storedFacts(got); !reflect.DeepEqual(was, is) {
			t.Errorf("recorded %+v\nstored   %+v", was, is)
		}
	}
	if len(stored) != len(events) {
		t.Errorf("%d events are recorded and %d stored", len(events), len(stored))
	}
}

func recordedFacts(e *eventrt.Event) facts {
	regarding, related := e.RegardingReference(), e.Related().Reference()
	f := facts{
		Reason: e.Reason(), Action: e.Action(), Type: e.Type(), Message: e.Message(), Controller: e.ReportingController(),
		Regarding:   fmt.Sprint(regarding.APIVersion, regarding.Kind, regarding.Namespace, regarding.Name, regarding.UID, regarding.FieldPath),
		Related:     fmt.Sprint(related.APIVersion, related.Kind, related.Namespace, related.Name, related.UID),
		Annotations: map[string]string{},
	}
	maps.Copy(f.Annotations, e.AnnotationMap())
	return f
}

func storedFacts(e eventsv1.Event) facts {
	f := facts{
		Reason: e.Reason, Action: e.Action, Type: e.Type, Message: e.Note, Controller: e.ReportingController,
		Regarding: fmt.Sprint(e.Regarding.APIVersion, e.Regarding.Kind, e.Regarding.Namespace, e.Regarding.Name, e.Regarding.UID,
			e.Regarding.FieldPath),
		Related:     fmt.Sprint("", "", "", "", ""),
		Annotations: map[string]string{},
	}
	if r := e.Related; r != nil {
		f.Related = fmt.Sprint(r.APIVersion, r.Kind, r.Namespace, r.Name, r.UID)
	}
	for k, v := range e.Annotations {
		if !strings.HasPrefix(k, sink.WriterAnnotation) {
			f.Annotations[k] = v
		}
	}
	return f
}

// storedByObject are the events of a namespace; each is about an object of its own.
func storedByObject(t *testing.T, clients kubernetes.Interface, namespace string) map[string]eventsv1.Event {
	t.Helper()
	list, err := clients.EventsV1().Events(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	stored := map[string]eventsv1.Event{}
	for _, e := range list.Items {
		if _, twice := stored[e.Regarding.Name]; twice {
			t.Errorf("two events about %s", e.Regarding.Name)
		}
		stored[e.Regarding.Name] = e
	}
	return stored
}
