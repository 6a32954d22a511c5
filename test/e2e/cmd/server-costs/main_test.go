package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestCosts has a thousandth of the mix recorded on a real server.
func TestCosts(t *testing.T) {
	var out, progress bytes.Buffer
	if err := run(t.Context(), []string{"-scale=1000", "-idle=1s", "-run=mix"}, &out, &progress); err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	for _, want := range []string{
		"A mix, record, no budgets: 100 of 100 stored, 100 requests",
		"A mix, event-gen: 100 of 100 stored, 2", // 19 creates, and no more updates than repeated events
	} {
		if !strings.Contains(progress.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &progress)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, args := range [][]string{{"-scale=0"}, {"-run=("}, {"-idle=soon"}, {"-no-such-flag"}} {
		if _, err := parse(args, t.Output()); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}

func TestSum(t *testing.T) {
	const text = `# HELP apiserver_request_total Counter of requests
apiserver_request_total{code="201",resource="events",verb="POST"} 7
apiserver_request_total{code="409",resource="events",verb="POST"} 1
apiserver_request_total{code="200",resource="events",verb="PATCH"} 5
apiserver_request_total{code="201",resource="pods",verb="POST"} 3
apiserver_request_total_other{resource="events",verb="POST"} 100
etcd_disk_wal_write_bytes_total 1.5e+06
`
	if got := sum([]byte(text), "apiserver_request_total", `resource="events"`, `verb="POST"`); got != 8 {
		t.Errorf("got %v, expected 8", got)
	}
	if got := sum([]byte(text), "etcd_disk_wal_write_bytes_total"); got != 1.5e6 {
		t.Errorf("got %v, expected 1.5e6", got)
	}
}

func TestVerdict(t *testing.T) {
	r := result{workload: storm, recorded: 100, costs: map[string]cost{
		contenders[1].name: {apiServer: 1e9, stored: 100}, ours: {apiServer: 9e7, stored: 100},
	}}
	if v := verdict(&r); !strings.Contains(v, "| met |") {
		t.Errorf("a tenth: %s", v)
	}
	r.costs[ours] = cost{apiServer: 9e7, stored: 99}
	if v := verdict(&r); !strings.Contains(v, "not met") {
		t.Errorf("one is lost: %s", v)
	}
	r.costs[ours] = cost{apiServer: 2e8, stored: 100}
	if v := verdict(&r); !strings.Contains(v, "not met") {
		t.Errorf("a fifth: %s", v)
	}
}
