package main

import "testing"

// TestThePromiseCanBeBroken holds the list of broken clauses to the code that it changes. make mutate-dispatch shows that tests notice each.
func TestThePromiseCanBeBroken(t *testing.T) {
	t.Chdir("../../..")
	clauses := map[string]bool{}
	for _, b := range promise {
		if _, err := b.mutant(); err != nil {
			t.Error(err)
		}
		if clauses[b.clause] {
			t.Errorf("%q stands twice", b.clause)
		}
		clauses[b.clause] = true
	}
}
