package faults

import (
	"math/rand/v2"
	"net/http"
	"time"
)

// Random is a script of that many steps with faults of every kind, the same for the same seed. A
// step takes at most half a second once requests come. patience is how long clients wait for an
// answer; some delays are longer.
func Random(seed uint64, steps int, patience time.Duration) []Step {
	random := newRandom(seed)
	faults := everyFault(patience)
	script := make([]Step, steps)
	for i := range script {
		script[i] = randomStep(random, faults)
	}
	return script
}

func randomStep(random *rand.Rand, faults []Fault) Step {
	return Step{
		Fault:    faults[random.IntN(len(faults))],
		Requests: 1 + random.IntN(20),
		For:      time.Duration(100+random.IntN(400)) * time.Millisecond,
		Share:    0.2 + 0.8*random.Float64(),
	}
}

func everyFault(patience time.Duration) []Fault {
	return []Fault{
		Latency(0, patience*3/2),
		Reset(), Hang(), CutRequest(), CutReply(), LoseReply(), LoseReplyAndConnection(), Late(2 * patience), Repeat(), Churn(),
		Status(http.StatusTooManyRequests, 0),
		Status(http.StatusTooManyRequests, time.Second),
		Status(http.StatusInternalServerError, 0),
		Status(http.StatusServiceUnavailable, time.Second),
		Status(http.StatusGatewayTimeout, 0),
	}
}
