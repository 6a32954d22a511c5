//go:build race

package race

// Enabled reports whether this is a build with -race.
const Enabled = true
