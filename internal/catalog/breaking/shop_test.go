package breaking

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestNoChangeOfTheShopIsSilent makes the changes in testdata/shop, which were written without
// knowledge of the table. Each is reported, unless its name begins with "harmless".
func TestNoChangeOfTheShopIsSilent(t *testing.T) {
	base, err := os.ReadFile("testdata/shop/catalog.yaml")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("testdata/shop/changes.json")
	if err != nil {
		t.Fatal(err)
	}
	var changes []struct {
		Change string
		Edits  []struct{ Old, New string } // Old is in the catalog once
	}
	if err := json.Unmarshal(data, &changes); err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		t.Run(c.Change, func(t *testing.T) {
			text := string(base)
			for _, e := range c.Edits {
				if strings.Count(text, e.Old) != 1 {
					t.Fatalf("%q is in the catalog %d times", e.Old, strings.Count(text, e.Old))
				}
				text = strings.Replace(text, e.Old, e.New, 1)
			}
			archive := &txtar.Archive{Files: []txtar.File{{Name: "before/catalog.yaml", Data: base}, {Name: "after/catalog.yaml", Data: []byte(text)}}}
			found := Compare(Baseline{Set: state(t, archive, "before/")}, state(t, archive, "after/"), Options{})
			if harmless := strings.HasPrefix(c.Change, "harmless"); harmless != (len(found) == 0) {
				t.Errorf("%d findings: %v", len(found), found)
			}
		})
	}
}
