//go:build !race

// Package race tells tests that measure allocations or memory whether the race detector is on,
// which has some of its own.
package race

// Enabled reports whether this is a build with -race.
const Enabled = false
