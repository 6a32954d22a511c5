package correlator

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/event-gen/event-gen/runtime"
)

var simDefinitions = []*runtime.Definition{
	simDefinition("Created", runtime.Normal, 0),
	simDefinition("Failed", runtime.Warning, 0),
	simDefinition("Merged", runtime.Normal, 1<<1), // the second param is no part of the identity
	{Name: "Plain", Reason: "Plain", Action: "Plain", Type: runtime.Warning, Message: []runtime.Segment{{Text: "plain"}}},
	{Name: "Bulk", Reason: "Bulk", Action: "Bulk", Type: runtime.Normal,
		Params:      []runtime.Param{{Name: "n"}},
		Message:     []runtime.Segment{{Text: "bulk ", Value: runtime.ParamValue}},
		Correlation: runtime.Correlation{NoAggregate: true}},
	latestDefinition(),
	limitedDefinition("Nominated", runtime.Normal, lossyLimit),
	limitedDefinition("Disrupted", runtime.Warning, lossyLimit),
	limitedDefinition("Patient", runtime.Normal, patientLimit),
	rareDefinition("Rare", 90*time.Second),
	rareDefinition("Rarer", 25*time.Minute), // of the same reason
}

// Of the limits, one lets nobody wait for long, and one for ever.
var (
	lossyLimit   = &runtime.Limit{Name: "lossy", Every: 20 * time.Second, Burst: 2, Wait: 2 * time.Minute}
	patientLimit = &runtime.Limit{Name: "patient", Every: 30 * time.Second, Burst: 1}
)

func limitedDefinition(name, eventType string, limit *runtime.Limit) *runtime.Definition {
	def := simDefinition(name, eventType, 0)
	def.Correlation.Limit = limit
	return def
}

// latestDefinition is one whose note follows the occurrences: the second param is no part of the
// identity.
func latestDefinition() *runtime.Definition {
	def := simDefinition("Latest", runtime.Warning, 1<<1)
	def.Correlation.LatestNote = true
	return def
}

// rareDefinition is one with an interval of its own.
func rareDefinition(name string, interval time.Duration) *runtime.Definition {
	def := simDefinition(name, runtime.Normal, 0)
	def.Reason, def.Correlation.Interval = "Rare", interval
	return def
}

// simDefinitionOf is the definition of a write.
func simDefinitionOf(w *runtime.Write) *runtime.Definition {
	for _, def := range simDefinitions {
		if def.Action == w.Action {
			return def
		}
	}
	return nil
}

func simDefinition(reason, eventType string, merged uint8) *runtime.Definition {
	return &runtime.Definition{
		Name: reason, Reason: reason, Action: reason, Type: eventType,
		Params: []runtime.Param{{Name: "a"}, {Name: "b"}},
		Message: []runtime.Segment{
			{Text: "a=", Value: runtime.ParamValue},
			{Text: " b=", Value: runtime.ParamValue, Param: 1},
		},
		Correlation: runtime.Correlation{Merged: merged},
	}
}

var simNamespaces = []string{"prod", "dev"}

// randomEvent makes an event, and the key under which the model counts it: one for each identity
// where nothing aggregates, else one for each {object, reason, type}.
func randomEvent(rng *rand.Rand, noAggregate bool) (runtime.Event, string) {
	def := simDefinitions[rng.IntN(len(simDefinitions))]
	n := rng.IntN(3)
	object := "obj-" + strconv.Itoa(n)
	regarding := objectNamed(object, "uid-of-"+object)
	regarding.Namespace = simNamespaces[n%len(simNamespaces)]
	a, b := strconv.Itoa(rng.IntN(4)), strconv.Itoa(rng.IntN(4))
	args := []runtime.Arg{runtime.String(a), runtime.String(b)}[:len(def.Params)]
	e := runtime.NewEvent(def, regarding, runtime.ObjectRef{}, args...)
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
func unfitEvent() runtime.Event {
	regarding := objectNamed("unfit", "")
	regarding.Namespace = badNamespace
	return runtime.NewEvent(simDefinitions[3], regarding, runtime.ObjectRef{})
}

// keyOf is the model's key of a write.
func keyOf(w *runtime.Write, noAggregate bool) string {
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
