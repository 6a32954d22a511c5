package breaking

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/fields"

	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// addMatchers adds the field selectors and PromQL queries that find the events of definitions.
func addMatchers(side *diag.Side, specs []*model.Definition) {
	for _, s := range specs {
		side.FieldSelectors = addOnce(side.FieldSelectors, fieldSelector(s))
		side.PromQL = addOnce(side.PromQL, exporterQuery(s))
		side.PromQL = addOnce(side.PromQL, recorderQuery(s))
	}
}

// fieldSelector returns a selector for kubectl get events --field-selector. It uses the labels that
// the API server accepts for events of the core group (kubernetes pkg/apis/core/v1/conversion.go,
// AddFieldLabelConversionsForEvent). A selector has no "or", so it leaves out the kind if there are
// several.
func fieldSelector(s *model.Definition) string {
	var parts []string
	if kinds := definitionKinds(s); len(kinds) == 1 {
		parts = append(parts, selected("involvedObject.kind", kinds[0]))
	}
	parts = append(parts, selected("reason", s.Runtime.Reason), selected("type", s.Runtime.Type))
	if s.Runtime.ReportingController != "" {
		parts = append(parts, selected("reportingComponent", s.Runtime.ReportingController))
	}
	return strings.Join(parts, ",")
}

// selected returns one term of a selector. It escapes separators in the value.
func selected(field, value string) string { return field + "=" + fields.EscapeValue(value) }

// exporterQuery returns an alert expression over event_exporter's counter of events. It names no
// controller, because the exporter has the label source only for older events.
func exporterQuery(s *model.Definition) string {
	var parts []string
	switch kinds := definitionKinds(s); {
	case len(kinds) == 1:
		parts = append(parts, label("involved_object_kind", "=", kinds[0]))
	case len(kinds) > 1:
		parts = append(parts, label("involved_object_kind", "=~", strings.Join(kinds, "|")))
	}
	parts = append(parts, label("reason", "=", s.Runtime.Reason), label("type", "=", s.Runtime.Type))
	return "increase(kube_event_unique_events_total{" + strings.Join(parts, ",") + "}[5m]) > 0"
}

// recorderQuery returns an alert expression over the recorder's own counter of occurrences
// (runtime/metrics), which has no kinds. Its label controller is empty if the program sets the
// controller.
func recorderQuery(s *model.Definition) string {
	parts := []string{label("reason", "=", s.Runtime.Reason), label("type", "=", s.Runtime.Type)}
	if s.Runtime.ReportingController != "" {
		parts = append(parts, label("controller", "=", s.Runtime.ReportingController))
	}
	return "increase(event_gen_events_accepted_total{" + strings.Join(parts, ",") + "}[5m]) > 0"
}

func label(name, operator, value string) string { return name + operator + strconv.Quote(value) }

// definitionKinds returns the kinds of a definition's regarding object; nil if it can have any
// kind.
func definitionKinds(s *model.Definition) []string {
	var kinds []string
	for _, k := range s.Runtime.AnyOf {
		kinds = append(kinds, k.Kind)
	}
	if s.Runtime.Regarding.Kind != "" {
		kinds = append(kinds, s.Runtime.Regarding.Kind)
	}
	return kinds
}
