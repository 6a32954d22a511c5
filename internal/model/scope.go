package model

import (
	"fmt"

	"github.com/event-gen/event-gen/internal/diag"
)

// scope is the identifiers of one Go package.
type scope struct {
	names map[string]declaration
	// next is the number that is tried first for a name, for unique.
	next map[string]int
}

type declaration struct {
	what string
	pos  diag.Pos
}

// String says what a name stands for, and where it comes from: "event FailedCreate (catalog.yaml:12:5)".
func (d declaration) String() string {
	if d.pos.File == "" {
		return d.what
	}
	return fmt.Sprintf("%s (%s)", d.what, d.pos)
}

func newScope() *scope { return &scope{names: map[string]declaration{}, next: map[string]int{}} }

// declare takes a name, or says who has it already.
func (s *scope) declare(fs *diag.Findings, name, what string, pos diag.Pos) bool {
	first, taken := s.names[name]
	if taken {
		fs.Errorf(pos, "EV105", "%s needs the Go name %s, which %s has already; choose another name", what, name, first)
		return false
	}
	s.names[name] = declaration{what: what, pos: pos}
	return true
}

// unique takes an unexported name that no one else sees, with a number behind it if need be.
func (s *scope) unique(name, what string, pos diag.Pos) string {
	free := name
	for i := max(s.next[name], 2); s.has(free); i++ {
		free = fmt.Sprintf("%s%d", name, i)
		s.next[name] = i + 1
	}
	s.names[free] = declaration{what: what, pos: pos}
	return free
}

func (s *scope) has(name string) bool {
	_, taken := s.names[name]
	return taken
}
