package breaking

import (
	"cmp"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// packageNames compares the package's name and import path, and then the package's fields that have
// rows.
func (c *comparison) packageNames(p packagePair) {
	s := site{c: c, old: side{pkg: p.old}, now: side{pkg: p.now}, at: p.now.Catalog.Go.Package.Pos}
	if p.old.Name != p.now.Name {
		s.report(row{rule: "BG04", name: "package"}, p.old.Name, p.now.Name)
	} else if was, is := c.importPaths(p); was != is {
		s.report(row{rule: "BG04", name: "the import path", key: "output"}, was, is)
	}
	s.walk(reflect.ValueOf(p.old).Elem(), reflect.ValueOf(p.now).Elem())
}

// importPaths returns a package's import path before and now, if both are known. If the older side
// is elsewhere, it returns the output's folders relative to the catalog.
func (c *comparison) importPaths(p packagePair) (was, is string) {
	if !c.elsewhere {
		if p.old.Path == "" || p.now.Path == "" {
			return "", ""
		}
		return p.old.Path, p.now.Path
	}
	was, is = folderOf(p.old), folderOf(p.now)
	if was == "" && (is == "." || is == p.now.Name) || is == "" && (was == "." || was == p.old.Name) {
		return "", "" // the default, which depends on the folder's content
	}
	return cmp.Or(was, p.old.Name), cmp.Or(is, p.now.Name)
}

// folderOf returns the catalog's folder for the output; empty if it sets none.
func folderOf(p *model.Package) string {
	if !p.Catalog.Go.Output.Set() {
		return ""
	}
	return path.Dir(path.Clean(p.Catalog.Go.Output.Value))
}

// renamed reports methods that have another name or are in another package. Other changes of the
// event are reported separately.
func (c *comparison) renamed(e *eventPair) {
	what := "its name was " + e.was.Name
	if e.now != nil && !slices.ContainsFunc(e.now.Events, func(o *model.Event) bool { return o.Name == e.was.Name }) {
		what += "; list that under formerly, and callers compile"
	}
	if e.moved {
		what = fmt.Sprintf("it was %s of package %s, and is now in package %s", e.was.Name, e.old.Name, e.now.Name)
	}
	cause := ""
	if pos := namePos(e.is); pos == e.is.Source.Reason.Pos {
		cause = "reason" // the name follows it
	}
	c.add(broken{
		rule: "BG01", pos: namePos(e.is), cause: cause, event: e.is.Name, formerly: e.was.Name, what: what, at: e.was.Source.Pos,
		before: methodNames(e.was), after: methodNames(e.is),
	})
}

// keepsCallers reports whether callers of a former name still compile.
func keepsCallers(e *model.Event, name string) bool {
	return slices.ContainsFunc(e.Formers, func(f *model.Former) bool { return f.Name == name })
}

// reused reports former names of an event that are names of another event now: their callers still
// compile, and record that event. A deprecated event may leave its names to another one.
func (c *comparison) reused(e *eventPair) {
	if e.now == nil || e.was.Deprecated != nil {
		return
	}
	for _, f := range e.was.Formers {
		for _, other := range e.now.Events {
			if other != e.is && (other.Name == f.Name || keepsCallers(other, f.Name)) {
				c.add(broken{
					rule: "BG01", pos: namePos(other), event: other.Name, formerly: e.was.Name, at: f.Pos,
					what: fmt.Sprintf("%s was a former name of event %s, so its callers record this event now; remove the name in one release, and use it again in the next", f.Name, e.was.Name),
				})
			}
		}
	}
}

func namePos(e *model.Event) diag.Pos {
	return cmp.Or(e.Source.Name.Pos, e.Source.Reason.Pos, e.Source.Pos)
}

// removalAdvice ends the findings about removed events.
const removalAdvice = "deprecate events in a release before removing them, or acknowledge the break in event-gen.yaml"

// removed reports an event that was removed without a deprecation. The finding is at the newer
// package, or at the file that had the event.
func (c *comparison) removed(e *eventPair, alerts map[string]bool) {
	if e.was.Deprecated != nil {
		return
	}
	at := e.was.Source.Pos
	b := broken{rule: "BG01", event: e.was.Name, formerly: e.was.Name, at: at, before: methodNames(e.was)}
	if e.now == nil {
		b.pos, b.cause = diag.Pos{File: at.File, Line: 1, Column: 1}, "removed package"
		b.what = fmt.Sprintf("package %s was removed without a deprecation of these events; "+removalAdvice, e.old.Name)
	} else {
		b.pos, b.cause = e.now.Catalog.Go.Package.Pos, "removed "+e.was.Name
		b.what = fmt.Sprintf("it was removed without a deprecation; it was at %s; "+removalAdvice, c.before(at))
	}
	c.add(b)
	b.rule, b.before = "BW02", ""
	for _, d := range e.was.Definitions() {
		if !alerts[alertOn(d)] {
			b.was = append(b.was, d)
		}
	}
	if len(b.was) > 0 {
		c.add(b)
	}
}

// alertOn returns the fields by which alerts match the events of a definition.
func alertOn(d *model.Definition) string { return fieldSelector(d) + "\x00" + d.Runtime.Action }

func alertsOn(s *model.Set) map[string]bool {
	alerts := map[string]bool{}
	for _, p := range s.Packages {
		for _, e := range p.Events {
			for _, d := range e.Definitions() {
				alerts[alertOn(d)] = true
			}
		}
	}
	return alerts
}

// added reports added events that are stored like events of an older definition, so that readers
// confuse the two.
func (c *comparison) added(p *pairs) {
	type stored struct {
		// nil if the catalog names the controller
		pkg                                    *model.Package
		alert, fieldPath, relatedKind, message string
	}
	storedBy := func(pkg *model.Package, d *model.Definition) stored {
		if d.Runtime.ReportingController != "" {
			pkg = nil
		}
		var b strings.Builder
		for _, s := range d.Runtime.Message {
			fmt.Fprintf(&b, "%s{%d}", s.Text, s.Value)
		}
		return stored{pkg, alertOn(d), d.Runtime.FieldPath, d.Runtime.Related.Kind, b.String()}
	}
	older := map[stored]*model.Event{}
	for _, e := range p.events {
		if e.is != nil {
			for _, d := range e.is.Definitions() {
				older[storedBy(e.now, d)] = e.was
			}
		}
	}
	for _, a := range p.added {
		for _, d := range a.is.Definitions() {
			if e := older[storedBy(a.now, d)]; e != nil {
				c.add(broken{
					rule: "BW05", pos: namePos(a.is), event: a.is.Name, at: e.Source.Pos,
					what: fmt.Sprintf("it is new and stored like event %s, so that readers confuse the two", e.Name),
					is:   []*model.Definition{d},
				})
			}
		}
	}
}

// outranked reports transitions that a new, more specific entry takes from an event.
func (c *comparison) outranked(p *pairs) {
	for _, is := range slices.Concat(p.added, p.events) {
		if is.is == nil || is.is.On == nil || is.was != nil && is.was.On != nil {
			continue
		}
		for _, e := range p.events {
			if e.is == nil || e.now != is.now || e.was.On == nil || e.is.On == nil || !outranks(is.is, e.is) {
				continue
			}
			if lost := without(e.is.Definitions(), is.is.Definitions()); len(lost) > 0 {
				c.add(broken{
					rule: "BW01", pos: is.is.Source.On.Pos, event: e.is.Name, formerly: e.was.Name, at: e.was.Source.Pos, was: lost, is: is.is.Definitions(),
					what: fmt.Sprintf("if %s, event %s is recorded in its place now", is.is.On, is.is.Name),
				})
			}
		}
	}
}

// outranks reports whether some transitions of an object are those of both events, of which the
// first is the more specific one.
func outranks(a, b *model.Event) bool {
	meet := func(x, y string) bool { return x == "" || y == "" || x == y }
	s, t := a.On, b.On
	shared := slices.ContainsFunc(a.Objects(), func(o *model.Object) bool {
		return slices.ContainsFunc(b.Objects(), func(other *model.Object) bool { return kindName(o) == kindName(other) })
	})
	return shared && s.Condition == t.Condition && s.Status == t.Status && meet(s.Reason, t.Reason) && meet(s.From, t.From) &&
		(s.Reason != "" && t.Reason == "" || s.Reason == t.Reason && s.From != "" && t.From == "")
}

func methodNames(e *model.Event) string {
	return joined(e.Methods, func(m *model.Method) string { return m.Name })
}
