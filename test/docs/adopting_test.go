package docs

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fragment is a block of Go in a page: the body of a function with these parameters, and what it
// imports beyond what it says.
type fragment struct {
	params  string
	imports []string
}

// fragments are all blocks of Go in the pages that show how the run time is wired, in their order.
var fragments = map[string][]fragment{"docs/adopting.md": {
	{"r struct { Recorder events.EventRecorder; Legacy record.EventRecorder }, deployment *appsv1.Deployment, err error", []string{
		`"k8s.io/client-go/tools/events"`, `"k8s.io/client-go/tools/record"`, `appsv1 "k8s.io/api/apps/v1"`, `"example.com/widget/widgetevents"`}},
	{"ctx, ending context.Context, client kubernetes.Interface, scheme *runtime.Scheme, deployment *appsv1.Deployment, err error", []string{
		`"context"`, `"k8s.io/apimachinery/pkg/runtime"`, `appsv1 "k8s.io/api/apps/v1"`, `corev1 "k8s.io/api/core/v1"`, `"k8s.io/client-go/kubernetes"`,
		`typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"`, `"github.com/event-gen/event-gen/runtime/clientgo"`}},
	{"ctx context.Context, restConfig *rest.Config, mgr interface{ Start(context.Context) error }, reconciler *struct{ Events widgetevents.Recorder }", []string{
		`"context"`, `"errors"`, `"time"`, `"k8s.io/client-go/rest"`, `"example.com/widget/widgetevents"`,
		`eventrt "github.com/event-gen/event-gen/runtime"`, `"github.com/event-gen/event-gen/runtime/broadcaster"`, `"github.com/event-gen/event-gen/runtime/sink/kube"`}},
}, "docs/runtime.md": {
	{"ctx context.Context, restConfig *rest.Config, deployment *appsv1.Deployment", []string{
		`"context"`, `appsv1 "k8s.io/api/apps/v1"`, `"k8s.io/client-go/rest"`, `"example.com/widget/widgetevents"`,
		`eventrt "github.com/event-gen/event-gen/runtime"`, `"github.com/event-gen/event-gen/runtime/broadcaster"`, `"github.com/event-gen/event-gen/runtime/sink/kube"`}},
	{"t *testing.T, reconciler *struct{ Events widgetevents.Recorder }, deployment *appsv1.Deployment, err error", []string{
		`"testing"`, `appsv1 "k8s.io/api/apps/v1"`, `"example.com/widget/widgetevents"`, `"example.com/widget/widgetevents/widgeteventstest"`}},
}}

// TestFragmentsCompile compiles the blocks of Go, with what the first catalog of docs/catalog.md
// generates.
func TestFragmentsCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles Kubernetes' libraries for a module of its own")
	}
	dir := widgetModule(t)
	put(t, filepath.Join(dir, "catalog.yaml"), firstCatalog(t))
	runIn(t, dir, build(t), "generate", "--fake")
	for page, list := range fragments {
		texts := goBlocks(t, page)
		if len(texts) != len(list) {
			t.Fatalf("%s has %d blocks of Go, %d are compiled", page, len(texts), len(list))
		}
		for n, f := range list {
			name := fmt.Sprintf("%s_%d", strings.TrimSuffix(filepath.Base(page), ".md"), n+1)
			put(t, filepath.Join(dir, name, name+".go"), f.source(texts[n]))
		}
	}
	runIn(t, dir, "go", "vet", "./...")
}

func runIn(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v (files are named page_number)\n%s", filepath.Base(name), args, err, out)
	}
}

func firstCatalog(t *testing.T) string {
	t.Helper()
	found, _ := blocks(read(t, "docs/catalog.md"))
	for _, b := range found {
		if b.lang == "yaml" && strings.Contains(b.text, "kind: EventCatalog\n") {
			return b.text
		}
	}
	t.Fatal("docs/catalog.md has no catalog")
	return ""
}

func goBlocks(t *testing.T, page string) (texts []string) {
	t.Helper()
	found, _ := blocks(read(t, page))
	for _, b := range found {
		if b.lang == "go" {
			texts = append(texts, b.text)
		}
	}
	return texts
}

// source is a file that holds a fragment. A line "…" in it stands for what is left out.
func (f *fragment) source(text string) string {
	imports, body, found := strings.Cut(text, "\n)\n")
	if !found || !strings.HasPrefix(imports, "import (\n") {
		imports, body = "import (", text
	}
	body = strings.ReplaceAll("\n"+body, "\n…\n", "\n")
	if !strings.Contains(body, "\nreturn ") {
		body += "return err\n"
	}
	return fmt.Sprintf("package fragment\n\n%s\n%s\n)\n\nfunc fragment(%s) error {%s}\n\nvar _ = fragment\n", imports, strings.Join(f.imports, "\n"), f.params, body)
}
