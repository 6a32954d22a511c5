//go:build race

package clientgo_test

const raceEnabled = true
