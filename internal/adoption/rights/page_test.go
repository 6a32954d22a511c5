package rights

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// Each bad manifest of a page has the finding that the page shows, and each good one has none.
func TestPages(t *testing.T) {
	manager := Program{Name: "cmd/manager", Needs: []Need{
		{Group: EventsGroup, Pos: diag.Pos{File: "cmd/manager/main.go", Line: 40, Column: 28}, What: "GetEventRecorder"},
	}}
	for _, rule := range []*callrules.Rule{callrules.MissingRight, callrules.SuperfluousRight, callrules.LocalRight} {
		page, ok := callrules.PageOf(rule.ID)
		if !ok {
			t.Fatalf("%s has no page", rule.ID)
		}
		for text, want := range map[string]string{page.Bad: page.Findings, page.Good: ""} {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("role.yaml", []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			set, problems := Read([]string{"role.yaml"}, nil)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			var got []string
			for _, f := range Judge(set, []Program{manager}, []Program{manager}, "") {
				got = append(got, strings.TrimPrefix(f.String(), "role.yaml:"))
			}
			if diff := cmp.Diff(want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("%s (-want +got):\n%s\n%s", rule.ID, diff, text)
			}
		}
	}
}
