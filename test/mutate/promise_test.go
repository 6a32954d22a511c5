package main

import "testing"

// TestThePromiseCanBeBroken holds the lists of broken clauses to the code that they change. make mutate-dispatch and make mutate-noise show
// that tests notice each.
func TestThePromiseCanBeBroken(t *testing.T) {
	t.Chdir("../..")
	clauses := map[string]bool{}
	for _, of := range append(noise, scopes...) {
		for _, b := range of.list {
			if _, err := b.mutant(of.suite); err != nil {
				t.Error(err)
			}
			if clauses[b.clause] {
				t.Errorf("%q stands twice", b.clause)
			}
			clauses[b.clause] = true
		}
	}
}
