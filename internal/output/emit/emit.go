// Package emit writes a model as Go code: packages, their fakes, and roles. It depends on neither
// YAML nor lint rules. Hostile text in a model can't change the code.
package emit

import (
	"fmt"
	"io"

	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/header"
)

// Go writes the Go file of a package. Its bytes depend only on the model, not on machine, folder or
// date. If Go's formatter rejects the file, the error shows the rejected line.
func Go(w io.Writer, p *model.Package) error {
	body, err := goBody(p)
	if err != nil {
		return err
	}
	return writeGo(w, p.Source, body)
}

// writeGo writes a body below the header.
func writeGo(w io.Writer, source string, body []byte) error {
	_, err := fmt.Fprintf(w, "%s\n\n%s", header.Go(source), body)
	return err
}

// goBody returns the code below the header. Between two parts to which an event can add lines is
// always a part that every file has. Git can then merge an addition to the end of the first with an
// addition to the beginning of the second.
func goBody(p *model.Package) ([]byte, error) {
	t := target{name: p.Name, path: p.Path, imports: p.Imports, p: p}
	if !p.Documented {
		t.doc = packageDoc(p)
	}
	return t.source(func(f *file) {
		f.supports()
		f.common()
		f.recorder()
		for _, e := range p.Events {
			f.event(e)
		}
		f.definitionsFunc()
		for _, t := range p.Transitions {
			f.transitions(t)
		}
		for _, e := range p.Events {
			f.definitions(e)
		}
	})
}

func packageDoc(p *model.Package) []string {
	return sentences("Package %s has a typed method for each Kubernetes event of %s.", p.Name, reporter(p))
}

func reporter(p *model.Package) string {
	if p.Controller == "" {
		return "a controller that its host names"
	}
	return oneLine(p.Controller)
}
