package model

import (
	"fmt"
	"strings"
	"time"
)

// Pace says in sentences how the event is written, as far as its definition departs from the default; empty where it does not.
func (d *Definition) Pace() string {
	var parts []string
	c := &d.Runtime.Correlation
	if c.Interval > 0 {
		parts = append(parts, "Repeats are written at most once in "+shortDuration(c.Interval)+".")
	}
	if l := c.Limit; l != nil {
		parts = append(parts, fmt.Sprintf("Writes of limit %s wait for a token: %d at once, one in %s after that; what waits for more than %s is lost.",
			l.Name, l.Burst, shortDuration(l.Every), shortDuration(l.Wait)))
	}
	if c.LatestNote {
		parts = append(parts, "The note is the latest one.")
	}
	return strings.Join(parts, " ")
}

// shortDuration is a duration as people write it: 15m, not 15m0s.
func shortDuration(d time.Duration) string {
	s := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(s, zero) {
			s = s[:len(s)-2]
		}
	}
	return s
}
