package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// Stored is a stored event as far as it is known; empty fields are unknown.
type Stored struct {
	Message, Reason, Action, Type, Controller string
	Regarding, Related                        Reference
	// Latest is the note of the latest occurrence (runtime.LatestNoteAnnotation), if Message is the first one's.
	Latest string
}

// Reference is an object of a stored event.
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
	ReportingComponent  string    `json:"reportingComponent"`
	ReportingController string    `json:"reportingController"`
	Source              struct {
		Component string `json:"component"`
	} `json:"source"`
	Metadata struct {
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
}

// event returns the known fields of an event that kubectl printed.
func (s *stored) event() (Stored, error) {
	if s.Kind != "" && s.Kind != "Event" {
		return Stored{}, fmt.Errorf("found kind %s; an Event is needed, as kubectl get events -o json prints it", s.Kind)
	}
	return Stored{
		Message: cmp.Or(s.Message, s.Note), Reason: s.Reason, Action: s.Action, Type: s.Type,
		Controller: cmp.Or(s.ReportingComponent, s.ReportingController, s.Source.Component),
		Regarding:  cmp.Or(s.InvolvedObject, s.Regarding), Related: s.Related,
		Latest: s.Metadata.Annotations[eventrt.LatestNoteAnnotation],
	}, nil
}

// fits reports whether the stored event may have this definition, by all fields but the message.
func (s *Stored) fits(def *eventrt.Definition) bool {
	same := func(got, want string) bool { return got == "" || want == "" || got == want }
	return same(s.Reason, def.Reason) && same(s.Action, def.Action) && same(s.Type, def.Type) &&
		same(s.Controller, def.ReportingController) && s.Regarding.is(def.Regarding) && s.Related.is(def.Related) && s.isAnyOf(def.AnyOf)
}

// is reports whether an object may be of a kind, which kubectl also writes in lower case.
func (r *Reference) is(k metav1.TypeMeta) bool {
	return r.Kind == "" || k.Kind == "" || strings.EqualFold(r.Kind, k.Kind)
}

func (s *Stored) isAnyOf(kinds []metav1.TypeMeta) bool {
	return len(kinds) == 0 || slices.ContainsFunc(kinds, s.Regarding.is)
}
