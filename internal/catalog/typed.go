package catalog

import (
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/event-gen/event-gen/internal/catalog/v1alpha1"
	"github.com/event-gen/event-gen/internal/diag"
)

// checkTyped decodes a document that has no findings once more, as Kubernetes' own tools would, into the typed form. So
// reader and typed form (and the schema made of it) can't drift apart, and no catalog means one thing here and another
// elsewhere.
func (d *document) checkTyped(pos diag.Pos) {
	if err := yaml.UnmarshalStrict(d.text, &v1alpha1.EventCatalog{}); err != nil {
		d.lost = true
		d.findings.Errorf(pos, diag.Syntax, "Kubernetes' YAML reader does not accept this catalog: %s",
			strings.Join(strings.Fields(err.Error()), " "))
	}
}
