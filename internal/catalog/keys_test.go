package catalog

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const page = "../../docs/catalog.md"

var keyTable = regexp.MustCompile(`(?s)(<!-- keys of (\w+) -->\n).*?(\n<!-- end of keys -->)`)

// The tables of keys in docs/catalog.md are those of the tree; -update writes them.
func TestKeyTables(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]reflect.Type{"Spec": reflect.TypeFor[Spec](), "Event": reflect.TypeFor[Event](), "Correlation": reflect.TypeFor[Correlation]()}
	want := keyTable.ReplaceAllStringFunc(string(text), func(old string) string {
		found := keyTable.FindStringSubmatch(old)
		part := parts[found[2]]
		delete(parts, found[2])
		return found[1] + "| key | meaning |\n| --- | --- |" + strings.Join(rows(t, part, ""), "") + found[3]
	})
	if len(parts) > 0 {
		t.Errorf("docs/catalog.md lacks tables of %v", parts)
	}
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, string(text)); diff != "" && !*update {
		t.Errorf("run with -update (-want +got):\n%s", diff)
	}
}

// rows returns the table rows of a struct's keys. If the field of a mapping has no comment, the
// mapping's own keys take its place.
func rows(t *testing.T, part reflect.Type, prefix string) (list []string) {
	comments, err := docComments()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range shapeOf(part).fields {
		text := comments[part.Name()+"."+f.Name]
		switch {
		case text == "" && f.Type.Kind() == reflect.Struct && f.Type != scalarType:
			list = append(list, rows(t, f.Type, prefix+f.key+".")...)
			continue
		case text == "":
			t.Errorf("%s%s has no comment", prefix, f.key)
		case f.required:
			text += "; required"
		}
		list = append(list, "\n| `"+prefix+f.key+"` | "+text+" |")
	}
	return list
}
