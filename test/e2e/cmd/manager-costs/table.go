package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// costs are what the program prints with -measure.
type costs struct {
	Start        time.Duration
	Before, With moment
}

type moment struct {
	Resident   int64
	Goroutines int
}

// run measures once more, and keeps the least of each.
func (p *program) run(ctx context.Context) error {
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, p.file, "-measure")
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, stderr.Bytes())
	}
	var c costs
	if err := json.Unmarshal(out, &c); err != nil {
		return fmt.Errorf("expected its costs as JSON, found %q: %w", out, err)
	}
	if p.least == (costs{}) {
		p.least = c
		return nil
	}
	p.least.Start = min(p.least.Start, c.Start)
	p.least.Before = p.least.Before.least(c.Before)
	p.least.With = p.least.With.least(c.With)
	return nil
}

func (m moment) least(n moment) moment {
	return moment{min(m.Resident, n.Resident), min(m.Goroutines, n.Goroutines)}
}

// table prints a column for each program.
func table(w io.Writer, list []*program) error {
	rows := []struct {
		name string
		show func(*program) string
	}{
		{"", func(p *program) string { return p.name }},
		{"---", func(*program) string { return "---" }},
		{"lines of requirements in go.mod", func(p *program) string { return fmt.Sprint(p.requirements) }},
		{"binary, " + runtime.GOOS + "/" + runtime.GOARCH + ", not stripped", func(p *program) string { return megabytes(p.size) }},
		{"from `main` to the first runnable", func(p *program) string { return milliseconds(p.least.Start) }},
		{"resident memory before the first event", func(p *program) string { return megabytes(p.least.Before.Resident) }},
		{"resident memory with 1,000 events pending", func(p *program) string { return megabytes(p.least.With.Resident) }},
		{"goroutines before the first event, and with 1,000 pending", func(p *program) string {
			return fmt.Sprintf("%s and %s", grouped(p.least.Before.Goroutines), grouped(p.least.With.Goroutines))
		}},
	}
	var b strings.Builder
	for _, r := range rows {
		b.WriteString("| " + r.name)
		for _, p := range list {
			b.WriteString(" | " + r.show(p))
		}
		b.WriteString(" |\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// grouped has a comma between thousands.
func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}
