package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/event-gen/event-gen/benchmarks/internal/report"
)

const intro = `Written by ` + "`make bench`" + `, which runs everything here in one process: client-go's tools/record and tools/events, and event-gen, on
the same work, in turns. Figures are medians over %d rounds; "rounds" gives the least and the greatest ratio within one round. Ratios are
what counts. Absolute times are those of a machine with %d processors (%s/%s). Titles and scenarios that end in
"beside another process" were measured while a second process kept one processor busy, in half the rounds. For all others this program ran
alone, as far as it knows.

client-go %s, %s. Each contender is set up as a controller would: its defaults, a generated recorder for event-gen, typed clients for
client-go; each table says where that differs. What client-go logs is made and thrown away. A recorder that loses events is not compared
by its speed with one that writes them.`

// publish writes the report and the chart.
func publish(a arguments, r *report.Result) error {
	var b bytes.Buffer
	text := fmt.Sprintf(intro, a.cfg.Rounds, runtime.GOMAXPROCS(0), runtime.GOOS, runtime.GOARCH, clientGo(), runtime.Version())
	if err := report.Markdown(&b, text, r); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(a.dir, "RESULTS.md"), b.Bytes(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(a.dir, "chart.svg"), report.SVG(r.Panels), 0o644)
}

// clientGo is the version of client-go that is measured.
func clientGo() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "of an unknown version"
	}
	for _, m := range info.Deps {
		if m.Path == "k8s.io/client-go" {
			return m.Version
		}
	}
	return "of an unknown version"
}
