package outcomes

import (
	"maps"
	"testing"
)

// TestOutcomes reads output of go test -v. The packages pass, have a failing or a panicking test,
// do not build, lack a module, or have no tests.
func TestOutcomes(t *testing.T) {
	got := outcomesOf(`=== RUN   TestGood
--- PASS: TestGood (0.00s)
=== RUN   TestLater
    good_test.go:6: later
--- SKIP: TestLater (0.00s)
PASS
ok  	example.com/w/good	0.003s
=== RUN   TestBad
    bad_test.go:5: bad
--- FAIL: TestBad (0.00s)
    --- FAIL: TestBad/inner (0.00s)
FAIL
FAIL	example.com/w/bad	0.002s
=== RUN   TestPanic
--- FAIL: TestPanic (0.00s)
panic: no [recovered, repanicked]

goroutine 7 [running]:
FAIL	example.com/w/panics	0.004s
# example.com/w/broken [example.com/w/broken.test]
broken/broken_test.go:5:34: undefined: nothing
FAIL	example.com/w/broken [build failed]
# example.com/w/lost
lost/lost.go:3:8: no required module provides package example.com/none; to add it:
FAIL	example.com/w/lost [setup failed]
?   	example.com/w/none	[no test files]
ok  	example.com/w/cached	(cached)
FAIL
`)
	packages := map[string]string{
		"example.com/w/good": "passes", "example.com/w/bad": "fails", "example.com/w/panics": "fails", "example.com/w/broken": "fails",
		"example.com/w/lost": "fails", "example.com/w/cached": "passes",
	}
	tests := map[string]string{
		"TestGood": "passes", "TestLater": "is skipped", "TestBad": "fails", "TestBad/inner": "fails", "TestPanic": "fails",
	}
	if !maps.Equal(got.packages, packages) {
		t.Errorf("packages: %v", got.packages)
	}
	if !maps.Equal(got.tests, tests) {
		t.Errorf("tests: %v", got.tests)
	}
	if want := "packages: 2 pass, 4 fail"; got.String() != want {
		t.Errorf("%q, want %q", got, want)
	}
}
