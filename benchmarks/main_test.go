package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestScenarios runs the scenarios that take little time, roughly: what they show of client-go is what the tables are about.
func TestScenarios(t *testing.T) {
	var out bytes.Buffer
	if err := run([]string{"-quick", "-rounds=1", "-run=^(process|shutdown|spam|repeats)$"}, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| 500 events on 100 objects, then shutdown", "| 200, 1, 200, 1 stored", "100,000 stored",
		"| distinct objects: CPU ns of the process "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &out)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, args := range [][]string{{"-rounds=0"}, {"-run=("}, {"-no-such-flag"}} {
		if err := run(args, io.Discard); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}

func TestClientGoIsKnown(t *testing.T) {
	if v := clientGo(); !strings.HasPrefix(v, "v0.") && !strings.HasPrefix(v, "of an") {
		t.Errorf("version %q", v)
	}
}
