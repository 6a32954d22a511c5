package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/event-gen/event-gen/internal/catalog/model"
	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// Stored holds what is known of a stored event. Empty fields are unknown.
type Stored struct {
	Message, Reason, Action, Type, Controller string
	Regarding, Related                        Reference
	// Latest is the note of the latest occurrence (sink.LatestNoteAnnotation, or of an aggregate
	// sink.LastMessageAnnotation), where Message may be an earlier one's.
	Latest string
	// Count is the number of occurrences that the event stands for; zero if it is unknown. First
	// and Last are the times of the first and the last one.
	Count       int64
	First, Last time.Time
	// Labels are those of the stored event; nil if they are unknown.
	Labels map[string]string
	// Age is the age as kubectl's lines print it: "5m (x3 over 10m)", that is ago.
	Age string
}

// Facts describes the object, the count, the times and the labels of an event; empty if none of
// them is known.
func (s *Stored) Facts() string {
	var parts []string
	if object := s.Regarding.text(); object != "" {
		parts = append(parts, object)
	}
	switch {
	case s.Count > 1:
		parts = append(parts, fmt.Sprintf("%d times", s.Count))
	case s.Count == 1 && (len(parts) > 0 || !s.Last.IsZero()):
		parts = append(parts, "once")
	}
	switch {
	case s.First.IsZero() && s.Last.IsZero():
	case s.Count <= 1 || s.First.Equal(s.Last):
		parts = append(parts, "at "+timeText(s.Last))
	default:
		parts = append(parts, "first at "+timeText(s.First), "last at "+timeText(s.Last))
	}
	if len(s.Labels) > 0 {
		parts = append(parts, "labelled "+labels.FormatLabels(s.Labels))
	}
	if s.Age != "" {
		parts = append(parts, "seen "+s.Age)
	}
	return eventrt.Clean(strings.Join(parts, ", "), 0)
}

// timeText formats a time; "-" if it is unknown.
func timeText(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
}

// Reference is a reference to an object of a stored event.
type Reference struct {
	APIVersion, Kind, Namespace, Name, UID string
}

// text returns kind, namespace and name, as far as they are known.
func (r *Reference) text() string {
	name := r.Name
	if r.Namespace != "" && name != "" {
		name = r.Namespace + "/" + name
	}
	return strings.TrimSpace(r.Kind + " " + name)
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
	EventTime       string `json:"eventTime"`
	FirstTimestamp  string `json:"firstTimestamp"`
	LastTimestamp   string `json:"lastTimestamp"`
	DeprecatedFirst string `json:"deprecatedFirstTimestamp"`
	DeprecatedLast  string `json:"deprecatedLastTimestamp"`
	Series          struct {
		Count            int64  `json:"count"`
		LastObservedTime string `json:"lastObservedTime"`
	} `json:"series"`
	Metadata struct {
		CreationTimestamp string            `json:"creationTimestamp"`
		Annotations       map[string]string `json:"annotations"`
		Labels            map[string]string `json:"labels"`
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
		Latest: cmp.Or(s.Metadata.Annotations[sink.LatestNoteAnnotation], s.Metadata.Annotations[sink.LastMessageAnnotation]),
		Labels: s.Metadata.Labels,
		Count:  cmp.Or(s.Series.Count, s.Count, s.DeprecatedCount, 1),
		First:  firstTime(s.FirstTimestamp, s.DeprecatedFirst, s.EventTime, s.Metadata.CreationTimestamp),
		Last:   firstTime(s.Series.LastObservedTime, s.LastTimestamp, s.DeprecatedLast, s.EventTime, s.Metadata.CreationTimestamp),
	}, nil
}

// firstTime returns the first of the times that is there; zero if none is.
func firstTime(texts ...string) time.Time {
	for _, text := range texts {
		if t, err := time.Parse(time.RFC3339, text); err == nil {
			return t
		}
	}
	return time.Time{}
}

// fits reports whether the stored event may have this definition. It compares all fields except the
// message.
func (s *Stored) fits(def *eventrt.Definition) bool {
	same := func(got, want string) bool { return got == "" || want == "" || got == want }
	return same(s.Reason, def.Reason) && same(s.Action, def.Action) && same(s.Type, def.Type) &&
		same(s.Controller, def.ReportingController) && s.Regarding.is(def.Regarding) && s.Related.is(def.Related) && s.isAnyOf(def.AnyOf)
}

// formerly returns the former name of an entry that is the event's reason; empty if none is. The
// action was the name too, if it is the reason now.
func (s *Stored) formerly(e *model.Event, def *model.Definition) string {
	if e.Select != nil { // its variants have the reasons
		return ""
	}
	for _, former := range e.Formers {
		was := def.Runtime
		if was.Reason = former.Name; was.Action == def.Runtime.Reason {
			was.Action = former.Name
		}
		if s.fits(&was) {
			return former.Name
		}
	}
	return ""
}

// is reports whether an object may be of a kind. It ignores case, because kubectl also writes kinds
// in lower case.
func (r *Reference) is(k metav1.TypeMeta) bool {
	return r.Kind == "" || k.Kind == "" || strings.EqualFold(r.Kind, k.Kind)
}

func (s *Stored) isAnyOf(kinds []metav1.TypeMeta) bool {
	return len(kinds) == 0 || slices.ContainsFunc(kinds, s.Regarding.is)
}
