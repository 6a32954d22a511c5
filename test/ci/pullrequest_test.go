package ci

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pullRequests is a repository whose pull requests are played through, each from a shallow clone,
// as GitHub checks them out.
type pullRequests struct {
	t      *testing.T
	origin string
}

// newPullRequests is a module with a release, and nothing of event-gen.
func newPullRequests(t *testing.T) *pullRequests {
	t.Helper()
	origin := filepath.Join(t.TempDir(), "origin")
	write(t, filepath.Join(origin, "go.mod"), "module example.com/m\n\ngo 1.26\n")
	command(t, origin, "git init -q -b main && git add . && git commit -q -m one && git tag v1.0.0")
	return &pullRequests{t, origin}
}

// open makes a pull request of what a script does, runs the action on it, and merges it.
func (p *pullRequests) open(script string, with map[string]string) (out string, code int) {
	p.t.Helper()
	command(p.t, p.origin, "git checkout -q -b change main\n"+script+"\ngit add -A && git commit -q -m change")
	clone := filepath.Join(p.t.TempDir(), "clone")
	command(p.t, p.origin, "git clone -q --depth=1 --branch=change file://"+p.origin+" "+clone)
	out, code = perform(p.t, clone, with)
	command(p.t, p.origin, "git checkout -q main && git merge -q --ff-only change && git branch -q -d change")
	return out, code
}

func (p *pullRequests) green(name, script string, with map[string]string) {
	p.t.Helper()
	if out, code := p.open(script, with); code != 0 || strings.Contains(out, "::error") {
		p.t.Errorf("%s: exit code %d\n%s", name, code, out)
	}
}

func (p *pullRequests) red(name, script string, with map[string]string, wants ...string) {
	p.t.Helper()
	out, code := p.open(script, with)
	if code != 1 {
		p.t.Errorf("%s: exit code %d\n%s", name, code, out)
	}
	for _, want := range wants {
		if !strings.Contains(out, want) {
			p.t.Errorf("%s: %q is wanted in\n%s", name, want, out)
		}
	}
}

// The life of a module with event-gen: the pull request that adopts it, one that renames the
// catalog, one that breaks an event, one that says that it is meant, and the one after the next
// release, which takes that back.
func TestPullRequests(t *testing.T) {
	p := newPullRequests(t)
	with := map[string]string{"catalogs": "internal/events", "fail-on": "error", "against": "main"}
	p.green("adopts", "event-gen init internal/events && event-gen generate internal/events", with)

	p.green("adds a configuration", `printf '%s\n' 'apiVersion: event-gen.github.io/v1alpha1' 'kind: Configuration' 'catalogs: [internal/events]' >event-gen.yaml
printf '%s\n' 'apiVersion: event-gen.github.io/v1alpha1' 'kind: EventCatalog' 'spec:' '  go: {package: p}' '  objects: {Pod: v1}' \
  '  defaults: {regarding: Pod}' '  events:' '  - {reason: Started, message: "Started", doc: "It runs."}' >internal/events/more.yaml
event-gen generate`, map[string]string{"against": "main"})

	with = map[string]string{"against": "main"}
	p.green("renames a catalog", "git mv internal/events/more.yaml internal/events/other.yaml && event-gen generate", with)
	p.green("renames a catalog that is named", "git mv internal/events/other.yaml internal/events/third.yaml && event-gen generate",
		map[string]string{"against": "main", "catalogs": "internal/events/third.yaml"})

	const breaks = `sed -i.old 's/reason: Started/reason: Begun/' internal/events/third.yaml && rm internal/events/*.old && event-gen generate`
	p.red("breaks", breaks, with,
		"::error file=internal/events/third.yaml,line=8,col=14,title=BG01 method-removed::event Begun: its name was Started",
		"reason=Started,type=Normal", "reason=Begun,type=Normal")

	const meant = `sed -i.old 's/reason: Begun/reason: Launched/' internal/events/third.yaml && rm internal/events/*.old && event-gen generate
printf '%s\n' 'breaking:' '  acknowledged:' \
  '  - {rule: BG01, event: Begun, reason: "nobody calls it yet", since: v1.0.0}' \
  '  - {rule: BW01, event: Begun, reason: "nobody watches it yet", since: v1.0.0}' >>event-gen.yaml`
	p.green("acknowledges what it breaks", meant, with)
	p.green("comes after that", "touch unrelated", with)
	command(t, p.origin, "git tag v1.1.0")

	out, code := p.open("touch another && event-gen generate", with)
	if _, err := os.Stat(filepath.Join(p.origin, "event-gen.yaml")); err != nil || code != 0 {
		t.Errorf("after the release: exit code %d, %v\n%s", code, err, out)
	}
}
