package ctrlevents

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// freePort is one that nobody listens at, most likely.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// ask runs a manager, gets its page, and stops it.
func ask(t *testing.T, m manager.Manager, address string) (status int, body string) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	add(t, m, func(ctx context.Context) {
		defer stop()
		err := wait.PollUntilContextCancel(ctx, 10*time.Millisecond, true, func(ctx context.Context) (bool, error) {
			var err error
			status, body, err = get(ctx, "http://"+address+debugPath+"?format=json")
			return err == nil, nil // it does not listen yet
		})
		if err != nil {
			t.Error(err)
		}
	})
	if err := m.Start(ctx); err != nil {
		t.Fatal(err)
	}
	return status, body
}

func get(ctx context.Context, url string) (status int, body string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, "", err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(b), err
}

func open(*rest.Config, *http.Client) (metricsserver.Filter, error) {
	return func(_ logr.Logger, h http.Handler) (http.Handler, error) { return h, nil }, nil
}

// TestDebugPageIsGuarded: the page is served behind a filter or by choice, and refused otherwise,
// with what to set.
func TestDebugPageIsGuarded(t *testing.T) {
	for name, c := range map[string]struct {
		filter bool
		events Options
		want   int
	}{
		"no filter":       {false, Options{}, http.StatusForbidden},
		"filter":          {true, Options{}, http.StatusOK},
		"unauthenticated": {false, Options{DebugUnauthenticated: true}, http.StatusOK},
		"none":            {true, Options{NoDebug: true}, http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			options := quiet()
			options.Metrics.BindAddress = freePort(t)
			if c.filter {
				options.Metrics.FilterProvider = open
			}
			m, _, _ := newManager(t, options, c.events)
			m.Events().Forward(pod("web"), corev1.EventTypeNormal, "Shown", "", "secret")
			status, body := ask(t, m, options.Metrics.BindAddress)
			if status != c.want || strings.Contains(body, "secret") {
				t.Errorf("status %d, want %d: %s", status, c.want, body)
			}
			switch status {
			case http.StatusOK:
				var page struct{ Account struct{ Recorded uint64 } }
				if err := json.Unmarshal([]byte(body), &page); err != nil || page.Account.Recorded != 1 {
					t.Errorf("%v: %s", err, body)
				}
			case http.StatusForbidden:
				if !strings.Contains(body, "FilterProvider") {
					t.Errorf("it does not say what to set: %s", body)
				}
			}
		})
	}
}

// TestDebugPageOfAWrappedManager: Wrap does not know of a filter, so that the page is refused.
func TestDebugPageOfAWrappedManager(t *testing.T) {
	options := quiet()
	options.Metrics.BindAddress = freePort(t)
	options.Metrics.FilterProvider = open
	inner, err := manager.New(nowhere, options)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Wrap(inner, Options{Broadcaster: broadcaster.Options{Sink: &written{}}})
	if err != nil {
		t.Fatal(err)
	}
	if status, _ := ask(t, m, options.Metrics.BindAddress); status != http.StatusForbidden {
		t.Errorf("status %d", status)
	}
	if _, err := Wrap(inner, Options{}); err == nil || !strings.Contains(err.Error(), debugPath) && !strings.Contains(err.Error(), "already") {
		t.Errorf("wrapping a manager that was started: %v", err)
	}
}
