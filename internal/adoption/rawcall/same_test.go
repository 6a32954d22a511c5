package rawcall

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// TestSame holds which methods of own recorder types store their arguments unchanged.
func TestSame(t *testing.T) {
	const old = "func (r own) Eventf(o runtime.Object, eventtype, reason, format string, args ...any) { BODY }"
	const newer = "func (r own) Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...any) { BODY }"
	const annotated = "func (r own) AnnotatedEventf(o runtime.Object, annotations map[string]string, eventtype, reason, format string, args ...any) { BODY }"
	for _, tt := range []struct {
		method, body string
		same         bool
	}{
		{old, `r.inner.Eventf(o, eventtype, reason, format, args...)`, true},
		{old, `r.inner.Event(o, eventtype, reason, fmt.Sprintf(format, args...))`, true},
		{old, `if r.seen[reason] { return }; r.seen[reason] = true; r.inner.Eventf(o, eventtype, reason, format, args...)`, true},
		{old, `r.self.Eventf(o, eventtype, reason, format, args...); r.inner.Eventf(o, eventtype, reason, format, args...)`, true},
		{old, `r.self.Eventf(o, eventtype, reason+"Again", format, args...); r.inner.Eventf(o, eventtype, reason, format, args...)`, false},
		{old, `r.inner.Eventf(o, "Warning", reason, format, args...)`, false},
		{old, `r.inner.Eventf(o, eventtype, "Reason", format, args...)`, false},
		{old, `r.inner.Eventf(o, reason, eventtype, format, args...)`, false},
		{old, `r.inner.Eventf(r.object, eventtype, reason, format, args...)`, false},
		{old, `r.inner.Eventf(o, eventtype, reason, "text")`, false},
		{old, `r.inner.Eventf(o, eventtype, reason, format)`, false},
		{old, `r.newer.Eventf(o, nil, eventtype, reason, "Action", format, args...)`, false},
		{old, `r.send(o)`, false},
		{old, `r.inner.Eventf(o, eventtype, reason, format, args...); r.send(o)`, false},
		{old, ``, false},
		{newer, `r.newer.Eventf(regarding, related, eventtype, reason, action, note, args...)`, true},
		{newer, `r.newer.Eventf(regarding, related, eventtype, reason, reason, note, args...)`, false},
		{newer, `r.newer.Eventf(regarding, nil, eventtype, reason, action, note, args...)`, false},
		{newer, `r.newer.Eventf(related, regarding, eventtype, reason, action, note, args...)`, false},
		{newer, `r.inner.Eventf(regarding, eventtype, reason, note, args...)`, false},
		{annotated, `r.inner.AnnotatedEventf(o, annotations, eventtype, reason, format, args...)`, true},
	} {
		program := read(t, `type own struct {
	inner  record.EventRecorder
	newer  events.EventRecorder
	self   *own
	seen   map[string]bool
	object runtime.Object
}

func (r own) send(o runtime.Object) { r.inner.Event(o, "Normal", "Sent", "It is sent") }

`+strings.Replace(tt.method, "BODY", tt.body, 1))
		same := map[string]bool{}
		for _, m := range scan.Scan(context.Background(), program).RecorderMethods(program.Packages[0]) {
			same[m.Name] = m.Same
		}
		name := "Eventf"
		if tt.method == annotated {
			name = "AnnotatedEventf"
		}
		if diff := cmp.Diff(map[string]bool{name: tt.same}, same); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.body, diff)
		}
	}
}
