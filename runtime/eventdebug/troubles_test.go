package eventdebug

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink"
)

// TestTroublesSayWhatIsKnown: all events are refused, which is no outage; a server that hangs is
// one.
func TestTroublesSayWhatIsKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := false
		b, err := broadcaster.New(broadcaster.Options{Sink: sinkFunc(func(ctx context.Context, _ *sink.Write) sink.Answer {
			if hang {
				<-ctx.Done()
				return sink.Answer{Outcome: sink.Retry, Err: ctx.Err()}
			}
			return sink.Answer{Outcome: sink.Refused, Scope: sink.ScopeObject, Err: errors.New("denied " + strings.Repeat("x", 1<<20))}
		})})
		if err != nil {
			t.Fatal(err)
		}
		p := New(b)
		r := eventrt.NewRecorder(b)
		expect := func(texts ...string) {
			t.Helper()
			body := serve(t, p, http.MethodGet, "/", "").Body.String()
			for _, text := range texts {
				if !strings.Contains(body, text) {
					t.Errorf("the page lacks %q:\n%s", text, body)
				}
			}
			if len(body) > 20<<10 {
				t.Errorf("the page has %d bytes", len(body))
			}
		}
		for n := range 62 {
			r.Forward(pod("shop", fmt.Sprint("web-", n)), eventrt.Normal, "Refused", "", "text")
		}
		time.Sleep(5 * time.Minute)
		expect("No outage; 62 writes refused in the last 10 minutes.")
		time.Sleep(6 * time.Minute)
		expect("No outage, and no write was refused in the last 10 minutes.")
		hang = true
		r.Forward(pod("shop", "web"), eventrt.Normal, "Held", "", "text")
		time.Sleep(4 * time.Second)
		expect("in flight: 1, the oldest for 4s", "No outage")
		time.Sleep(2 * time.Second)
		expect("in flight: 1, the oldest for 6s", ">server<", "calls do not come back in time")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_ = b.Shutdown(ctx)
	})
}

// TestHiddenCharactersAreShown: names and answers may turn the direction of a text, or control a
// terminal that shows the JSON.
func TestHiddenCharactersAreShown(t *testing.T) {
	const hostile = "a\u202eb\u2066c\u009bd\x1b[2Je"
	b, err := broadcaster.New(broadcaster.Options{Sink: sinkFunc(func(context.Context, *sink.Write) sink.Answer {
		return sink.Answer{Outcome: sink.Refused, Err: errors.New(hostile)}
	})})
	if err != nil {
		t.Fatal(err)
	}
	p := New(b)
	eventrt.NewRecorder(b).Forward(&corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: hostile}, eventrt.Normal, "R", "", "text")
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"html", "json"} {
		body := serve(t, p, http.MethodGet, "/?format="+format, "").Body.String()
		if strings.ContainsAny(body, "\u202e\u2066\u009b\x1b") || !strings.Contains(body, `a\u202eb\u2066c`) {
			t.Errorf("%s: %q", format, body)
		}
		var read page
		if format == "json" && (json.Unmarshal([]byte(body), &read) != nil || read.Refusals[0].Object.Name != hostile) {
			t.Errorf("the JSON has another name: %q", body)
		}
	}
}

// TestLittleIsKeptOfALargeEvent: 32 rejected ones may have MiB each.
func TestLittleIsKeptOfALargeEvent(t *testing.T) {
	b, err := broadcaster.New(broadcaster.Options{Sink: refusing{}})
	if err != nil {
		t.Fatal(err)
	}
	p := New(b)
	r := eventrt.NewRecorder(b)
	for n := range 40 {
		r.Forward(pod("shop", strings.Repeat("x", 1<<20+n)), eventrt.Normal, strings.Repeat("y", 1<<20), "", "text")
	}
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if body := serve(t, p, http.MethodGet, "/?format=json", "").Body.String(); len(body) > 40<<10 || b.Stats().Lost.Rejected != 40 {
		t.Errorf("the page has %d bytes; %+v", len(body), b.Stats().Lost)
	}
}
