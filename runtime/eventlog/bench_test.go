package eventlog_test

import (
	"io"
	"testing"

	"github.com/go-logr/logr"

	"github.com/event-gen/event-gen/runtime/eventlog"
)

func BenchmarkJSONLine(b *testing.B) {
	s := eventlog.NewJSON(io.Discard, logr.Logger{}).Subscriber()
	e := numbered(1)
	b.ReportAllocs()
	for b.Loop() {
		s.Show(e)
		s.Idle()
	}
}
