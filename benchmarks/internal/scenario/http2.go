package scenario

import (
	"fmt"
	"time"

	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"

	"github.com/event-gen/event-gen/benchmarks/internal/measure"
	"github.com/event-gen/event-gen/benchmarks/internal/report"
	"github.com/event-gen/event-gen/benchmarks/internal/server"
	"github.com/event-gen/event-gen/benchmarks/internal/systems"
	"github.com/event-gen/event-gen/runtime/sink/kube"
)

const (
	// HTTP2Rate and HTTP2CPU are the figures of OverHTTP2.
	HTTP2Rate = "events/s"
	HTTP2CPU  = "CPU µs an event, both ends"

	// eventsJSON and recordJSON are clients that were told no content type.
	recordJSON = "record, JSON"
	eventsJSON = "events, JSON"

	protobuf = "application/vnd.kubernetes.protobuf"
)

// HTTP2 measures creating distinct events over the network stack.
func HTTP2(cfg Config) report.Result {
	n := cfg.pick(10_000, 2_000)
	columns := []string{recordJSON, eventsJSON, systems.Record, systems.Events, systems.EventGen}
	var s measure.Series
	for range cfg.Rounds {
		for _, name := range columns {
			OverHTTP2(&s, name, n)
		}
	}
	return report.Result{
		Tables: []report.Table{table("HTTP/2 loopback, no limiter", &s, columns, []figure{{HTTP2Rate, report.Higher}, {HTTP2CPU, report.Lower}},
			fmt.Sprintf("%s distinct events on 1,000 objects, recorded no faster than they are written, so that no recorder loses any; aggregation is off in all three. The server answers and stores nothing; CPU time is that of the process, which is both ends. client-go's clients send JSON unless told otherwise; the columns without a note have them send protobuf, as kube-controller-manager's do.", report.Number(float64(n))))},
		Verdicts: []report.Verdict{http2Verdict(&s)},
	}
}

// OverHTTP2 has a contender create n distinct events, and adds the figures to s.
func OverHTTP2(s *measure.Series, column string, n int) {
	api := server.NewHTTP()
	defer api.Close()
	name, contentType := column, protobuf
	switch column {
	case recordJSON:
		name, contentType = systems.Record, ""
	case eventsJSON:
		name, contentType = systems.Events, ""
	}
	sys := systems.New(name, nil, systems.Options{Unlimited: true, Raw: clients(api.Config(contentType))})
	defer sys.Kill()
	objects, jobs := systems.CronJobs(1000), systems.Jobs(n+1)
	sys.Distinct(objects[0], jobs[n]) // opens the connection
	waitFor(func() bool { return api.Created() == 1 })
	cpu, start := measure.CPU(), time.Now()
	for i, job := range jobs[:n] {
		sys.Distinct(objects[i%len(objects)], job)
		waitFor(func() bool { return int64(i)-api.Created() < backlogHTTP2 })
	}
	waitFor(func() bool { return api.Created() == int64(n+1) })
	wall := time.Since(start)
	s.Add(HTTP2Rate, column, float64(n)/wall.Seconds())
	s.Add(HTTP2CPU, column, float64((measure.CPU()-cpu).Microseconds())/float64(n))
}

// backlogHTTP2 is how many events may wait to be written. No recorder's queue is too short for it, and tools/events, which
// sends them all at once, does not run into the server's limit of 250 streams, where clients open connections in a herd.
const backlogHTTP2 = 200

// waitFor waits without using up the processor that is measured.
func waitFor(done func() bool) {
	for start := time.Now(); !done(); time.Sleep(200 * time.Microsecond) {
		if time.Since(start) > 30*time.Second {
			panic("events do not arrive over HTTP/2")
		}
	}
}

// clients are the sinks that controllers use: client-go's typed clients, and this module's sink.
func clients(cfg *rest.Config) *systems.Raw {
	set := kubernetes.NewForConfigOrDie(cfg)
	return &systems.Raw{
		Record:   &typedcorev1.EventSinkImpl{Interface: set.CoreV1().Events("")},
		Events:   &events.EventSinkImpl{Interface: set.EventsV1()},
		EventGen: kube.Options{QPS: -1}.EventsV1(cfg),
	}
}

func http2Verdict(s *measure.Series) report.Verdict {
	rate := s.Ratio(HTTP2Rate, systems.EventGen, systems.Record)
	cpu := s.Ratio(HTTP2CPU, systems.EventGen, systems.Record)
	usual := s.Ratio(HTTP2CPU, systems.EventGen, recordJSON)
	return report.Verdict{
		Scenario:  "HTTP/2 loopback, no limiter",
		Threshold: "≥ 1.5× record's events/s, at most half the CPU of record as client-go sets it up (JSON)",
		Measured:  fmt.Sprintf("%s its events/s (record with protobuf); %s its CPU with JSON, %s with protobuf", times(rate), times(usual), times(cpu)),
		State:     report.Is(rate.Value >= 1.5 && cpu.Value <= 1 && usual.Value <= 0.5),
	}
}
