package program

import (
	"go/token"

	"github.com/event-gen/event-gen/internal/adoption/rights"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// Functions returns the rights that functions need, each called by itself. Their names have the
// import path, as in example.com/m/cmd.run. Tests on a server run each of them.
func Functions(all *scan.Program, names []string, position func(token.Pos) diag.Pos) []rights.Program {
	read, _ := sources(all)
	g := newGraph(read, position)
	programs := make([]rights.Program, 0, len(names))
	for _, name := range names {
		programs = append(programs, g.program(name, []string{name}))
	}
	return programs
}
