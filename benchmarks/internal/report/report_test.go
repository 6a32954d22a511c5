package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1: "1", 1.234: "1.23", 12.34: "12.3", 123.4: "123", 1234: "1234", 12345: "12,345",
		-12345: "-12,345", 1234567.8: "1,234,568", 1000000: "1,000,000", math.NaN(): "–",
	} {
		if got := Number(v); got != want {
			t.Errorf("Number(%v) = %q, want %q", v, got, want)
		}
	}
}

func TestTablesLineUpAndCompare(t *testing.T) {
	r := Result{
		Tables: []Table{{
			Title: "T", Columns: []string{"record", "event-gen"},
			Rows: []Row{
				{Figure: "time", Values: []float64{200, 50}, Better: Lower},
				{Figure: "rate", Values: []float64{50, 200}, Better: Higher},
				{Figure: "lost", Values: []float64{7, 0}},
			},
			Notes: []string{"A note."},
		}},
		Verdicts: []Verdict{{"scenario", "1×", "4×", Met}},
	}
	var b bytes.Buffer
	if err := Markdown(&b, "Intro.", &r); err != nil {
		t.Fatal(err)
	}
	want := `# Results

Intro.

## To reach

| scenario | at least | measured |     |
| -------- | -------- | -------- | --- |
| scenario | 1×       | 4×       | met |

## T

|      | record | event-gen | than record |
| ---- | -----: | --------: | ----------: |
| time |    200 |        50 |          4× |
| rate |     50 |       200 |          4× |
| lost |      7 |         0 |             |

A note.

`
	if got := b.String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestChartIsWellFormedAndSaysWhatItShows(t *testing.T) {
	panels := []Panel{
		{Title: "Time <of> a call", Unit: "ns", Better: Lower, Names: []string{"record", "event-gen"}, Values: []float64{2000, 100}},
		{Title: "Nothing", Names: []string{"record", "event-gen"}, Values: []float64{0, 0}},
		{Title: "Odd", Names: []string{"record", "event-gen"}, Values: []float64{math.NaN(), 1}},
	}
	svg := SVG(panels)
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
	}
	for _, want := range []string{"Time &lt;of&gt; a call: record 2000 ns, event-gen 100 ns.", "prefers-color-scheme: dark"} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("the chart lacks %q", want)
		}
	}
	if strings.Contains(string(svg), "NaN\"") {
		t.Error("a bar has no length")
	}
}

func TestRenamed(t *testing.T) {
	r := Result{
		Tables:   []Table{{Title: "Emit", Notes: []string{"said already"}}},
		Verdicts: []Verdict{{Scenario: "a repeat", State: Met}},
		Panels:   []Panel{{Title: "Emit"}},
	}
	n := r.Renamed(", beside another process")
	if n.Tables[0].Title != "Emit, beside another process" || n.Verdicts[0].Scenario != "a repeat, beside another process" || n.Verdicts[0].State != Met {
		t.Errorf("got %+v", n)
	}
	if len(n.Tables[0].Notes) > 0 || len(n.Panels) > 0 || r.Tables[0].Title != "Emit" {
		t.Errorf("notes and panels are not left out, or the result itself has changed: %+v, %+v", n, r)
	}
}
