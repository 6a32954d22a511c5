package scan

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestRecordersOfAProgram: an interface stands for the types that code reached by a main package
// puts into it, also in an exported field, by an option or in another package. A fake does not
// count, and places that scan does not follow are noted.
func TestRecordersOfAProgram(t *testing.T) {
	dir := module(t)
	if err := os.CopyFS(dir, os.DirFS("testdata/program")); err != nil {
		t.Fatal(err)
	}
	l, err := Read(t.Context(), Options{Dir: dir, Patterns: []string{"./progcmd", "./progctl", "./progfakes", "./progrec"}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.Program(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, dir, p, func(file string) bool { return strings.HasPrefix(file, "prog") })
	var noted []string
	for _, s := range Scan(t.Context(), p).Sites {
		if slices.ContainsFunc(s.Notes, func(c Cause) bool { return c.What == "call" }) && s.Scope == Direct {
			noted = append(noted, s.Reason.String())
		}
	}
	if want := []string{"Opted", "First", "Second", "Hooked"}; !slices.Equal(noted, want) {
		t.Errorf("not followed are %v, want %v", noted, want)
	}
}
