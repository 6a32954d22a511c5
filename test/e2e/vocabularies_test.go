package e2e

import (
	"cmp"
	"fmt"
	"reflect"
	"sync"
	"testing"

	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// vocabulary is a generated package.
type vocabulary struct {
	name     string
	recorder func(*runtime.Recorder) any
	defs     []*runtime.Definition
}

var vocabularies = []vocabulary{
	{"job", func(r *runtime.Recorder) any { return jobevents.NewRecorder(r) }, jobevents.Definitions()},
	{"cronjob", func(r *runtime.Recorder) any { return cronjobevents.NewRecorder(r) }, cronjobevents.Definitions()},
	{"deployment", func(r *runtime.Recorder) any { return deploymentevents.NewRecorder(r) }, deploymentevents.Definitions()},
	{"replicaset", func(r *runtime.Recorder) any { return replicasetevents.NewRecorder(r) }, replicasetevents.Definitions()},
	{"statefulset", func(r *runtime.Recorder) any { return statefulsetevents.NewRecorder(r) }, statefulsetevents.Definitions()},
	{"daemonset", func(r *runtime.Recorder) any { return daemonsetevents.NewRecorder(r) }, daemonsetevents.Definitions()},
	{"pod", func(r *runtime.Recorder) any { return podevents.NewRecorder(r) }, podevents.Definitions()},
	{"container", func(r *runtime.Recorder) any { return containerevents.NewRecorder(r) }, containerevents.Definitions()},
	{"certificate", func(r *runtime.Recorder) any { return certificateevents.NewRecorder(r) }, certificateevents.Definitions()},
	{"certificaterequest", func(r *runtime.Recorder) any { return certificaterequestevents.NewRecorder(r) }, certificaterequestevents.Definitions()},
}

// TestVocabulariesAreAccepted records every event of the examples, through their generated methods, with arguments as
// they are and with the worst there are, and compares what the server holds with what was recorded.
func TestVocabulariesAreAccepted(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	for group, newSink := range groups {
		for _, worst := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s worst=%t", group, worst), func(t *testing.T) {
				namespace := newNamespace(t, clients)
				b, err := broadcaster.New(broadcaster.Options{Sink: newSink(c.RESTConfig())})
				if err != nil {
					t.Fatal(err)
				}
				seen := &recorded{}
				b.Subscribe(10_000, seen.add)
				cast := &extras{namespace: namespace, worst: worst}
				for _, v := range vocabularies {
					rec := runtime.NewRecorder(b).WithReportingController("cert-manager-certificates").WithAnnotations(map[string]string{"offending_containers": "web,db"})
					cast.playAll(v.recorder(rec), v.defs)
				}
				shutdown(t, b)
				checkAllWritten(t, b.Stats())
				checkSame(t, seen.list(), storedByObject(t, clients, namespace))
				checkCoverage(t, seen.list())
			})
		}
	}
}

// recorded collects events as subscribers see them.
type recorded struct {
	mu     sync.Mutex
	events []runtime.Event
}

func (r *recorded) add(e runtime.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

func (r *recorded) list() []runtime.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.events
}

// facts are what an event says, in whichever form it is stored.
type facts struct {
	Reason, Action, Type, Message, Controller string
	Regarding, Related                        string
	Annotations                               map[string]string
}

func checkSame(t *testing.T, events []runtime.Event, stored map[string]eventsv1.Event) {
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

func recordedFacts(e *runtime.Event) facts {
	regarding, related := e.RegardingReference(), e.Related().Reference()
	f := facts{
		Reason: e.Reason(), Action: e.Action(), Type: e.Type(), Message: e.Message(), Controller: e.ReportingController(),
		Regarding:   fmt.Sprint(regarding.APIVersion, regarding.Kind, regarding.Namespace, regarding.Name, regarding.UID, regarding.FieldPath),
		Related:     fmt.Sprint(related.APIVersion, related.Kind, related.Namespace, related.Name, related.UID),
		Annotations: map[string]string{},
	}
	for _, a := range e.Annotations() {
		f.Annotations[a.Key] = a.Value
	}
	for _, a := range e.Definition().Annotations {
		f.Annotations[a.Key] = string(runtime.AppendAnnotation(nil, e.Definition(), a.Value, e.Regarding(), e.Related(), e.Args()))
	}
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
		f.Annotations[k] = v
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

// checkCoverage wants every definition of every vocabulary to have been recorded.
func checkCoverage(t *testing.T, events []runtime.Event) {
	t.Helper()
	seen := map[*runtime.Definition]bool{}
	for i := range events {
		seen[events[i].Definition()] = true
	}
	for _, v := range vocabularies {
		for _, s := range v.defs {
			if !seen[s] {
				t.Errorf("%s: %s with reason %s was never recorded", v.name, s.Name, s.Reason)
			}
		}
	}
}

// playAll calls every method of a recorder that records an event; one that picks among variants, for each.
func (x *extras) playAll(recorder any, defs []*runtime.Definition) {
	r := reflect.ValueOf(recorder)
	played := map[string]bool{}
	for _, s := range defs {
		name := methodOf(s)
		if played[name] {
			continue
		}
		played[name] = true
		method := r.MethodByName(name)
		for _, variant := range reasons(defs, name) {
			method.Call(x.arguments(method.Type(), variant))
		}
	}
}

// methodOf is the name of a definition's method; a definition without a name of its own has its reason's.
func methodOf(s *runtime.Definition) string { return cmp.Or(s.Name, s.Reason) }

// reasons are those that an event of a name can have; the examples name their variants by reason.
func reasons(defs []*runtime.Definition, name string) []string {
	var list []string
	for _, s := range defs {
		if methodOf(s) == name {
			list = append(list, s.Reason)
		}
	}
	return list
}
