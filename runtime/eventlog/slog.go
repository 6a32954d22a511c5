package eventlog

import (
	"log/slog"

	"github.com/go-logr/logr"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// Slog returns a subscriber that logs Normal events at level Info and others at level Warn, with the event's own time: to the
// logger in the event's context (logr.NewContextWithSlogLogger), else to logger, else, if that is nil, to slog.Default as it
// is then. The handler is given the event's context. The keys are those of Logr.
func Slog(logger *slog.Logger) broadcaster.Subscriber {
	return broadcaster.Subscriber{Name: "slog", Show: func(e runtime.Event) {
		l := logr.FromContextAsSlogLogger(e.Context())
		if l == nil {
			l = logger
		}
		if l == nil {
			l = slog.Default()
		}
		handle(l.Handler(), &e)
	}}
}

func handle(h slog.Handler, e *runtime.Event) {
	level := slog.LevelWarn
	if e.Type() == runtime.Normal {
		level = slog.LevelInfo
	}
	if !h.Enabled(e.Context(), level) {
		return
	}
	r := slog.NewRecord(e.Time(), level, text, 0)
	r.Add(keysAndValues(e)...)
	_ = h.Handle(e.Context(), r) // package log/slog does no more about it either
}
