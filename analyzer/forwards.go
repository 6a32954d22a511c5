package analyzer

import (
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// forwards is a fact about a package: its functions and structs that record what callers pass.
type forwards struct {
	Functions []forward
	Carriers  []carrier
}

// AFact marks a fact.
func (*forwards) AFact() {}

func (f *forwards) String() string {
	var names []string
	for _, fn := range f.Functions {
		names = append(names, fn.Key)
	}
	for _, c := range f.Carriers {
		names = append(names, c.Owner)
	}
	return "forwards events: " + strings.Join(names, ", ")
}

// forward is a function or method whose reason its callers give.
type forward struct {
	// Key identifies the function. Name and Parameters find calls through interfaces if Method is true.
	Key, Name, Parameters string
	Method                bool
	API                   string
	// What is recorded, each from an argument or constant.
	Type, Reason, Action, Message given
}

// given is the origin of a text.
type given struct {
	// Param is the index of a parameter, counted from 1; 0: none.
	Param int
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
		if s.Scope != scan.Forwarder {
			continue
		}
		if f, ok := forwardOf(s); ok {
			fact.add(f)
		}
		if c, ok := carrierOf(s); ok && strings.HasPrefix(c.Owner, u.Pkg.Path()+".") && !slices.Contains(fact.Carriers, c) {
			fact.Carriers = append(fact.Carriers, c)
		}
	}
	if len(fact.Functions)+len(fact.Carriers) > 0 {
		u.ExportPackageFact(&fact)
	}
}

// add adds a function once.
func (f *forwards) add(fn forward) {
	if !slices.ContainsFunc(f.Functions, func(o forward) bool { return o.Key == fn.Key }) {
		f.Functions = append(f.Functions, fn)
	}
}

// forwardOf describes the function that contains a site, if its reason is a parameter.
func forwardOf(s *scan.Site) (forward, bool) {
	for _, t := range s.Reason.Alternatives {
		for _, p := range t.Parts {
			fn, index, ok := p.Param()
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

// givenBy returns the origin of a value if the value is constant or one parameter.
func givenBy(v scan.Value, of *types.Func) given {
	if text, ok := v.Constant(); ok {
		return given{Text: text, Known: true}
	}
	if len(v.Alternatives) == 1 && len(v.Alternatives[0].Parts) == 1 {
		if fn, index, ok := v.Alternatives[0].Parts[0].Param(); ok && fn == of && index >= 0 {
			return given{Param: index + 1}
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

// fieldOf returns the field that a value comes from. If of is not empty, the field must belong to that struct.
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
