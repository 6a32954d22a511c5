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

// TestForeignNamespace: client-go's sink for one namespace refuses events of others without a call.
// These are refusals with one line, and delay no other event.
func TestForeignNamespace(t *testing.T) {
	bubble(t, "", func(t *testing.T) {
		var log lines
		var last atomic.Pointer[time.Time]
		client, err := kubernetes.NewForConfig(&restclient.Config{Host: "http://server", QPS: -1, ContentConfig: asJSON, Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			now := time.Now()
			last.Store(&now)
			body, _ := io.ReadAll(r.Body)
			return storedReply(r, body), nil
		})})
		if err != nil {
			t.Fatal(err)
		}
		b := clientgo.NewBroadcaster(clientgo.WithContext(log.context(t.Context())))
		b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("shop")})
		recorder := b.NewRecorder(nil, testSource)
		record := func(namespace, name string) {
			recorder.Event(&corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: namespace, Name: name}, corev1.EventTypeNormal, "Started", "x")
		}
		const good = 10
		for n := range good {
			record(fmt.Sprint("bank-", n), "web")
		}
		later(5 * time.Second)
		begun := time.Now()
		for n := range good {
			record("shop", fmt.Sprint("web-", n))
		}
		later(time.Minute)
		s := conserved(t, b.Stats())
		t.Logf("%d of %d good events written, the last after %v; %d refused; log:\n%s", s.Written, good, last.Load().Sub(begun), s.Lost.Refused, log.all())
		if took := last.Load().Sub(begun); s.Written != good || took > time.Second {
			t.Errorf("%d written, the last after %v", s.Written, took)
		}
		if s.Lost.Refused != good || strings.Count(log.all(), "\n") != 0 || !strings.Contains(log.all(), "can't create an event with namespace 'bank-") {
			t.Errorf("%d refused", s.Lost.Refused)
		}
		b.Shutdown()
	})
}
