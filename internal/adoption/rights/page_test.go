package rights

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// Each bad manifest of a page has the finding that the page shows, and each good one has none.
func TestPages(t *testing.T) {
	manager := Program{Name: "cmd/manager", Needs: []Need{
		{Group: EventsGroup, Pos: diag.Pos{File: "cmd/manager/main.go", Line: 40, Column: 28}, What: "GetEventRecorder"},
	}}
	falling := Program{Name: "cmd/manager", Needs: []Need{{Group: EventsGroup, Fallback: true, Pos: manager.Needs[0].Pos, What: "kube.Auto"}}}
	stopping := manager
	stopping.Stop = Stop{Takes: 40 * time.Second, What: "ctrlevents.NewManager", Pos: manager.Needs[0].Pos}
	for rule, program := range map[*callrules.Rule]Program{
		callrules.MissingRight: manager, callrules.SuperfluousRight: manager, callrules.LocalRight: manager, callrules.FallbackRight: falling, callrules.ShortGrace: stopping,
	} {
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
			for _, f := range Judge(set, []Program{program}, []Program{program}, "") {
				got = append(got, strings.TrimPrefix(f.String(), "role.yaml:"))
			}
			if diff := cmp.Diff(want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("%s (-want +got):\n%s\n%s", rule.ID, diff, text)
			}
		}
	}
}
