package main

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/test/e2e/faults"
)

// key is what is counted apart: events that are aggregated are still of one key.
type key struct{ namespace, object, eventType, reason string }

// plain is the broadcaster of this process, and what is known of it from outside: what was
// recorded, by the recording side, and what the server acknowledged, by the sink's side.
type plain struct {
	proxy *faults.Proxy

	recording sync.RWMutex // held while a broadcaster takes the place of another
	b         *broadcaster.Broadcaster
	recorder  *eventrt.Recorder
	past      eventrt.Stats // of the broadcasters before

	mu       sync.Mutex
	recorded map[key]int
	total    int
	acked    map[key]int
	// by the event's namespace and name: the highest count that was acknowledged
	counts   map[string]int
	canaries map[string]*canary
}

// canary is an event that is new, so that its way to the server shows how long a namespace waits.
type canary struct {
	namespace string
	at, done  time.Time
	judged    bool
}

const canaryReason = "Canary"

func newPlain(proxy *faults.Proxy) *plain {
	return &plain{proxy: proxy, recorded: map[key]int{}, acked: map[key]int{}, counts: map[string]int{}, canaries: map[string]*canary{}}
}

// begin starts a broadcaster with its defaults.
func (p *plain) begin() error {
	b, err := broadcaster.New(broadcaster.Options{Sink: &ackSink{Sink: kube.Auto(p.proxy.Config()), plain: p}})
	if err != nil {
		return err
	}
	p.b, p.recorder = b, eventrt.NewRecorder(b)
	return nil
}

// restart ends the broadcaster as a program does after SIGTERM, and starts another one.
func (p *plain) restart(ctx context.Context, patience time.Duration) error {
	p.recording.Lock()
	defer p.recording.Unlock()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_ = p.b.Shutdown(ctx) // what is left is in the account, by cause
	ended := p.b.Stats()
	if ended.Pending != 0 {
		return fmt.Errorf("after Shutdown %d occurrences are pending", ended.Pending)
	}
	ended.InFlight, ended.Failing, ended.Identities, ended.Objects, ended.Bytes = 0, 0, 0, 0, 0
	p.past.Add(&ended)
	return p.begin()
}

// stats are those of all broadcasters.
func (p *plain) stats() eventrt.Stats {
	p.recording.RLock()
	defer p.recording.RUnlock()
	s := p.b.Stats()
	s.Add(&p.past)
	return s
}

// waiting are the events of this broadcaster that wait.
func (p *plain) waiting() (all []correlator.View) {
	p.recording.RLock()
	defer p.recording.RUnlock()
	for s := range p.b.States() {
		if s.Pending > 0 {
			all = append(all, *s)
		}
	}
	return all
}

// describe says what the broadcaster shows of a canary that waits too long.
func (p *plain) describe(name string) string {
	text := "it is written"
	for _, w := range p.waiting() {
		if w.Regarding.Namespace+"/"+w.Regarding.Name == name {
			text = fmt.Sprintf("it waits, %+v", w)
		}
	}
	p.recording.RLock()
	defer p.recording.RUnlock()
	now := p.b.Snapshot()
	return fmt.Sprintf("%s; %d pending, %d in flight, troubles %+v", text, now.Stats.Pending, now.Stats.InFlight, now.Troubles)
}

// record records one occurrence.
func (p *plain) record(k key, message string) {
	p.recording.RLock()
	defer p.recording.RUnlock()
	p.mu.Lock()
	p.recorded[k]++
	p.total++
	p.mu.Unlock()
	p.recorder.Forward(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: k.namespace, Name: k.object, UID: types.UID(k.namespace + k.object)}},
		k.eventType, k.reason, "Soak", message)
}

// canary records an event of an object that no other event has.
func (p *plain) canary(namespace string, n int) {
	name := fmt.Sprint("canary-", n)
	p.mu.Lock()
	p.canaries[namespace+"/"+name] = &canary{namespace: namespace, at: time.Now()}
	p.mu.Unlock()
	p.record(key{namespace, name, eventrt.Normal, canaryReason}, "it sings")
}

func (p *plain) recordedNow() (byKey map[key]int, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.recorded), p.total
}

func (p *plain) ackedNow() map[key]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.acked)
}

// ackSink notes what the server acknowledges.
type ackSink struct {
	sink.Sink
	plain *plain
}

func (s *ackSink) Write(ctx context.Context, w *sink.Write) sink.Answer {
	k := key{w.Namespace, w.Regarding.Name, w.Type, w.Reason}
	name, count := w.Namespace+"/"+w.Name, int(w.Count)
	a := s.Sink.Write(ctx, w)
	if a.Outcome == sink.Done && w.Operation != sink.Read {
		s.plain.acknowledge(k, name, count)
	}
	return a
}

func (p *plain) acknowledge(k key, name string, count int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if more := count - p.counts[name]; more > 0 {
		p.counts[name] = count
		p.acked[k] += more
	}
	if c := p.canaries[k.namespace+"/"+k.object]; c != nil && c.done.IsZero() {
		c.done = time.Now()
	}
}
