package clientgo_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/clientgo"
)

// lines collects log lines.
type lines struct {
	mu   sync.Mutex
	text []string
}

func (l *lines) add(prefix, args string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, prefix+args)
}

func (l *lines) all() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.text, "\n")
}

func (l *lines) logger() klog.Logger { return funcr.New(l.add, funcr.Options{Verbosity: 5}) }

// context carries the logger.
func (l *lines) context(ctx context.Context) context.Context {
	return klog.NewContext(ctx, l.logger())
}

// pod is what most tests are about.
var pod = corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "baz", Name: "foo", UID: "bar"}

func podWith(fieldPath string) *corev1.ObjectReference {
	ref := pod
	ref.FieldPath = fieldPath
	return &ref
}

func podNamed(name string) *corev1.ObjectReference {
	ref := pod
	ref.Name, ref.UID = name, ""
	return &ref
}

// podObject is an object that does not tell its kind.
func podObject() *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "foo", Namespace: "baz", UID: "bar"}}
}

var testSource = corev1.EventSource{Component: "eventTest"}

// bubble runs a test in time of its own, at the end of which no goroutine may be left.
func bubble(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

// coreRig is a broadcaster that records to a store.
type coreRig struct {
	clientgo.RecordBroadcaster
	sink     coreStore
	recorder record.EventRecorderLogger
	log      lines
}

func newCoreRig(t *testing.T, opts ...clientgo.Option) *coreRig {
	r := &coreRig{}
	r.RecordBroadcaster = clientgo.NewBroadcaster(append([]clientgo.Option{clientgo.WithContext(r.log.context(t.Context()))}, opts...)...)
	r.recorder = r.NewRecorder(scheme.Scheme, testSource)
	r.StartRecordingToSink(&r.sink)
	t.Cleanup(r.Shutdown)
	return r
}

// event records a message about the pod.
func (r *coreRig) event(reason, message string) {
	r.recorder.Event(&pod, corev1.EventTypeNormal, reason, message)
}

// stored shuts down and returns counts by message.
func (r *coreRig) stored() map[string]int32 {
	r.Shutdown()
	counts := map[string]int32{}
	for _, e := range r.sink.list() {
		counts[e.Message] += e.Count
	}
	return counts
}

// later lets time pass and everything that is due then be done.
func later(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// conserved holds that nothing is unaccounted for, and returns the accounts.
func conserved(t *testing.T, s eventrt.Stats) eventrt.Stats {
	t.Helper()
	if s.Recorded != s.Written+s.Pending+s.Lost.Total() {
		t.Errorf("not conserved: %+v", s)
	}
	return s
}
