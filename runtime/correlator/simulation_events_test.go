package correlator

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

var simDefinitions = []*eventrt.Definition{
	simDefinition("Created", eventrt.Normal, 0),
	simDefinition("Failed", eventrt.Warning, 0),
	simDefinition("Merged", eventrt.Normal, 1<<1), // the second param is no part of the identity
	{Name: "Plain", Reason: "Plain", Action: "Plain", Type: eventrt.Warning, Message: []eventrt.Segment{{Text: "plain"}}},
	{Name: "Bulk", Reason: "Bulk", Action: "Bulk", Type: eventrt.Normal,
		Params:      []eventrt.Param{{Name: "n"}},
		Message:     []eventrt.Segment{{Text: "bulk ", Value: eventrt.ParamValue}},
		Correlation: eventrt.Correlation{NoAggregate: true}},
	latestDefinition(),
	limitedDefinition("Nominated", eventrt.Normal, lossyLimit),
	limitedDefinition("Disrupted", eventrt.Warning, lossyLimit),
	limitedDefinition("Patient", eventrt.Normal, patientLimit),
	rareDefinition("Rare", 90*time.Second),
	rareDefinition("Rarer", 25*time.Minute), // of the same reason
}

// Of the limits, one lets nobody wait for long, and one for ever.
var (
	lossyLimit   = &eventrt.Limit{Name: "lossy", Every: time.Minute, Burst: 1, Wait: 30 * time.Second}
	patientLimit = &eventrt.Limit{Name: "patient", Every: 30 * time.Second, Burst: 1}
)

func limitedDefinition(name, eventType string, limit *eventrt.Limit) *eventrt.Definition {
	def := simDefinition(name, eventType, 0)
	def.Correlation.Limit = limit
	return def
}

// latestDefinition is one whose note follows the occurrences: the second param is no part of the
// identity.
func latestDefinition() *eventrt.Definition {
	def := simDefinition("Latest", eventrt.Warning, 1<<1)
	def.Correlation.LatestNote = true
	return def
}

// rareDefinition is one with an interval of its own.
func rareDefinition(name string, interval time.Duration) *eventrt.Definition {
	def := simDefinition(name, eventrt.Normal, 0)
	def.Reason, def.Correlation.Interval = "Rare", interval
	return def
}

// simDefinitionOf is the definition of a write.
func simDefinitionOf(w *sink.Write) *eventrt.Definition {
	for _, def := range simDefinitions {
		if def.Action == w.Action {
			return def
		}
	}
	return nil
}

func simDefinition(reason, eventType string, merged uint8) *eventrt.Definition {
	return &eventrt.Definition{
		Name: reason, Reason: reason, Action: reason, Type: eventType,
		Params: []eventrt.Param{{Name: "a"}, {Name: "b"}},
		Message: []eventrt.Segment{
			{Text: "a=", Value: eventrt.ParamValue},
			{Text: " b=", Value: eventrt.ParamValue, Param: 1},
		},
		Correlation: eventrt.Correlation{Merged: merged},
	}
}

var simNamespaces = []string{"prod", "dev"}

// simInstance is the key of the label that definitions copy from the regarding object.
const simInstance = "instance"

func init() {
	for i, def := range simDefinitions {
		team := eventrt.AnnotationDefinition{Key: "team", Value: []eventrt.Segment{{Text: "of-" + def.Name}}}
		def.Labels = [][]eventrt.AnnotationDefinition{nil, {team}, {{Key: simInstance}}, {{Key: simInstance}, team}}[i%4]
	}
}

// simInstances are the labels of a regarding object, which change with time: none, and one that the
// server would refuse, among them.
var simInstances = []map[string]string{nil, {simInstance: "a"}, {simInstance: "b"}, {simInstance: "no value"}}

// randomEvent makes an event, and the key under which the model counts it: one for each identity if
// nothing aggregates, else one for each {object, reason, type}.
func randomEvent(rng *rand.Rand, noAggregate bool) (eventrt.Event, string) {
	def := simDefinitions[rng.IntN(len(simDefinitions))]
	n := rng.IntN(3)
	object := "obj-" + strconv.Itoa(n)
	regarding := eventrt.AnyObject(&metav1.PartialObjectMetadata{
		TypeMeta: metav1.TypeMeta{APIVersion: "batch/v1", Kind: "Job"},
		ObjectMeta: metav1.ObjectMeta{Namespace: simNamespaces[n%len(simNamespaces)], Name: object, UID: types.UID("uid-of-" + object),
			Labels: simInstances[rng.IntN(len(simInstances))]},
	})
	a, b := strconv.Itoa(rng.IntN(4)), strconv.Itoa(rng.IntN(4))
	args := []eventrt.Arg{eventrt.String(a), eventrt.String(b)}[:len(def.Params)]
	e := eventrt.NewEvent(def, regarding, eventrt.ObjectRef{}, args...)
	key := object + "/" + def.Name
	if noAggregate {
		for i := range args {
			if def.Correlation.Merged&(1<<i) == 0 {
				key += "/" + args[i].Text()
			}
		}
	}
	return e, key
}

// badNamespace is none.
const badNamespace = "Not a label"

// unfitEvent is one that must be rejected.
func unfitEvent() eventrt.Event {
	regarding := objectNamed("unfit", "")
	regarding.Namespace = badNamespace
	return eventrt.NewEvent(simDefinitions[3], regarding, eventrt.ObjectRef{})
}

// keyOf is the model's key of a write.
func keyOf(w *sink.Write, noAggregate bool) string {
	key := w.Regarding.Name + "/" + w.Action
	if !noAggregate || w.Action == "Plain" {
		return key
	}
	fields := strings.Fields(string(w.Note))
	if w.Action == "Bulk" {
		return key + "/" + fields[1]
	}
	key += "/" + strings.TrimPrefix(fields[0], "a=")
	if simDefinitionOf(w).Correlation.Merged == 0 {
		key += "/" + strings.TrimPrefix(fields[1], "b=")
	}
	return key
}
