//go:build race

package breaking

// defaultPairs is how many pairs are compared in a usual run: fewer where each costs some ten times as much.
const defaultPairs = 40

// raceFlags make the go command build as this binary was built, so that nothing is compiled twice.
var raceFlags = []string{"-race"}
