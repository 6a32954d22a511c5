package callrules

import (
	"regexp"
	"strings"
	"testing"
)

func TestRules(t *testing.T) {
	before := ""
	for _, r := range Rules() {
		if r.ID <= before {
			t.Errorf("%s stands after %s", r.ID, before)
		}
		if before = r.ID; !strings.HasSuffix(r.Doc, ".") || !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(r.Name) {
			t.Errorf("%s: name %q, doc %q", r.ID, r.Name, r.Doc)
		}
		if _, ok := PageOf(r.ID); !ok {
			t.Errorf("%s has no page", r.ID)
		}
	}
	if _, ok := PageOf("EV999"); ok || Of("EV101") != nil {
		t.Error("a page or a rule that there is not")
	}
}
