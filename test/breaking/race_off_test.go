//go:build !race

package breaking

// defaultPairs is how many pairs are compared in a usual run.
const defaultPairs = 250

// raceFlags make the go command build as this binary was built, so that nothing is compiled twice.
var raceFlags []string
