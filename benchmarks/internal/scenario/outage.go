package scenario

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/event-gen/event-gen/benchmarks/internal/measure"
	"github.com/event-gen/event-gen/benchmarks/internal/report"
	"github.com/event-gen/event-gen/benchmarks/internal/server"
	"github.com/event-gen/event-gen/benchmarks/internal/systems"
)

// outageScale is by how much outages, and all that recorders wait for, are shorter than in life.
const outageScale = 10

// outage is an outage in scaled time. Events come at a steady rate, on both sides of it too.
type outage struct {
	name    string
	around  time.Duration // before it, and after it
	lasts   time.Duration
	every   time.Duration // an event
	objects int
}

// The outages of 30 s with 50 events a second, and of 180 s with as many events in all as the first has in 150 s.
var (
	shortOutage = outage{"30 s", 600 * time.Millisecond, 3 * time.Second, 2 * time.Millisecond, 200}
	longOutage  = outage{"180 s", 1500 * time.Millisecond, 18 * time.Second, 2 * time.Millisecond, 2000}
)

func (o outage) events() int { return int((2*o.around + o.lasts) / o.every) }

func (o outage) lost() string {
	return fmt.Sprintf("%s: lost of %s", o.name, report.Number(float64(o.events())))
}
func (o outage) failed() string  { return o.name + ": failed calls meanwhile" }
func (o outage) drained() string { return o.name + ": drained after recovery, s" }

// Outage measures what a server that is away for a while does to the recorders. They go through it side by side: what is
// counted does not depend on how fast the machine is, which has little to do meanwhile.
func Outage(cfg Config) report.Result {
	outages := []outage{shortOutage, longOutage}
	if cfg.Quick {
		outages = outages[:1]
	}
	var s measure.Series
	for done := 0; done < cfg.Rounds; done += outageRounds {
		goThrough(&s, outages, min(outageRounds, cfg.Rounds-done))
	}
	return outageResult(&s, outages)
}

// outageRounds is how many rounds go through an outage at once: little goes on in it.
const outageRounds = 2

// goThrough sets up every recorder for every outage in every round, one after the other, and has them go through it at once.
func goThrough(s *measure.Series, outages []outage, rounds int) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, o := range slices.Repeat(outages, rounds) {
		for _, name := range systems.Names {
			api := &server.Server{Keep: true}
			sys := systems.New(name, api, systems.Options{Faster: outageScale})
			all.Go(func() {
				defer sys.Kill()
				f := o.run(sys, api)
				mu.Lock()
				defer mu.Unlock()
				f.add(s, o, name)
			})
		}
	}
	all.Wait()
}

// outageFindings are what one recorder's run through an outage has shown.
type outageFindings struct{ lost, failed, drained float64 }

func (f outageFindings) add(s *measure.Series, o outage, name string) {
	s.Add(o.lost(), name, f.lost)
	s.Add(o.failed(), name, f.failed)
	s.Add(o.drained(), name, f.drained)
}

func (o outage) run(sys systems.System, api *server.Server) outageFindings {
	objects, jobs := systems.CronJobs(o.objects), systems.Jobs(o.events())
	before := int(o.around / o.every)
	until := before + int(o.lasts/o.every)
	o.record(sys, objects, jobs[:before], 0)
	api.Down(true)
	o.record(sys, objects, jobs[before:until], before)
	api.Down(false)
	recovered := time.Now()
	o.record(sys, objects, jobs[until:], until)
	api.Quiet(3*time.Second, func() bool { return api.Acknowledged() >= int64(len(jobs)) })
	return findings(api, jobs, jobs[:until], recovered)
}

// record records a job every so often, the first of them as number from.
func (o outage) record(sys systems.System, objects []*cronJob, jobs []string, from int) {
	start := time.Now()
	for i, job := range jobs {
		time.Sleep(time.Until(start.Add(time.Duration(i) * o.every)))
		sys.Distinct(objects[(from+i)%len(objects)], job)
	}
	time.Sleep(time.Until(start.Add(time.Duration(len(jobs)) * o.every)))
}

// findings looks up what was stored of all jobs, and when the last of those was that came before recovery.
func findings(api *server.Server, jobs, early []string, recovered time.Time) outageFindings {
	stored := map[string]time.Time{}
	for _, e := range api.Events() {
		stored[jobOf(e.Note)] = e.CreatedAt
	}
	f := outageFindings{failed: float64(api.Failed())}
	for _, job := range jobs {
		if _, ok := stored[job]; !ok {
			f.lost++
		}
	}
	for _, job := range early {
		if at, ok := stored[job]; ok {
			f.drained = max(f.drained, at.Sub(recovered).Seconds())
		}
	}
	return f
}

// jobOf is the job that a note names.
func jobOf(note string) string {
	_, rest, _ := strings.Cut(note, "job: ")
	job, _, _ := strings.Cut(rest, ",")
	return job
}

func outageResult(s *measure.Series, outages []outage) report.Result {
	var figures []figure
	for _, o := range outages {
		figures = append(figures, figure{name: o.lost()}, figure{name: o.failed()}, figure{name: o.drained()})
	}
	last := outages[len(outages)-1]
	return report.Result{
		Tables: []report.Table{table("Outage", s, systems.Names, figures,
			fmt.Sprintf("Time is scaled: outages, and every time that a recorder is configured with (tools/record's and tools/events' 10 s between tries; all of event-gen's), are shorter by %d. A distinct event comes every %v, on both sides of the outage too. Calls fail at once, as those do that find nobody listening. Drained is when the last event was written that was recorded before recovery.", outageScale, last.every))},
		Verdicts: []report.Verdict{outageVerdict(s, last)},
		Panels:   []report.Panel{panel(fmt.Sprintf("Lost of %s events in an outage of %s", report.Number(float64(last.events())), last.name), "", report.Lower, s, last.lost())},
	}
}

func outageVerdict(s *measure.Series, o outage) report.Verdict {
	probeCap := 10 * time.Second / outageScale // the default MaxRetryDelay
	allowed := 10 + float64(o.lasts/probeCap)
	lost, failed, drained := s.Max(o.lost(), systems.EventGen), s.Median(o.failed(), systems.EventGen), s.Median(o.drained(), systems.EventGen)
	return report.Verdict{
		Scenario:  fmt.Sprintf("outage of %s scaled %d×, %d objects", o.name, outageScale, o.objects),
		Threshold: fmt.Sprintf("0 lost, failed calls ≤ %v, drained within 2 s of recovery", allowed),
		Measured:  fmt.Sprintf("%s lost, %s failed calls, drained after %s s", report.Number(lost), report.Number(failed), report.Number(drained)),
		State:     report.Is(lost == 0 && failed <= allowed && drained <= 2),
	}
}
