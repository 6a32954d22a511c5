package eventrt_test

import (
	"strings"
	"testing"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/problems"
)

type mood int

var moods = eventrt.Enum[mood]{1: "calm", 2: "angry"}

// An event with a value that its enum does not have is rejected, unless it is 0 and the param
// optional. Sensitive values are never shown.
func TestUnknownValues(t *testing.T) {
	event := func(p eventrt.Param, v mood) eventrt.Event {
		def := &eventrt.Definition{Subject: eventrt.Subject{Regarding: podKind}, Reason: "Moody", Type: eventrt.Normal, Params: []eventrt.Param{p},
			Message: []eventrt.Segment{{Text: "It is ", Value: eventrt.ParamValue}}}
		return eventrt.NewEvent(def, eventrt.ObjectOf(pod()), eventrt.ObjectRef{}, moods.Arg(v))
	}
	for name, c := range map[string]struct {
		event         eventrt.Event
		problem       eventrt.Problem
		message, says string
	}{
		"a value":               {event(eventrt.Param{Name: "mood"}, 2), eventrt.NoProblem, "It is angry", ""},
		"none":                  {event(eventrt.Param{Name: "mood"}, 0), problems.UnknownValue, "It is mood(0)", "mood is mood(0)"},
		"too large":             {event(eventrt.Param{Name: "mood"}, 3), problems.UnknownValue, "It is mood(3)", "mood is mood(3)"},
		"negative":              {event(eventrt.Param{Name: "mood"}, -1), problems.UnknownValue, "It is mood(-1)", "mood is mood(-1)"},
		"optional, none":        {event(eventrt.Param{Name: "mood", Optional: true, Prefix: "; "}, 0), eventrt.NoProblem, "It is ", ""},
		"optional, too large":   {event(eventrt.Param{Name: "mood", Optional: true}, 3), problems.UnknownValue, "It is mood(3)", "mood is mood(3)"},
		"sensitive":             {event(eventrt.Param{Name: "mood", Sensitive: true}, 1), eventrt.NoProblem, "It is <redacted>", ""},
		"sensitive, too large":  {event(eventrt.Param{Name: "mood", Sensitive: true}, 3), problems.UnknownValue, "It is <redacted>", "mood is <redacted>"},
		"optional and redacted": {event(eventrt.Param{Name: "mood", Sensitive: true, Optional: true}, 0), eventrt.NoProblem, "It is ", ""},
	} {
		if got := c.event.Problem(); got != c.problem {
			t.Errorf("%s: problem %v", name, got)
		}
		if got := c.event.Message(); got != c.message {
			t.Errorf("%s: message %q", name, got)
		}
		if got := c.event.ProblemText(); !strings.HasSuffix(got, c.says) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A plain recorder rejects nothing: it shows the number.
func TestAPlainRecorderShowsUnknownValues(t *testing.T) {
	on := &eventsRecorder{}
	def := &eventrt.Definition{Subject: eventrt.Subject{Regarding: podKind}, Reason: "Moody", Type: eventrt.Normal, Params: []eventrt.Param{{Name: "mood"}},
		Message: []eventrt.Segment{{Value: eventrt.ParamValue}}}
	eventrt.FromEvents(on).EmitNew(def, eventrt.ObjectOf(pod()), eventrt.ObjectRef{}, moods.Arg(7))
	if len(on.calls) != 1 || on.calls[0].note != "mood(7)" {
		t.Errorf("called with %+v", on.calls)
	}
}
