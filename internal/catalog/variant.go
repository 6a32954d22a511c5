package catalog

import "go.yaml.in/yaml/v3"

func (w *walker) variants(into *[]Variant) reader {
	return w.entries(func(name Scalar, n *yaml.Node) {
		v := Variant{Pos: name.Pos, Name: name}
		if !isNull(n) {
			w.variant(&v, "variant "+name.Value, n)
		}
		*into = append(*into, v)
	})
}

func (w *walker) other(into **Variant) reader {
	return func(key string, n *yaml.Node) {
		v := &Variant{Pos: w.pos(n)}
		w.variant(v, key, n)
		*into = v
	}
}

func (w *walker) variant(v *Variant, what string, n *yaml.Node) {
	w.mapping(n, what, []field{
		{"reason", v.Name == Scalar{}, w.text(&v.Reason)},
		{"action", false, w.text(&v.Action)},
		{"type", false, w.text(&v.Type)},
		{"message", false, w.message(&v.Message)},
		{"doc", false, w.doc(&v.Doc)},
	})
}

// checkVariants reports keys of variants that lack each other. It does not judge an event that could not be read whole.
func (w *walker) checkVariants(e *Event, n *yaml.Node) {
	if w.lost {
		return
	}
	selects, varies := e.Select.Set(), len(e.Variants) > 0
	switch {
	case selects && !varies:
		w.reject(n, "an event with select needs the key %q", "variants")
	case varies && !selects:
		w.reject(n, "an event with variants needs the key %q", "select")
	case varies && e.Other == nil:
		w.reject(n, `an event with variants needs the key "other": what an unknown value becomes`)
	case !varies && e.Other != nil:
		w.reject(n, "other needs variants")
	case !varies && !e.Reason.Set():
		w.reject(n, "an event needs the key %q", "reason")
	case varies && e.Reason.Set():
		w.reject(n, "an event with variants has no reason of its own; the variants have")
	case varies && !e.Name.Set():
		w.reject(n, "an event with variants needs the key %q", "name")
	}
}
