package proof

import (
	"go/ast"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// Prove compares a raw call with an entry of a catalog that the model accepts. It is pure: equal
// input gives an equal verdict.
func Prove(s *RawCall, e *model.Event) Verdict {
	p := &prover{site: s, event: e}
	p.verdict.Event = e
	if p.method() && p.identity() && p.relatable() && p.text() && p.filled() && p.formatKnown() && p.ownRecorder() {
		p.action()
		p.empty()
		p.annotations()
		p.otherMethod()
		p.extraArguments()
		p.order()
	} else {
		p.verdict.Args, p.verdict.Related, p.verdict.Annotations = nil, Argument{}, nil
	}
	p.sortCauses()
	return p.verdict
}

// prover holds the findings about one call and one entry.
type prover struct {
	site    *RawCall
	event   *model.Event
	verdict Verdict
	// definitions has each definition that the site's identities select, without repetition. chosen
	// is the argument of the select param.
	definitions []*model.Definition
	chosen      Argument
}

// cause notes a cause, once for each param.
func (p *prover) cause(id ID, param, text string) {
	known := func(c Cause) bool { return c.ID == id && c.Param == param }
	if !slices.ContainsFunc(p.verdict.Causes, known) {
		p.verdict.Causes = append(p.verdict.Causes, Cause{ID: id, Param: param, Text: text})
	}
}

// fail notes a cause that rules out a typed call.
func (p *prover) fail(id ID, text string) bool {
	p.cause(id, "", text)
	return false
}

func (p *prover) sortCauses() {
	ids := slices.Concat(byDefault, onRequest, never)
	place := func(c Cause) int {
		param := slices.IndexFunc(p.event.Params, func(q *model.Param) bool { return q.Name == c.Param })
		return slices.Index(ids, c.ID)*1000 + param
	}
	slices.SortStableFunc(p.verdict.Causes, func(a, b Cause) int { return place(a) - place(b) })
}

// filled reports whether every param has an argument.
func (p *prover) filled() bool {
	for i, q := range p.event.Params {
		if p.verdict.Args[i].How == None {
			p.cause(Unfilled, q.Name, "The raw call has no argument for "+q.Name+".")
			return false
		}
	}
	return true
}

// otherMethod notes that the typed call uses another method of a recorder with a type of its own.
func (p *prover) otherMethod() {
	if p.site.OtherMethod && p.site.Method != "Eventf" {
		p.cause(OtherMethod, "", "The typed call goes through the recorder's Eventf and not through "+p.site.Method+"; the recorder's type is not one of client-go's.")
	}
}

// ownRecorder reports whether the effect of the recorder's own type depends on the text alone.
func (p *prover) ownRecorder() bool {
	why := p.site.OwnRecorder
	return why == "" || p.fail(OwnRecorder, why+".")
}

// annotations passes the raw call's annotations on. Annotations and labels that the entry adds are
// differences.
func (p *prover) annotations() {
	given := p.site.Annotations
	if id, ok := given.(*ast.Ident); ok && id.Name == "nil" {
		given = nil
	}
	p.verdict.Annotations = given
	for _, d := range p.definitions {
		for _, a := range d.Runtime.Annotations {
			p.cause(Annotations, "", "The entry sets the annotation "+a.Key+"; the raw call does not, as far as is known.")
		}
		for _, l := range d.Runtime.Labels {
			p.cause(Labels, "", "The entry sets the label "+l.Key+"; the raw call has no labels.")
		}
	}
}
