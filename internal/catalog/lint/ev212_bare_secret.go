package lint

import (
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

var bareSecret = &Rule{
	ID:       diag.BareSecret,
	Name:     "bare-secret",
	Doc:      "A param with the name of a password, token or secret is stored in plain text, and everybody who may list events can read it.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			for _, param := range e.Params {
				declared := c.Declaration(param)
				if !p.wrong(declared) && isSecret(param.Name.Value) && holdsText(declared.Type.Value) && !declared.Sensitive.Set() {
					p.Reportf(c, e, param.Pos, "param %s is shown to everybody who may list events; give sensitive: true, or sensitive: false if it is no secret",
						param.Name.Value)
				}
			}
		}
	},
}

// secrets are names of params with a secret, in lower case.
var secrets = []string{"password", "passwd", "passphrase", "token", "secret", "credential", "credentials", "apikey", "privatekey"}

// isSecret reports whether the last one or two words of a name are a word for secrets. "dbPassword"
// is a secret; "secretName" is not.
func isSecret(name string) bool {
	words := spell.Words(name)
	last := ""
	for i := len(words) - 1; i >= max(0, len(words)-2); i-- {
		last = words[i] + last
		if slices.Contains(secrets, last) {
			return true
		}
	}
	return false
}

// holdsText reports whether values of a type can be secrets. Numbers and names of objects can't.
func holdsText(paramType string) bool {
	return slices.Contains([]string{"", "string", "strings", "error"}, paramType) || strings.Contains(paramType, ".")
}
