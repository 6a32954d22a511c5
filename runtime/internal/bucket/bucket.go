// Package bucket holds the budget of new events: a token bucket that is one moment.
package bucket

import "time"

// Take takes one token from a bucket that holds burst/every tokens and earns one each every. A bucket is kept as the moment
// at which it will be full again; any moment up to now means that it is full. ok is false, and the bucket as it was, if it
// is empty. Burst and every must be positive, and their sum with now must not overflow.
func Take(full, now, burst, every time.Duration) (after time.Duration, ok bool) {
	after = max(full, now) + every
	if after > now+burst {
		return full, false
	}
	return after, true
}
