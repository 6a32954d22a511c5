package clientgo_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	"github.com/event-gen/event-gen/runtime/clientgo"
)

// TestOneServerStoresOnce starts a broadcaster twice for one server, as a controller-runtime
// manager with leader election does with an EventBroadcaster of its own. client-go plays beside the
// drop-in.
func TestOneServerStoresOnce(t *testing.T) {
	play := func(t *testing.T, b record.EventBroadcaster, first, second record.EventSink) {
		b.StartRecordingToSink(first)
		b.StartRecordingToSink(second)
		synctest.Wait()
		recorder := b.NewRecorder(scheme.Scheme, testSource)
		for i := range 4 {
			recorder.Event(&pod, corev1.EventTypeNormal, fmt.Sprint("Reason", i), "x")
			later(time.Millisecond) // client-go names events after the time
			recorder.Event(&pod, corev1.EventTypeNormal, "Repeated", "x")
			later(time.Millisecond)
		}
		later(time.Minute)
		b.Shutdown()
		synctest.Wait()
	}
	for name, newBroadcaster := range map[string]func() record.EventBroadcaster{
		"client-go": func() record.EventBroadcaster { return record.NewBroadcaster() },
		"drop-in":   func() record.EventBroadcaster { return clientgo.NewBroadcaster() },
	} {
		bubble(t, name+", fake clientset", func(t *testing.T) {
			client := fake.NewClientset()
			play(t, newBroadcaster(), &typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")},
				&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
			if core, _ := storedIn(t, client); len(core) != 5 {
				t.Errorf("%d stored, want 5: %+v", len(core), core)
			}
		})
		bubble(t, name+", one sink", func(t *testing.T) {
			var sink coreStore
			play(t, newBroadcaster(), &sink, &sink)
			if list := sink.list(); len(list) != 5 {
				t.Errorf("%d stored, want 5: %+v", len(list), list)
			}
		})
	}
	bubble(t, "two sinks", func(t *testing.T) {
		var one, other coreStore
		b := clientgo.NewBroadcaster()
		play(t, b, &one, &other)
		if len(one.list()) != 5 || len(other.list()) != 5 {
			t.Errorf("stored: %d and %d, want 5 each", len(one.list()), len(other.list()))
		}
		if s := conserved(t, b.Stats()); s.Recorded != 16 {
			t.Errorf("accounts: %+v", s)
		}
	})
}

// TestStartsOfOneServerEndTogether: the recording goes on until the last start is stopped, and each
// stop counts once.
func TestStartsOfOneServerEndTogether(t *testing.T) {
	bubble(t, "stops", func(t *testing.T) {
		var sink coreStore
		b := clientgo.NewBroadcaster()
		first, second := b.StartRecordingToSink(&sink), b.StartRecordingToSink(&sink)
		recorder := b.NewRecorder(scheme.Scheme, testSource)
		emit := func(reason string) {
			recorder.Event(&pod, corev1.EventTypeNormal, reason, "x")
			later(time.Second)
		}
		emit("One")
		first.Stop()
		first.Stop()
		emit("Two")
		second.Stop()
		<-second.ResultChan()
		emit("Three")
		third := b.StartRecordingToSink(&sink)
		emit("Four")
		third.Stop()
		b.Shutdown()
		var reasons []string
		for _, e := range sink.list() {
			reasons = append(reasons, e.Reason)
		}
		if got := strings.Join(reasons, " "); got != "One Two Four" {
			t.Errorf("stored: %s", got)
		}
		if s := conserved(t, b.Stats()); s.Recorded != 4 || s.Lost.Rejected != 1 {
			t.Errorf("accounts: %+v", s)
		}
	})
}

// TestClientsOfOneServer tells real clients apart by where they write to, and goes by the rights of
// any.
func TestClientsOfOneServer(t *testing.T) {
	var mu sync.Mutex
	created := map[string]int{}
	server := func() *httptest.Server {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			user := r.Header.Get("Authorization")
			w.Header().Set("Content-Type", "application/json")
			if user == "Bearer leader" {
				w.WriteHeader(http.StatusForbidden)
				_, _ = fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,`+
					`"message":"events is forbidden: User \"leader\" cannot create resource \"events\" in API group \"\" in the namespace \"baz\""}`)
				return
			}
			created[r.Host]++
			w.WriteHeader(http.StatusCreated)
			body, _ := io.ReadAll(r.Body)
			_, _ = fmt.Fprint(w, storedEvent(r, body))
		}))
		t.Cleanup(s.Close)
		return s
	}
	one, other := server(), server()
	sink := func(s *httptest.Server, token string) record.EventSink {
		client, err := kubernetes.NewForConfig(&restclient.Config{Host: s.URL, BearerToken: token})
		if err != nil {
			t.Fatal(err)
		}
		return &typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")}
	}
	b := clientgo.NewBroadcaster()
	for _, s := range []record.EventSink{sink(one, "leader"), sink(one, "manager"), sink(other, "manager")} {
		b.StartRecordingToSink(s)
	}
	b.NewRecorder(scheme.Scheme, testSource).Event(&pod, corev1.EventTypeNormal, "Started", "x")
	b.Shutdown()
	one.Client().CloseIdleConnections()
	mu.Lock()
	defer mu.Unlock()
	if len(created) != 2 {
		t.Fatalf("created: %v", created)
	}
	for host, n := range created {
		if n != 1 {
			t.Errorf("%d creates at %s, want 1", n, host)
		}
	}
}
