package analyzer

import (
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// forwards is a fact about a package: its functions and structs that record the callers' arguments.
type forwards struct {
	Functions []forward
	Carriers  []carrier
	Formats   []formatter
	Recorders []scan.RecorderMethod
}

// formatter is a function that passes a format and its arguments on to a recorder. Format and Args
// are indexes of parameters.
type formatter struct {
	Key          string
	Format, Args int
	Shape        scan.Shape
	OnlyWithArgs bool
}

// AFact marks forwards as a fact of go/analysis.
func (*forwards) AFact() {}

func (f *forwards) String() string {
	var names []string
	for _, fn := range f.Functions {
		names = append(names, fn.Key)
	}
	for _, c := range f.Carriers {
		names = append(names, c.Owner)
	}
	for _, f := range f.Formats {
		names = append(names, f.Key)
	}
	for _, r := range f.Recorders {
		names = append(names, r.Key)
	}
	return "forwards events: " + strings.Join(names, ", ")
}

// forward is a function or method whose reason its callers give.
type forward struct {
	// Key identifies the function. Name and Parameters find calls through interfaces if Method is
	// true.
	Key, Name, Parameters string
	Method                bool
	API                   string
	// The parts of the recorded event, each from an argument or a constant.
	Type, Reason, Action, Message given
}

// given is the origin of a text.
type given struct {
	// Param is the index of a parameter, counted from 1; 0 for none.
	Param int
	// Computed: a function computes the text from the parameter.
	Computed bool
	// Text is constant text; Known is true if Text is the whole text.
	Text  string
	Known bool
}

// carrier is a struct whose field holds a reason.
type carrier struct {
	// Owner is the import path and name of the struct's type.
	Owner string
	API   string
	// The names of fields; empty if the text comes from elsewhere.
	Type, Reason, Action, Message string
}

// exportForwards exports the functions and structs of this package that carry reasons.
func (u *unit) exportForwards() {
	fact := forwards{Functions: u.own}
	for _, s := range u.sites {
		if s.Scope != scan.InWrapper {
			continue
		}
		if f, ok := forwardOf(s); ok {
			fact.add(f)
		}
		if c, ok := carrierOf(s); ok && u.declares(c) && !slices.Contains(fact.Carriers, c) {
			fact.Carriers = append(fact.Carriers, c)
		}
	}
	for _, f := range u.formatFunctions {
		fact.addFormatter(formatter{scan.ObjectName(f.Function), f.Format, f.Args, f.Shape, f.OnlyWithArgs})
	}
	if fact.Recorders = u.recorders; len(fact.Functions)+len(fact.Carriers)+len(fact.Formats)+len(fact.Recorders) > 0 {
		u.ExportPackageFact(&fact)
	}
}

// addFormatter adds a function once. One that formats in one of two places always formats.
func (f *forwards) addFormatter(fn formatter) {
	for i, o := range f.Formats {
		if o.Key == fn.Key {
			f.Formats[i].OnlyWithArgs = o.OnlyWithArgs && fn.OnlyWithArgs
			return
		}
	}
	f.Formats = append(f.Formats, fn)
}

// declares reports whether the struct is one of this package.
func (u *unit) declares(c carrier) bool { return strings.HasPrefix(c.Owner, u.Pkg.Path()+".") }

// add adds a function once.
func (f *forwards) add(fn forward) {
	if !slices.ContainsFunc(f.Functions, func(o forward) bool { return o.Key == fn.Key }) {
		f.Functions = append(f.Functions, fn)
	}
}

// forwardOf describes the function that contains a site, if the reason is a parameter or is
// computed from one.
func forwardOf(s *scan.Site) (forward, bool) {
	for _, t := range s.Reason.Alternatives {
		for _, p := range t.Parts {
			fn, index, _, ok := paramOf(p)
			if !ok || fn == nil || index < 0 {
				continue
			}
			if _, _, field := p.Field(); field {
				continue
			}
			return forward{
				Key: scan.ObjectName(fn), Name: fn.Name(), Parameters: scan.Parameters(fn), Method: fn.Signature().Recv() != nil, API: string(s.Shape.API),
				Type: givenBy(s.Type, fn), Reason: givenBy(s.Reason, fn), Action: givenBy(s.Action, fn), Message: givenBy(s.Message, fn),
			}, true
		}
	}
	return forward{}, false
}

// paramOf returns the parameter that a part is, or that a function computes it from.
func paramOf(p scan.Part) (fn *types.Func, index int, computed, ok bool) {
	if of, pure := p.Computed(); pure {
		p, computed = of, true
	}
	fn, index, ok = p.Param()
	return fn, index, computed, ok
}

// givenBy returns the origin of a value that is constant, is a parameter, or is computed from one.
func givenBy(v scan.Value, of *types.Func) given {
	if text, ok := v.Constant(); ok {
		return given{Text: text, Known: true}
	}
	if len(v.Alternatives) == 1 && len(v.Alternatives[0].Parts) == 1 {
		if fn, index, computed, ok := paramOf(v.Alternatives[0].Parts[0]); ok && fn == of && index >= 0 {
			return given{Param: index + 1, Computed: computed}
		}
	}
	return given{}
}

// carrierOf describes the struct that a site's reason comes from.
func carrierOf(s *scan.Site) (carrier, bool) {
	owner, reason := fieldOf(s.Reason, "")
	if owner == "" || strings.HasPrefix(owner, "struct{") {
		return carrier{}, false
	}
	c := carrier{Owner: owner, Reason: reason, API: string(s.Shape.API)}
	_, c.Type = fieldOf(s.Type, owner)
	_, c.Action = fieldOf(s.Action, owner)
	_, c.Message = fieldOf(s.Message, owner)
	return c, true
}

// fieldOf returns the field that a value comes from. If of is not empty, the field must belong to
// that struct.
func fieldOf(v scan.Value, of string) (owner, name string) {
	for _, t := range v.Alternatives {
		for _, p := range t.Parts {
			if o, n, ok := p.Field(); ok && (of == "" || o == of) {
				return o, n
			}
		}
	}
	return "", ""
}
