package lint

import (
	"fmt"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// fewAlike is the number of neighbouring params of one type that people can still tell apart.
const fewAlike = 2

var alikeNeighbours = &Rule{
	ID:       diag.AlikeNeighbours,
	Name:     "alike-neighbours",
	Doc:      "Three or more neighbouring params of one Go type are easily swapped by a caller, and no compiler notices.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		if p.Set == nil {
			return
		}
		for _, pkg := range p.Set.Packages {
			for _, e := range pkg.Events {
				if e.ArgsType == "" && !e.Unresolved() {
					p.checkNeighbours(pkg, e)
				}
			}
		}
	},
}

func (p *Pass) checkNeighbours(pkg *model.Package, e *model.Event) {
	for start := 0; start < len(e.Params); {
		end := start + 1
		for end < len(e.Params) && e.Params[end].GoType == e.Params[start].GoType {
			end++
		}
		if run := e.Params[start:end]; len(run) > fewAlike {
			p.Reportf(pkg.Catalog, e.Source, run[0].Pos, "the neighbours %s are all %s and easily swapped; use a related object, distinct types or go.args: struct",
				names(run), goTypeName(run[0].GoType))
		}
		start = end
	}
}

func names(params []*model.Param) string {
	list := make([]string, len(params))
	for i, p := range params {
		list[i] = p.Name
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

func goTypeName(t model.GoType) string {
	name := t.Instance()
	if i := strings.LastIndex(t.Path, "/"); t.Path != "" {
		name = fmt.Sprintf("%s.%s", t.Path[i+1:], t.Instance())
	}
	if t.Slice {
		name = "[]" + name
	}
	return name
}
