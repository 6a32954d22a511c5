// Package emit writes a model as Go code: packages, their fakes, and roles. It knows neither YAML nor lint rules, and hostile text in a
// model does no harm.
package emit

import (
	"fmt"
	"io"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/header"
)

// Go writes the Go file of a package. Its bytes depend on the model only, not on machine, folder or date. An error
// without a cause in w shows the line of the file that Go's formatter rejects.
func Go(w io.Writer, p *model.Package) error {
	body, err := goBody(p)
	if err != nil {
		return err
	}
	return writeGo(w, p.Source, body)
}

// writeGo writes a body below the header.
func writeGo(w io.Writer, source string, body []byte) error {
	_, err := fmt.Fprintf(w, "%s\n\n%s", header.Go(oneLine(source)), body)
	return err
}

func goBody(p *model.Package) ([]byte, error) {
	t := target{name: p.Name, path: p.Path, imports: p.Imports, p: p}
	if !p.Documented {
		t.doc = packageDoc(p)
	}
	return t.body(sections(p))
}

func (t target) body(sections []section) ([]byte, error) {
	body, err := assemble(t, sections)
	if err != nil {
		return nil, fmt.Errorf("package %s: no valid Go could be made of it: %w", t.name, err)
	}
	return body, nil
}

// perSection is the number of events in a section: enough work for a goroutine of its own.
const perSection = 32

// sections returns the declarations of the file in order. Between two sections to which an event can add lines stands one that is in every
// file, so that git merges an addition to the end of one and an addition to the beginning of the next.
func sections(p *model.Package) []section {
	list := []section{(*file).supports, (*file).common, (*file).recorder}
	for events := range slices.Chunk(p.Events, perSection) {
		list = append(list, func(f *file) {
			for _, e := range events {
				f.event(e)
			}
		})
	}
	list = append(list, (*file).definitionsFunc)
	for events := range slices.Chunk(p.Events, perSection) {
		list = append(list, func(f *file) { f.definitions(events) })
	}
	return list
}

// rt refers to a name of the run time.
func rt(name string) *jen.Statement { return jen.Qual(model.RuntimePath, name) }

func packageDoc(p *model.Package) []string {
	return sentences("Package %s has a typed method for each Kubernetes event of %s.", p.Name, reporter(p))
}

func reporter(p *model.Package) string {
	if p.Controller == "" {
		return "a controller that its host names"
	}
	return oneLine(p.Controller)
}
