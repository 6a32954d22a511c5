package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// Objects differ in how often something happens to them.
const (
	hot  = 20  // the first objects: a loop that fails
	warm = 200 // the next ones: something every few seconds

	hotPerSecond, warmPerSecond, coldPerSecond = 60.0, 40.0, 30.0
	// canariesPerSecond are one for each namespace every ten seconds.
	canariesPerSecond = namespaces / 10.0

	tick = 50 * time.Millisecond
)

// load records until ctx ends.
func (s *soak) load(ctx context.Context, random *rand.Rand) {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for canaries := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		for range drawn(random, hotPerSecond) {
			s.happen(random, random.IntN(hot))
		}
		for range drawn(random, warmPerSecond) {
			s.happen(random, hot+random.IntN(warm))
		}
		for range drawn(random, coldPerSecond) {
			s.happen(random, hot+warm+random.IntN(objects-hot-warm))
		}
		for range drawn(random, canariesPerSecond) {
			s.plain.canary(namespace(canaries%namespaces), canaries)
			canaries++
		}
		if random.IntN(int(20*time.Second/tick)) == 0 {
			s.flood(random)
		}
	}
}

// drawn is a number of occurrences in a tick, for a rate.
func drawn(random *rand.Rand, perSecond float64) int {
	return int(perSecond*tick.Seconds() + random.Float64())
}

// object is the i-th object, which is in one of the namespaces.
func object(i int) (namespaceOf, name string) {
	return namespace(i % namespaces), fmt.Sprint("pod-", i)
}

// happen has something happen to an object: the same again, one of a few texts, or ever another
// text.
func (s *soak) happen(random *rand.Rand, i int) {
	ns, name := object(i)
	switch n := random.IntN(10); {
	case n < 6:
		s.plain.record(key{ns, name, eventrt.Warning, "BackOff"}, "Back-off restarting failed container")
	case n < 9:
		s.plain.record(key{ns, name, eventrt.Normal, "Pulled"}, fmt.Sprintf("Pulled image %d", random.IntN(5)))
	default:
		s.plain.record(key{ns, name, eventrt.Warning, "Failed"}, fmt.Sprintf("Failed with code %d", random.IntN(1<<30)))
	}
}

// flood has one object say hundreds of different things at once.
func (s *soak) flood(random *rand.Rand) {
	ns, name := object(random.IntN(objects))
	for n := range 100 + random.IntN(400) {
		s.plain.record(key{ns, name, eventrt.Warning, "Flood"}, fmt.Sprintf("Problem %d", n))
	}
}
