package emit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// methodDoc returns the doc comment of a recorder method: the event with its message, then the
// catalog's documentation.
func methodDoc(p *model.Package, e *model.Event, m *model.Method) []string {
	d := &doc{}
	first := m.Definitions[0]
	if e.Select == nil {
		d.add(fmt.Sprintf("%s records %s:", m.Name, what(m, first)))
		d.code(first.Message)
	} else {
		d.variants(e, m)
	}
	d.alsoOn(e)
	for _, t := range p.Transitions {
		if e.On != nil && t.Object == m.Regarding {
			d.add(fmt.Sprintf("%s records it when %s.", t.Type, oneLine(e.On.String())))
		}
	}
	d.add(e.Summary)
	d.add(first.Pace())
	if e.Runbook != "" {
		d.add("Runbook: " + e.Runbook)
	}
	if e.Since != "" {
		d.add("Since " + e.Since + ".")
	}
	d.deprecated(e)
	return d.lines()
}

// what describes a wire identity: "a Warning event about a CronJob". It adds the reason if that
// differs from the event's name: "a Warning event about a CronJob, with reason QuotaExceeded".
func what(m *model.Method, s *model.Definition) string {
	text := fmt.Sprintf("a %s event about %s", s.Runtime.Type, about(m))
	if s.Runtime.Reason != s.Runtime.Name {
		text += ", with reason " + s.Runtime.Reason
	}
	return text
}

// variants lists the wire identities, and shows their types and messages if these differ.
func (d *doc) variants(e *model.Event, m *model.Method) {
	first := m.Definitions[0]
	sameType := !slices.ContainsFunc(m.Definitions, func(s *model.Definition) bool { return s.Runtime.Type != first.Runtime.Type })
	sameMessage := !slices.ContainsFunc(m.Definitions, func(s *model.Definition) bool { return s.Message != first.Message })
	kind := "an event"
	if sameType {
		kind = "a " + first.Runtime.Type + " event"
	}
	d.add(fmt.Sprintf("%s records %s about %s; %s picks its reason:", m.Name, kind, about(m), e.Select.Name))
	var list []string // one paragraph
	for _, s := range m.Definitions {
		list = append(list, paragraph("  - "+oneLine(variantText(e, s, !sameType, !sameMessage)))...)
	}
	d.paragraphs = append(d.paragraphs, list)
	if sameMessage {
		d.add("The message:")
		d.code(first.Message)
	}
}

// variantText describes one variant: its value, then its reason if that differs.
func variantText(e *model.Event, s *model.Definition, withType, withMessage bool) string {
	identity := s.Runtime.Reason
	if withType {
		identity = s.Runtime.Type + " " + identity
	}
	text, summary := "any other: "+identity, ". "
	switch {
	case s.Variant == nil && e.Select.Enum != nil:
		text = strings.Join(e.Others(), ", ") + ": " + identity
	case s.Variant == nil:
	case s.Variant.Value == identity && !withMessage:
		text, summary = identity, ": "
	default:
		text = s.Variant.Value + ": " + identity
	}
	if withMessage {
		text += ` "` + s.Message + `"`
	}
	if s.Summary != "" {
		text += summary + model.Sentence(oneLine(s.Summary))
	}
	if s.Runbook != "" {
		text += " Runbook: " + s.Runbook
	}
	return text
}

// alsoOn names the further objects that get the event.
func (d *doc) alsoOn(e *model.Event) {
	if len(e.Also) == 0 {
		return
	}
	kinds := make([]string, len(e.Also))
	for i, a := range e.Also {
		kinds[i] = article(a.Object)
	}
	d.add("It records the same about " + listed(kinds, "and") + ". An object that is nil gets no event.")
}

// deprecated adds the paragraph in the form that Go tools read.
func (d *doc) deprecated(e *model.Event) {
	if e.Deprecated == nil {
		return
	}
	var parts []string
	if by := e.Deprecated.ReplacedBy; by != "" {
		parts = append(parts, "Use "+by+" instead.")
	}
	if reason := strings.TrimSpace(oneLine(e.Deprecated.Reason)); reason != "" {
		parts = append(parts, model.Sentence(reason))
	}
	if version := e.Deprecated.RemoveAfter; version != "" {
		parts = append(parts, "It will be removed after "+version+".")
	}
	if len(parts) == 0 {
		parts = []string{"It will be removed."}
	}
	d.add("Deprecated: " + oneLine(strings.Join(parts, " ")))
}

func constructorDoc(e *model.Event, m *model.Method) []string {
	d := &doc{}
	events := "event"
	if len(e.Also) > 0 {
		events = "events"
	}
	d.add(fmt.Sprintf("%s returns the %s.", m.Constructor, events))
	d.deprecated(e)
	return d.lines()
}

// about names the kinds that a method takes: "a CronJob", "a Pod or a Node", "an object".
func about(m *model.Method) string {
	if m.Regarding != nil {
		return article(m.Regarding)
	}
	kinds := make([]string, len(m.KindFunc.Objects))
	for i, o := range m.KindFunc.Objects {
		kinds[i] = article(o)
	}
	return listed(kinds, "or")
}

// listed joins words: "a Pod, a Node or a Job".
func listed(words []string, conjunction string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}

func article(o *model.Object) string {
	if o.Any {
		return "an object of any kind"
	}
	return indefinite(o.Kind.Kind) + " " + o.Kind.Kind
}

// indefinite returns a name with the article that people say before it: an Ingress, an HTTPRoute, a
// User.
func indefinite(name string) string {
	switch {
	case isInitialism(name):
		// the names of these letters begin with a vowel
		if strings.ContainsRune("AEFHILMNORSX", rune(name[0])) {
			return "an"
		}
	case spokenYou.MatchString(name):
	case strings.ContainsRune("AEIOUaeiou", rune(name[0])):
		return "an"
	}
	return "a"
}

// spokenYou matches words that begin with the sound of "you" or "one": a User, a Unit, a Union, a
// OneShot, but an Upgrade.
var spokenYou = regexp.MustCompile(`^(?i:use|usa|usu|uti|uni([^mn]|$)|eu)|^[Oo]ne([A-Z]|$)`)

// isInitialism reports whether people spell the beginning of a name letter by letter, as in
// HTTPRoute and XRoute, but not in Pod.
func isInitialism(name string) bool {
	runes := []rune(name)
	return unicode.IsUpper(runes[0]) && (len(runes) == 1 || unicode.IsUpper(runes[1]))
}
