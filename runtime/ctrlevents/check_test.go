package ctrlevents

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

// TestReadiness: not ready before the first check and while it fails, ready from the first that
// succeeds on, whatever comes then.
func TestReadiness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		auto, core, log := memory.New(), memory.New(memory.Options{CoreV1: true}), &lines{}
		p, err := newPipeline(nowhere, nil, log.logger(0), Options{
			ReadyCheck: true, CheckNamespaces: []string{"shop", ""}, CoreSink: core, Broadcaster: broadcaster.Options{Sink: auto, ClusterNamespace: "kube-system"},
		})
		if err != nil {
			t.Fatal(err)
		}
		p.GetEventRecorderFor("old")
		r := &readiness{p: p, last: errNotChecked}
		ready := func(want string) {
			t.Helper()
			synctest.Wait()
			if err := r.ready(&http.Request{}); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("ready: %v, want %q", err, want)
			}
		}
		ready("was not checked yet")
		core.SetNamespace("shop", "")
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- r.Start(ctx) }()
		ready(`events in namespace "shop" are refused`)
		time.Sleep(time.Minute)
		ready(`events in namespace "shop" are refused`)
		core.SetNamespace("shop", corev1.NamespaceActive)
		time.Sleep(10 * time.Second)
		ready("")
		core.SetNamespace("shop", "")
		time.Sleep(time.Minute)
		ready("")
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if len(log.all) != 1 || !strings.Contains(log.all[0], "Events will not arrive") || len(auto.List()) > 0 || p.auto.running.Load() != nil {
			t.Errorf("logged %q, stored %d", log.all, len(auto.List()))
		}
	})
}

// TestCheckKnowsTheNames: those of recorders and of catalogs; the core group is asked only if
// somebody records there.
func TestCheckKnowsTheNames(t *testing.T) {
	stored := memory.New()
	def := &eventrt.Definition{Subject: eventrt.Subject{ReportingController: "no/such/name"}, Reason: "R", Type: corev1.EventTypeNormal}
	m, _, _ := newManager(t, quiet(), Options{
		NoMetrics: true, ReadyCheck: true, Broadcaster: broadcaster.Options{Sink: stored},
	})
	m.events.auto.Declare(def)
	m.GetEventRecorder("example.com/fine")
	m.GetEventRecorder("not fine")
	err := m.Check(t.Context(), "shop")
	if err == nil || strings.Count(err.Error(), "\n") != 1 || !strings.Contains(err.Error(), `"not fine"`) || !strings.Contains(err.Error(), `"no/such/name"`) {
		t.Errorf("error %v", err)
	}
	m.GetEventRecorderFor("old")
	if err := m.Check(t.Context(), "shop"); err == nil || !strings.Contains(err.Error(), "has no method DryRun") {
		t.Errorf("a sink of the core group that can't: %v", err)
	}
	if err := run(t, m); err != nil { // the check ends with the manager
		t.Error(err)
	}
}
