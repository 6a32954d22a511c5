package emit

import (
	"fmt"
	"time"

	"github.com/dave/jennifer/jen"
)

// timeUnits are what durations are written in, longest first.
var timeUnits = []struct {
	name string
	unit time.Duration
}{
	{"Hour", time.Hour}, {"Minute", time.Minute}, {"Second", time.Second}, {"Millisecond", time.Millisecond},
	{"Microsecond", time.Microsecond}, {"Nanosecond", time.Nanosecond},
}

// duration is d in the longest unit that divides it: 10 * time.Minute.
func duration(d time.Duration) *jen.Statement {
	for _, u := range timeUnits {
		if d%u.unit != 0 {
			continue
		}
		if d == u.unit {
			return jen.Qual("time", u.name)
		}
		return jen.Lit(int(d/u.unit)).Op("*").Qual("time", u.name)
	}
	return jen.Lit(int(d))
}

// binary is a bit set as a Go literal, so that the bits can be read.
func binary(bits uint8) string { return fmt.Sprintf("0b%b", bits) }
