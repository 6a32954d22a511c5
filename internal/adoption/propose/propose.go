// Package propose makes a catalog from the sites that a scan has found.
//
// It leaves out uncertain sites, and reports each with its position and cause: a reason or type
// that is only known at run time, an object that is nil. Texts keep their literal parts; arguments
// become params, named after their expressions.
package propose

import (
	"cmp"
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// Options say where the catalog will be.
type Options struct {
	// Package is the name of the package to generate.
	Package string
	// Output is the file to generate, relative to the catalog's folder; empty for the default.
	Output string
	// ImportPath is the import path of the generated package. The packages that record will import
	// it, so it can't import them.
	ImportPath string
	// Dir is the folder to which file names are relative.
	Dir string
	// Plain are the events, by name, whose arguments become one text; Without are the events to
	// leave out, with the cause.
	Plain   map[string]bool
	Without map[string]string
	// Ignored are the rules that the recorded texts break, by event.
	Ignored map[string][]any
	// Untyped are the objects, by alias, that become objects of any kind.
	Untyped map[string]bool
	// Document gives every event a doc to be filled in.
	Document bool
}

// Catalog is a proposal.
type Catalog struct {
	opts       Options
	controller string
	others     []string // further names that recorders are made with
	imports    map[string]string
	objects    map[string]*object
	byType     map[string]string // aliases of objects, by import path and name
	regarding  string
	Events     []*Event
	// Left are the sites that are not in the catalog, with the cause.
	Left []Left
	// Sites counts the sites in the catalog.
	Sites int

	lines map[int]Owner
}

// Left is a site that is not in the catalog.
type Left struct {
	Pos token.Position
	Why string
}

// Event is an entry.
type Event struct {
	Name, Reason, Action, Type string
	Regarding                  []string
	Related                    string
	Message                    string
	Params                     []*Param
	Select                     string
	Variants                   []variant
	// Sites are the places that record the event.
	Sites []*scan.Site

	key string
}

type variant struct{ value, reason, kind string }

// Param is a param of an event.
type Param struct {
	Name, Type string
	Quote      bool
	Precision  int // -1: none
	MaxBytes   int // 0: none of its own
}

// From proposes a catalog.
func From(r *scan.Result, o Options) *Catalog {
	c := &Catalog{opts: o, imports: map[string]string{}, objects: map[string]*object{}, byType: map[string]string{}}
	c.controller, c.others = controllerOf(r)
	f := &finder{Catalog: c, result: r, recording: recordingPackages(r)}
	for _, s := range r.Sites {
		f.add(s)
	}
	c.settle()
	c.merge()
	c.apart()
	c.name()
	c.bound()
	c.without()
	c.defaults()
	return c
}

// controllerOf returns the name with which the program makes all recorders, if there is one.
func controllerOf(r *scan.Result) (name string, others []string) {
	for _, c := range r.Controllers {
		others = union(others, c.Name)
	}
	if len(others) == 1 {
		return others[0], nil
	}
	return "", others
}

func recordingPackages(r *scan.Result) map[string]bool {
	out := map[string]bool{}
	for _, s := range r.Sites {
		out[s.Package.Path] = true
	}
	return out
}

func (c *Catalog) left(s *scan.Site, format string, args ...any) {
	c.Left = append(c.Left, Left{s.Pos, fmt.Sprintf(format, args...)})
}

// settle splits an event with variants if one of its variants is an event of its own too, or a
// variant of another event: no two entries may store the same event.
func (c *Catalog) settle() {
	owner := map[string]string{}
	for _, e := range c.Events {
		if e.Select == "" {
			owner[e.key] = e.key
		}
	}
	var out []*Event
	for _, e := range c.Events {
		if e.Select == "" {
			out = append(out, e)
			continue
		}
		split := e.split()
		clash := slices.ContainsFunc(split, func(v *Event) bool { return owner[v.key] != "" && owner[v.key] != e.key })
		for _, v := range split {
			owner[v.key] = e.key
			if clash {
				owner[v.key] = v.key
			}
		}
		if !clash {
			split = []*Event{e}
		}
		out = append(out, split...)
	}
	c.Events = out
}

// split returns the variants of an event as events.
func (e *Event) split() []*Event {
	var out []*Event
	for _, v := range e.Variants {
		one := &Event{
			Reason: v.reason, Type: v.kind, Action: e.Action, Regarding: e.Regarding, Related: e.Related, Message: e.Message, Sites: e.Sites,
		}
		for _, p := range e.Params {
			if p.Name != e.Select {
				copied := *p
				one.Params = append(one.Params, &copied)
			}
		}
		one.identify()
		out = append(out, one)
	}
	return out
}

// identify gives an event its key: the fields that it stores.
func (e *Event) identify() {
	e.key = strings.Join([]string{e.Reason, e.Type, e.Action, e.Related, e.shape()}, "\x00")
}

// merge joins events that differ only in their object. It ignores the action of an event whose
// calls are all of the record API, which stores none.
func (c *Catalog) merge() {
	c.lendActions()
	first := map[string]*Event{}
	var out []*Event
	for _, e := range c.Events {
		known := first[e.key]
		if known == nil {
			first[e.key] = e
			out = append(out, e)
			continue
		}
		known.Sites = append(known.Sites, e.Sites...)
		known.Regarding = union(known.Regarding, e.Regarding...)
		for i, p := range known.Params {
			if p.Type != e.Params[i].Type {
				p.Type = "string"
			}
		}
	}
	for _, e := range out {
		if slices.Contains(e.Regarding, anyObject) {
			e.Regarding = []string{anyObject}
		}
		slices.Sort(e.Regarding)
	}
	c.Events = out
}

// lendActions gives an event of the record API an action: the action of the one event of the events
// API that is otherwise the same.
func (c *Catalog) lendActions() {
	actions := map[string][]string{}
	for _, e := range c.Events {
		if !e.recordOnly() && e.Select == "" {
			actions[e.bare()] = union(actions[e.bare()], e.Action)
		}
	}
	for _, e := range c.Events {
		if known := actions[e.bare()]; e.recordOnly() && e.Select == "" && len(known) == 1 {
			e.Action = known[0]
			e.identify()
		}
	}
}

// recordOnly reports whether all calls of an event are of the record API.
func (e *Event) recordOnly() bool {
	return !slices.ContainsFunc(e.Sites, func(s *scan.Site) bool { return s.Shape.API != scan.Record })
}

// bare is the key of an event without its action.
func (e *Event) bare() string {
	return strings.Join([]string{e.Reason, e.Type, e.Related, e.shape()}, "\x00")
}

// name gives every event a method name of its own: its reason, and words that tell events with one
// reason apart.
func (c *Catalog) name() {
	taken := map[string]bool{}
	first := map[string]*Event{}
	short := c.shortNames()
	for _, e := range c.Events {
		base := identifier(cmp.Or(e.Name, e.Reason))
		if short[e] != "" {
			base = short[e]
		}
		e.Name = e.unique(base, e.hints(first[base]), taken)
		if first[base] == nil {
			first[base] = e
		}
	}
}

// shortNames returns names without the object, because the method has the object as its first
// parameter: PodEvicted about a Pod becomes Evicted. It leaves out a name that another reason or
// object would give, too.
func (c *Catalog) shortNames() map[*Event]string {
	short, uses := map[*Event]string{}, map[string]int{}
	for _, e := range c.Events {
		name := identifier(cmp.Or(e.Name, e.Reason))
		uses[name]++
		if len(e.Regarding) != 1 || e.Select != "" {
			continue
		}
		rest := strings.TrimPrefix(name, e.Regarding[0])
		if rest != name && len(rest) >= leastShort && unicode.IsUpper(rune(rest[0])) {
			short[e] = rest
			uses[rest]++
		}
	}
	maps.DeleteFunc(short, func(_ *Event, name string) bool { return uses[name] > 1 })
	return short
}

// leastShort is the length of the shortest name that leaves out the object.
const leastShort = 4

// hints are words that can tell an event from the first one of its reason.
func (e *Event) hints(first *Event) []string {
	words := []string{wordsOf(e.Message, identifier(cmp.Or(e.Name, e.Reason)))}
	for _, p := range e.Params {
		words = append(words, "With"+capital(p.Name))
	}
	if first == nil {
		return words
	}
	var hints []string
	if e.Type != first.Type {
		hints = append(hints, e.Type)
	}
	if len(e.Regarding) == 1 && !slices.Equal(e.Regarding, first.Regarding) && !strings.Contains(e.Reason, e.Regarding[0]) {
		hints = append(hints, "On"+e.Regarding[0])
	}
	return append(hints, words...)
}

// methods are the methods that every generated recorder has.
var methods = []string{"At", "Emit", "WithAnnotations", "WithContext", "WithLabels", "Specs", "Recorder"}

// unique returns a name whose methods are all free. An event about several kinds has a method for
// each.
func (e *Event) unique(base string, hints []string, taken map[string]bool) string {
	if slices.Contains(methods, base) || strings.HasPrefix(base, "New") || strings.HasPrefix(base, "Reason") {
		base = "Event" + base
	}
	if e.take(base, taken) {
		return base
	}
	for _, h := range hints {
		if h != "" && countWords(h) <= mostWords && !strings.HasSuffix(base, h) && e.take(base+h, taken) {
			return base + h
		}
	}
	for i := 2; ; i++ {
		if name := fmt.Sprintf("%s%d", base, i); e.take(name, taken) {
			return name
		}
	}
}

// take reserves the methods of a name, if all are free.
func (e *Event) take(name string, taken map[string]bool) bool {
	names := []string{strings.ToLower(name)}
	if len(e.Regarding) > 1 {
		for _, alias := range e.Regarding {
			names = append(names, strings.ToLower(name+"On"+alias))
		}
	}
	if slices.ContainsFunc(names, func(n string) bool { return taken[n] }) {
		return false
	}
	for _, n := range names {
		taken[n] = true
	}
	return true
}

// without drops events that were found to be impossible.
func (c *Catalog) without() {
	c.Events = slices.DeleteFunc(c.Events, func(e *Event) bool {
		why, drop := c.opts.Without[e.Name]
		if drop {
			c.leftAll(e.Sites, "%s", why)
		}
		return drop
	})
	seen := map[token.Position]bool{}
	for _, e := range c.Events {
		for _, s := range e.Sites {
			seen[s.Pos] = true
		}
	}
	c.Sites = len(seen)
	slices.SortStableFunc(c.Left, func(a, b Left) int {
		return cmp.Or(cmp.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Why, b.Why))
	})
	c.Left = slices.Compact(c.Left)
}

// defaults chooses the object that most events are about as the default, and drops objects without
// events.
func (c *Catalog) defaults() {
	uses := map[string]int{}
	for _, e := range c.Events {
		for _, alias := range append(slices.Clone(e.Regarding), e.Related) {
			uses[alias]++
		}
	}
	best := map[string]int{}
	for _, e := range c.Events {
		if len(e.Regarding) == 1 {
			best[e.Regarding[0]]++
		}
	}
	for alias, n := range best {
		if n > best[c.regarding] || n == best[c.regarding] && (c.regarding == "" || alias < c.regarding) {
			c.regarding = alias
		}
	}
	maps.DeleteFunc(c.objects, func(alias string, _ *object) bool { return uses[alias] == 0 })
	c.dropImports()
}

func (c *Catalog) dropImports() {
	used := map[string]bool{}
	mark := func(goType string) {
		if alias, _, ok := strings.Cut(goType, "."); ok {
			used[alias] = true
		}
	}
	for _, o := range c.objects {
		mark(o.goType)
	}
	for _, e := range c.Events {
		for _, p := range e.Params {
			mark(p.Type)
		}
	}
	maps.DeleteFunc(c.imports, func(alias, _ string) bool { return !used[alias] })
}
