package eventlog_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/eventlog"
)

const (
	pulledKeys = `"msg"="Event occurred" "object"={"name"="web-0" "namespace"="prod"} "fieldPath"="spec.containers{app}" "kind"="Pod" "apiVersion"="v1" ` +
		`"type"="Normal" "reason"="Pulled" "message"="Pulled image nginx" "action"="Pull" "controller"="example.com/kubelet"`
	boundKeys = `"msg"="Event occurred" "object"={"name"="web-0" "namespace"="prod"} "fieldPath"="" "kind"="Pod" "apiVersion"="v1" ` +
		`"type"="Warning" "reason"="FailedBinding" "message"="not bound" "action"="Bind" "controller"="" "related"={"name"="node-1"} "relatedKind"="Node"`
)

func TestLogrLogsWhatClientGoLogs(t *testing.T) {
	b, _ := newBroadcaster(t)
	var log lines
	b.Attach(eventlog.Logr(log.logger(0), 0))
	b.Attach(eventlog.Logr(log.logger(0), 1)) // not enabled
	b.Publish(pulledEvent("nginx"))
	b.Publish(boundEvent())
	b.Publish(boundEvent()) // every occurrence
	shutdown(t, b)
	want := []string{`"level"=0 ` + pulledKeys, `"level"=0 ` + boundKeys, `"level"=0 ` + boundKeys}
	if diff := cmp.Diff(want, log.all()); diff != "" {
		t.Errorf("(- expected, + logged):\n%s", diff)
	}
}

func TestLogrTakesTheLoggerOfTheContextFirst(t *testing.T) {
	b, _ := newBroadcaster(t)
	var given, inContext lines
	b.Attach(eventlog.Logr(given.logger(0), 2))
	ctx := logr.NewContext(t.Context(), inContext.logger(2).WithValues("reconcileID", "7"))
	recorder := eventrt.NewRecorder(b)
	recorder.Emit(pulledEvent("nginx"))
	recorder.WithContext(t.Context()).Emit(pulledEvent("nginx"))
	recorder.WithContext(ctx).Emit(pulledEvent("nginx"))
	shutdown(t, b)
	if got := given.all(); len(got) != 0 {
		t.Errorf("the given logger, whose verbosity is too low, logged %q", got)
	}
	want := []string{`"level"=2 ` + strings.Replace(pulledKeys, `"object"`, `"reconcileID"="7" "object"`, 1)}
	if diff := cmp.Diff(want, inContext.all()); diff != "" {
		t.Errorf("(- expected, + logged):\n%s", diff)
	}
}

func TestSlogLogsWithLevelAndTimeOfTheEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := newBroadcaster(t)
		var log, inContext lines
		b.Attach(eventlog.Slog(slog.New(slog.NewTextHandler(&log, nil))))
		recorder := eventrt.NewRecorder(b)
		recorder.At(time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)).Emit(pulledEvent("nginx"))
		recorder.At(time.Date(2026, 3, 4, 5, 6, 8, 0, time.UTC)).Emit(boundEvent())
		quiet := slog.New(slog.NewTextHandler(&inContext, &slog.HandlerOptions{Level: slog.LevelWarn}))
		ctx := logr.NewContextWithSlogLogger(t.Context(), quiet)
		recorder.WithContext(ctx).Emit(pulledEvent("nginx"))
		recorder.WithContext(ctx).Emit(boundEvent())
		shutdown(t, b)
		want := []string{
			`time=2026-03-04T05:06:07.000Z level=INFO msg="Event occurred" object.name=web-0 object.namespace=prod fieldPath=spec.containers{app} kind=Pod apiVersion=v1 ` +
				`type=Normal reason=Pulled message="Pulled image nginx" action=Pull controller=example.com/kubelet`,
			`time=2026-03-04T05:06:08.000Z level=WARN msg="Event occurred" object.name=web-0 object.namespace=prod fieldPath="" kind=Pod apiVersion=v1 ` +
				`type=Warning reason=FailedBinding message="not bound" action=Bind controller="" related.name=node-1 relatedKind=Node`,
		}
		if diff := cmp.Diff(want, log.all()); diff != "" {
			t.Errorf("(- expected, + logged):\n%s", diff)
		}
		if got := inContext.all(); len(got) != 1 || !strings.Contains(got[0], "level=WARN") {
			t.Errorf("the context's logger, which logs warnings only, logged %q", got)
		}
	})
}

func TestSlogFallsBackToTheDefault(t *testing.T) {
	var log lines
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	b, _ := newBroadcaster(t)
	b.Attach(eventlog.Slog(nil))
	b.Publish(boundEvent())
	shutdown(t, b)
	if got := log.all(); len(got) != 1 {
		t.Errorf("logged %q", got)
	}
}

// hostile is text that would break lines, formats and terminals.
var hostile = []string{"a\nb\rc", "%s %d %!(NOVERB)", "\x1b[31mred\x1b[0m", "\xff\xfe", "\u2028\u2029", `"quoted" \ {}`, "time=now level=ERROR", strings.Repeat("x", 5000)}

func hostileEvent(text string) eventrt.Event {
	ref := podRef()
	ref.Name, ref.FieldPath = text, text
	return eventrt.NewEvent(pulled, eventrt.ReferenceOf(ref), eventrt.ObjectRef{}, eventrt.String(text), eventrt.String(text))
}

func TestHostileTextStaysOnItsLine(t *testing.T) {
	for _, text := range hostile {
		b, _ := newBroadcaster(t)
		var viaLogr, viaSlog lines
		b.Attach(eventlog.Logr(viaLogr.logger(0), 0))
		b.Attach(eventlog.Slog(slog.New(slog.NewTextHandler(&viaSlog, nil))))
		b.Publish(hostileEvent(text))
		shutdown(t, b)
		for name, l := range map[string]*lines{"logr": &viaLogr, "slog": &viaSlog} {
			got := l.all()
			if len(got) != 1 || strings.ContainsAny(got[0], "\n\r\x1b") {
				t.Errorf("%s, text %q: logged %q", name, text, got)
			}
		}
	}
}

// TestALoggerThatHangsOrPanicsHarmsNobody holds the bound of a log subscriber, and its order.
func TestALoggerThatHangsOrPanicsHarmsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, said := newBroadcaster(t)
		release := make(chan struct{})
		var log lines
		hangs := eventlog.Slog(slog.New(gate{slog.NewTextHandler(&log, nil), release}))
		hangs.Buffer = 3
		hangs.Name = "hangs"
		b.Attach(hangs)
		b.Attach(eventlog.Slog(slog.New(gate{})))
		for i := range 10 {
			b.Publish(pulledEvent(fmt.Sprint(i)))
			if i == 0 {
				synctest.Wait()
			}
		}
		synctest.Wait()
		if stats := b.Stats(); stats.Written != 10 {
			t.Errorf("while a logger hangs: %+v", stats)
		}
		close(release)
		shutdown(t, b)
		if s := b.Snapshot().Subscribers; s[0].Dropped != 6 || s[1].Panics != 10 {
			t.Errorf("%+v", s)
		}
		for i, line := range log.all() {
			if !strings.Contains(line, fmt.Sprintf("Pulled image %d", i)) {
				t.Errorf("line %d: %s", i, line)
			}
		}
		if len(log.all()) != 4 || len(said.all()) != 2 {
			t.Errorf("logged %q, said %q", log.all(), said.all())
		}
	})
}

// gate is a handler that waits before it handles, and panics if it is the zero gate.
type gate struct {
	slog.Handler
	open <-chan struct{}
}

func (g gate) Enabled(context.Context, slog.Level) bool { return true }

func (g gate) Handle(ctx context.Context, r slog.Record) error {
	if g.open != nil {
		<-g.open
	}
	return g.Handler.Handle(ctx, r)
}
