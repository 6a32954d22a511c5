package model

import (
	"cmp"
	"regexp"
	"strconv"
	"time"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// defaultWait is the time that an event waits for a token if its limit sets none.
const defaultWait = 10 * time.Minute

// maxRate bounds the number of tokens in a rate.
const maxRate = 100_000

// readLimits reads spec.limits. A limit with an invalid name is nil.
func readLimits(decls []catalog.LimitDecl) (map[string]*Limit, diag.Findings) {
	limits := map[string]*Limit{}
	var findings diag.Findings
	for i := range decls {
		d := &decls[i]
		if !lowerName.MatchString(d.Name.Value) {
			findings.Errorf(d.Name.Pos, diag.GoName, "limit %q becomes a Go name; use letters and digits, and begin with a lower-case letter", d.Name.Value)
			limits[d.Name.Value] = nil
			continue
		}
		limits[d.Name.Value] = &Limit{Pos: d.Name.Pos, Runtime: eventrt.Limit{
			Name:  d.Name.Value,
			Every: readRate(&findings, d.Rate),
			Burst: readInt(&findings, d.Burst, diag.InconsistentLimits, "burst", 1, maxCount, 1),
			Wait:  cmp.Or(readDuration(&findings, d.Wait, diag.InconsistentLimits, "wait"), defaultWait),
		}}
	}
	return limits, findings
}

var (
	lowerName   = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)
	ratePattern = regexp.MustCompile(`^([1-9][0-9]{0,5})/([smh])$`)
)

// readRate returns the time to earn a token.
func readRate(findings *diag.Findings, s catalog.Scalar) time.Duration {
	if !s.Set() {
		return 0
	}
	parts := ratePattern.FindStringSubmatch(s.Value)
	if parts == nil {
		findings.Errorf(s.Pos, diag.InconsistentLimits, "rate: expected a whole number in a second, minute or hour such as 5/s, 10/m or 1/h, found %q", s.Value)
		return 0
	}
	n, _ := strconv.Atoi(parts[1])
	if n > maxRate {
		findings.Errorf(s.Pos, diag.InconsistentLimits, "rate: expected at most %d, found %q", maxRate, s.Value)
		return 0
	}
	return map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}[parts[2]] / time.Duration(n)
}

// LimitVar returns the variable of a limit.
func (p *Package) LimitVar(l *eventrt.Limit) string {
	for _, known := range p.Limits {
		if &known.Runtime == l {
			return known.Var
		}
	}
	return ""
}

// readInt reads a whole number from least to most. def is the result for an absent or invalid
// number.
func readInt(findings *diag.Findings, s catalog.Scalar, rule, key string, least, most, def int) int {
	if !s.Set() {
		return def
	}
	n, err := strconv.Atoi(s.Value)
	if err != nil || n < least || n > most {
		findings.Errorf(s.Pos, rule, "%s: expected a whole number from %d to %d, found %q", key, least, most, s.Value)
		return def
	}
	return n
}

// readDuration reads a Go duration above zero.
func readDuration(findings *diag.Findings, s catalog.Scalar, rule, key string) time.Duration {
	if !s.Set() {
		return 0
	}
	d, err := time.ParseDuration(s.Value)
	if err != nil || d <= 0 {
		findings.Errorf(s.Pos, rule, "%s: expected a duration above zero such as 30s or 10m, found %q", key, s.Value)
		return 0
	}
	return d
}
