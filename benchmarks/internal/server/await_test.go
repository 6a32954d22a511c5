package server_test

import (
	"context"
	"testing"

	eventrt "github.com/event-gen/event-gen/runtime"

	"github.com/event-gen/event-gen/benchmarks/internal/server"
)

func TestAwait(t *testing.T) {
	var s server.Server
	sink := s.Sink()
	write := func() { sink.Write(context.Background(), &eventrt.Write{Operation: eventrt.Create}) }
	write()
	s.Await(1) // has come already
	go func() {
		for range 100 {
			write()
		}
	}()
	s.Await(101)
	if n := s.Acknowledged(); n != 101 {
		t.Errorf("%d calls have succeeded when Await(101) returns", n)
	}
}
