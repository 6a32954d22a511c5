package e2e

import (
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// blocked is the event that docs/catalog.md shows `note: latest` with.
var blocked = eventrt.Definition{
	Name: "Blocked", Reason: "Blocked", Action: "Blocked", Type: eventrt.Normal,
	Subject:     eventrt.Subject{ReportingController: "example.com/widget-controller", Regarding: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}},
	Params:      []eventrt.Param{{Name: "cause"}},
	Message:     []eventrt.Segment{{Text: "Cannot disrupt: ", Value: eventrt.ParamValue}},
	Correlation: eventrt.Correlation{Merged: 0b1, LatestNote: true},
}

// TestLatestNoteAsDocumented runs the commands of docs/catalog.md#note after two occurrences, and
// compares what kubectl prints with the page. Ages are left out.
func TestLatestNoteAsDocumented(t *testing.T) {
	c := startCluster(t)
	for _, command := range documentedCommands(t, "../../docs/catalog.md", "### note") {
		sink := kube.EventsV1(c.RESTConfig())
		if strings.Contains(command.line, "core/v1") {
			sink = kube.CoreV1(c.RESTConfig())
		}
		if _, err := c.Kubectl(t.Context(), "delete", "events", "--all"); err != nil {
			t.Fatal(err)
		}
		recordBlocked(t, sink)
		if got := aged(shell(t, c, command.line)); got != aged(command.output) {
			t.Errorf("$ %s\n%s\nthe page shows\n%s", command.line, got, aged(command.output))
		}
	}
}

// recordBlocked has one event written twice.
func recordBlocked(t *testing.T, target *kube.Sink) {
	t.Helper()
	b := newBroadcaster(t, target)
	recorder := eventrt.NewRecorder(b)
	node := eventrt.ObjectOf(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1", UID: "u-1"}})
	written := make(chan time.Duration, 2)
	b.AttachObserver(broadcaster.Observer{Written: func(_ *sink.Write, _ sink.Answer, took time.Duration) { written <- took }})
	for _, cause := range []string{"pod web-0 is too new", "pod web-1 is too new"} {
		recorder.EmitNew(&blocked, node, eventrt.ObjectRef{}, eventrt.Error(errors.New(cause)))
		<-written // the second a second later
	}
	shutdown(t, b)
	checkAllWritten(t, b.Stats())
}

// documented is a command of a page, and what the page says that it prints.
type documented struct{ line, output string }

// documentedCommands are those of the console blocks of a section.
func documentedCommands(t *testing.T, page, heading string) (commands []documented) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n"+heading+"\n")
	nextOfLevel := "\n" + heading[:strings.Index(heading, " ")+1]
	section, _, _ = strings.Cut(section, nextOfLevel)
	for _, block := range strings.Split(section, "```console\n")[1:] {
		block, _, _ = strings.Cut(block, "\n```")
		for _, part := range strings.Split("\n"+strings.ReplaceAll(block, "\\\n", ""), "\n$ ")[1:] {
			line, output, _ := strings.Cut(part, "\n")
			commands = append(commands, documented{line, output})
		}
	}
	if len(commands) == 0 {
		t.Fatalf("%s shows no commands below %s", page, heading)
	}
	return commands
}

// shell runs a command line that begins with kubectl.
func shell(t *testing.T, c *cluster.Cluster, line string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
	cmd.Env = append(os.Environ(), "PATH="+c.KubectlDir()+":"+os.Getenv("PATH"), "KUBECONFIG="+c.Kubeconfig(), "KUBECACHEDIR="+t.TempDir(), "KUBERC=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}

var age = regexp.MustCompile(`(?m)^(\d+[smh]+)+ +`)

// aged is a table without the ages of its events, and with two spaces between columns.
func aged(table string) string {
	table = age.ReplaceAllString(strings.TrimSpace(table), "AGE  ")
	return regexp.MustCompile(` {2,}|\s+\n`).ReplaceAllStringFunc(table, func(gap string) string {
		if strings.HasSuffix(gap, "\n") {
			return "\n"
		}
		return "  "
	})
}
