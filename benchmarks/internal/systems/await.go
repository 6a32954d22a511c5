package systems

import (
	"fmt"
	"time"
)

// patience is how long anything is waited for. Whatever takes longer is an error of the benchmark.
const patience = 30 * time.Second

func await(done func() bool) {
	for start := time.Now(); !done(); time.Sleep(50 * time.Microsecond) {
		if time.Since(start) > patience {
			panic(fmt.Sprintf("a recorder has not come to rest within %v", patience))
		}
	}
}

// must ends the benchmark: nothing can be measured on a recorder that does not start.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
