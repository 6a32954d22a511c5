package breaking

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/catalog"
)

// place is a value of a document: the mapping that has it, its key, and the event that it is in.
type place struct {
	in    document
	key   string
	event document
}

func (p place) set(v any) { p.in[p.key] = v }
func (p place) drop()     { delete(p.in, p.key) }

// mutator changes a document at one key of the schema. It reports whether it did.
type mutator func(m maker, d document) bool

// mutators are by the path of the key. A path ends with [] for an entry of a list or mapping that is changed as a whole.
var mutators = map[string][]mutator{
	"apiVersion":                      {keep},
	"kind":                            {keep},
	"spec.go.package":                 {setting("package", "gamma")},
	"spec.go.recorder":                {setting("recorder", "Events", "Recorder", "Log")},
	"spec.go.output":                  {setting("output", "elsewhere/zz.go", "alpha/other.go", "out/zz.go")},
	"spec.go.args":                    {setting("args", "struct", "positional")},
	"spec.reportingController":        {at(specs, "reportingController", "example.com/new", nil)},
	"spec.imports":                    {renameImport},
	"spec.objects":                    {renameObject},
	"spec.objects.type":               {object("Claim", document{"type": "corev1.Secret"}), object("Target", document{"type": "corev1.Secret"})},
	"spec.objects.apiVersion":         {object("Widget", widget("apiVersion", "example.com/v2"))},
	"spec.objects.kind":               {object("Widget", widget("kind", "Gadget"))},
	"spec.objects.scope":              {object("Widget", widget("scope", "Cluster"))},
	"spec.defaults.regarding":         {at(defaults, "regarding", "Pod", "Job", "Node")},
	"spec.defaults.type":              {at(defaults, "type", "Normal", "Warning", nil)},
	"spec.params":                     {vocabularyWord},
	"spec.lint.ignore.rule":           {ignoring(specs)},
	"spec.lint.ignore.reason":         {ignoring(specs)},
	"spec.limits.rate":                {limiting("rate", "5/s", "1/m")},
	"spec.limits.burst":               {limiting("burst", 1, 20)},
	"spec.limits.wait":                {limiting("wait", "1m", "30m", nil)},
	"spec.events":                     {addEvent, dropEvent, swapEvents, copyEvent, moveEvent},
	"spec.events.name":                {at(events, "name", "Renamed", "AStartedEvent", nil)},
	"spec.events.reason":              {at(plainEvents, "reason", "Changed", "Other", "AMoved")},
	"spec.events.action":              {at(events, "action", "Run", "Stop", "AStarted", nil)},
	"spec.events.type":                {at(events, "type", "Normal", "Warning", nil)},
	"spec.events.message":             {message, swapPlaceholders, words},
	"spec.events.params":              {swapParams, renameParam, renameParam, addParam, dropParam},
	"spec.events.alsoOn":              {alsoOn, at(events, "alsoOn", nil)},
	"spec.events.reportingController": {at(events, "reportingController", "example.com/own", "example.com/new", nil)},
	"spec.events.lint.ignore.rule":    {ignoring(events)},
	"spec.events.lint.ignore.reason":  {ignoring(events)},
	"spec.events.select":              {selectOther},
	"spec.events.variants":            {addVariant, dropVariant, renameVariant},
	"spec.events.annotations":         {annotation},
}

// limiting changes a key of each limit.
func limiting(key string, values ...any) mutator {
	return at(func(d document) []document {
		var out []document
		all, _ := specs(d)[0]["limits"].(document)
		for _, name := range sorted(all) {
			out = append(out, all[name].(document))
		}
		return out
	}, key, values...)
}

func init() {
	add := func(path string, m ...mutator) { mutators[path] = append(mutators[path], m...) }
	for _, at := range []string{"spec.defaults.", "spec.events."} {
		where := events
		if at == "spec.defaults." {
			where = defaults
		} else {
			add(at+"regarding", func(m maker, d document) bool { return change(m, places(d, events, "regarding"), m.regarding()) })
		}
		add(at+"regarding.anyOf", anyOf(where))
		add(at+"regarding.object", func(m maker, d document) bool {
			return changeIn(m, mappings(d, where, "regarding"), "object", pickOf(m.Rand, closed...))
		})
		add(at+"regarding.container", container(where))
		add(at+"correlation.key", func(m maker, d document) bool {
			return eachOf(m, where(d), func(e document) bool {
				c := m.correlation(names(e))
				if c["key"] == nil {
					return false
				}
				return sub(e, "correlation").put("key", c["key"])
			})
		})
		add(at+"correlation.note", policy(where, "note", func(m maker) any { return pickOf(m.Rand, "first", "latest") }), without(where, "note"))
		add(at+"correlation.limit", policy(where, "limit", func(maker) any { return "slow" }), without(where, "limit"))
		add(at+"correlation.interval", policy(where, "interval", pickAny(intervals)), without(where, "interval"))
		add(at+"correlation.window", policy(where, "window", pickAny(windows)))
		add(at+"correlation.threshold", policy(where, "threshold", pickAny(thresholds)))
		add(at+"correlation.aggregate", policy(where, "aggregate", func(m maker) any { return m.chance(50) }))
		add(at+"correlation.budget.burst", budget(where, "burst", pickAny(bursts)))
		add(at+"correlation.budget.every", budget(where, "every", pickAny(everies)))
	}
	add("spec.events.related.object", func(m maker, d document) bool {
		return eachOf(m, events(d), func(e document) bool {
			if r, ok := e["related"].(document); ok && m.chance(70) {
				r["object"] = pickOf(m.Rand, aliases...)
				return true
			}
			e["related"] = m.related()
			return true
		})
	}, func(m maker, d document) bool { return change(m, places(d, events, "related"), nil) })
	add("spec.events.related.optional", relation("optional", true, nil))
	add("spec.events.related.prefix", relation("prefix", " by ", " on ", nil))
	for _, at := range []string{"spec.params.", "spec.events.params."} {
		where := params
		if at == "spec.params." {
			where = vocabulary
		}
		add(at+"type", func(m maker, d document) bool {
			return eachOf(m, where(d), func(p document) bool {
				t, _, _ := strings.Cut(pickOf(m.Rand, paramTypes...), "(")
				p["type"] = t
				return true
			})
		})
		for key, values := range map[string]list{
			"maxBytes": {10, 30, 60, 100, nil}, "optional": {true, nil}, "prefix": {"; ", " q: ", nil}, "quote": {true, nil},
			"precision": {0, 2, 3, nil}, "round": {"1s", "1m", "1ns", nil}, "unit": {"s", "m", "us", "µs", nil},
			"layout": {"RFC3339", "DateOnly", "RFC1123", nil}, "goName": {"Paint", "Colour", nil}, "separator": {", ", "|", nil},
			"sensitive": {true, nil}, "values": {list{"Red", "Green"}, list{"red", "Green", "Blue"}, list{"Red", "Green", "Blue", "Grey"}, list{"Won", "Drawn", "Lost"}},
		} {
			add(at+key, paramOption(where, key, values...))
		}
	}
	add("spec.events.params.name", renameParam)
	for _, at := range []string{"spec.events.variants.", "spec.events.other."} {
		where := variants
		if at == "spec.events.other." {
			where = others
		}
		add(at+"reason", changeOf(where, "reason", "New", "AStartedWon"))
		add(at+"action", changeOf(where, "action", "Act", "Win", nil))
		add(at+"type", changeOf(where, "type", "Normal", "Warning", nil))
		add(at+"message", changeOf(where, "message", "won {outcome}", "new words", nil))
		add(at+"doc.summary", changeOf(where, "doc", document{"summary": "New."}, nil))
		add(at+"doc.runbook", changeOf(where, "doc", document{"runbook": "https://example.com/new"}, nil))
	}
	add("spec.events.doc.summary", at(events, "doc", "New.", nil))
	add("spec.events.doc.runbook", at(events, "doc", document{"summary": "x", "runbook": "https://example.com/y"}))
	for _, key := range []string{"since", "deprecated.replacedBy", "deprecated.reason", "deprecated.removeAfter"} {
		add("spec.events.lifecycle."+key, lifecycle(key))
	}
}

// keep changes what no catalog can be without.
func keep(maker, document) bool { return true }

func at(where func(document) []document, key string, values ...any) mutator {
	return func(m maker, d document) bool { return changeIn(m, where(d), key, pickOf(m.Rand, values...)) }
}

func changeOf(where func(document) []document, key string, values ...any) mutator {
	return at(where, key, values...)
}

// changeIn sets a key of one of the mappings, or takes it out.
func changeIn(m maker, in []document, key string, value any) bool {
	return eachOf(m, in, func(d document) bool {
		if value == nil {
			_, had := d[key]
			delete(d, key)
			return had
		}
		if reflect.DeepEqual(d[key], value) {
			return false
		}
		d[key] = value
		return true
	})
}

func change(m maker, in []place, value any) bool {
	if len(in) == 0 {
		return false
	}
	p := pickOf(m.Rand, in...)
	if value == nil {
		p.drop()
	} else {
		p.set(value)
	}
	return true
}

// eachOf tries one of the mappings.
func eachOf(m maker, in []document, do func(document) bool) bool {
	return len(in) > 0 && do(pickOf(m.Rand, in...))
}

type mapping document

func (d mapping) put(key string, value any) bool {
	d[key] = value
	return true
}

func sub(d document, key string) mapping {
	inner, ok := d[key].(document)
	if !ok {
		inner = document{}
		d[key] = inner
	}
	return mapping(inner)
}

func specs(d document) []document { return []document{d["spec"].(document)} }

func defaults(d document) []document { return []document{sub(specs(d)[0], "defaults").document()} }

func (d mapping) document() document { return document(d) }

func events(d document) []document {
	var out []document
	for _, e := range specs(d)[0]["events"].(list) {
		out = append(out, e.(document))
	}
	return out
}

func plainEvents(d document) []document {
	return slices.DeleteFunc(events(d), func(e document) bool { return e["select"] != nil })
}

func selecting(d document) []document {
	return slices.DeleteFunc(events(d), func(e document) bool { return e["select"] == nil })
}

func mappings(d document, where func(document) []document, key string) []document {
	var out []document
	for _, e := range where(d) {
		if inner, ok := e[key].(document); ok {
			out = append(out, inner)
		}
	}
	return out
}

func places(d document, where func(document) []document, key string) []place {
	var out []place
	for _, e := range where(d) {
		out = append(out, place{e, key, e})
	}
	return out
}

func variants(d document) []document {
	var out []document
	for _, e := range selecting(d) {
		all, _ := e["variants"].(document)
		for _, name := range sorted(all) {
			v, ok := all[name].(document)
			if !ok {
				v = document{}
				all[name] = v
			}
			out = append(out, v)
		}
	}
	return out
}

func others(d document) []document { return mappings(d, selecting, "other") }

func sorted(d document) []string {
	var out []string
	for k := range d {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// params are the params of events in their long form; the short form becomes that.
func params(d document) []document {
	var out []document
	for _, e := range events(d) {
		all, _ := e["params"].(list)
		for i, p := range all {
			if short, ok := p.(string); ok && strings.Contains(short, " ") {
				name, t, _ := strings.Cut(short, " ")
				long := document{"name": name}
				base, bound, found := strings.Cut(strings.TrimSuffix(t, ")"), "(")
				if long["type"] = base; found {
					n := 0
					fmt.Sscan(bound, &n)
					long["maxBytes"] = n
				}
				all[i] = long
			}
			if long, ok := all[i].(document); ok {
				out = append(out, long)
			}
		}
	}
	return out
}

func vocabulary(d document) []document {
	words, _ := specs(d)[0]["params"].(document)
	var out []document
	for _, name := range sorted(words) {
		if short, ok := words[name].(string); ok {
			words[name] = document{"type": short}
		}
		out = append(out, words[name].(document))
	}
	return out
}

func setting(key string, values ...any) mutator {
	return at(func(d document) []document { return []document{specs(d)[0]["go"].(document)} }, key, append(values, nil)...)
}

func object(alias string, to any) mutator {
	return func(m maker, d document) bool {
		objects := specs(d)[0]["objects"].(document)
		if objects[alias] == nil {
			return false
		}
		objects[alias] = clone(to)
		return true
	}
}

func widget(key, value string) document {
	w := clone(kinds["Widget"]).(document)
	w[key] = value
	return w
}

func renameImport(m maker, d document) bool {
	spec := specs(d)[0]
	if spec["imports"] == nil {
		spec["imports"] = document{"corev1": "k8s.io/api/core/v1"}
		return true
	}
	spec["imports"] = document{"other": "k8s.io/api/core/v1"}
	spec["objects"].(document)["Claim"] = document{"type": "other.PersistentVolumeClaim"}
	return true
}

// renameObject gives an object another alias, which is part of names of methods for lists.
func renameObject(m maker, d document) bool {
	spec := specs(d)[0]
	objects := spec["objects"].(document)
	if objects["Node"] == nil {
		return false
	}
	delete(objects, "Node")
	objects["Machine"] = document{"type": "corev1.Node"}
	for _, holder := range append(events(d), defaults(d)[0]) {
		for _, key := range []string{"regarding", "related", "alsoOn"} {
			holder[key] = renamed(holder[key], "Node", "Machine")
			if holder[key] == nil {
				delete(holder, key)
			}
		}
	}
	return true
}

func renamed(v any, from, to string) any {
	switch v := v.(type) {
	case string:
		if v == from {
			return to
		}
	case list:
		for i := range v {
			v[i] = renamed(v[i], from, to)
		}
	case document:
		for k := range v {
			if k == "object" || k == "anyOf" {
				v[k] = renamed(v[k], from, to)
			}
		}
	}
	return v
}

func vocabularyWord(m maker, d document) bool {
	words := specs(d)[0]["params"].(document)
	words["cause"] = pickOf[any](m.Rand, "error", "error(60)", "string(60)", document{"type": "error", "maxBytes": 30})
	return true
}

func ignoring(where func(document) []document) mutator {
	return at(where, "lint", document{"ignore": list{document{"rule": "EV402", "reason": "new"}}}, nil)
}

func addEvent(m maker, d document) bool {
	spec := specs(d)[0]
	spec["events"] = append(spec["events"].(list), m.event("Added"))
	return true
}

func dropEvent(m maker, d document) bool {
	spec := specs(d)[0]
	all := spec["events"].(list)
	if len(all) < 2 {
		return false
	}
	i := m.IntN(len(all))
	spec["events"] = slices.Delete(all, i, i+1)
	return true
}

func swapEvents(m maker, d document) bool {
	all := specs(d)[0]["events"].(list)
	m.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return true
}

// copyEvent adds an event with the reason of another one.
func copyEvent(m maker, d document) bool {
	return eachOf(m, plainEvents(d), func(e document) bool {
		spec := specs(d)[0]
		other := clone(e).(document)
		other["name"] = "Copied"
		spec["events"] = append(spec["events"].(list), other)
		return true
	})
}

// moveEvent renames an event and its reason.
func moveEvent(m maker, d document) bool {
	return eachOf(m, plainEvents(d), func(e document) bool {
		e["reason"] = "Became"
		delete(e, "name")
		return true
	})
}

func message(m maker, d document) bool {
	return eachOf(m, events(d), func(e document) bool {
		e["message"] = m.message(e)
		return true
	})
}

func words(m maker, d document) bool {
	return eachOf(m, events(d), func(e document) bool {
		e["message"] = e["message"].(string) + " at last"
		return true
	})
}

func swapPlaceholders(m maker, d document) bool {
	return eachOf(m, events(d), func(e document) bool {
		all := names(e)
		if len(all) < 2 {
			return false
		}
		e["message"] = strings.NewReplacer("{"+all[0]+"}", "{"+all[1]+"}", "{"+all[1]+"}", "{"+all[0]+"}").Replace(e["message"].(string))
		return true
	})
}

func swapParams(m maker, d document) bool {
	return eachOf(m, events(d), func(e document) bool {
		all, _ := e["params"].(list)
		if len(all) < 2 {
			return false
		}
		i := m.IntN(len(all) - 1)
		all[i], all[i+1] = all[i+1], all[i]
		return true
	})
}

// renameParam renames a param wherever it stands.
func renameParam(m maker, d document) bool {
	return eachOf(m, params(d), func(p document) bool {
		from := p["name"].(string)
		for _, e := range events(d) {
			if slices.ContainsFunc(mustParams(e), func(o any) bool { return reflect.ValueOf(o).Pointer() == reflect.ValueOf(p).Pointer() }) {
				p["name"] = "other"
				renameUses(e, from, "other")
				return true
			}
		}
		return false
	})
}

func mustParams(e document) []any {
	var out []any
	all, _ := e["params"].(list)
	for _, p := range all {
		if long, ok := p.(document); ok {
			out = append(out, long)
		}
	}
	return out
}

func renameUses(v any, from, to string) any {
	switch v := v.(type) {
	case string:
		if v == from {
			return to
		}
		return strings.ReplaceAll(v, "{"+from+"}", "{"+to+"}")
	case list:
		for i := range v {
			v[i] = renameUses(v[i], from, to)
		}
	case document:
		for k := range v {
			if k != "params" && k != "values" {
				v[k] = renameUses(v[k], from, to)
			}
		}
	}
	return v
}

func addParam(m maker, d document) bool {
	return eachOf(m, events(d), func(e document) bool {
		all, _ := e["params"].(list)
		e["params"] = slices.Insert(all, m.IntN(len(all)+1), m.param("added"))
		return true
	})
}

func dropParam(m maker, d document) bool {
	return eachOf(m, events(d), func(e document) bool {
		all, _ := e["params"].(list)
		if len(all) == 0 {
			return false
		}
		i := m.IntN(len(all))
		name := names(e)[i]
		e["params"] = slices.Delete(all, i, i+1)
		e["message"] = strings.ReplaceAll(e["message"].(string), "{"+name+"}", "it")
		return true
	})
}

func selectOther(m maker, d document) bool {
	return eachOf(m, selecting(d), func(e document) bool {
		if m.chance(50) {
			for _, key := range []string{"select", "variants", "other"} {
				delete(e, key)
			}
			e["reason"] = "AStartedWon"
			return true
		}
		all := names(e)
		e["select"] = pickOf(m.Rand, all...)
		return true
	})
}

func addVariant(m maker, d document) bool {
	return eachOf(m, selecting(d), func(e document) bool {
		e["variants"].(document)[pickOf(m.Rand, "Lost", "Adjourned")] = pickOf[any](m.Rand, nil, document{"type": "Warning"})
		return true
	})
}

func dropVariant(m maker, d document) bool {
	return eachOf(m, selecting(d), func(e document) bool {
		delete(e["variants"].(document), pickOf(m.Rand, "Won", "Drawn"))
		return true
	})
}

func renameVariant(m maker, d document) bool {
	return eachOf(m, selecting(d), func(e document) bool {
		all := e["variants"].(document)
		if all["Won"] == nil {
			return false
		}
		to := pickOf(m.Rand, "won", "Beaten")
		all[to] = all["Won"]
		delete(all, "Won")
		return true
	})
}

func annotation(m maker, d document) bool {
	return eachOf(m, events(d), func(e document) bool {
		switch all, _ := e["annotations"].(document); {
		case all == nil || m.chance(30):
			sub(e, "annotations")["example.com/b"] = m.message(e)
		case m.chance(50):
			all["example.com/a"] = m.message(e)
		default:
			delete(e, "annotations")
		}
		return true
	})
}

func anyOf(where func(document) []document) mutator {
	return func(m maker, d document) bool {
		return eachOf(m, where(d), func(e document) bool {
			r, ok := e["regarding"].(document)
			if !ok || r["anyOf"] == nil {
				e["regarding"] = document{"anyOf": list{"Pod", "Job"}}
				return true
			}
			if m.chance(30) {
				e["regarding"] = "Target"
				return true
			}
			r["anyOf"] = pickOf(m.Rand, list{"Pod", "Job"}, list{"Pod"}, list{"Pod", "Node", "Job", "Widget"}, list{"Node", "Widget"})
			return true
		})
	}
}

func alsoOn(m maker, d document) bool {
	return changeIn(m, events(d), "alsoOn", m.alsoOn())
}

func container(where func(document) []document) mutator {
	return func(m maker, d document) bool {
		return eachOf(m, where(d), func(e document) bool {
			if r, ok := e["regarding"].(document); ok && r["object"] != nil && m.chance(50) {
				delete(r, "container")
				e["regarding"] = r["object"]
				return true
			}
			all := names(e)
			if len(all) == 0 {
				return false
			}
			e["regarding"] = document{"object": "Pod", "container": pickOf(m.Rand, all...)}
			return true
		})
	}
}

func relation(key string, values ...any) mutator {
	return func(m maker, d document) bool {
		return changeIn(m, mappings(d, events, "related"), key, pickOf(m.Rand, values...))
	}
}

func pickAny[T any](from []T) func(maker) any {
	return func(m maker) any { return pickOf(m.Rand, from...) }
}

func policy(where func(document) []document, key string, value func(maker) any) mutator {
	return func(m maker, d document) bool {
		return eachOf(m, where(d), func(e document) bool { return sub(e, "correlation").put(key, value(m)) })
	}
}

// without takes a key out of a policy.
func without(where func(document) []document, key string) mutator {
	return func(m maker, d document) bool {
		return eachOf(m, mappings(d, where, "correlation"), func(c document) bool {
			_, had := c[key]
			delete(c, key)
			return had
		})
	}
}

func budget(where func(document) []document, key string, value func(maker) any) mutator {
	return func(m maker, d document) bool {
		return eachOf(m, where(d), func(e document) bool {
			return sub(sub(e, "correlation").document(), "budget").put(key, value(m))
		})
	}
}

func paramOption(where func(document) []document, key string, values ...any) mutator {
	return func(m maker, d document) bool { return changeIn(m, where(d), key, pickOf(m.Rand, values...)) }
}

func lifecycle(key string) mutator {
	return func(m maker, d document) bool {
		return eachOf(m, events(d), func(e document) bool {
			l := sub(e, "lifecycle")
			if key == "since" {
				return l.put(key, "v1.1.0")
			}
			return sub(l.document(), "deprecated").put(strings.TrimPrefix(key, "deprecated."), "v9.9.9")
		})
	}
}

// Every key that a catalog can have is changed by a mutator, and no mutator is for a key that there is not.
func TestEveryKeyIsMutated(t *testing.T) {
	text, err := catalog.Schema()
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Defs map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	schemaKeys(schema.Defs, schema.Defs["Catalog"], "", keys)
	for key := range keys {
		if !slices.ContainsFunc(sortedKeys(mutators), func(path string) bool { return path == key || strings.HasPrefix(path, key+".") }) {
			t.Errorf("nothing changes %s", key)
		}
	}
	for path := range mutators {
		if !keys[path] {
			t.Errorf("there is no key %s", path)
		}
	}
}

func sortedKeys[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// schemaKeys finds the keys of a part of the JSON Schema.
func schemaKeys(defs map[string]any, part any, at string, into map[string]bool) {
	switch part := part.(type) {
	case []any:
		for _, form := range part {
			schemaKeys(defs, form, at, into)
		}
	case map[string]any:
		if name, ok := part["$ref"].(string); ok {
			schemaKeys(defs, defs[strings.TrimPrefix(name, "#/$defs/")], at, into)
		}
		for _, inner := range []string{"oneOf", "items", "additionalProperties"} {
			schemaKeys(defs, part[inner], at, into)
		}
		properties, _ := part["properties"].(map[string]any)
		for key, value := range properties {
			into[at+key] = true
			schemaKeys(defs, value, at+key+".", into)
		}
	}
}
