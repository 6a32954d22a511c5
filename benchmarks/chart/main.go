// Command chart reads the output of this module's benchmarks, holds it against the floors, and
// writes RESULTS.md, chart.svg and, between two comments, what README.md says of an operator's
// costs.
//
//	go run ./chart bench.txt
package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "chart:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("expected one file with the output of the benchmarks, found %d arguments", len(args))
	}
	f, err := read(args[0])
	if err != nil {
		return err
	}
	if err := os.WriteFile("RESULTS.md", []byte(results(f)), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile("chart.svg", draw(panels(f)), 0o644); err != nil {
		return err
	}
	return replaceIn("../README.md", operatorTable(f))
}

// figures are the values of each benchmark and unit.
type figures map[string][]float64

func read(name string) (figures, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	f := figures{}
	for r := benchfmt.NewReader(file, name); r.Scan(); {
		result, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		base := string(result.Name.Full())
		if i := strings.LastIndex(base, "-"); i > strings.LastIndex(base, "/") && !strings.HasSuffix(base, "event-gen") {
			base = base[:i] // the number of processors
		} else if strings.HasSuffix(base, fmt.Sprint("event-gen-", runtime.GOMAXPROCS(0))) {
			base = base[:strings.LastIndex(base, "-")]
		}
		for _, v := range result.Values {
			unit, value := v.Unit, v.Value
			if v.OrigUnit != "" {
				unit, value = v.OrigUnit, v.OrigValue
			}
			f[base+" "+unit] = append(f[base+" "+unit], value)
		}
	}
	return f, nil
}

// median of a benchmark's values; ok is false if it was not run.
func (f figures) median(benchmark, unit string) (m float64, ok bool) {
	values := slices.Sorted(slices.Values(f[benchmark+" "+unit]))
	if len(values) == 0 {
		return 0, false
	}
	return values[len(values)/2], true
}

// floor is what has to be reached.
type floor struct {
	what, bound string
	benchmark   string // without the recorder
	unit        string
	peer        string // the bound is on the ratio to it; empty: on the value
	atLeast     bool
	limit       float64
}

var floors = []floor{
	{"a repeat: the caller's time, against tools/record", "at least 5×", "Repeat/objects=1", "ns/op", "record", true, 5},
	{"a repeat: allocations", "0", "Repeat/objects=1", "allocs/op", "", false, 0},
	{"a distinct event: processor time of the whole process, against tools/record", "at least 1.5×", "Distinct", "cpu-ns/op", "record", true, 1.5},
	{"a distinct event: allocations in the whole process", "at most 8", "Distinct", "allocs/op", "", false, 8},
	{"an idle event, with all that is held for it", "at most 512 bytes", "Held/shape=idle", "B/event", "", false, 512},
	{"Stats.Bytes against the heap's growth: idle", "75 to 125%", "Held/shape=idle", "%-counted", "", false, 125},
	{"the same, each event in a namespace of its own", "75 to 125%", "Held/shape=idle-in-many-namespaces", "%-counted", "", false, 125},
	{"the same, pending", "75 to 125%", "Held/shape=pending", "%-counted", "", false, 125},
	{"the same, pending, in namespaces of their own", "75 to 125%", "Held/shape=pending-in-many-namespaces", "%-counted", "", false, 125},
	{"20,000 creates, a sink of 2 ms, one namespace: part of 8 sleepers' rate", "at least 90%", "Creates/namespaces=1", "%-of-sleepers", "", true, 90},
	{"the same, four namespaces: part of 16 sleepers' rate", "at least 90%", "Creates/namespaces=4", "%-of-sleepers", "", true, 90},
	{"5,000 distinct events over HTTP/2 and TLS: a second, against tools/record", "at least 2×", "Server", "events/s", "record", true, 2},
	{"the same: processor time of both ends", "at least 1.3×", "Server", "cpu-µs/event", "record", true, 1.3},
	{"an outage of 180 s, 1 namespace × 50 objects: lost", "0", "Outage/size=1x50", "lost", "", false, 0},
	{"failed calls", "at most 216: 1.2 a second", "Outage/size=1x50", "failed-calls", "", false, 216},
	{"the same, 200 × 1: lost", "0", "Outage/size=200x1", "lost", "", false, 0},
	{"failed calls", "at most 216: 1.2 a second", "Outage/size=200x1", "failed-calls", "", false, 216},
	{"the same, 2,000 × 1: lost", "0", "Outage/size=2000x1", "lost", "", false, 0},
	{"failed calls", "at most 216: 1.2 a second", "Outage/size=2000x1", "failed-calls", "", false, 216},
	{"500 events, and Shutdown at once: lost", "0", "Shutdown", "lost", "", false, 0},
	{"1,000 namespaces without rights, an event a minute each: failed calls a second", "at most 10", "NoRights/namespaces=1000", "failed-calls/s", "", false, 10},
	{"event-gen generate, 1,000 events: processor time", "at most 400 ms", "Command/of=generate", "cpu-ms/run", "", false, 400},
	{"event-gen generate --check", "at most 400 ms", "Command/of=check", "cpu-ms/run", "", false, 400},
	{"event-gen lint", "at most 400 ms", "Command/of=lint", "cpu-ms/run", "", false, 400},
	{"event-gen breaking", "at most 400 ms", "Command/of=breaking", "cpu-ms/run", "", false, 400},
}

// row is the floor's row in the table.
func (w floor) row(f figures) string {
	own, ok := f.median(w.benchmark+"/recorder=event-gen", w.unit)
	text := number(own)
	if w.peer != "" && ok {
		var peer float64
		peer, ok = f.median(w.benchmark+"/recorder="+w.peer, w.unit)
		if own = peer / own; strings.HasSuffix(w.unit, "/s") { // more is better
			own = 1 / own
		}
		text = number(own) + "×"
	}
	verdict := "met"
	switch {
	case !ok:
		text, verdict = "–", "not measured"
	case w.atLeast && own < w.limit, !w.atLeast && own > w.limit, w.unit == "%-counted" && own < 75:
		verdict = "**not met**"
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", w.what, w.bound, text, verdict)
}

// number prints three digits that count.
func number(v float64) string {
	switch {
	case v == float64(int64(v)) || v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

func results(f figures) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Results\n\nWritten by `make bench`, which runs client-go's tools/record and tools/events, and event-gen, in one process on the same work.\n"+
		"Figures are medians of several runs. Ratios are what counts; absolute times are those of a machine with %d processors (%s/%s), %s.\n"+
		"The outages and the namespaces without rights run in simulated time.\n\n## Floors\n\n| what | floor | measured | |\n| --- | --- | --- | --- |\n",
		runtime.GOMAXPROCS(0), runtime.GOOS, runtime.GOARCH, runtime.Version())
	for _, w := range floors {
		b.WriteString(w.row(f))
	}
	b.WriteString(aboutFloors)
	fmt.Fprintf(&b, "\n## Beside client-go's recorders\n\n%s%s\n## An operator\n\n%s%s", peerTable(f), aboutPeers, operatorTable(f), aboutOperator)
	return b.String()
}
