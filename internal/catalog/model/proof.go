package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// minRest is the number of bytes that a message must leave for the param without a bound.
const minRest = 16

// The byte proof: literal bytes + Σ max(param) + the aggregate prefix ≤ 1024.
type proof struct {
	literal int
	objects int
	params  []int // the bytes of each param in all its places, with prefixes
	places  []int // the number of each param's places in the message
	rest    int   // the param without a bound; -1 if there is none
}

// prove sets the bound of every param of a definition, computes the bound of the message, and
// reports a message that does not fit.
func prove(e *Event, s *Definition, m *catalog.Message) (findings diag.Findings) {
	p := measure(&findings, e, s, m)
	room := maxMessage - p.total()
	if p.rest >= 0 {
		prefix := len(e.Params[p.rest].Definition.Prefix)
		bound := room/p.places[p.rest] - prefix
		if bound < minRest {
			findings.Errorf(m.Pos, diag.MessageTooLong, "the message leaves %d bytes for %s, which has no bound, of %d; at least %d are needed: %s",
				max(bound, 0), e.Params[p.rest].Name, maxMessage, minRest, p.advice(e))
			return findings
		}
		s.Runtime.Params[p.rest].MaxBytes = bound
		p.params[p.rest] = p.places[p.rest] * (bound + prefix)
	}
	s.MaxBytes = p.total()
	if over := s.MaxBytes - maxMessage; over > 0 {
		findings.Errorf(m.Pos, diag.MessageTooLong, "the message can take %d bytes, %d more than the %d that an event holds (%d, less %d for the prefix of aggregates): %s",
			s.MaxBytes, over, maxMessage, eventrt.MaxNoteBytes, len(eventrt.AggregatePrefix), p.advice(e))
	}
	return findings
}

func (p *proof) total() int {
	sum := p.literal + p.objects
	for _, n := range p.params {
		sum += n
	}
	return sum
}

func measure(findings *diag.Findings, e *Event, s *Definition, m *catalog.Message) *proof {
	p := &proof{params: make([]int, len(e.Params)), places: make([]int, len(e.Params)), rest: -1}
	related := false
	for _, seg := range s.Runtime.Message {
		p.literal += len(seg.Text)
		switch {
		case seg.Value == eventrt.NoValue:
		case seg.Value == eventrt.ParamValue:
			p.places[seg.Param]++
			p.param(findings, e, seg.Param, m)
		default:
			related = related || seg.Value >= eventrt.RelatedName
			p.objects += ObjectBytes(seg.Value, s)
		}
	}
	if related {
		p.objects += len(s.Runtime.RelatedPrefix)
	}
	return p
}

func (p *proof) param(findings *diag.Findings, e *Event, i int, m *catalog.Message) {
	switch {
	case e.Params[i].MaxBytes > 0:
		p.params[i] += e.Params[i].MaxBytes + len(e.Params[i].Definition.Prefix)
	case p.rest < 0 || p.rest == i:
		p.rest = i
	case p.places[i] == 1:
		findings.Errorf(placeOf(e, m, i), diag.SecondUnbounded, "%s and %s have no bound, and only one param of a message may have none; give one of them maxBytes",
			e.Params[p.rest].Name, e.Params[i].Name)
	}
}

// placeOf returns the position of a param in a message.
func placeOf(e *Event, m *catalog.Message, i int) diag.Pos {
	for _, s := range m.Segments {
		if s.Placeholder == e.Params[i].Name {
			return s.Pos
		}
	}
	return m.Pos
}

// ObjectBytes bounds the text of an object's placeholder.
func ObjectBytes(v eventrt.Value, s *Definition) int {
	switch v {
	case eventrt.RegardingKind:
		return kindBytes(s.Runtime.Regarding, s.Runtime.AnyOf)
	case eventrt.RelatedKind:
		return kindBytes(s.Runtime.Related, nil)
	}
	return Placeholders[v].bytes
}

// kindBytes returns the length of a known kind, of the longest kind of a set, or of the longest
// possible kind.
func kindBytes(k metav1.TypeMeta, anyOf []metav1.TypeMeta) int {
	longest := len(k.Kind)
	for _, k := range anyOf {
		longest = max(longest, len(k.Kind))
	}
	return cmp.Or(longest, maxKind)
}

// advice lists the parts of the message by size, and the params that can be bounded.
func (p *proof) advice(e *Event) string {
	type share struct {
		name  string
		bytes int
	}
	shares := []share{{"literal text", p.literal}, {"object placeholders", p.objects}}
	var bound []string
	for i, n := range p.params {
		shares = append(shares, share{e.Params[i].Name, n})
		if n > 0 && e.Params[i].boundable && !e.Params[i].Definition.Sensitive {
			bound = append(bound, e.Params[i].Name)
		}
	}
	slices.SortStableFunc(shares, func(a, b share) int { return b.bytes - a.bytes })
	var parts []string
	for _, s := range shares {
		if s.bytes > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", s.name, s.bytes))
		}
	}
	text := strings.Join(parts, ", ")
	if len(bound) > 0 {
		return text + "; give a lower maxBytes to " + spell.Alternatives(bound)
	}
	return text + "; shorten the message"
}
