// Package progress prints what a long command waits for, and for how long.
package progress

import (
	"context"
	"fmt"
	"io"
	"time"
)

// short is the duration below which a finished step leaves no line, because nobody waits for it.
const short = time.Second

// Progress prints the steps of a command. On a terminal, a step is one line that changes;
// elsewhere, each step is a line. The nil Progress prints nothing. Only one goroutine may use a
// Progress.
type Progress struct {
	to       io.Writer
	terminal bool
	now      func() time.Time

	step  string
	begun time.Time
	// shown is the last printed tenth of a count.
	shown int
}

// New returns a progress that prints to a writer. terminal tells whether the writer is a terminal.
func New(to io.Writer, terminal bool, now func() time.Time) *Progress {
	return &Progress{to: to, terminal: terminal, now: now}
}

type key struct{}

// With returns a context that carries p.
func With(ctx context.Context, p *Progress) context.Context { return context.WithValue(ctx, key{}, p) }

// From returns the progress of a context, or nil.
func From(ctx context.Context) *Progress {
	p, _ := ctx.Value(key{}).(*Progress)
	return p
}

// Step ends the current step and begins a new one.
func (p *Progress) Step(text string) {
	if p == nil {
		return
	}
	p.End()
	p.step, p.begun, p.shown = text, p.now(), 0
	p.show("")
}

// Count prints how far the step is: done of all. Outside of terminals it prints each tenth once.
func (p *Progress) Count(done, all int, what string) {
	if p == nil || all <= 0 {
		return
	}
	if tenth := done * 10 / all; p.terminal || tenth > p.shown {
		p.shown = tenth
		p.show(fmt.Sprintf(", %d of %d %s", done, all, what))
	}
}

// Note adds a few words to the step on a terminal, such as the module being downloaded.
func (p *Progress) Note(text string) {
	if p != nil && p.terminal {
		p.show(", " + text)
	}
}

// End ends the last step. A step of a second or more leaves a line with its duration.
func (p *Progress) End() {
	if p == nil || p.step == "" {
		return
	}
	if p.terminal {
		fmt.Fprint(p.to, "\r\033[K")
	}
	if took := p.now().Sub(p.begun); took >= short {
		fmt.Fprintf(p.to, "%s: %s\n", p.step, took.Round(100*time.Millisecond))
	}
	p.step = ""
}

func (p *Progress) show(more string) {
	if p.terminal {
		fmt.Fprintf(p.to, "\r\033[K%s%s …", p.step, more)
	} else {
		fmt.Fprintf(p.to, "%s%s …\n", p.step, more)
	}
}
