package eventrt

import "github.com/event-gen/event-gen/runtime/internal/inside"

// redact returns a text as the recorder's publisher cleans it. Recorders call it for what they cut
// themselves: annotations, and the reasons and actions of Forward. The arguments of an event are
// the Publisher's own matter (internals.Redact).
func (r *Recorder) redact(text string) string {
	if p, ok := r.publisher.(inside.Publisher); ok {
		return p.Inside(inside.Key{}).Redact(text)
	}
	return text
}

// keepUncut keeps the text of an argument that was cut or cleaned, until SetTime.
func (e *Event) keepUncut(i int, text string) {
	if e.uncut == nil {
		e.uncut = new([MaxParams]string)
	}
	e.uncut[i] = text
}

// Redact has a function clean the texts of the arguments: of errors, strings, Stringers and lists,
// each as it was before it was cut, because half a password matches no pattern. What the function
// returns is cut anew. A publisher calls it once, before anything looks at the event. Verbatim
// events are left: their maker cleans them.
func (internals) Redact(e *Event, f func(text string) string) {
	if e.def == nil || e.def.verbatim {
		return
	}
	args := e.Args()
	for i := range args {
		a := &args[i]
		if a.kind != argText {
			continue
		}
		text := a.text
		if e.uncut != nil && e.uncut[i] != "" {
			text = e.uncut[i]
		}
		a.text = Clean(f(text), noteBound(e.def.Params[i].MaxBytes))
	}
}
