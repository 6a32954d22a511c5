package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

func TestDemoShowsTheTableAndTheAccounting(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"--sink=memory"}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	out := stdout.String()
	for _, line := range []string{
		`(?m)^LAST SEEN +TYPE +REASON +OBJECT +COUNT +MESSAGE$`,
		`(?m)^\S+ +Normal +SuccessfulCreate +cronjob/nightly +1 +Created job nightly-1$`,
		`(?m)^\S+ +Warning +MissSchedule +cronjob/nightly +200 +Missed scheduled time to start a job: Sun, 01 Mar 2026 03:00:00 \+0000$`,
		`(?m)^\S+ +Normal +JobAlreadyActive +cronjob/nightly +60 `,
		`(?m)^\S+ +Warning +BackoffLimitExceeded +job/nightly-2 +1 +Job has reached the specified backoff limit$`,
		`(?m)^\S+ +Warning +FailedCreate +cronjob/nightly +30 +\(combined from similar events\): Error creating job: exceeded quota`,
		`(?m)^recorded = written \+ pending \+ lost: 328 = 328 \+ 0 \+ 0 `,
	} {
		if !regexp.MustCompile(line).MatchString(out) {
			t.Errorf("no line matches %s in:\n%s", line, out)
		}
	}
}

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
