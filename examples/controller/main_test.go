package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestUnusableFlagsAreSaid(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--no-such-flag"}, 2, "flag provided but not defined"},
		{[]string{"--sink=events", "--kubeconfig=/does/not/exist"}, 1, "--kubeconfig"},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), c.args, &stdout, &stderr); code != c.code || !strings.Contains(stderr.String(), c.says) {
			t.Errorf("%v: exit code %d, said %q", c.args, code, stderr.String())
		}
	}
}
