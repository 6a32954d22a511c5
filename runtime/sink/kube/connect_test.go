package kube

import (
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/event-gen/event-gen/runtime/sink"
)

func TestUnusableSinks(t *testing.T) {
	contradiction := &rest.Config{Host: "http://127.0.0.1:1", Username: "u", BearerToken: "t"}
	noFile := &rest.Config{Host: "https://127.0.0.1:1", TLSClientConfig: rest.TLSClientConfig{CAFile: "does-not-exist"}}
	badHost := &rest.Config{Host: "http://[::1"}
	var none *rest.RESTClient
	for name, s := range map[string]*Sink{
		"no config":      Auto(nil),
		"contradiction":  EventsV1(contradiction),
		"missing file":   CoreV1(noFile),
		"bad host":       Auto(badHost),
		"no client":      Options{}.Clients(nil, nil),
		"nil client":     Options{}.Clients(none, nil),
		"one nil client": Options{}.Clients(none, none),
	} {
		t.Run(name, func(t *testing.T) {
			a := s.Write(t.Context(), newCreate())
			if s.Err() == nil || a.Err != s.Err() || a.Outcome != sink.Refused {
				t.Errorf("Err %v, answer %+v", s.Err(), a)
			}
			if !strings.HasPrefix(s.Err().Error(), "the sink for Kubernetes events is not usable: ") {
				t.Errorf("Err %v", s.Err())
			}
		})
	}
}

// TestOwnLimits has a config whose limiter is used up: the sink does not wait for it.
func TestOwnLimits(t *testing.T) {
	s := newServer(t, stored("1"))
	cfg := s.config()
	cfg.QPS, cfg.Burst, cfg.Timeout = 0.001, 1, 1
	target := EventsV1(cfg)
	for range 20 {
		if a := target.Write(t.Context(), newCreate()); a.Outcome != sink.Done {
			t.Fatalf("answer %+v", a)
		}
	}
	if got := s.got(); len(got) != 20 || got[0].query != "" {
		t.Errorf("%d requests, query %q", len(got), got[0].query)
	}
}

func TestExistingClients(t *testing.T) {
	s := newServer(t, newRights(false, true).answer)
	made := Auto(s.config())
	a := Options{}.Clients(made.groups[0].client, made.groups[1].client).Write(t.Context(), newCreate())
	if a.Outcome != sink.Done {
		t.Errorf("answer %+v", a)
	}
	checkGroups(t, s, "events", "core")
}

func TestUnaskable(t *testing.T) {
	s := newServer(t, stored("1"))
	w := newUpdate()
	w.Name = "a/b"
	if a := Auto(s.config()).Write(t.Context(), w); a.Outcome != sink.Refused || a.Err == nil {
		t.Errorf("answer %+v", a)
	}
	if len(s.got()) != 0 {
		t.Error("a request was sent")
	}
}
