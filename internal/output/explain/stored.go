package explain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/sink"
)

// Stored holds what is known of a stored event. Empty fields are unknown.
type Stored struct {
	Message, Reason, Action, Type, Controller string
	Regarding, Related                        Reference
	// Latest is the note of the latest occurrence (sink.LatestNoteAnnotation, or of an aggregate
	// correlator.LastMessageAnnotation), where Message may be an earlier one's.
	Latest string
	// Count is the number of occurrences that the event stands for. Writers are the processes that
	// wrote them, with their numbers.
	Count   int64
	Writers []Writer
}

// Writer is a process that has written occurrences of an event, and their number.
type Writer struct {
	ID    string
	Count int64
}

// writersOf reads the annotations in which writers keep their counts. It sorts them by id, so the
// oldest is first.
func writersOf(annotations map[string]string) (all []Writer) {
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		id, ok := strings.CutPrefix(key, sink.WriterAnnotation)
		if n, err := strconv.ParseInt(annotations[key], 10, 64); ok && err == nil {
			all = append(all, Writer{id, n})
		}
	}
	return all
}

// CountText describes how many occurrences each writer has written; empty if the writers keep no
// counts.
func (s *Stored) CountText() string {
	if len(s.Writers) == 0 {
		return ""
	}
	var parts []string
	rest := max(s.Count, 1)
	for _, w := range s.Writers {
		parts = append(parts, fmt.Sprintf("%d by writer %s", w.Count, w.ID))
		rest -= w.Count
	}
	if rest > 0 {
		parts = append(parts, fmt.Sprintf("%d by earlier writers", rest))
	}
	return fmt.Sprintf("recorded %d times: %s", max(s.Count, 1), strings.Join(parts, ", "))
}

// Reference is a reference to an object of a stored event.
type Reference struct {
	APIVersion, Kind, Namespace, Name, UID string
}

// stored is an event of either API group.
type stored struct {
	Kind string `json:"kind"`

	Message             string    `json:"message"`
	Note                string    `json:"note"`
	Reason              string    `json:"reason"`
	Action              string    `json:"action"`
	Type                string    `json:"type"`
	InvolvedObject      Reference `json:"involvedObject"`
	Regarding           Reference `json:"regarding"`
	Related             Reference `json:"related"`
	Count               int64     `json:"count"`
	DeprecatedCount     int64     `json:"deprecatedCount"`
	ReportingComponent  string    `json:"reportingComponent"`
	ReportingController string    `json:"reportingController"`
	Source              struct {
		Component string `json:"component"`
	} `json:"source"`
	Series struct {
		Count int64 `json:"count"`
	} `json:"series"`
	Metadata struct {
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
}

// event returns the known fields of an event that kubectl printed.
func (s *stored) event() (Stored, error) {
	if s.Kind != "" && s.Kind != "Event" {
		return Stored{}, fmt.Errorf("expected an Event, as kubectl get events -o json prints it, found kind %s", s.Kind)
	}
	return Stored{
		Message: cmp.Or(s.Message, s.Note), Reason: s.Reason, Action: s.Action, Type: s.Type,
		Controller: cmp.Or(s.ReportingComponent, s.ReportingController, s.Source.Component),
		Regarding:  cmp.Or(s.InvolvedObject, s.Regarding), Related: s.Related,
		Latest: cmp.Or(s.Metadata.Annotations[sink.LatestNoteAnnotation], s.Metadata.Annotations[correlator.LastMessageAnnotation]),
		Count:  cmp.Or(s.Series.Count, s.Count, s.DeprecatedCount), Writers: writersOf(s.Metadata.Annotations),
	}, nil
}

// fits reports whether the stored event may have this definition. It compares all fields except the
// message.
func (s *Stored) fits(def *eventrt.Definition) bool {
	same := func(got, want string) bool { return got == "" || want == "" || got == want }
	return same(s.Reason, def.Reason) && same(s.Action, def.Action) && same(s.Type, def.Type) &&
		same(s.Controller, def.ReportingController) && s.Regarding.is(def.Regarding) && s.Related.is(def.Related) && s.isAnyOf(def.AnyOf)
}

// is reports whether an object may be of a kind. It ignores case, because kubectl also writes kinds
// in lower case.
func (r *Reference) is(k metav1.TypeMeta) bool {
	return r.Kind == "" || k.Kind == "" || strings.EqualFold(r.Kind, k.Kind)
}

func (s *Stored) isAnyOf(kinds []metav1.TypeMeta) bool {
	return len(kinds) == 0 || slices.ContainsFunc(kinds, s.Regarding.is)
}
