package main

import (
	"context"
	"io"
	"time"

	migratereport "github.com/event-gen/event-gen/internal/adoption/migrate/report"
)

// verdicts writes what was decided, in the format that was asked for.
func (m *migration) verdicts(w io.Writer) error {
	switch m.format {
	case "json":
		return migratereport.JSON(w, m.plan, m.fields, m.name)
	case "markdown":
		r := migratereport.Run{Name: m.module.Path, Commit: m.commit, Time: processorTime() - m.testTime}
		if m.test != "" {
			r.Before, r.After = m.before.String(), m.after.String()
		}
		return migratereport.Row(w, m.plan, r)
	}
	return m.tell(w)
}

// tested runs the command for tests; nil if there is none.
func (m *migration) tested(ctx context.Context) *testResults {
	if m.test == "" {
		return nil
	}
	defer func(before time.Duration) { m.testTime += processorTime() - before }(processorTime())
	r := runTests(ctx, m.cmd, m.test)
	return &r
}
