package model

import (
	"fmt"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
	"github.com/event-gen/event-gen/internal/plumbing/header"
)

// scope holds the identifiers of one Go package.
type scope struct {
	names map[string]declaration
	// next maps a name to the number that unique tries first.
	next map[string]int
}

type declaration struct {
	what string
	pos  diag.Pos
	// lost is the path of the declaring file, if event-gen seems to have generated it but its
	// header is gone.
	lost string
}

// String returns the declaration and its position: "event FailedCreate (catalog.yaml:12:5)".
func (d declaration) String() string {
	if d.pos.File == "" {
		return d.what
	}
	return fmt.Sprintf("%s (%s)", d.what, d.pos)
}

func newScope() *scope { return &scope{names: map[string]declaration{}, next: map[string]int{}} }

// declare declares a name. If the name is taken, it reports the other declaration.
func (s *scope) declare(findings *diag.Findings, name, what string, pos diag.Pos) bool {
	first, taken := s.names[name]
	if first.lost != "" {
		*findings = append(*findings, catalog.Unreadable(disk.Show(first.lost), header.ErrMissing)...)
		return false
	}
	if taken {
		findings.Errorf(pos, diag.GoName, "%s needs the Go name %s, which %s has already; choose another name", what, name, first)
		return false
	}
	s.names[name] = declaration{what: what, pos: pos}
	return true
}

// unique declares an unexported name, with a number after it if the name is taken.
func (s *scope) unique(name, what string, pos diag.Pos) string {
	free := name
	for i := max(s.next[name], 2); s.has(free); i++ {
		free = fmt.Sprintf("%s%d", name, i)
		s.next[name] = i + 1
	}
	s.names[free] = declaration{what: what, pos: pos}
	return free
}

func (s *scope) has(name string) bool {
	_, taken := s.names[name]
	return taken
}

// names assigns the identifiers of a generated package. It holds the declarations that several
// events share, by name.
type names struct {
	diag.Findings
	pkg       *Package
	scope     *scope // identifiers of the Go package
	recorder  *scope // methods of its recorder
	events    map[string]diag.Pos
	reasons   map[string]string // reason → constant
	enums     map[string]*Enum
	kindFuncs map[string]*KindFunc
}

// newNames applies spec.go, and declares the names that every generated file has.
func newNames(pkg *Package, s *scope) *names {
	n := &names{pkg: pkg, scope: s, recorder: newScope(), events: map[string]diag.Pos{}, reasons: map[string]string{},
		enums: map[string]*Enum{}, kindFuncs: map[string]*KindFunc{}}
	g := pkg.Catalog.Go
	pkg.Recorder = catalog.First(g.Recorder, catalog.Scalar{Value: defaultRecorder}).Value
	if !exported(pkg.Recorder) {
		n.Errorf(g.Recorder.Pos, diag.GoName, "the recorder needs an exported Go name, and %q is none", pkg.Recorder)
	}
	pkg.NewRecorder = recorderConstructor(pkg.Recorder)
	pkg.ArgsStruct = g.Args.Value == "struct"
	pkg.HasFake, pkg.RBAC = g.Fake.True(), g.RBAC.Value
	s.declare(&n.Findings, definitionsFunc, "the generated "+definitionsFunc, g.Package.Pos)
	at := catalog.First(g.Recorder, g.Package).Pos
	s.declare(&n.Findings, pkg.Recorder, "the recorder", at)
	s.declare(&n.Findings, pkg.NewRecorder, "the generated "+pkg.NewRecorder, at)
	for _, name := range recorderMethods {
		n.recorder.declare(&n.Findings, name, "every recorder", diag.Pos{})
	}
	return n
}

// method declares the names of a method and its constructor. It reports whether no other method has
// the name.
func (n *names) method(e *Event, m *Method) bool {
	m.Constructor = constructorName(m.Name)
	pos, what := namePos(e.Source), "event "+e.Name
	if !n.recorder.declare(&n.Findings, m.Name, what, pos) {
		return false
	}
	n.scope.declare(&n.Findings, m.Constructor, what, pos)
	return true
}

// event reports a name that another event has. The methods need not clash, if one of the events has
// a list of kinds. But events are looked up by name.
func (n *names) event(e *Event, distinct bool) {
	pos := namePos(e.Source)
	first, taken := n.events[e.Name]
	switch {
	case !taken:
		n.events[e.Name] = pos
	case distinct:
		n.Errorf(pos, diag.GoName, "the event at %s is called %s as well; choose another name", first, e.Name)
	}
}

// reason declares the constant of a reason, once for all events with that reason.
func (n *names) reason(s catalog.Scalar) string {
	reason := s.Value
	if name, known := n.reasons[reason]; known || reason == "" {
		return name
	}
	name := reasonConst(reason)
	if n.scope.declare(&n.Findings, name, "reason "+reason, s.Pos) {
		n.pkg.Reasons = append(n.pkg.Reasons, Constant{Name: name, Value: reason})
	}
	n.reasons[reason] = name
	return name
}

// kindFunc returns the function for a closed set of kinds. Events with the same set share it.
func (n *names) kindFunc(objects []*Object, pos diag.Pos) *KindFunc {
	name := kindFuncName(objects)
	if n.kindFuncs[name] == nil {
		n.kindFuncs[name] = &KindFunc{Name: n.scope.unique(name, "a set of kinds", pos), Objects: objects}
	}
	return n.kindFuncs[name]
}

// limit declares the variable of a limit at the first event that names the limit.
func (n *names) limit(l *Limit) {
	if l.Var == "" {
		name := l.Runtime.Name
		l.Var = n.scope.unique(name+"Limit", "limit "+name, l.Pos)
	}
}

// enum returns the generated type with a name. The first param of that type declares the type and
// its values.
func (n *names) enum(name string, p *Param, values []catalog.Scalar) *Enum {
	if known := n.enums[name]; known != nil {
		if !slices.EqualFunc(known.Values, values, func(c Constant, s catalog.Scalar) bool { return c.Value == s.Value }) {
			n.Errorf(values[0].Pos, diag.GoName, "enum %s has other values at %s; give it another goName, or both the same values",
				known.Type, known.Pos)
		}
		return known
	}
	enum := &Enum{Type: name, Pos: p.Pos, Param: p.Name}
	n.enums[name] = enum
	n.scope.declare(&n.Findings, name, "enum "+p.Name, p.Pos)
	enum.Parse = enumParser(name)
	n.scope.declare(&n.Findings, enum.Parse, "the function Parse of enum "+p.Name, p.Pos)
	for _, v := range values {
		n.enumValue(enum, v)
	}
	enum.TextsVar = n.scope.unique(textsVar(name), "enum "+p.Name, p.Pos)
	n.pkg.Enums = append(n.pkg.Enums, enum)
	return enum
}

func (n *names) enumValue(enum *Enum, v catalog.Scalar) {
	name := enumConst(enum.Type, v.Value)
	like := slices.IndexFunc(enum.Values, func(c Constant) bool { return c.Name == name && c.Value != v.Value })
	switch {
	case like >= 0:
		n.Errorf(v.Pos, diag.GoName, "value %q needs the Go name %s, which value %q has already; a Go name has the letters and digits of its value, so leave out or rename one of the two",
			v.Value, name, enum.Values[like].Value)
	case slices.ContainsFunc(enum.Values, func(c Constant) bool { return c.Value == v.Value }):
		n.Errorf(v.Pos, diag.GoName, "value %q is listed twice", v.Value)
	case name == enum.Type:
		n.Errorf(v.Pos, diag.GoName, "value %q has no letter or digit to make a Go name of", v.Value)
	case n.scope.declare(&n.Findings, name, "value "+v.Value+" of enum "+enum.Type, v.Pos):
		enum.Values = append(enum.Values, Constant{Name: name, Value: v.Value})
	}
}
