package broadcaster_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/go-logr/logr/funcr"
	"go.uber.org/goleak"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	created = &eventrt.Definition{Name: "Created", Reason: "Created", Action: "Create", Type: eventrt.Normal,
		Params: []eventrt.Param{{Name: "n"}}, Message: []eventrt.Segment{{Text: "created ", Value: eventrt.ParamValue}},
		Correlation: eventrt.Correlation{NoAggregate: true}}
	failed = &eventrt.Definition{Name: "Failed", Reason: "Failed", Action: "Create", Type: eventrt.Warning,
		Message: []eventrt.Segment{{Text: "failed"}}}
)

func job(name string) eventrt.ObjectRef {
	return eventrt.ReferenceOf(&corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job", Namespace: "prod", Name: name, UID: types.UID("uid-" + name)})
}

func createdEvent(object string, n int) eventrt.Event {
	return eventrt.NewEvent(created, job(object), eventrt.ObjectRef{}, eventrt.Int(n))
}

func failedEvent(object string) eventrt.Event {
	return eventrt.NewEvent(failed, job(object), eventrt.ObjectRef{})
}

// sinkFunc is a sink that a test scripts.
type sinkFunc func(ctx context.Context, w *sink.Write) sink.Answer

func (f sinkFunc) Write(ctx context.Context, w *sink.Write) sink.Answer { return f(ctx, w) }

// store is a sink that keeps counts, and checks the contract: one write at a time for each object.
type store struct {
	mu     sync.Mutex
	counts map[string]int32
	order  []string // names in the order of their creates
	busy   map[string]bool
	fault  error
	most   int // writes at once
	now    int
	delay  time.Duration
}

func newStore() *store { return &store{counts: map[string]int32{}, busy: map[string]bool{}} }

func (s *store) Write(_ context.Context, w *sink.Write) sink.Answer {
	s.enter(w)
	if s.delay > 0 {
		time.Sleep(s.delay) // in a bubble of testing/synctest
	}
	return s.leave(w, sink.Answer{Outcome: sink.Done})
}

func (s *store) enter(w *sink.Write) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy[w.Regarding.Name] {
		s.fault = fmt.Errorf("two writes of %s at once", w.Regarding.Name)
	}
	s.busy[w.Regarding.Name] = true
	s.now++
	s.most = max(s.most, s.now)
}

func (s *store) leave(w *sink.Write, a sink.Answer) sink.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy[w.Regarding.Name] = false
	s.now--
	if a.Outcome != sink.Done {
		return a
	}
	if w.Count < s.counts[w.Name] {
		s.fault = fmt.Errorf("the count of %s goes back from %d to %d", w.Name, s.counts[w.Name], w.Count)
	}
	if _, there := s.counts[w.Name]; !there {
		s.order = append(s.order, fmt.Sprintf("%s %s %s", w.Regarding.Name, w.Reason, w.Note))
	}
	s.counts[w.Name] = w.Count
	return a
}

// about returns the number of events about an object.
func (s *store) about(object string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range s.order {
		if strings.HasPrefix(line, object+" ") {
			n++
		}
	}
	return n
}

func (s *store) total() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.counts {
		n += int(c)
	}
	return n
}

// see ends each line of an error.
const see = ` "see"="https://github.com/event-gen/event-gen/blob/main/docs/operating.md#what-is-logged"`

// lines collects log lines. It demands a link at the end of error lines, and cuts it off.
type lines struct {
	mu   sync.Mutex
	text []string
}

func (l *lines) add(prefix, args string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	line, linked := strings.CutSuffix(prefix+args, see)
	if strings.Contains(line, `"error"=`) != linked && !strings.Contains(line, `"level"=`) {
		line += "; expected a link at the end, or none"
	}
	l.text = append(l.text, line)
}

func (l *lines) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.text...)
}

func start(t *testing.T, opts broadcaster.Options) (*broadcaster.Broadcaster, *lines) {
	t.Helper()
	log := &lines{}
	opts.Logger = funcr.New(log.add, funcr.Options{})
	b, err := broadcaster.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return b, log
}

func checkConserved(t *testing.T, s eventrt.Stats) {
	t.Helper()
	if s.Recorded != s.Written+s.Pending+s.Lost.Total() {
		t.Errorf("not conserved: %+v", s)
	}
}

func contextWithTimeout(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithTimeout(t.Context(), d)
}
