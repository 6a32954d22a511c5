package breaking

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/fields"

	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/model"
)

// addMatchers adds how the events of specs are found.
func addMatchers(side *diag.Side, specs []*model.Definition) {
	for _, s := range specs {
		side.FieldSelectors = addOnce(side.FieldSelectors, fieldSelector(s))
		side.PromQL = addOnce(side.PromQL, promQL(s))
	}
}

// fieldSelector is for kubectl get events --field-selector: labels that the API server selects events of the core group by
// (kubernetes pkg/apis/core/v1/conversion.go, AddFieldLabelConversionsForEvent). A selector has no "or", so of several
// kinds it names none.
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

// selected escapes a value that may contain a selector's separators.
func selected(field, value string) string { return field + "=" + fields.EscapeValue(value) }

// promQL is an alert expression over the counter and labels that event_exporter has for events. Its label source is of the
// older form of events alone, so it tells no controllers apart.
func promQL(s *model.Definition) string {
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

func label(name, operator, value string) string { return name + operator + strconv.Quote(value) }

// definitionKinds are the kinds that a definition is about; none if that is any.
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
