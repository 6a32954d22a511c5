package eventlog_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/eventlog"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

// fixed is a time whose line is of a known size.
var fixed = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	pulled = &eventrt.Definition{Name: "Pulled", Reason: "Pulled", Action: "Pull", Type: eventrt.Normal,
		Subject: eventrt.Subject{ReportingController: "example.com/kubelet"}, Params: []eventrt.Param{{Name: "image"}, {Name: "container"}},
		FieldPath: "spec.containers", FieldPathParam: 1,
		Message:     []eventrt.Segment{{Text: "Pulled image ", Value: eventrt.ParamValue}},
		Annotations: []eventrt.AnnotationDefinition{{Key: "example.com/image", Value: []eventrt.Segment{{Value: eventrt.ParamValue}}}},
		Correlation: eventrt.Correlation{NoAggregate: true}}
	bound = &eventrt.Definition{Name: "Bound", Reason: "FailedBinding", Action: "Bind", Type: eventrt.Warning,
		HasRelated: true, Message: []eventrt.Segment{{Text: "not bound"}}}
)

func podRef() *corev1.ObjectReference {
	return &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "prod", Name: "web-0", UID: "u-1"}
}

func nodeRef() *corev1.ObjectReference {
	return &corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Name: "node-1", UID: "u-2"}
}

func pulledEvent(image string) eventrt.Event {
	return eventrt.NewEvent(pulled, eventrt.ReferenceOf(podRef()), eventrt.ObjectRef{}, eventrt.String(image), eventrt.String("app"))
}

func boundEvent() eventrt.Event {
	return eventrt.NewEvent(bound, eventrt.ReferenceOf(podRef()), eventrt.ReferenceOf(nodeRef()))
}

// lines collects what is logged.
type lines struct {
	mu   sync.Mutex
	text []string
}

func (l *lines) Write(b []byte) (int, error) {
	l.add("", strings.TrimSuffix(string(b), "\n"))
	return len(b), nil
}

func (l *lines) add(prefix, line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, prefix+line)
}

func (l *lines) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.text...)
}

func (l *lines) logger(verbosity int) logr.Logger {
	return funcr.New(l.add, funcr.Options{Verbosity: verbosity})
}

// newBroadcaster returns one that writes to memory and logs to the returned lines.
func newBroadcaster(t *testing.T) (*broadcaster.Broadcaster, *lines) {
	t.Helper()
	said := &lines{}
	logger := said.logger(0)
	b, err := broadcaster.New(broadcaster.Options{Sink: memory.New(), Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	return b, said
}

func shutdown(t *testing.T, b *broadcaster.Broadcaster) {
	t.Helper()
	if err := b.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
}

// jsonStats are the counts of a JSON.
type jsonStats struct{ Lines, Lost, Errors uint64 }

func statsOf(j *eventlog.JSON) (s jsonStats) {
	s.Lines, s.Lost, s.Errors = j.Stats()
	return s
}
