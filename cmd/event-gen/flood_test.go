package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// Absurd programs are scanned within seconds, and what a bound leaves out is said.
func TestScanFloods(t *testing.T) {
	if testing.Short() {
		t.Skip("it loads client-go")
	}
	lines := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(format, "#-", fmt.Sprint(i)), "#", fmt.Sprint(i+1)))
		}
		return b.String()
	}
	for name, tt := range map[string]struct {
		body string
		said string // a cause that the result has; empty if it decides all
	}{
		"operands": {"func f(r record.EventRecorder, p *v1.Pod, s string) { r.Event(p, \"Normal\", " + strings.TrimSuffix(strings.Repeat("s+", 1200), "+") + ", \"m\") }", "more parts than are followed"},
		"message":  {"func f(r record.EventRecorder, p *v1.Pod, s string) { r.Event(p, \"Normal\", \"A\", " + strings.TrimSuffix(strings.Repeat("s+", 1200), "+") + ") }", "message it has more parts than are followed"},
		"chain": {"func h0(r record.EventRecorder, p *v1.Pod, s string) { r.Event(p, \"Normal\", s, \"m\") }\n" +
			lines(300, "func h#(r record.EventRecorder, p *v1.Pod, s string) { h#-(r, p, s) }\n") + "func f(r record.EventRecorder, p *v1.Pod) { h300(r, p, \"A\") }", "wrappers pass the event on"},
		"table":    {"var t = []string{" + lines(20_000, "\"R#\", ") + "}\nfunc f(r record.EventRecorder, p *v1.Pod) { for _, x := range t { r.Event(p, \"Normal\", x, \"m\") } }", "it comes from a range over t"},
		"branches": {"func f(r record.EventRecorder, p *v1.Pod, n int) {\nvar x string\nswitch n {\n" + lines(20_000, "case #: x = \"R#\"\n") + "}\nr.Event(p, \"Normal\", x, \"m\")\n}", "more alternatives than are followed"},
		"calls":    {"func f(r record.EventRecorder, p *v1.Pod) {\n" + lines(20_000, "r.Event(p, \"Normal\", \"R#\", \"m\")\n") + "}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := filepath.Abs("../../internal")
			if err != nil {
				t.Fatal(err)
			}
			// It lies in this module, for its requirements.
			if dir, err = os.MkdirTemp(dir, "flood"); err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			text := "package p\n\nimport (\n\tv1 \"k8s.io/api/core/v1\"\n\t\"k8s.io/client-go/tools/record\"\n)\n\n" + tt.body + "\n"
			if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			loaded, err := scan.Read(t.Context(), scan.Options{Dir: dir, Patterns: []string{"."}})
			if err != nil {
				t.Fatal(err)
			}
			p, err := loaded.Program(t.Context(), false)
			if err != nil {
				t.Fatal(err)
			}
			r := scan.Scan(t.Context(), p)
			said := fmt.Sprint(r.Left)
			for _, s := range r.Sites {
				said += fmt.Sprint(s.Notes)
			}
			if !strings.Contains(said, tt.said) {
				t.Errorf("it does not say that %s:\n%s", tt.said, said[:min(len(said), 300)])
			}
		})
	}
}
