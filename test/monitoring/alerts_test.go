package monitoring

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

const folder = "../../monitoring/"

// The rules are valid, and their unit tests pass.
func TestRules(t *testing.T) {
	for _, args := range [][]string{{"check", "rules", "--lint=all", "--lint-fatal", "rules.yaml"}, {"test", "rules", "rules_test.yaml"}} {
		cmd := exec.Command("go", append([]string{"tool", "-modfile=../test/monitoring/go.mod", "promtool"}, args...)...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-tags=remove_all_sd,noui")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %v: %v\n%s", args, err, out)
		}
	}
}

// group is a group of rules, as far as tests look at it.
type group struct {
	Name  string
	Rules []struct {
		Alert, Expr string
		Annotations struct {
			Runbook string `json:"runbook_url"`
		}
	}
}

func read(t *testing.T, file string, into any) string {
	t.Helper()
	text, err := os.ReadFile(folder + file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The PrometheusRule has the groups of the rules' file.
func TestPrometheusRule(t *testing.T) {
	var file struct{ Groups []any }
	var object struct {
		Kind string
		Spec struct{ Groups []any }
	}
	read(t, "rules.yaml", &file)
	read(t, "prometheusrule.yaml", &object)
	if diff := cmp.Diff(file.Groups, object.Spec.Groups); diff != "" || object.Kind != "PrometheusRule" || len(file.Groups) == 0 {
		t.Errorf("%s (-rules.yaml +prometheusrule.yaml):\n%s", object.Kind, diff)
	}
}

// Each alert has a runbook at a heading of operating.md, and a unit test in which it fires.
func TestRunbooks(t *testing.T) {
	operating, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	anchors := map[string]bool{}
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(string(operating), -1) {
		anchors[strings.ReplaceAll(strings.ToLower(strings.ReplaceAll(heading[1], ",", "")), " ", "-")] = true
	}
	var file struct{ Groups []group }
	read(t, "rules.yaml", &file)
	var tests struct {
		Tests []struct {
			Alerts []struct {
				Name  string `json:"alertname"`
				Fires []any  `json:"exp_alerts"`
			} `json:"alert_rule_test"`
		}
	}
	read(t, "rules_test.yaml", &tests)
	fires, silent := map[string]bool{}, map[string]bool{}
	for _, c := range tests.Tests {
		for _, a := range c.Alerts {
			fires[a.Name] = fires[a.Name] || len(a.Fires) > 0
			silent[a.Name] = silent[a.Name] || len(a.Fires) == 0
		}
	}
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			page, anchor, _ := strings.Cut(r.Annotations.Runbook, "#")
			if page != "https://github.com/event-gen/event-gen/blob/main/docs/operating.md" || !anchors[anchor] {
				t.Errorf("%s: there is no runbook %q", r.Alert, r.Annotations.Runbook)
			}
			if !fires[r.Alert] || !silent[r.Alert] {
				t.Errorf("%s: expected unit tests in which it fires (%t) and does not (%t)", r.Alert, fires[r.Alert], silent[r.Alert])
			}
		}
	}
}
