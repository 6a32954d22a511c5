package correlator

import "time"

const (
	// refusalMemory is how long a namespace that takes no events is left alone.
	refusalMemory = 30 * time.Second
	maxRefusals   = 256
)

// refusals remembers namespaces that take no events, being terminated or gone, so that their events cost no calls.
type refusals map[string]time.Duration

func (m *refusals) remember(namespace string, now time.Duration) {
	if *m == nil {
		*m = refusals{}
	}
	for ns, until := range *m {
		if until <= now || len(*m) >= maxRefusals {
			delete(*m, ns)
		}
	}
	(*m)[namespace] = now + refusalMemory
}

func (m refusals) active(namespace string, now time.Duration) bool {
	return len(m) > 0 && m[namespace] > now
}
