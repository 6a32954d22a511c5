package format

import (
	"fmt"

	"github.com/fatih/color"

	"github.com/event-gen/event-gen/internal/diag"
)

// paint gives parts of text their colours; or none.
type paint struct {
	severities         map[diag.Severity]func(...any) string
	place, rule, caret func(...any) string
}

func newPaint(on bool) paint {
	with := func(attributes ...color.Attribute) func(...any) string {
		c := color.New(attributes...)
		if on {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
		return c.Sprint
	}
	return paint{
		severities: map[diag.Severity]func(...any) string{
			diag.Error:   with(color.FgRed, color.Bold),
			diag.Warning: with(color.FgYellow, color.Bold),
			diag.Info:    with(color.FgCyan, color.Bold),
		},
		place: with(color.Bold),
		rule:  with(color.Faint),
		caret: with(color.FgGreen, color.Bold),
	}
}

// finding is a finding on one line: file:line:column: severity: message [rule].
func (p paint) finding(f diag.Finding) string {
	text := fmt.Sprintf("%s %s: %s", p.place(clean(f.Pos.String())+":"), p.severities[f.Severity](f.Severity), clean(f.Message))
	if f.Rule != "" {
		text += " " + p.rule("["+clean(f.Rules())+"]")
	}
	return text
}
