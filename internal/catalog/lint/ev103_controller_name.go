package lint

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var controllerName = &Rule{
	ID:       diag.ControllerName,
	Name:     "controller-name",
	Doc:      "The API server rejects a reportingController that is not a qualified name.",
	Severity: diag.Error,
	Run: func(p *Pass) {
		for _, c := range p.Catalogs {
			p.checkController(c, nil, c.ReportingController)
		}
		for c, e := range p.Events() {
			p.checkController(c, e, e.ReportingController)
		}
	},
}

func (p *Pass) checkController(c *catalog.Catalog, e *catalog.Event, s catalog.Scalar) {
	if !s.Set() {
		return
	}
	if problems := validation.IsQualifiedName(s.Value); len(problems) > 0 {
		p.Reportf(c, e, s.Pos, "reportingController %q is no qualified name: %s", s.Value, strings.Join(problems, "; "))
	}
}
