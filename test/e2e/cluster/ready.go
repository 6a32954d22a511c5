package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

const (
	readyBound    = 2 * time.Minute
	probeInterval = 50 * time.Millisecond
	probeBound    = 2 * time.Second
)

// probe tells whether a server is ready: every URL has to answer 200.
type probe struct {
	client *http.Client
	token  string // empty for none
	urls   []string
}

// awaitReady asks until the server is ready, has ended, or ctx or readyBound has.
func (p *process) awaitReady(ctx context.Context, probe probe) error {
	ctx, cancel := context.WithTimeoutCause(ctx, readyBound, fmt.Errorf("not ready after %v", readyBound))
	defer cancel()
	var last error
	err := wait.PollUntilContextCancel(ctx, probeInterval, true, func(ctx context.Context) (bool, error) {
		if p.exited() {
			return false, p.failure("ended before it was ready")
		}
		last = probe.ask(ctx)
		return last == nil, nil
	})
	if err == nil || p.exited() {
		return err
	}
	cause := errors.Join(context.Cause(ctx), last)
	return &serverError{name: p.name, what: "did not become ready", cause: cause, log: tail(p.logFile, failureLines)}
}

func (p probe) ask(ctx context.Context) error {
	for _, url := range p.urls {
		if err := p.get(ctx, url); err != nil {
			return err
		}
	}
	return nil
}

func (p probe) get(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, probeBound)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	if p.token != "" {
		request.Header.Set("Authorization", "Bearer "+p.token)
	}
	response, err := p.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusOK {
		return nil
	}
	body, _ := io.ReadAll(io.LimitReader(response.Body, 2<<10)) // part of a message only
	return fmt.Errorf("GET %s: expected 200, found %s: %s", url, response.Status, body)
}
