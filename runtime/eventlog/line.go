package eventlog

import (
	"bytes"
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// line is one line of JSON: one occurrence. Absent parts are left out.
type line struct {
	// Time is in UTC, in the form of RFC 3339 with up to nine digits behind the second.
	Time        string            `json:"time"`
	Type        string            `json:"type"`
	Reason      string            `json:"reason"`
	Action      string            `json:"action,omitempty"`
	Message     string            `json:"message"`
	Regarding   reference         `json:"regarding"`
	Related     *reference        `json:"related,omitempty"`
	Controller  string            `json:"controller,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
	// Labels are those of the event, without the broadcaster's.
	Labels map[string]string `json:"labels,omitempty"`
}

// reference names an object.
type reference struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`
	UID        string `json:"uid,omitempty"`
	FieldPath  string `json:"fieldPath,omitempty"`
}

func lineOf(e *eventrt.Event) *line {
	l := &line{
		Time:       e.Time().UTC().Format(time.RFC3339Nano),
		Type:       e.Type(),
		Reason:     e.Reason(),
		Action:     e.Action(),
		Message:    e.Message(),
		Regarding:  referenceOf(e.RegardingReference()),
		Controller: e.ReportingController(),

		Annotations: e.AnnotationMap(),
	}
	if labels, _ := e.Labels(); len(labels) > 0 {
		l.Labels = make(map[string]string, len(labels))
		for _, label := range labels {
			l.Labels[label.Key] = label.Value
		}
	}
	if related := e.Related(); related.Present() {
		ref := referenceOf(related.Reference())
		l.Related = &ref
	}
	return l
}

func referenceOf(r corev1.ObjectReference) reference {
	return reference{
		APIVersion: r.APIVersion,
		Kind:       r.Kind,
		Namespace:  r.Namespace,
		Name:       r.Name,
		UID:        string(r.UID),
		FieldPath:  r.FieldPath,
	}
}

// appendLine appends an event as JSON and a line feed. Whatever text an event holds, that is the
// only line feed.
func appendLine(b []byte, e *eventrt.Event) []byte {
	out := bytes.NewBuffer(b)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(lineOf(e)); err != nil {
		return b // strings are always encoded
	}
	return out.Bytes()
}
