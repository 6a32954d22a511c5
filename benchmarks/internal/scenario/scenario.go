// Package scenario holds what is measured: a scenario a file, each the same work for all contenders, who take turns.
package scenario

import (
	"fmt"

	"github.com/event-gen/event-gen/benchmarks/internal/measure"
	"github.com/event-gen/event-gen/benchmarks/internal/report"
	"github.com/event-gen/event-gen/benchmarks/internal/systems"
)

// Config is how thoroughly is measured.
type Config struct {
	// Rounds is how often each contender has its turn.
	Rounds int
	// Quick makes each turn shorter.
	Quick bool
}

// pick is the amount of work of a turn.
func (c Config) pick(full, quick int) int {
	if c.Quick {
		return quick
	}
	return full
}

// Scenario is something that is measured.
type Scenario struct {
	Name string
	Run  func(Config) report.Result
	// Ratios says that what counts are ratios of times on one processor. They are measured beside another process, too.
	Ratios bool
}

// All are the scenarios in the order of the report. Commands come first, while this process is small: what the kernel says of
// the memory of a command includes that of the process which started it, up to then.
var All = []Scenario{
	{Name: "commands", Run: Commands},
	{Name: "process", Run: Process, Ratios: true},
	{Name: "emit", Run: Emit, Ratios: true},
	{Name: "parallel", Run: Parallel},
	{Name: "correlate", Run: Correlate, Ratios: true},
	{Name: "hang", Run: Hang},
	{Name: "creates", Run: Creates},
	{Name: "outage", Run: Outage},
	{Name: "shutdown", Run: Shutdown},
	{Name: "spam", Run: Spam},
	{Name: "repeats", Run: Repeats},
	{Name: "memory", Run: Memory},
	{Name: "http2", Run: HTTP2, Ratios: true},
}

// figure is a row of a table.
type figure struct {
	name   string
	better report.Better
}

// table makes a table of medians.
func table(title string, s *measure.Series, columns []string, figures []figure, notes ...string) report.Table {
	t := report.Table{Title: title, Columns: columns, Notes: notes}
	for _, f := range figures {
		row := report.Row{Figure: f.name, Better: f.better}
		for _, c := range columns {
			row.Values = append(row.Values, s.Median(f.name, c))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// panel makes a part of the chart of medians.
func panel(title, unit string, better report.Better, s *measure.Series, figure string) report.Panel {
	p := report.Panel{Title: title, Unit: unit, Better: better, Names: systems.Names}
	for _, c := range systems.Names {
		p.Values = append(p.Values, s.Median(figure, c))
	}
	return p
}

// times shows a ratio and its range over the rounds.
func times(r measure.Ratio) string {
	return fmt.Sprintf("%s× (rounds: %s to %s)", report.Number(r.Value), report.Number(r.Least), report.Number(r.Most))
}
