package eventrt

// redactor is a Publisher that cleans texts before they are cut. Recorders call it for what they
// cut themselves: annotations, and the reasons and actions of Forward. The arguments of an event
// are the Publisher's own matter (Event.Redact).
type redactor interface {
	// Redact returns the cleaned text. It must not panic, and must be safe for concurrent use.
	Redact(text string) string
}

// redact returns a text as the recorder's publisher cleans it.
func (r *Recorder) redact(text string) string {
	if p, ok := r.publisher.(redactor); ok {
		return p.Redact(text)
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
// returns is cut anew. A Publisher calls it once, before anything looks at the event. Verbatim
// events are left: their maker cleans them.
func (e *Event) Redact(f func(text string) string) {
	if e.def == nil || e.def.Verbatim {
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
