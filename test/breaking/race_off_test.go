//go:build !race

package breaking

// defaultPairs is how many pairs are compared in a usual run.
const defaultPairs = 250
