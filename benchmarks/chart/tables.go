package main

import (
	"fmt"
	"os"
	"strings"
)

// The texts below the tables.
const (
	aboutFloors = `
An idle event of this benchmark takes 176 bytes for its record, 176 for its object and the group in it, 80 for the object's texts, about 60 in
indexes, and 112 for its two params. [Why not 512](../docs/design/0007-one-lock.md).

` + "`generate` and `generate --check`" + ` spend two fifths of their processor time in go/format, a quarter in jennifer and a quarter in reading and linting.
`
	aboutPeers = `
The bound is a bare http.Client that sends event-gen's requests again, with as many in flight: what net/http takes on both ends, and the server's
decoding. Of the others, client-go's transports take 2 µs, its rest.Request 8, and recording, encoding and reading the reply the rest. A sink that
sends through http.Client, with prepared URL and headers, needed 75.8 µs instead of 83.2 (medians of six runs in turns; it read no errors). It is not
kept: it would be a second way beside the REST clients that users pass, and would have to make the errors that rest.Request makes.
`
	aboutOperator = `
[One program](../test/e2e/manager/program/main.go) with each manager, in a module of its own that ` + "`go mod tidy`" + ` has tidied, for linux and
stripped. The four modules more are event-gen's two, and two of OpenTelemetry, which many operators require already. Pending are 1,000 events about
as many objects, while no server answers.
`
)

// measure is a row of a table: a figure that is printed for several recorders.
type measure struct{ what, benchmark, unit string }

// columns of the figures of recorders.
var recorders = []string{"record", "events", "event-gen"}

var peerMeasures = []measure{
	{"a repeat: ns of the caller", "Repeat/objects=1", "ns/op"},
	{"a repeat: allocations", "Repeat/objects=1", "allocs/op"},
	{"a repeat, four goroutines: ns", "RepeatInParallel", "ns/op"},
	{"a repeat, one of 100,000 objects: ns", "Repeat/objects=100000", "ns/op"},
	{"a distinct event: ns of the process", "Distinct", "cpu-ns/op"},
	{"a distinct event: bytes allocated", "Distinct", "B/op"},
	{"a distinct event: allocations", "Distinct", "allocs/op"},
	{"over HTTP/2: µs of both ends", "Server", "cpu-µs/event"},
	{"over HTTP/2: events a second", "Server", "events/s"},
	{"over HTTP/2: goroutines", "Server", "goroutines"},
	{"an outage of 180 s, 1 × 50 objects: lost of 1,000", "Outage/size=1x50", "lost"},
	{"an outage, 200 × 1: lost of 4,000", "Outage/size=200x1", "lost"},
	{"an outage, 2,000 × 1: lost of 40,000", "Outage/size=2000x1", "lost"},
	{"an outage, 2,000 × 1: failed calls", "Outage/size=2000x1", "failed-calls"},
	{"Shutdown at once: lost of 500", "Shutdown", "lost"},
}

// peerTable has a column for each recorder, and one for the bound.
func peerTable(f figures) string {
	return table(f, "| | record | events | event-gen | bound |\n| --- | ---: | ---: | ---: | ---: |\n", append(recorders, "bound"), peerMeasures)
}

// operatorTable is what an operator costs with each manager. README.md has it, too.
func operatorTable(f figures) string {
	return table(f, "| an operator of controller-runtime | alone | with event-gen |\n| --- | ---: | ---: |\n", []string{"events", "event-gen"}, []measure{
		{"modules that go.mod requires", "Operator", "required"},
		{"modules in the binary", "Operator", "modules"},
		{"the binary, stripped, MB", "Operator", "MB-binary"},
		{"resident memory before the first event, MB", "Operator", "MB-before"},
		{"resident memory with 1,000 events pending, MB", "Operator", "MB-pending"},
	})
}

func table(f figures, head string, names []string, rows []measure) string {
	var b strings.Builder
	b.WriteString(head)
	for _, m := range rows {
		fmt.Fprintf(&b, "| %s ", m.what)
		for _, name := range names {
			text := ""
			if v, ok := f.median(m.benchmark+"/recorder="+name, m.unit); ok {
				text = number(v)
			}
			fmt.Fprintf(&b, "| %s ", text)
		}
		b.WriteString("|\n")
	}
	return b.String()
}

// The comments in README.md between which replaceIn writes.
const begin, end = "<!-- make bench: begin -->\n", "<!-- make bench: end -->\n"

// replaceIn replaces the text of a file between the comments.
func replaceIn(name, text string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(data), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return fmt.Errorf("%s: expected a line %q, and below it %q", name, begin, end)
	}
	return os.WriteFile(name, []byte(before+begin+text+end+after), 0o644)
}
