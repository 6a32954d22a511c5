package eventlog_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/eventlog"
)

func TestALineHoldsTheWholeOccurrence(t *testing.T) {
	b, _ := newBroadcaster(t)
	var out bytes.Buffer
	j := eventlog.NewJSON(&out, logr.Logger{})
	b.Attach(j.Subscriber())
	recorder := eventrt.NewRecorder(b).At(time.Date(2026, 3, 4, 5, 6, 7, 89, time.FixedZone("", 3600)))
	recorder.WithAnnotations(map[string]string{"example.com/mine": "<&>"}).WithLabels(map[string]string{"team": "storage"}).Emit(pulledEvent("nginx"))
	recorder.WithReportingController("example.com/binder").Emit(boundEvent())
	recorder.Emit(eventrt.Event{}) // rejected, hence not shown
	shutdown(t, b)
	want := `{"time":"2026-03-04T04:06:07.000000089Z","type":"Normal","reason":"Pulled","action":"Pull","message":"Pulled image nginx",` +
		`"regarding":{"apiVersion":"v1","kind":"Pod","namespace":"prod","name":"web-0","uid":"u-1","fieldPath":"spec.containers{app}"},` +
		`"controller":"example.com/kubelet","annotations":{"example.com/image":"nginx","example.com/mine":"<&>"},"labels":{"team":"storage"}}
{"time":"2026-03-04T04:06:07.000000089Z","type":"Warning","reason":"FailedBinding","action":"Bind","message":"not bound",` +
		`"regarding":{"apiVersion":"v1","kind":"Pod","namespace":"prod","name":"web-0","uid":"u-1"},` +
		`"related":{"apiVersion":"v1","kind":"Node","name":"node-1","uid":"u-2"},"controller":"example.com/binder"}
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(- expected, + written):\n%s", diff)
	}
	if got := statsOf(j); got != (jsonStats{Lines: 2}) {
		t.Errorf("stats %+v", got)
	}
}

func TestHostileTextIsOneValidLine(t *testing.T) {
	b, _ := newBroadcaster(t)
	var out bytes.Buffer
	b.Attach(eventlog.NewJSON(&out, logr.Logger{}).Subscriber())
	for _, text := range hostile {
		b.Publish(hostileEvent(text))
	}
	shutdown(t, b)
	for i, line := range parse(t, out.String()) {
		want := strings.ToValidUTF8(hostile[i], "\uFFFD")
		if line.Regarding.Name != want && hostile[i] != "\xff\xfe" {
			t.Errorf("text %q came back as %q", hostile[i], line.Regarding.Name)
		}
	}
}

// shown is what a program reads from a line of JSON.
type shown struct {
	Time, Type, Reason, Action, Message, Controller string
	Regarding                                       struct{ APIVersion, Kind, Namespace, Name, UID, FieldPath string }
}

// parse holds that text is lines of JSON, and reads them.
func parse(t *testing.T, text string) (list []shown) {
	t.Helper()
	for line := range strings.Lines(text) {
		var l shown
		if err := json.Unmarshal([]byte(line), &l); err != nil || !strings.HasSuffix(line, "}\n") {
			t.Errorf("line %q: %v", line, err)
		}
		list = append(list, l)
	}
	return list
}

// full is a writer that takes only so many bytes, and so many calls.
type full struct {
	mu    sync.Mutex
	out   bytes.Buffer
	room  int
	calls int
}

var errFull = errors.New("no space left on device")

func (f *full) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	n := min(len(b), f.room)
	f.room -= n
	f.out.Write(b[:n])
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}

func (f *full) makeRoom(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.room = n
}

func TestAFullDiskIsCountedAndSaidOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, said := newBroadcaster(t)
		disk := &full{room: 1 << 20}
		logger := said.logger(0)
		j := eventlog.NewJSON(disk, logger)
		b.Attach(j.Subscriber())
		publish := func(image string) {
			b.Publish(pulledEvent(image))
			synctest.Wait()
		}
		publish("one")
		disk.makeRoom(10) // the next line is torn
		publish("two")
		publish("three")
		disk.makeRoom(1 << 20)
		publish("four")
		shutdown(t, b)
		if got := statsOf(j); got != (jsonStats{Lines: 2, Lost: 2, Errors: 2}) {
			t.Errorf("stats %+v", got)
		}
		if got := said.all(); len(got) != 1 || !strings.Contains(got[0], errFull.Error()) {
			t.Errorf("said %q", got)
		}
		got := strings.Split(disk.out.String(), "\n")
		if len(got) != 4 || len(got[1]) != 10 || !strings.Contains(got[0], "image one") || !strings.Contains(got[2], "image four") || got[3] != "" {
			t.Errorf("written %q, expected the torn line to be ended before the next", got)
		}
		if stats := b.Stats(); stats.Written != 4 {
			t.Errorf("recording suffered: %+v", stats)
		}
	})
}

// breaks is a writer that does what writers must not.
type breaks struct{ n int }

func (w breaks) Write([]byte) (int, error) { return w.n, nil }

func TestAWriterThatBreaksItsContract(t *testing.T) {
	for n, want := range map[int]jsonStats{
		-1:      {Lost: 1, Errors: 1},
		0:       {Lost: 1, Errors: 1},
		5:       {Lost: 1, Errors: 1},
		1 << 20: {Lines: 1},
	} {
		b, said := newBroadcaster(t)
		logger := said.logger(0)
		j := eventlog.NewJSON(breaks{n}, logger)
		b.Attach(j.Subscriber())
		b.Publish(pulledEvent("nginx"))
		shutdown(t, b)
		if got := statsOf(j); got != want {
			t.Errorf("%d bytes of a line: %+v", n, got)
		}
	}
}

func TestEventsThatComeTogetherAreWrittenTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := newBroadcaster(t)
		disk := &full{room: 1 << 30}
		j := eventlog.NewJSON(disk, logr.Logger{})
		s := j.Subscriber()
		release := make(chan struct{})
		show := s.Show
		s.Show = func(e eventrt.Event) { <-release; show(e) }
		b.Attach(s)
		for n := range 1000 {
			b.Publish(pulledEvent(fmt.Sprint(n)))
		}
		close(release)
		synctest.Wait()
		for n, line := range parse(t, disk.out.String()) {
			if want := fmt.Sprintf("Pulled image %d", n); line.Message != want {
				t.Fatalf("line %d: %q, expected %q", n, line.Message, want)
			}
		}
		if got := statsOf(j); got.Lines != 1000 || disk.calls > 10 {
			t.Errorf("%d calls, %+v", disk.calls, got)
		}
		shutdown(t, b)
	})
}

func TestAWriterThatHangsDropsAndCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := newBroadcaster(t)
		release := make(chan struct{})
		s := eventlog.NewJSON(hanging{release}, logr.Logger{}).Subscriber()
		s.Buffer = 2
		b.Attach(s)
		b.Publish(pulledEvent("0"))
		synctest.Wait()
		for i := range 10 {
			b.Publish(pulledEvent(fmt.Sprint(i)))
		}
		if dropped := b.Snapshot().Subscribers[0].Dropped; dropped != 8 {
			t.Errorf("%d dropped", dropped)
		}
		close(release)
		shutdown(t, b)
	})
}

type hanging struct{ release <-chan struct{} }

func (h hanging) Write(b []byte) (int, error) { <-h.release; return len(b), nil }
