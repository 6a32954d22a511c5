package scenario

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/benchmarks/internal/measure"
	"github.com/event-gen/event-gen/benchmarks/internal/report"
	"github.com/event-gen/event-gen/benchmarks/internal/server"
	"github.com/event-gen/event-gen/benchmarks/internal/systems"
)

// spamStep is a number of occurrences of one event.
type spamStep struct {
	eventType, reason, message string
	times                      int
}

var spamSteps = []spamStep{
	{corev1.EventTypeNormal, "Pulled", `Container image "registry.example/app:1" already present on machine`, 200},
	{corev1.EventTypeNormal, "NodeReady", "Node worker-1 status is now: NodeReady", 1},
	{corev1.EventTypeWarning, "BackOff", "Back-off restarting failed container app", 200},
	{corev1.EventTypeWarning, "Evicted", "The node was low on resource: memory", 1},
}

func (st spamStep) figure() string { return fmt.Sprintf("%s ×%d: count stored", st.reason, st.times) }

// Spam measures whether an event gets through after many others about the same object, and what counts are stored.
func Spam(cfg Config) report.Result {
	var s measure.Series
	for range cfg.Rounds {
		for _, name := range systems.Names {
			spam(&s, name)
		}
	}
	var figures []figure
	for _, st := range spamSteps {
		figures = append(figures, figure{name: st.figure()})
	}
	return report.Result{
		Tables: []report.Table{table("Spam", &s, systems.Names, figures,
			"All four are about one object. The count is the one that is stored once Shutdown was called and the server is no longer called; 0: the event was lost. `record` and `events` have their default budgets; `events` keeps counts beyond 2 to itself, for up to half an hour.")},
		Verdicts: []report.Verdict{spamVerdict(&s)},
	}
}

func spam(s *measure.Series, name string) {
	api := &server.Server{Keep: true}
	sys := systems.New(name, api, systems.Options{})
	defer sys.Kill()
	about := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "benchmarks", Name: "app-0", UID: "5f1c2e9a-7b3d-4c6e-9a10-000000000001"}
	calls := 0
	for n, st := range spamSteps {
		for range st.times {
			sys.Plain(about, st.eventType, st.reason, st.message)
		}
		calls += st.times
		sys.Settle(calls, n+1)
	}
	api.Quiet(quiet, never)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = sys.Shutdown(ctx) // what is stored shows what it has done
	api.Quiet(quiet, never)
	counts := map[string]int{}
	for _, e := range api.Events() {
		counts[e.Reason] += e.Count
	}
	for _, st := range spamSteps {
		s.Add(st.figure(), name, float64(counts[st.reason]))
	}
}

func spamVerdict(s *measure.Series) report.Verdict {
	v := report.Verdict{
		Scenario:  "200 `Pulled`, then `NodeReady`; 200 `BackOff`, then `Evicted`",
		Threshold: "all four reasons stored, counts exact",
		State:     report.Met,
	}
	for i, st := range spamSteps {
		least, most := s.Min(st.figure(), systems.EventGen), s.Max(st.figure(), systems.EventGen)
		if least != float64(st.times) || most != least {
			v.State = report.Missed
		}
		if i > 0 {
			v.Measured += ", "
		}
		v.Measured += report.Number(least)
	}
	v.Measured += " stored"
	return v
}
