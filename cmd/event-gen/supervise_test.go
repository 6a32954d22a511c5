package main

import (
	"context"
	"slices"
	"testing"
	"time"
)

// TestCommandsAreLeftBehind checks the end after a signal. If the command ends in time, its exit
// code counts. If it continues, the process ends without it once it can change no file.
func TestCommandsAreLeftBehind(t *testing.T) {
	for _, tt := range []struct {
		name           string
		signal, inTime bool
		code           int
		steps          []string
	}{
		{name: "no signal", code: 3},
		{name: "it ends in time", signal: true, inTime: true, code: 3, steps: []string{"release", "wait 500ms"}},
		{name: "it goes on", signal: true, code: 130, steps: []string{"release", "wait 500ms", "hold"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var steps []string
			ended := make(chan int, 1)
			if tt.signal {
				cancel()
			} else {
				ended <- 3
			}
			code := supervision{
				ended:   ended,
				release: func() { steps = append(steps, "release") },
				hold:    func() { steps = append(steps, "hold") },
				after: func(d time.Duration) <-chan time.Time {
					steps = append(steps, "wait "+d.String())
					if tt.inTime {
						ended <- 3
						return nil
					}
					over := make(chan time.Time, 1)
					over <- time.Time{}
					return over
				},
			}.wait(ctx)
			if code != tt.code || !slices.Equal(steps, tt.steps) {
				t.Errorf("exit code %d after %q, expected %d after %q", code, steps, tt.code, tt.steps)
			}
		})
	}
}
