package rights

import (
	"slices"
	"time"

	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// defaultGrace is the terminationGracePeriodSeconds of a Pod that gives none.
const defaultGrace = 30

// Workload makes pods that run as a service account.
type Workload struct {
	Account
	// Grace is terminationGracePeriodSeconds.
	Grace int
}

// Stop is a call by which a program waits for its last events.
type Stop struct {
	Takes time.Duration
	What  string
	Pos   diag.Pos
}

// shortGrace reports the only workload that can run the only program, if the kubelet kills its pod
// before the program has stopped.
func (s *Set) shortGrace(programs []Program, serviceAccount string) (findings diag.Findings) {
	workloads := slices.DeleteFunc(slices.Clone(s.Workloads), func(w Workload) bool {
		return len(s.Bindings) > 0 && !slices.ContainsFunc(s.candidates(serviceAccount), func(a Account) bool { return a.Name == w.Name })
	})
	if len(programs) != 1 || len(workloads) != 1 {
		return nil
	}
	w, stop := workloads[0], programs[0].Stop
	if grace := time.Duration(w.Grace) * time.Second; grace < stop.Takes {
		findings.Warnf(w.Pos, callrules.ShortGrace.ID, "the kubelet kills this pod %v after SIGTERM, and %s may write its last events for %v (%s at %s); set terminationGracePeriodSeconds to more than %.0f",
			grace, programs[0].Name, stop.Takes, stop.What, stop.Pos, stop.Takes.Seconds())
	}
	return findings
}
