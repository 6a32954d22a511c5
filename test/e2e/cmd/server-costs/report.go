package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"
)

const intro = `# What the servers pay

Written by %s. client-go's two recorders and event-gen record the same occurrences, one after the other, on one real kube-apiserver and
etcd (test/servers). No client has a limiter of its own. The recorders and the servers share %d processors (%s/%s). Ratios are what counts.

- CPU is the processor time of the server's process, all threads.
- "written to etcd's log" is etcd_disk_wal_write_bytes_total.
- What the servers use while nobody calls is taken off both: in a second %.0f ms of kube-apiserver, %.0f ms of etcd and %.0f bytes.
- Requests are those of apiserver_request_total for events.

tools/record loses what is beyond its budgets: 25 writes about an object, and one every 5 minutes after that. "no budgets" is tools/record with
its budgets off. It writes every occurrence by itself, so it gets the next one when its queue has room; the others get them at a fixed rate.
tools/events keeps the counts of repeats to itself for up to half an hour, and loses them when it ends. A recorder that stores less is not
cheaper: compare "occurrences stored" first.
`

// row is a line of a table.
type row struct {
	name  string
	value func(*cost) float64
	form  string
}

var rows = []row{
	{"occurrences stored", func(c *cost) float64 { return float64(c.stored) }, "%.0f"},
	{"events stored", func(c *cost) float64 { return float64(c.events) }, "%.0f"},
	{"requests that write", (*cost).sent, "%.0f"},
	{"of them creates", func(c *cost) float64 { return c.requests["POST"] }, "%.0f"},
	{"kube-apiserver, CPU s", func(c *cost) float64 { return c.apiServer.Seconds() }, "%.2f"},
	{"etcd, CPU s", func(c *cost) float64 { return c.etcd.Seconds() }, "%.2f"},
	{"written to etcd's log, MB", func(c *cost) float64 { return c.walBytes / 1e6 }, "%.2f"},
	{"took, s", func(c *cost) float64 { return c.wall.Seconds() }, "%.1f"},
}

// result holds the costs of a workload by contender.
type result struct {
	workload *workload
	recorded int
	costs    map[string]cost
}

// markdown writes the page.
func markdown(w io.Writer, command string, i idle, all []result) error {
	p := &page{w: w}
	p.printf(intro, "`"+command+"`", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, 1000*i.apiServer, 1000*i.etcd, i.walBytes)
	for n := range all {
		if all[n].workload == storm {
			p.printf("\n## To reach\n\n| scenario | at most | measured | |\n| --- | --- | --- | --- |\n%s", verdict(&all[n]))
		}
		p.table(&all[n])
	}
	return p.err
}

// page keeps the first error.
type page struct {
	w   io.Writer
	err error
}

func (p *page) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

func (p *page) table(r *result) {
	p.printf("\n## %s\n\n%d occurrences: %s.\n\n|", r.workload.name, r.recorded, r.workload.about)
	for _, c := range contenders {
		p.printf(" | %s", c.name)
	}
	p.printf(" |\n| ---%s |\n", strings.Repeat(" | ---:", len(contenders)))
	for _, line := range rows {
		p.printf("| %s", line.name)
		for _, c := range contenders {
			cost := r.costs[c.name]
			p.printf(" | "+line.form, line.value(&cost))
		}
		p.printf(" |\n")
	}
}

// verdict compares the storm of repeats with the peer that stores all of it.
func verdict(storm *result) string {
	peer, own := storm.costs[contenders[1].name], storm.costs[ours]
	ratio := own.apiServer.Seconds() / peer.apiServer.Seconds()
	state := "met"
	if !(ratio <= 0.1) || own.stored != storm.recorded {
		state = "**not met**"
	}
	return fmt.Sprintf("| a storm of repeats | 1/10 of the CPU of kube-apiserver with the peer that stores all of it (record, no budgets); all stored | %.4f of it, %d of %d stored | %s |\n",
		ratio, own.stored, storm.recorded, state)
}
