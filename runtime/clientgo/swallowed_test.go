package clientgo_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"

	"github.com/event-gen/event-gen/runtime/clientgo"
)

// roundTripper is a transport made of a function.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// asJSON are bodies that tests can read.
var asJSON = restclient.ContentConfig{ContentType: "application/json"}

// storedEvent is the event of a request, as a server answers that it is stored.
func storedEvent(r *http.Request, sent []byte) string {
	name := path.Base(r.URL.Path) // of a patch
	var e metav1.PartialObjectMetadata
	if json.Unmarshal(sent, &e) == nil && e.Name != "" {
		name = e.Name
	}
	version := "v1"
	if strings.HasPrefix(r.URL.Path, "/apis/") {
		version = "events.k8s.io/v1"
	}
	return fmt.Sprintf(`{"kind":"Event","apiVersion":%q,"metadata":{"name":%q,"resourceVersion":"1"}}`, version, name)
}

// storedReply is a server's answer that an event is stored.
func storedReply(r *http.Request, sent []byte) *http.Response {
	body := storedEvent(r, sent)
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, Body: io.NopCloser(strings.NewReader(body)),
		Header: http.Header{"Content-Type": {"application/json"}, "Audit-Id": {"1"}},
	}
}

// TestAdapterWithoutItsGroup: a server that is restarted without events.k8s.io. What was created
// there is patched through core/v1, as a series.
func TestAdapterWithoutItsGroup(t *testing.T) {
	bubble(t, "", func(t *testing.T) {
		var closed atomic.Bool
		var sent []string
		client, err := kubernetes.NewForConfig(&restclient.Config{Host: "http://server", QPS: -1, ContentConfig: asJSON, Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			body, _ := io.ReadAll(r.Body)
			sent = append(sent, fmt.Sprint(r.Method, " ", r.URL.Path[:9], " ", string(body[:min(len(body), 75)])))
			reply := storedReply(r, body)
			if closed.Load() && strings.HasPrefix(r.URL.Path, "/apis/") {
				reply.StatusCode, reply.Body = http.StatusNotFound, io.NopCloser(strings.NewReader("404 page not found"))
				reply.Header.Set("Content-Type", "text/plain")
			}
			return reply, nil
		})})
		if err != nil {
			t.Fatal(err)
		}
		b := clientgo.NewEventBroadcasterAdapter(t.Context(), client)
		b.StartRecordingToSink(t.Context().Done())
		recorder := b.NewRecorder("example.com/widgets")
		recorder.Eventf(&pod, nil, corev1.EventTypeNormal, "Started", "Start", "x")
		later(time.Second)
		closed.Store(true)
		recorder.Eventf(&pod, nil, corev1.EventTypeNormal, "Started", "Start", "x")
		later(time.Minute)
		b.Shutdown()
		s := conserved(t, b.Stats())
		t.Logf("%d written, %d refused; sent:\n%s", s.Written, s.Lost.Refused, strings.Join(sent, "\n"))
		last := sent[len(sent)-1]
		if s.Written != 2 || !strings.HasPrefix(last, `PATCH /api/v1/n {"metadata":{"resourceVersion":"1"},"series":{"count":2,`) {
			t.Errorf("the last call was %s", last)
		}
	})
}

// TestAWebhookThatRenamesEvents: the reply to a create has the event under another name. It is
// stored, and what is recorded later goes into new events.
func TestAWebhookThatRenamesEvents(t *testing.T) {
	bubble(t, "", func(t *testing.T) {
		var mu sync.Mutex
		stored, patches := map[string]int{}, 0
		client, err := kubernetes.NewForConfig(&restclient.Config{Host: "http://server", QPS: -1, ContentConfig: asJSON, Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			body, _ := io.ReadAll(r.Body)
			reply := storedReply(r, body)
			mu.Lock()
			defer mu.Unlock()
			if r.Method != http.MethodPost {
				patches++
				reply.StatusCode, reply.Body = http.StatusNotFound, io.NopCloser(strings.NewReader(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`))
				return reply, nil
			}
			var e struct {
				Metadata map[string]any
				Count    int
			}
			if err := json.Unmarshal(body, &e); err != nil {
				return nil, err
			}
			name := fmt.Sprint("renamed-", len(stored))
			stored[name] = max(e.Count, 1)
			before := fmt.Sprint(e.Metadata["name"])
			reply.Body = io.NopCloser(strings.NewReader(strings.Replace(strings.Replace(string(body), before, name, 1), `"metadata":{`, `"metadata":{"resourceVersion":"1",`, 1)))
			return reply, nil
		})})
		if err != nil {
			t.Fatal(err)
		}
		core, group := clientgo.NewBroadcaster(), clientgo.NewEventsBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})
		core.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
		if err := group.StartRecordingToSinkWithContext(t.Context()); err != nil {
			t.Fatal(err)
		}
		one, other := core.NewRecorder(scheme.Scheme, testSource), group.NewRecorder(scheme.Scheme, "example.com/widgets")
		for range 3 {
			for n := range 10 {
				one.Event(podNamed(fmt.Sprint("web-", n)), corev1.EventTypeNormal, "Started", "x")
				other.Eventf(podNamed(fmt.Sprint("web-", n)), nil, corev1.EventTypeNormal, "Started", "Start", "x")
			}
			later(time.Minute)
		}
		core.Shutdown()
		group.Shutdown()
		s, more := core.Stats(), group.Stats()
		s.Add(&more)
		conserved(t, s)
		sum := 0
		for _, n := range stored {
			sum += n
		}
		if s.Written != 60 || sum != 60 || patches != 0 {
			t.Errorf("%d of 60 are written, %d stored in %d events, with %d patches: %+v", s.Written, sum, len(stored), patches, s)
		}
	})
}
