package eventdebug

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/eventfilter"
	"github.com/event-gen/event-gen/runtime/sink"
)

// refusing answers by reason, and holds up what is to wait until its context ends.
type refusing struct{}

func (refusing) Write(ctx context.Context, w *sink.Write) sink.Answer {
	switch w.Reason {
	case "Refused":
		return sink.Answer{Outcome: sink.Refused, Scope: sink.ScopeWrite, Err: errors.New(`the event is <invalid>`)}
	case "Forbidden":
		return sink.Answer{Outcome: sink.Forbidden, Scope: sink.ScopeNamespace, Err: errors.New("no right to write events"),
			Missing: &sink.Right{User: "system:serviceaccount:shop:ctrl", Verb: "create", Resource: "events", Group: "events.k8s.io", Namespace: w.Namespace}}
	case "Held":
		<-ctx.Done()
		return sink.Answer{Outcome: sink.Retry, Err: ctx.Err()}
	}
	return sink.Answer{Outcome: sink.Done, ResourceVersion: 1}
}

func pod(namespace, name string) *corev1.Pod {
	return &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
}

// troubled is a page with something in every part.
func troubled(t *testing.T) *Page {
	t.Helper()
	var filter eventfilter.Filter
	if err := filter.Set(`drop reason="Unwanted"; drop reason="<i>"`); err != nil {
		t.Fatal(err)
	}
	b, err := broadcaster.New(broadcaster.Options{Sink: refusing{}, Filter: &filter})
	if err != nil {
		t.Fatal(err)
	}
	if err := filter.Watch(t.Context(), "/<nowhere>", logr.Discard()); err == nil {
		t.Fatal("a file that is not there is read")
	}
	t.Cleanup(func() {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		_ = b.Shutdown(ended)
	})
	p := New(b)
	r := eventrt.NewRecorder(b)
	for range 500 {
		r.Forward(pod("shop", "loud"), eventrt.Warning, "Noisy", "", "secret")
	}
	r.Forward(pod("shop", "<b>web</b>"), eventrt.Normal, "Refused", "", "secret")
	r.Forward(pod("shop", "web"), "Error", "Mistyped", "", "secret")
	r.Forward(pod("shop", "web"), eventrt.Normal, "Unwanted", "", "secret")
	r.Forward(pod("bank", "vault"), eventrt.Normal, "Forbidden", "", "secret")
	for n := range 3 {
		r.Forward(pod("depot", fmt.Sprint("held-", n)), eventrt.Normal, "Held", "", "secret")
	}
	err = wait.PollUntilContextCancel(t.Context(), 1e6, true, func(context.Context) (bool, error) {
		s := b.Stats()
		return len(p.refusals.list()) == 2 && s.InFlight == 3 && s.Written > 0, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func serve(t *testing.T, h http.Handler, method, target, accept string) *httptest.ResponseRecorder {
	t.Helper()
	req := httptest.NewRequest(method, target, nil)
	req.Header.Set("Accept", accept)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return w
}

// TestJSON holds all that the page says, by what a program reads of it.
func TestJSON(t *testing.T) {
	w := serve(t, troubled(t), http.MethodGet, "/debug/events", "application/json")
	var p page
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/json" {
		t.Fatalf("%d %v %v", w.Code, w.Header(), err)
	}
	if strings.Contains(w.Body.String(), "secret") {
		t.Error("a message is shown")
	}
	a := &p.Account
	if p.State != "recording" || a.Recorded != 507 || a.Recorded != a.Written+a.Pending+a.LostInAll || a.InFlight != 3 {
		t.Errorf("account %+v", a)
	}
	if len(p.Reasons) == 0 || p.Reasons[0] != (reasonNoise{eventrt.Warning, "Noisy", "v1", "Pod", 500, 1}) {
		t.Errorf("reasons %+v", p.Reasons)
	}
	if len(p.Objects) == 0 || p.Objects[0] != (objectNoise{object{"v1", "Pod", "shop", "loud"}, 500, 1}) {
		t.Errorf("objects %+v", p.Objects)
	}
	held := 0
	for _, w := range p.Waiting {
		if w.Reason == "Held" && w.State == "being written" && w.Pending == 1 && w.Object.Namespace == "depot" {
			held++
		}
	}
	if held != 3 {
		t.Errorf("waiting %+v", p.Waiting)
	}
	rules := 0
	for _, r := range p.Refusals {
		switch {
		case r.Reason == "Forbidden" && r.Rule != nil && r.Rule.Namespace == "bank" && r.Rule.APIGroups[0] == "events.k8s.io" && len(r.Rule.Verbs) == 2:
			rules++
		case r.Reason == "Refused" && r.Rule == nil && r.Error == "the event is <invalid>" && r.Outcome == "refused":
			rules++
		}
	}
	if rules != 2 {
		t.Errorf("refusals %+v", p.Refusals)
	}
	if want := []filterRule{{"drop reason=Unwanted", 1}, {`drop reason="<i>"`, 0}}; !slices.Equal(p.Filter, want) || !strings.Contains(p.FilterError, "/<nowhere>") {
		t.Errorf("filter %+v, error %q", p.Filter, p.FilterError)
	}
	if len(p.Rejections) != 1 || p.Rejections[0].Reason != "Mistyped" || !strings.Contains(p.Rejections[0].Problem, `"Error"`) {
		t.Errorf("rejections %+v", p.Rejections)
	}
}

// TestEveryCauseIsShown gives each cause of losses a count of its own: the page shows all of them,
// and they add up to the total.
func TestEveryCauseIsShown(t *testing.T) {
	var s eventrt.Stats
	causes := reflect.ValueOf(&s.Lost).Elem()
	for i := range causes.NumField() {
		causes.Field(i).SetUint(1 << i)
	}
	shown := map[string]uint64{}
	var sum uint64
	a := accountOf(&s)
	for _, l := range a.Lost {
		shown[l.Cause] = l.Count
		sum += l.Count
	}
	for i := range causes.NumField() {
		if cause := strings.ToLower(causes.Type().Field(i).Name); shown[cause] != 1<<i {
			t.Errorf("%s: the page shows %d, want %d", cause, shown[cause], 1<<i)
		}
	}
	if sum != a.LostInAll {
		t.Errorf("the causes add up to %d, the total is %d", sum, a.LostInAll)
	}
}

func TestHTML(t *testing.T) {
	w := serve(t, troubled(t), http.MethodGet, "/debug/events", "text/html,application/json;q=0.9")
	body := w.Body.String()
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/html; charset=utf-8" || !strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	for _, want := range []string{"<b>507</b> recorded", "shop/&lt;b&gt;web&lt;/b&gt;", "the event is &lt;invalid&gt;", `apiGroups: [&#34;events.k8s.io&#34;]`, `verbs: [&#34;create&#34;, &#34;patch&#34;]`, "being written", "Noisy", "<td>drop reason=Unwanted</td><td class=\"n\">1</td>", "drop reason=&#34;&lt;i&gt;&#34;", "open /&lt;nowhere&gt;"} {
		if !strings.Contains(body, want) {
			t.Errorf("not on the page: %s", want)
		}
	}
	if strings.Contains(body, "secret") || strings.Contains(body, "<b>web") {
		t.Errorf("a message, or text that is no HTML, is on the page:\n%s", body)
	}
}

// TestNothingTakenYet: tries have failed, and no trouble is told yet.
func TestNothingTakenYet(t *testing.T) {
	var b bytes.Buffer
	writeHTML(&b, &page{Account: accountOf(&eventrt.Stats{Retries: 4, LabelsLeftOut: 2}), Skipped: 3})
	for _, want := range []string{"None known, but the server has taken no event yet: see what waits.", "3 log lines and calls of observers were skipped",
		"Labels left out of new events, because the server would refuse them: 2."} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("not on the page: %s\n%s", want, b.String())
		}
	}
}

// TestEmptyPage: a broadcaster that recorded nothing, and one that has ended.
func TestEmptyPage(t *testing.T) {
	b, err := broadcaster.New(broadcaster.Options{Sink: refusing{}})
	if err != nil {
		t.Fatal(err)
	}
	h := New(b)
	if body := serve(t, h, http.MethodGet, "/", "").Body.String(); !strings.Contains(body, "None known: no event was sent to the server yet.") || !strings.Contains(body, "Nothing waits.") || !strings.Contains(body, "None: all events are recorded.") {
		t.Errorf("page:\n%s", body)
	}
	if body := serve(t, h, http.MethodGet, "/?format=json", "").Body.String(); strings.Contains(body, "null") {
		t.Errorf("a list that is no list:\n%s", body)
	}
	b.SetEnabled(false)
	if body := serve(t, h, http.MethodGet, "/", "").Body.String(); !strings.Contains(body, ", disabled.") {
		t.Error("it does not say that recording is off")
	}
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if body := serve(t, h, http.MethodGet, "/", "").Body.String(); !strings.Contains(body, ", ended.") {
		t.Error("it does not say that recording has ended")
	}
}

func TestRequests(t *testing.T) {
	p := troubled(t)
	for _, c := range []struct {
		method, target, accept string
		code                   int
		contentType            string
	}{
		{http.MethodGet, "/", "*/*", 200, "text/html; charset=utf-8"},
		{http.MethodHead, "/", "*/*", 200, "text/html; charset=utf-8"},
		{http.MethodGet, "/?format=html", "application/json", 200, "text/html; charset=utf-8"},
		{http.MethodGet, "/?format=json", "text/html", 200, "application/json"},
		{http.MethodGet, "/?format=xml", "", 400, "text/plain; charset=utf-8"},
		{http.MethodPost, "/", "", 405, "text/plain; charset=utf-8"},
	} {
		w := serve(t, p, c.method, c.target, c.accept)
		if w.Code != c.code || w.Header().Get("Content-Type") != c.contentType {
			t.Errorf("%s %s, Accept %q: %d %s", c.method, c.target, c.accept, w.Code, w.Header().Get("Content-Type"))
		}
	}
}
