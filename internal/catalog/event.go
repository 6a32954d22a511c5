package catalog

import "go.yaml.in/yaml/v3"

func (w *walker) events(into *[]Event) reader {
	return func(key string, n *yaml.Node) {
		if !w.isKind(n, yaml.SequenceNode, key) {
			return
		}
		*into = make([]Event, len(n.Content))
		for i, item := range n.Content {
			w.event(&(*into)[i], item)
		}
	}
}

// event reads one event. A mistake in it affects this event only.
func (w *walker) event(e *Event, n *yaml.Node) {
	outer := w.lost
	w.lost = false
	e.Pos = w.pos(n)
	w.mapping(n, "an event", w.eventFields(e))
	w.checkVariants(e, n)
	e.Incomplete, w.lost = w.lost, outer
}

func (w *walker) eventFields(e *Event) []field {
	return []field{
		{"name", false, w.text(&e.Name)},
		{"reason", false, w.text(&e.Reason)},
		{"action", false, w.text(&e.Action)},
		{"type", false, w.text(&e.Type)},
		{"regarding", false, w.regarding(&e.Regarding)},
		{"alsoOn", false, w.alsoOn(&e.AlsoOn)},
		{"related", false, w.related(&e.Related)},
		{"message", true, w.message(&e.Message)},
		{"params", false, w.params(e)},
		{"doc", false, w.doc(&e.Doc)},
		{"lifecycle", false, w.lifecycle(&e.Lifecycle)},
		{"correlation", false, w.correlation(&e.Correlation)},
		{"annotations", false, w.annotations(&e.Annotations)},
		{"reportingController", false, w.text(&e.ReportingController)},
		{"lint", false, w.lint(&e.Ignore)},
		{"select", false, w.text(&e.Select)},
		{"variants", false, w.variants(&e.Variants)},
		{"other", false, w.other(&e.Other)},
	}
}

func (w *walker) regarding(into **Regarding) reader {
	return func(key string, n *yaml.Node) {
		r := &Regarding{Pos: w.pos(n)}
		switch n.Kind {
		case yaml.ScalarNode:
			w.addText(&r.Objects)(key, n)
		case yaml.SequenceNode:
			w.texts(&r.Objects)(key, n)
		default:
			w.regardingMapping(r, key, n)
		}
		*into = r
	}
}

func (w *walker) regardingMapping(r *Regarding, key string, n *yaml.Node) {
	var object, anyOf []Scalar
	w.mapping(n, key, []field{
		{"anyOf", false, w.texts(&anyOf)},
		{"object", false, w.addText(&object)},
		{"container", false, w.text(&r.Container)},
	})
	if n.Kind != yaml.MappingNode {
		return
	}
	if (len(anyOf) > 0) == (len(object) > 0) || len(anyOf) > 0 && r.Container.Set() {
		w.reject(n, "%s: expected either anyOf, or object with container", key)
	}
	r.Objects, r.AnyOf = append(object, anyOf...), len(anyOf) > 0
}

// alsoOn reads a list that names one object at least.
func (w *walker) alsoOn(into *[]Scalar) reader {
	return func(key string, n *yaml.Node) {
		w.texts(into)(key, n)
		if n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
			w.reject(n, "%s: expected the objects on which a call records an event too, found an empty list", key)
		}
	}
}

func (w *walker) addText(into *[]Scalar) reader {
	return func(key string, n *yaml.Node) {
		if s, ok := w.scalar(key, n); ok {
			*into = append(*into, s)
		}
	}
}

func (w *walker) related(into **Related) reader {
	return func(key string, n *yaml.Node) {
		r := &Related{Pos: w.pos(n)}
		if n.Kind == yaml.ScalarNode {
			w.text(&r.Object)(key, n)
		} else {
			w.mapping(n, key, []field{
				{"object", true, w.text(&r.Object)},
				{"optional", false, w.boolean(&r.Optional)},
				{"prefix", false, w.prefix(&r.Prefix)},
			})
		}
		*into = r
	}
}

func (w *walker) doc(into *Doc) reader {
	return func(key string, n *yaml.Node) {
		if n.Kind == yaml.ScalarNode {
			w.text(&into.Summary)(key, n)
			return
		}
		w.mapping(n, key, []field{
			{"summary", false, w.text(&into.Summary)},
			{"runbook", false, w.text(&into.Runbook)},
		})
	}
}

func (w *walker) lifecycle(into *Lifecycle) reader {
	return func(key string, n *yaml.Node) {
		into.Pos = w.pos(n)
		w.mapping(n, key, []field{
			{"since", false, w.text(&into.Since)},
			{"deprecated", false, w.deprecated(&into.Deprecated)},
		})
	}
}

func (w *walker) deprecated(into **Deprecated) reader {
	return func(key string, n *yaml.Node) {
		d := &Deprecated{Pos: w.pos(n)}
		w.mapping(n, key, []field{
			{"replacedBy", false, w.text(&d.ReplacedBy)},
			{"reason", false, w.text(&d.Reason)},
			{"removeAfter", false, w.text(&d.RemoveAfter)},
		})
		*into = d
	}
}

func (w *walker) correlation(into **Correlation) reader {
	return func(key string, n *yaml.Node) {
		c := &Correlation{Pos: w.pos(n)}
		w.mapping(n, key, []field{
			{"key", false, func(key string, n *yaml.Node) {
				c.KeyPos = w.pos(n)
				w.texts(&c.Key)(key, n)
			}},
			{"note", false, w.oneOf(&c.Note, "first", "latest")},
			{"limit", false, w.text(&c.Limit)},
			{"interval", false, w.duration(&c.Interval)},
			{"window", false, w.duration(&c.Window)},
			{"threshold", false, w.number(&c.Threshold)},
			{"budget", false, w.keys(field{"burst", false, w.number(&c.Burst)}, field{"every", false, w.duration(&c.Every)})},
			{"aggregate", false, w.boolean(&c.Aggregate)},
		})
		*into = c
	}
}

func (w *walker) annotations(into *[]Annotation) reader {
	return w.entries(func(key Scalar, n *yaml.Node) {
		if m, ok := w.template("annotation "+key.Value, n); ok {
			*into = append(*into, Annotation{Key: key, Value: m})
		}
	})
}

func (w *walker) lint(into *[]Ignore) reader {
	return w.keys(field{"ignore", true, w.list(w.ignored(into))})
}

func (w *walker) ignored(into *[]Ignore) reader {
	return func(key string, n *yaml.Node) {
		i := Ignore{Pos: w.pos(n)}
		w.mapping(n, key, []field{
			{"rule", true, w.text(&i.Rule)},
			{"reason", true, w.text(&i.Reason)},
		})
		*into = append(*into, i)
	}
}
