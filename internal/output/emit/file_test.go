package emit

import (
	"errors"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"
)

// The error shows the line that the formatter rejects.
func TestRejectedLineIsShown(t *testing.T) {
	_, err := target{name: "a"}.source(func(f *file) {
		f.Var().Id("a").Op("=").Lit(1)
		f.Var().Id("b").Op("=").Add(jen.Op(")"))
	})
	if err == nil || !strings.HasSuffix(err.Error(), "\n\tvar b = )") {
		t.Errorf("the error is %v", err)
	}
	if errors.Unwrap(err) == nil {
		t.Error("the formatter's own error is lost")
	}
}

// gofmt moves the definition of a link in a list to the end. A second gofmt changes nothing.
func TestALinkAsAnItem(t *testing.T) {
	d := &doc{}
	d.add("Text:\n- [x]: https://example.com\n\nDeprecated: It is.")
	once, err := target{name: "a"}.source(func(f *file) { f.declare(d.lines(), jen.Var().Id("X").Int()) })
	if err != nil {
		t.Fatal(err)
	}
	if twice, err := formatted("a", once); err != nil || string(twice) != string(once) {
		t.Errorf("gofmt would change\n%s\nto\n%s(%v)", once, twice, err)
	}
}
