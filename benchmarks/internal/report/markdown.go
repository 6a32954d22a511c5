package report

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// Markdown writes the whole report.
func Markdown(w io.Writer, intro string, r *Result) error {
	p := printer{w: w}
	p.printf("# Results\n\n%s\n\n", strings.TrimSpace(intro))
	if len(r.Verdicts) > 0 {
		p.printf("## To reach\n\n")
		p.verdicts(r.Verdicts)
	}
	for i := range r.Tables {
		p.table(&r.Tables[i])
	}
	return p.err
}

// Tables writes tables alone, as they are shown while the benchmarks run.
func Tables(w io.Writer, r *Result) error {
	p := printer{w: w}
	for i := range r.Tables {
		p.table(&r.Tables[i])
	}
	p.verdicts(r.Verdicts)
	return p.err
}

// printer keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

func (p *printer) verdicts(all []Verdict) {
	if len(all) == 0 {
		return
	}
	rows := [][]string{{"scenario", "at least", "measured", ""}}
	for _, v := range all {
		rows = append(rows, []string{v.Scenario, v.Threshold, v.Measured, v.State.String()})
	}
	p.grid(rows, 0)
	p.printf("\n")
}

func (p *printer) table(t *Table) {
	p.printf("## %s\n\n", t.Title)
	p.grid(t.cells(), 1)
	p.printf("\n")
	for _, n := range t.Notes {
		p.printf("%s\n\n", n)
	}
}

// cells are the table as text, with a column of ratios for each peer at the end.
func (t *Table) cells() [][]string {
	peers := 0
	if t.compares() {
		peers = len(t.Columns) - 1
	}
	head := append([]string{""}, t.Columns...)
	for _, c := range t.Columns[:peers] {
		head = append(head, "than "+c)
	}
	rows := [][]string{head}
	for i := range t.Rows {
		rows = append(rows, t.Rows[i].cells(peers))
	}
	return rows
}

func (t *Table) compares() bool {
	for i := range t.Rows {
		if t.Rows[i].Better != Neither {
			return true
		}
	}
	return false
}

func (r *Row) cells(peers int) []string {
	cells := []string{r.Figure}
	for _, v := range r.Values {
		cells = append(cells, Number(v))
	}
	for i := range peers {
		cells = append(cells, times(r.ratio(i)))
	}
	return cells
}

func times(ratio float64) string {
	if math.IsNaN(ratio) || math.IsInf(ratio, 0) {
		return ""
	}
	return Number(ratio) + "×"
}

// grid writes rows as a Markdown table whose columns line up. Those from right on are aligned to the right; 0: none.
func (p *printer) grid(rows [][]string, right int) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, c := range row {
			widths[i] = max(widths[i], len([]rune(c)), 3)
		}
	}
	for n, row := range rows {
		p.line(row, widths, right)
		if n == 0 {
			p.rule(widths, right)
		}
	}
}

func (p *printer) line(row []string, widths []int, right int) {
	for i, c := range row {
		pad := strings.Repeat(" ", widths[i]-len([]rune(c)))
		if right > 0 && i >= right {
			c, pad = pad, c
		}
		p.printf("| %s%s ", c, pad)
	}
	p.printf("|\n")
}

func (p *printer) rule(widths []int, right int) {
	for i, n := range widths {
		end := "-"
		if right > 0 && i >= right {
			end = ":"
		}
		p.printf("| %s%s ", strings.Repeat("-", n-1), end)
	}
	p.printf("|\n")
}
