package clientgo_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	restclient "k8s.io/client-go/rest"

	"github.com/event-gen/event-gen/runtime/clientgo"
)

// roundTripper is a transport made of a function.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// storedReply is a server's answer that an event is stored.
func storedReply(r *http.Request) *http.Response {
	const body = `{"kind":"Event","apiVersion":"v1","metadata":{"name":"e","resourceVersion":"1"}}`
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, Body: io.NopCloser(strings.NewReader(body)),
		Header: http.Header{"Content-Type": {"application/json"}, "Audit-Id": {"1"}},
	}
}

// TestSwallowedCalls: a load balancer swallows all calls for ten seconds, so that these calls never come back. They cost their time-out and
// no more: every event is stored.
func TestSwallowedCalls(t *testing.T) {
	bubble(t, "", func(t *testing.T) {
		begun, release := time.Now(), make(chan struct{})
		var stored atomic.Int64
		client, err := kubernetes.NewForConfig(&restclient.Config{Host: "http://server", QPS: -1, Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			if time.Since(begun) >= 10*time.Second {
				stored.Add(1)
				return storedReply(r), nil
			}
			select {
			case <-r.Context().Done():
				return nil, r.Context().Err()
			case <-release:
				return nil, io.ErrUnexpectedEOF
			}
		})})
		if err != nil {
			t.Fatal(err)
		}
		b := clientgo.NewBroadcaster()
		b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
		recorder := b.NewRecorder(nil, testSource)
		const events = 200
		for n := range events {
			recorder.Event(podNamed(fmt.Sprint("pod-", n)), corev1.EventTypeNormal, "Started", "x")
		}
		later(2 * time.Minute)
		t.Logf("%d of %d events stored two minutes later", stored.Load(), events)
		if n := stored.Load(); n != events {
			t.Errorf("%d of %d events are stored", n, events)
		}
		close(release)
		b.Shutdown()
		conserved(t, b.Stats())
	})
}

// TestAdapterWithoutItsGroup: a server that is restarted without events.k8s.io. What was created there is patched through core/v1, as a
// series.
func TestAdapterWithoutItsGroup(t *testing.T) {
	bubble(t, "", func(t *testing.T) {
		var closed atomic.Bool
		var sent []string
		client, err := kubernetes.NewForConfig(&restclient.Config{Host: "http://server", QPS: -1, Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			body, _ := io.ReadAll(r.Body)
			sent = append(sent, fmt.Sprint(r.Method, " ", r.URL.Path[:9], " ", string(body[:min(len(body), 75)])))
			reply := storedReply(r)
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
