package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// runBy names the test that runs a command which a page shows, or after a dash the reason why none
// does. Commands of event-gen that a script of cmd/event-gen runs as shown need no entry, nor do
// those that TestTutorial and TestTutorialsOperator run with their sections.
var runBy = map[string]string{
	"make demo":         "TestDemo",
	"make demo-cluster": "- it builds and starts servers, which takes minutes",
	"kubectl describe cronjob nightly --namespace demo-events":                                     "- make demo-cluster runs it",
	"make -C ../event-gen with-cluster CMD=bash":                                                   "TestMakeWithCluster",
	"kubectl get events -A":                                                                        "TestMakeWithCluster",
	`KUBEBUILDER_ASSETS="$(setup-envtest use -p path)" make -C ../event-gen with-cluster CMD=bash`: "- it needs setup-envtest; TestMakeWithCluster names such a folder",

	"go run github.com/event-gen/event-gen/cmd/event-gen@v0.1.0 generate": "TestTutorial",
	"go get -tool github.com/event-gen/event-gen/cmd/event-gen@v0.1.0":    "TestTutorial",
	"go tool event-gen generate":                                          "TestTutorial",

	"go get github.com/event-gen/event-gen/runtime/ctrlevents":           "- it needs a release, and all that controller-runtime requires",
	"go install github.com/event-gen/event-gen/cmd/event-gen-vet@latest": "- it needs a release; TestVetTool builds the same command",
	"go vet -vettool=$(which event-gen-vet) ./...":                       "TestVetTool",

	"kubectl get events --sort-by=.lastTimestamp -o custom-columns=REASON:.reason,COUNT:.count,LAST:.lastTimestamp,EVENT-TIME:.eventTime,SERIES:.series.count,OBSERVED:.series.lastObservedTime": "TestReadersAsDocumented",
	`kubectl events -o jsonpath='{range .items[*]}{.reason}{"\n"}{end}'`: "TestReadersAsDocumented",

	`deadcode -generated -filter=example.com/widget/internal/widgetevents ./... | sed -nE 's/.*func: (Recorder\.|New)//p' | sort | uniq -d`: "TestScripts",

	"kubectl get events -A -o json | event-gen explain --summary -": "TestSummaryOfACluster",

	"kubectl get events -A -l team=storage":                                                 "TestLabelsAsDocumented",
	"kubectl get events -A -l 'app.kubernetes.io/instance=shop,team in (storage, network)'": "TestLabelsAsDocumented",

	"kubectl get events --field-selector reason=Blocked": "TestLatestNoteAsDocumented",
	`kubectl get events --field-selector reason=Blocked -o custom-columns='LATEST:.metadata.annotations.event-gen\.github\.io/latest-note'`: "TestLatestNoteAsDocumented",
}

// Every command that a page shows is run by a test, or the table above says why not.
func TestCommandsAreRun(t *testing.T) {
	scripts := scriptedCommands(t)
	tests := testsOf(t, files(t))
	used := map[string]bool{}
	for _, page := range pages(t) {
		text := read(t, page)
		if page == "docs/tutorial.md" {
			for _, heading := range []string{"Before v0.1.0 is released", "In a module of your own", "An operator of controller-runtime"} {
				text = strings.Replace(text, section(t, text, heading), "", 1)
			}
		}
		for _, command := range shownCommands(text) {
			by, known := runBy[command]
			used[command] = true
			switch {
			case slices.Contains(scripts, command):
			case !known:
				t.Errorf("%s shows %q: no script of cmd/event-gen runs it as shown, and runBy names no test", page, command)
			case !strings.HasPrefix(by, "- ") && !slices.Contains(tests, by):
				t.Errorf("%q is run by %s, which is no test", command, by)
			}
		}
	}
	for command := range runBy {
		if !used[command] {
			t.Errorf("no page shows %q", command)
		}
	}
}

// shownCommands are the commands in the blocks sh and console of a page, without what follows a #.
func shownCommands(page string) (commands []string) {
	found, _ := blocks(page)
	for _, b := range found {
		for line := range strings.SplitSeq(strings.ReplaceAll(b.text, "\\\n", ""), "\n") {
			command, prompted := strings.CutPrefix(line, "$ ")
			if b.lang != "sh" && (b.lang != "console" || !prompted) {
				continue
			}
			command, _, _ = strings.Cut(command, " #")
			if command = strings.Join(strings.Fields(command), " "); command != "" {
				commands = append(commands, command)
			}
		}
	}
	return commands
}

// scriptedCommands are the commands of event-gen that the scripts of cmd/event-gen run.
func scriptedCommands(t *testing.T) []string {
	t.Helper()
	scripts, err := filepath.Glob(filepath.Join(root, "cmd", "event-gen", "testdata", "script", "*.txtar"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	var commands []string
	for _, file := range scripts {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		commands = append(commands, submatches(regexp.MustCompile(`(?m)^(?:exec|exits \d+) ((?:event-gen|gofmt|goimports|deadcode|go vet)\b.*)$`), string(data))...)
	}
	return commands
}
