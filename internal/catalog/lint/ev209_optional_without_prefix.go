package lint

import (
	"strings"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var optionalWithoutPrefix = &Rule{
	ID:       diag.OptionalWithoutPrefix,
	Name:     "optional-without-prefix",
	Doc:      "A message reads wrong if an optional value is absent, unless the words around it are its prefix.",
	Severity: diag.Error,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			for _, s := range segments(messages(e)) {
				if optional, prefix := optionOf(c, e, s.Placeholder); optional.True() && !prefix.Set() && !p.reported[report{diag.Syntax, optional.Pos}] {
					p.Reportf(c, e, s.Pos, "{%s} is optional and has no prefix; move the words to leave out with it into prefix", s.Placeholder)
				}
			}
		}
	},
}

// optionOf returns the keys optional and prefix for the value of a placeholder.
func optionOf(c *catalog.Catalog, e *catalog.Event, placeholder string) (optional, prefix catalog.Scalar) {
	if strings.HasPrefix(placeholder, "related.") && e.Related != nil {
		return e.Related.Optional, e.Related.Prefix
	}
	param, _ := paramOf(c, e, placeholder)
	return param.Optional, param.Prefix
}
