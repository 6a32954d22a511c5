package eventlog

import (
	"log/slog"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// text is the text of every line, as in client-go.
const text = "Event occurred"

// Logr returns a subscriber that logs at a verbosity; 0 is always logged. It logs to the logger in
// the event's context (Recorder.WithContext), else to logger, else, if that is the zero Logger, to
// klog. Text and the first keys are as in client-go (tools/record/event.go,
// StartStructuredLogging): object, fieldPath, kind, apiVersion, type, reason, message; then action,
// controller, and related if there is such an object.
func Logr(logger logr.Logger, verbosity int) broadcaster.Subscriber {
	if logger.GetSink() == nil {
		logger = klog.Background()
	}
	return broadcaster.Subscriber{Name: "logr", Show: func(e eventrt.Event) {
		l, err := logr.FromContext(e.Context())
		if err != nil {
			l = logger
		}
		if l = l.V(verbosity); l.Enabled() {
			l.Info(text, keysAndValues(&e)...)
		}
	}}
}

func keysAndValues(e *eventrt.Event) []any {
	ref := e.RegardingReference()
	list := []any{
		"object", klog.KRef(ref.Namespace, ref.Name),
		"fieldPath", ref.FieldPath,
		"kind", ref.Kind,
		"apiVersion", ref.APIVersion,
		"type", e.Type(),
		"reason", e.Reason(),
		"message", e.Message(),
		"action", e.Action(),
		"controller", e.ReportingController(),
	}
	if related := e.Related(); related.Present() {
		list = append(list, "related", klog.KRef(related.Namespace, related.Name), "relatedKind", related.Kind)
	}
	return list
}

// Slog returns a subscriber that logs Normal events at level Info and others at level Warn, with
// the event's own time: to the logger in the event's context (logr.NewContextWithSlogLogger), else
// to logger, else, if that is nil, to the current slog.Default. The handler gets the event's
// context. The keys are as in Logr.
func Slog(logger *slog.Logger) broadcaster.Subscriber {
	return broadcaster.Subscriber{Name: "slog", Show: func(e eventrt.Event) {
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

func handle(h slog.Handler, e *eventrt.Event) {
	level := slog.LevelWarn
	if e.Type() == eventrt.Normal {
		level = slog.LevelInfo
	}
	if !h.Enabled(e.Context(), level) {
		return
	}
	r := slog.NewRecord(e.Time(), level, text, 0)
	r.Add(keysAndValues(e)...)
	_ = h.Handle(e.Context(), r) // package log/slog does no more about it either
}
