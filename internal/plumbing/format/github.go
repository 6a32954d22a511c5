package format

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var (
	commands = map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "notice"}

	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// writeGitHub writes workflow commands, which GitHub shows as annotations of a pull request.
func writeGitHub(w io.Writer, r *Report) error {
	out := bufio.NewWriter(w)
	for _, f := range slices.Concat(r.Problems, r.Findings) {
		r.command(out, f)
	}
	return out.Flush()
}

// command writes the command for a finding. A finding without a line names no file, because the
// pull request may not have the file.
func (r *Report) command(w io.Writer, f diag.Finding) {
	if f.Pos.Line == 0 {
		fmt.Fprintf(w, "::%s title=%s::%s\n", commands[f.Severity], commandProperty.Replace(r.Tool), commandData.Replace(Line(f)))
		return
	}
	title := f.Rule
	if i := r.ruleIndex(f.Rule); i >= 0 {
		title += " " + r.Rules[i].Name
	}
	fmt.Fprintf(w, "::%s file=%s,line=%d,col=%d,title=%s::%s\n", commands[f.Severity],
		commandProperty.Replace(Clean(r.path(f.Pos.File))), f.Pos.Line, max(f.Pos.Column, 1),
		commandProperty.Replace(Clean(title)), commandData.Replace(withMatchers(Clean(f.Message), f)))
}
