package browser

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/eventdebug"
	"github.com/event-gen/event-gen/runtime/sink"
)

// troubledSink answers as servers in trouble do, by namespace.
type troubledSink struct{}

func (troubledSink) Write(ctx context.Context, w *sink.Write) sink.Answer {
	switch w.Namespace {
	case "bank":
		return sink.Answer{Outcome: sink.Forbidden, Scope: sink.ScopeNamespace,
			Err:     errors.New(`no right to write events in namespace "bank"; add this rule: apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"]`),
			Missing: &sink.Right{User: "system:serviceaccount:widgets:operator", Verb: "create", Resource: "events", Group: "events.k8s.io", Namespace: "bank"}}
	case "depot":
		return sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeNamespace, Err: errors.New("the server answered 500: failed calling webhook")}
	}
	if w.Reason == "Refused" {
		return sink.Answer{Outcome: sink.Refused, Scope: sink.ScopeWrite, Err: errors.New("the server finds the event invalid: action")}
	}
	return sink.Answer{Outcome: sink.Done, ResourceVersion: 1}
}

// troubled is a page with something in every part.
func troubled(t *testing.T) *eventdebug.Page {
	t.Helper()
	b, err := broadcaster.New(broadcaster.Options{Sink: troubledSink{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		over, cancel := context.WithCancel(context.Background())
		cancel()
		_ = b.Shutdown(over)
	})
	var refused, forbidden atomic.Bool
	b.AttachObserver(broadcaster.Observer{Written: func(_ *sink.Write, a sink.Answer, _ time.Duration) {
		switch a.Outcome {
		case sink.Refused:
			refused.Store(true)
		case sink.Forbidden:
			forbidden.Store(true)
		}
	}})
	p := eventdebug.New(b)
	r := eventrt.NewRecorder(b)
	record := func(n int, eventType, reason, namespace, name string) {
		for range n {
			r.Forward(&corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}},
				eventType, reason, "Do", "no text of it is shown")
		}
	}
	record(4711, eventrt.Warning, "BackOff", "shop", "web-7d4b9c6f5-x2x8l")
	record(512, eventrt.Normal, "Pulled", "shop", "web-7d4b9c6f5-x2x8l")
	r = r.WithLabels(map[string]string{"zone": "no label, since it has spaces"})
	record(37, eventrt.Normal, "Scheduled", "shop", "a-pod-whose-name-is-as-long-as-names-may-be-which-is-not-short-0")
	r = eventrt.NewRecorder(b)
	record(1, eventrt.Normal, "Refused", "shop", "cart")
	record(3, eventrt.Warning, "Failed", "bank", "vault-0")
	for n := range 8 {
		record(1, eventrt.Normal, "Moved", "depot", fmt.Sprintf("crate-%d", n))
	}
	until := time.Now().Add(time.Minute)
	for len(b.Snapshot().Troubles) == 0 || !refused.Load() || !forbidden.Load() {
		if time.Now().After(until) {
			t.Fatalf("no trouble: %+v", b.Snapshot())
		}
		time.Sleep(10 * time.Millisecond)
	}
	return p
}

var update = flag.Bool("update", false, "shoot docs/eventdebug.png anew")

// TestDebugPage looks at the page of package eventdebug on a desk and on a phone, in both themes.
func TestDebugPage(t *testing.T) {
	p := openHandler(t, troubled(t))
	p.load()
	for _, scheme := range []string{"light", "dark"} {
		p.theme(scheme)
		for _, bad := range eval[[]string](p, contrasts) {
			t.Errorf("%s: %s", scheme, bad)
		}
	}
	for _, width := range []int64{320, 390, 1280} {
		p.run(chromedp.EmulateViewport(width, 844))
		if got := eval[int64](p, "document.documentElement.scrollWidth"); got > width {
			t.Errorf("the page is %d wide on a screen of %d", got, width)
		}
	}
	for part, want := range map[string]string{
		"#account ~ .sum b":        "5272",
		"#troubles ~ .wide td":     "namespace",
		"#refusals ~ .wide pre":    "- apiGroups: [\"events.k8s.io\"]\n  resources: [\"events\"]\n  verbs: [\"create\", \"patch\"]\n# for system:serviceaccount:widgets:operator in bank",
		"#reasons ~ .wide td + td": "BackOff",
	} {
		if got := eval[string](p, fmt.Sprintf("document.querySelector(%q).innerText", part)); got != want {
			t.Errorf("%s shows %q, want %q", part, got, want)
		}
	}
	if *update {
		p.theme("light")
		p.run(chromedp.EmulateViewport(1100, 800))
		p.run(chromedp.EmulateViewport(1100, eval[int64](p, "document.documentElement.scrollHeight")))
		p.shoot("../../docs/eventdebug.png")
		record := exec.CommandContext(t.Context(), "go", "test", "./test/docs", "-run=^TestPictureIsNew$", "-shot")
		record.Dir, record.Env = "../..", append(os.Environ(), "GOWORK=")
		if out, err := record.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}
