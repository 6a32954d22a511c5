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
	restclient "k8s.io/client-go/rest"

	"github.com/event-gen/event-gen/runtime/clientgo"
)

// roundTripper is a transport made of a function.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// storedReply is a server's answer that an event is stored.
func storedReply(r *http.Request) *http.Response {
	body := `{"kind":"Event","apiVersion":"v1","metadata":{"resourceVersion":"1"}}`
	if strings.HasPrefix(r.URL.Path, "/apis/") {
		body = strings.Replace(body, "v1", "events.k8s.io/v1", 1)
	}
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
