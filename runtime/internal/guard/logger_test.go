package guard_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"

	"github.com/event-gen/event-gen/runtime/internal/guard"
)

// bad is a sink that panics wherever it is called.
type bad struct{}

func (bad) Init(logr.RuntimeInfo)            {}
func (bad) Enabled(int) bool                 { panic("enabled") }
func (bad) Info(int, string, ...any)         { panic("info") }
func (bad) Error(error, string, ...any)      { panic("error") }
func (bad) WithValues(...any) logr.LogSink   { panic("values") }
func (bad) WithName(string) logr.LogSink     { panic("name") }
func (bad) WithCallDepth(d int) logr.LogSink { return bad{} }

func TestABadLoggerHarmsNobody(t *testing.T) {
	l := guard.Logger(logr.New(bad{}))
	l.Info("x")
	l.V(3).Info("x")
	l.Error(errors.New("e"), "x")
	l.WithValues("k", "v").WithName("n").WithCallDepth(2).Info("x")
}

func TestAGoodLoggerIsAsBefore(t *testing.T) {
	var lines []string
	say := func(prefix, args string) { lines = append(lines, prefix+" "+args) }
	own := funcr.New(say, funcr.Options{Verbosity: 2, LogCaller: funcr.All})
	for _, l := range []logr.Logger{own, guard.Logger(own), guard.Logger(guard.Logger(own))} {
		l.WithName("n").WithValues("k", "v").V(2).Info("x")
		l.V(3).Info("hidden")
	}
	if len(lines) != 3 {
		t.Fatalf("said %q", lines)
	}
	for _, line := range lines {
		if line != lines[0] || !strings.Contains(line, "logger_test.go") {
			t.Errorf("said %q, want %q", line, lines[0])
		}
	}
	if l := guard.Logger(logr.Discard()); l.GetSink() != nil {
		t.Error("a logger that is off has a sink")
	}
}
