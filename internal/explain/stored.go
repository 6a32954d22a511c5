package explain

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// Stored is what is known of a stored event; what is empty is not known.
type Stored struct {
	Message, Reason, Action, Type, Controller string
	Regarding, Related                        Reference
}

// Reference is an object of a stored event.
type Reference struct {
	APIVersion, Kind, Namespace, Name, UID string
}

// stored is an event of either API group, or a list of them.
type stored struct {
	Kind  string   `json:"kind"`
	Items []stored `json:"items"`

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
}

// Parse reads events as kubectl prints them with -o json, one or a list, or takes the text for a message.
func Parse(text string) ([]Stored, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, errors.New("nothing to explain: give a message, or an event as JSON")
	}
	if !strings.HasPrefix(text, "{") {
		return []Stored{{Message: text}}, nil
	}
	var s stored
	switch err := json.Unmarshal([]byte(text), &s); {
	case err != nil:
		return []Stored{{Message: text}}, nil // a message may begin with a brace
	case s.Items != nil:
		return events(s.Items)
	}
	return events([]stored{s})
}

func events(list []stored) ([]Stored, error) {
	out := make([]Stored, 0, len(list))
	for _, s := range list {
		if s.Kind != "" && s.Kind != "Event" {
			return nil, fmt.Errorf("the JSON is a %s; an Event is needed, as kubectl get events -o json prints it", s.Kind)
		}
		out = append(out, Stored{
			Message: first(s.Message, s.Note), Reason: s.Reason, Action: s.Action, Type: s.Type,
			Controller: first(s.ReportingComponent, s.ReportingController, s.Source.Component),
			Regarding:  known(s.InvolvedObject, s.Regarding), Related: s.Related,
		})
	}
	return out, nil
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

func known(a, b Reference) Reference {
	if a != (Reference{}) {
		return a
	}
	return b
}

// fits reports whether a definition may be what was stored, as far as all but the message tells.
func (s *Stored) fits(def *eventrt.Definition) bool {
	same := func(got, want string) bool { return got == "" || want == "" || got == want }
	return same(s.Reason, def.Reason) && same(s.Action, def.Action) && same(s.Type, def.Type) &&
		same(s.Controller, def.ReportingController) && s.Regarding.is(def.Regarding) && s.Related.is(def.Related) && s.isAnyOf(def.AnyOf)
}

func (r *Reference) is(k metav1.TypeMeta) bool {
	return r.Kind == "" || k.Kind == "" || r.Kind == k.Kind
}

func (s *Stored) isAnyOf(kinds []metav1.TypeMeta) bool {
	for _, k := range kinds {
		if s.Regarding.is(k) {
			return true
		}
	}
	return len(kinds) == 0
}
