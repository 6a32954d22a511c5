package model

import (
	"cmp"
	"regexp"
	"strconv"
	"time"

	"github.com/event-gen/event-gen/internal/catalog"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// defaultWait is how long an event waits for a token where its limit does not say it.
const defaultWait = 10 * time.Minute

// maxRate bounds the tokens of one unit of time.
const maxRate = 100_000

// readLimits reads spec.limits.
func (b *builder) readLimits() {
	for i := range b.cat.Limits {
		d := &b.cat.Limits[i]
		if !lowerName.MatchString(d.Name.Value) {
			b.fs.Errorf(d.Name.Pos, "EV105", "limit %q becomes a Go name; use letters and digits, and begin with a lower-case letter", d.Name.Value)
			continue
		}
		b.limits[d.Name.Value] = &Limit{
			Pos: d.Name.Pos,
			Runtime: eventrt.Limit{
				Name:  d.Name.Value,
				Every: b.rate(d.Rate),
				Burst: readInt(b.fs, d.Burst, "EV303", "burst", 1, maxCount, 1),
				Wait:  cmp.Or(readDuration(b.fs, d.Wait, "EV303", "wait"), defaultWait),
			},
		}
	}
}

var (
	lowerName   = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)
	ratePattern = regexp.MustCompile(`^([1-9][0-9]{0,5})/([smh])$`)
)

// rate is the time to earn a token.
func (b *builder) rate(s catalog.Scalar) time.Duration {
	if !s.Set() {
		return 0
	}
	parts := ratePattern.FindStringSubmatch(s.Value)
	if parts == nil {
		b.fs.Errorf(s.Pos, "EV303", "rate is a whole number in a second, minute or hour such as 5/s, 10/m or 1/h, not %q", s.Value)
		return 0
	}
	n, _ := strconv.Atoi(parts[1])
	if n > maxRate {
		b.fs.Errorf(s.Pos, "EV303", "rate is at most %d, not %q", maxRate, s.Value)
		return 0
	}
	return map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}[parts[2]] / time.Duration(n)
}

// limit is the limit that a policy names. It has a variable of the generated package from the first event on that names it.
func (b *builder) limit(s catalog.Scalar) *eventrt.Limit {
	if !s.Set() {
		return nil
	}
	l := b.limits[s.Value]
	if l == nil {
		b.fs.Errorf(s.Pos, "EV303", "spec.limits has no limit %s%s", s.Value, didYouMean(s.Value, sortedKeys(b.limits)))
		return nil
	}
	if l.Var == "" {
		l.Var = b.scope.unique(s.Value+"Limit", "limit "+s.Value, l.Pos)
		b.pkg.Limits = append(b.pkg.Limits, l)
	}
	return &l.Runtime
}

// LimitVar is the variable of a limit.
func (p *Package) LimitVar(l *eventrt.Limit) string {
	for _, known := range p.Limits {
		if &known.Runtime == l {
			return known.Var
		}
	}
	return ""
}
