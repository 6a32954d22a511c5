//go:build !race

package broadcaster_test

const raceEnabled = false
