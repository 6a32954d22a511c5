package format

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/event-gen/event-gen/internal/diag"
)

var (
	commands = map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "notice"}

	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// writeGitHub writes workflow commands, which GitHub shows as annotations of a pull request.
func writeGitHub(w io.Writer, r *Report) error {
	out := bufio.NewWriter(w)
	for _, f := range r.Findings {
		title := f.Rule
		if i := r.ruleIndex(f.Rule); i >= 0 {
			title += " " + r.Rules[i].Name
		}
		fmt.Fprintf(out, "::%s file=%s,line=%d,col=%d,title=%s::%s\n", commands[f.Severity],
			commandProperty.Replace(clean(filepath.ToSlash(f.Pos.File))), max(f.Pos.Line, 1), max(f.Pos.Column, 1),
			commandProperty.Replace(clean(title)), commandData.Replace(clean(f.Message)))
	}
	return out.Flush()
}
