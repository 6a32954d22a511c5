package model

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// maxLabels bounds the labels of an event, constant and copied ones together.
const maxLabels = 8

// label is a label of an event, and its position.
type label struct {
	eventrt.AnnotationDefinition
	pos diag.Pos
}

// labels returns the event's labels for the run time, sorted by key: its own, and the defaults of
// other keys.
func (s *eventStep) labels() []eventrt.AnnotationDefinition {
	own := readLabels(&s.Findings, s.e.Source.Labels, s.e.Source.CopyLabels)
	all := own
	for _, l := range readLabels(&s.Findings, s.cat.Defaults.Labels, s.cat.Defaults.CopyLabels) {
		if !slices.ContainsFunc(own, func(o label) bool { return o.Key == l.Key }) {
			all = append(all, l)
		}
	}
	if len(all) > maxLabels {
		s.Errorf(all[0].pos, diag.Syntax, "labels and copyLabels: expected at most %d keys in all, those of the defaults included, found %d", maxLabels, len(all))
	}
	slices.SortFunc(all, func(a, b label) int { return cmp.Compare(a.Key, b.Key) })
	var out []eventrt.AnnotationDefinition
	for _, l := range all {
		out = append(out, l.AnnotationDefinition)
	}
	return out
}

// readLabels reads the labels of one mapping. What the API server would refuse is left out.
func readLabels(findings *diag.Findings, constants []catalog.Label, copied []catalog.Scalar) (list []label) {
	add := func(key catalog.Scalar, value []eventrt.Segment) {
		problems := validation.IsQualifiedName(key.Value)
		i := slices.IndexFunc(list, func(l label) bool { return l.Key == key.Value })
		switch {
		case len(problems) > 0:
			findings.Errorf(key.Pos, diag.Syntax, "%q is no key of a label: %s", key.Value, strings.Join(problems, "; "))
		case i >= 0:
			findings.Errorf(key.Pos, diag.Syntax, "the label %s is there already, at line %d; an event has one value of it: a constant of labels, or a copy", key.Value, list[i].pos.Line)
		default:
			list = append(list, label{eventrt.AnnotationDefinition{Key: key.Value, Value: value}, key.Pos})
		}
	}
	for i := range constants {
		l := &constants[i]
		if problems := validation.IsValidLabelValue(l.Value.Value); len(problems) > 0 {
			findings.Errorf(l.Value.Pos, diag.Syntax, "%q is no value of a label: %s", l.Value.Value, strings.Join(problems, "; "))
			continue
		}
		add(l.Key, []eventrt.Segment{{Text: l.Value.Value}})
	}
	for _, key := range copied {
		add(key, nil)
	}
	return list
}
