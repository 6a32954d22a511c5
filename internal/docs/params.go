package docs

import "github.com/event-gen/event-gen/internal/model"

// param is what stands for a placeholder of that name.
type param struct {
	Name     string
	Type     string   // as the catalog says it
	Values   []string // that it is known to have; of most types none
	Optional bool
	Redacted bool
}

// annotation is one that every event of an entry has.
type annotation struct {
	Key   string
	Value []piece
}

func params(e *model.Event) []param {
	var out []param
	for _, p := range e.Params {
		out = append(out, param{
			Name: p.Name, Type: p.Type, Values: p.Values(), Optional: p.Definition.Optional, Redacted: p.Definition.Sensitive,
		})
	}
	return out
}
