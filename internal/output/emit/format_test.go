package emit

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"os"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"
	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
)

// A file that is formatted in sections is what Go's formatter makes of the whole.
func TestSectionsAreFormatted(t *testing.T) {
	const path = "testdata/golden/features/catalog.yaml"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	catalogs, findings := catalog.Read(path, bytes.NewReader(text))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	events := catalogs[0].Events
	for len(catalogs[0].Events) < 3*perSection {
		for _, e := range events {
			e.Name = catalog.Scalar{Value: fmt.Sprintf("Event%d", len(catalogs[0].Events)), Pos: e.Pos}
			catalogs[0].Events = append(catalogs[0].Events, e)
		}
	}
	set, findings := model.Build(t.Context(), catalogs, model.Options{})
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	body, err := goBody(set.Packages[0])
	if err != nil {
		t.Fatal(err)
	}
	formatted, err := format.Source(body)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(body, formatted) {
		t.Errorf("gofmt would change it (-is +gofmt):\n%s", cmp.Diff(string(body), string(formatted)))
	}
}

// The line that the formatter rejects is shown, in whatever section it is.
func TestRejectedLineIsShown(t *testing.T) {
	good := func(f *file) { f.Var().Id("a").Op("=").Lit(1) }
	bad := func(f *file) { f.Var().Id("b").Op("=").Add(jen.Op(")")) }
	_, err := assemble(target{name: "a"}, []section{good, bad, good})
	if err == nil || !strings.HasSuffix(err.Error(), "\n\tvar b = )") {
		t.Errorf("the error is %v", err)
	}
	if errors.Unwrap(err) == nil {
		t.Error("the formatter's own error is lost")
	}
}

// A panic in a section, which runs in a goroutine of its own, does not end the process.
func TestPanicIsAnError(t *testing.T) {
	bad := func(*file) { panic("no such event") }
	_, err := assemble(target{name: "a"}, []section{bad})
	if err == nil || !strings.HasPrefix(err.Error(), "panic: no such event\n") || !strings.Contains(err.Error(), "TestPanicIsAnError") {
		t.Errorf("the error is %v", err)
	}
}
