// Package breaking proves the rules of internal/catalog/breaking: it compares what random catalogs and mutations of them generate
// and store, and holds the findings to the differences.
package breaking

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A document is a catalog as JSON has it, so that every key of the schema can be changed.
type (
	document = map[string]any
	list     = []any
)

// maker makes random catalogs.
type maker struct{ *rand.Rand }

func pickOf[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func (m maker) chance(percent int) bool { return m.IntN(100) < percent }

// kinds are the objects that catalogs may declare.
var kinds = map[string]any{
	"Pod":    "v1",
	"Node":   "v1",
	"Job":    "batch/v1",
	"Claim":  document{"type": "corev1.PersistentVolumeClaim"},
	"Widget": document{"type": "metav1.PartialObjectMetadata", "apiVersion": "example.com/v1", "kind": "Widget", "scope": "Namespaced"},
	"Target": document{"type": "any"},
}

var aliases = []string{"Pod", "Node", "Job", "Claim", "Widget", "Target"}

// closed are the objects that a closed set may have.
var closed = []string{"Pod", "Node", "Job", "Claim", "Widget"}

// catalogs is a set of one document or two.
func (m maker) catalogs() []document {
	docs := []document{m.catalog("alpha", "A")}
	if m.chance(20) {
		docs = append(docs, m.catalog("beta", "B"))
	}
	return docs
}

func (m maker) catalog(name, prefix string) document {
	settings := document{"package": name}
	if m.chance(15) {
		settings["recorder"] = "Events"
	}
	if m.chance(25) {
		settings["args"] = pickOf(m.Rand, "struct", "struct", "positional")
	}
	if m.chance(10) {
		settings["output"] = name + "/zz_generated.events.go"
	}
	objects := document{}
	for _, a := range aliases {
		objects[a] = kinds[a]
	}
	spec := document{"go": settings, "objects": objects}
	if m.chance(60) {
		spec["reportingController"] = "example.com/" + name
	}
	if m.chance(20) {
		spec["imports"] = document{"core": "k8s.io/api/core/v1"}
		objects["Claim"] = document{"type": "core.PersistentVolumeClaim"}
	}
	defaults := document{"regarding": pickOf(m.Rand, "Pod", "Job")}
	if m.chance(20) {
		defaults["type"] = pickOf(m.Rand, "Normal", "Warning")
	}
	if m.chance(20) {
		defaults["correlation"] = m.correlation(nil)
	}
	spec["defaults"] = defaults
	spec["params"] = document{"cause": m.vocabulary(), "mode": document{"type": "enum", "values": list{"Fast", "Slow"}}}
	if m.chance(60) {
		spec["limits"] = document{"slow": document{"rate": pickOf(m.Rand, rates...), "burst": pickOf(m.Rand, tokens...), "wait": pickOf(m.Rand, waits...)}}
	}
	if m.chance(10) {
		spec["lint"] = document{"ignore": list{document{"rule": "EV401", "reason": "short"}}}
	}
	var events list
	for i := range 1 + m.IntN(4) {
		events = append(events, m.event(fmt.Sprintf("%s%s", prefix, []string{"Started", "Moved", "Failed", "Bound"}[i])))
	}
	spec["events"] = events
	return document{"apiVersion": "event-gen.github.io/v1alpha1", "kind": "EventCatalog", "spec": spec}
}

func (m maker) vocabulary() any {
	if m.chance(50) {
		return "error"
	}
	return document{"type": "error", "maxBytes": pickOf(m.Rand, 40, 120)}
}

func (m maker) event(reason string) document {
	e := document{}
	if m.chance(30) {
		e["action"] = pickOf(m.Rand, "Run", "Stop")
	}
	if m.chance(40) {
		e["type"] = pickOf(m.Rand, "Normal", "Warning")
	}
	if m.chance(60) {
		e["regarding"] = m.regarding()
	}
	if m.chance(15) {
		e["alsoOn"] = m.alsoOn()
	}
	if m.chance(35) {
		e["related"] = m.related()
	}
	params := m.params()
	if r, ok := e["regarding"].(document); ok && r["object"] != nil {
		params = append(params, document{"name": "box", "type": "name"})
		r["container"] = "box"
	}
	if m.chance(25) {
		m.variants(e, reason, &params)
	} else {
		e["reason"] = reason
		if m.chance(25) {
			e["name"] = reason + "Event"
		}
	}
	if len(params) > 0 {
		e["params"] = params
	}
	e["message"] = m.message(e)
	if m.chance(25) {
		e["annotations"] = document{"example.com/a": m.message(e)}
	}
	if m.chance(30) {
		e["correlation"] = m.correlation(names(e))
	}
	if m.chance(10) {
		e["lifecycle"] = document{"since": "v1.0.0"}
		if m.chance(50) {
			e["lifecycle"].(document)["deprecated"] = document{"replacedBy": "Other", "reason": "old", "removeAfter": "v2.0.0"}
		}
	}
	if m.chance(10) {
		e["reportingController"] = "example.com/own"
	}
	if m.chance(20) {
		e["doc"] = document{"summary": "It says.", "runbook": "https://example.com/runbook"}
	}
	return e
}

func (m maker) regarding() any {
	switch m.IntN(6) {
	case 0:
		return list{"Pod", "Node"}
	case 1:
		return document{"anyOf": list{"Pod", pickOf(m.Rand, "Node", "Job", "Widget")}}
	case 2:
		return document{"object": "Pod"}
	case 3:
		return "Target"
	}
	return pickOf(m.Rand, closed...)
}

// alsoOn may name what the event is about, which is an error.
func (m maker) alsoOn() list {
	if m.chance(30) {
		return list{"Widget", pickOf(m.Rand, "Claim", "Target")}
	}
	return list{pickOf(m.Rand, "Node", "Claim", "Widget", "Target")}
}

func (m maker) related() any {
	if m.chance(50) {
		return pickOf(m.Rand, "Node", "Claim", "Target")
	}
	r := document{"object": pickOf(m.Rand, "Node", "Widget")}
	if m.chance(70) {
		r["optional"] = true
		if m.chance(60) {
			r["prefix"] = " on "
		}
	}
	return r
}

// paramTypes are the types that params have here. A Go type that only a load could tell more of is not among them.
var paramTypes = []string{
	"string(30)", "string(60)", "string(60)", "bool", "int", "int32", "int32", "int64", "uint32", "float64", "duration", "time", "error(50)",
	"quantity(40)", "name", "name", "namespace", "uid", "namespacedName", "object(60)", "enum", "strings(80)", "corev1.PodPhase(20)",
	"batchv1.JobConditionType(20)",
}

func (m maker) params() list {
	var out list
	if m.chance(20) {
		out = append(out, "cause")
	}
	if m.chance(10) {
		out = append(out, "mode")
	}
	for i := range m.IntN(4) {
		out = append(out, m.param([]string{"from", "to", "what"}[i]))
	}
	return out
}

func (m maker) param(name string) any {
	t := pickOf(m.Rand, paramTypes...)
	if m.chance(40) && !strings.Contains(t, ".") && t != "enum" {
		return name + " " + t
	}
	base, bound, _ := strings.Cut(strings.TrimSuffix(t, ")"), "(")
	p := document{"name": name, "type": base}
	if bound != "" {
		n := 0
		fmt.Sscan(bound, &n)
		p["maxBytes"] = n
	}
	m.options(p, base)
	return p
}

// options gives a param some of the options that its type has.
func (m maker) options(p document, base string) {
	if base == "enum" {
		p["values"] = list{"Red", "Green", "Blue"}
		if m.chance(30) {
			p["goName"] = "Colour" + strings.ToUpper(p["name"].(string)[:1]) + fmt.Sprint(m.IntN(1000))
		}
	}
	if m.chance(35) {
		if key := optionOf(m.Rand, base); key != "" {
			p[key] = m.optionValue(key)
		}
	}
	if m.chance(30) {
		p["optional"] = true
		if m.chance(70) {
			p["prefix"] = pickOf(m.Rand, "; ", " p: ")
		}
	}
	if m.chance(6) {
		p["sensitive"] = true
	}
}

func optionOf(r *rand.Rand, base string) string {
	switch base {
	case "string":
		return "quote"
	case "float64":
		return "precision"
	case "duration":
		return pickOf(r, "round", "unit")
	case "time":
		return "layout"
	case "strings":
		return "separator"
	}
	return ""
}

func (m maker) optionValue(key string) any {
	switch key {
	case "quote":
		return true
	case "precision":
		return m.IntN(4)
	case "round":
		return pickOf(m.Rand, "1s", "1m", "10ms")
	case "unit":
		return pickOf(m.Rand, "s", "ms", "m", "us")
	case "layout":
		return pickOf(m.Rand, "RFC3339", "RFC1123Z", "DateOnly", "Kitchen")
	}
	return pickOf(m.Rand, "; ", ", ", "/")
}

func (m maker) variants(e document, reason string, params *list) {
	e["name"] = reason
	p := document{"name": "outcome", "type": "enum"}
	if m.chance(40) {
		p = document{"name": "outcome", "type": "string", "maxBytes": 60}
	} else if m.chance(50) {
		p["values"] = list{"Won", "Drawn", "Adjourned"}
	}
	*params = append(*params, p)
	e["select"] = "outcome"
	won := document{"reason": reason + "Won"}
	if m.chance(30) {
		won["type"] = "Warning"
	}
	if m.chance(30) {
		won["message"] = "won {outcome}"
	}
	if m.chance(20) {
		won["action"] = "Win"
	}
	if m.chance(20) {
		won["doc"] = document{"summary": "Won."}
	}
	e["variants"] = document{"Won": won, "Drawn": nil}
	e["other"] = document{"reason": reason + "Other", "type": pickOf(m.Rand, "Normal", "Warning")}
}

// names are the params of an event.
func names(e document) []string {
	var out []string
	params, _ := e["params"].(list)
	for _, p := range params {
		switch p := p.(type) {
		case string:
			out = append(out, strings.Fields(p)[0])
		case document:
			out = append(out, p["name"].(string))
		}
	}
	return out
}

func (m maker) message(e document) string {
	words := []string{pickOf(m.Rand, "Saw", "Did", "Set {{x}}")}
	places := names(e)
	places = append(places, "regarding.name", "regarding.kind", "regarding.namespace")
	if e["related"] != nil {
		places = append(places, "related.name", "related.kind", "related.name", "related.uid")
	}
	m.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	for _, p := range places[:m.IntN(min(len(places), 4)+1)] {
		words = append(words, pickOf(m.Rand, "of", "to", "at", "with")+" {"+p+"}")
	}
	return strings.Join(words, " ")
}

func (m maker) correlation(names []string) document {
	c := document{}
	if len(names) > 0 && m.chance(50) {
		key := list{}
		for _, n := range names {
			if m.chance(50) {
				key = append(key, n)
			}
		}
		c["key"] = key
		if len(key) == 0 && m.chance(50) {
			c["note"] = pickOf(m.Rand, "first", "latest")
		}
	}
	if m.chance(30) {
		c["window"] = pickOf(m.Rand, windows...)
	}
	if m.chance(25) {
		c["interval"] = pickOf(m.Rand, intervals...)
	}
	if m.chance(15) {
		c["aggregate"] = false
		return c
	}
	if m.chance(40) {
		c["threshold"] = pickOf(m.Rand, thresholds...)
	}
	if m.chance(30) {
		b := document{"burst": pickOf(m.Rand, bursts...)}
		if m.chance(50) {
			b["every"] = pickOf(m.Rand, everies...)
		}
		c["budget"] = b
	}
	return c
}

// The values of policies lie far from each other, so that which of them bites is no matter of one event.
var (
	rates      = []string{"5/s", "1/m"}
	tokens     = []int{1, 20}
	waits      = []string{"1m", "30m"}
	intervals  = []string{"20s", "2m", "15m"}
	windows    = []string{"1m", "10m", "30m"}
	thresholds = []int{2, 10, 40}
	bursts     = []int{3, 25, 100}
	everies    = []string{"20s", "5m", "50m"}
)

// clone copies a document.
func clone(v any) any {
	switch v := v.(type) {
	case document:
		out := make(document, len(v))
		for k, x := range v {
			out[k] = clone(x)
		}
		return out
	case list:
		out := slices.Clone(v)
		for i := range out {
			out[i] = clone(out[i])
		}
		return out
	}
	return v
}
