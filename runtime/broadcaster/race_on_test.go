//go:build race

package broadcaster_test

const raceEnabled = true
