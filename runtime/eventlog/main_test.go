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

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink"
)

// fixed is a time whose line is of a known size.
var fixed = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	pulled = &runtime.Definition{Name: "Pulled", Reason: "Pulled", Action: "Pull", Type: runtime.Normal,
		Subject: runtime.Subject{ReportingController: "example.com/kubelet"}, Params: []runtime.Param{{Name: "image"}, {Name: "container"}},
		FieldPath: "spec.containers", FieldPathParam: 1,
		Message:     []runtime.Segment{{Text: "Pulled image ", Value: runtime.ParamValue}},
		Annotations: []runtime.AnnotationDefinition{{Key: "example.com/image", Value: []runtime.Segment{{Value: runtime.ParamValue}}}},
		Correlation: runtime.Correlation{NoAggregate: true}}
	bound = &runtime.Definition{Name: "Bound", Reason: "FailedBinding", Action: "Bind", Type: runtime.Warning,
		HasRelated: true, Message: []runtime.Segment{{Text: "not bound"}}}
)

func podRef() *corev1.ObjectReference {
	return &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "prod", Name: "web-0", UID: "u-1"}
}

func nodeRef() *corev1.ObjectReference {
	return &corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Name: "node-1", UID: "u-2"}
}

func pulledEvent(image string) runtime.Event {
	return runtime.NewEvent(pulled, runtime.ReferenceOf(podRef()), runtime.ObjectRef{}, runtime.String(image), runtime.String("app"))
}

func boundEvent() runtime.Event {
	return runtime.NewEvent(bound, runtime.ReferenceOf(podRef()), runtime.ReferenceOf(nodeRef()))
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
	b, err := broadcaster.New(broadcaster.Options{Sink: sink.NewMemory(), Logger: logger})
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
