// Package benchmarks compares this module's recorder with those of client-go, tools/record and
// tools/events, in one process and on the same work.
//
//	go test -run '^Test' -bench . -count 6 | tee bench.txt
//	go run ./chart bench.txt        writes RESULTS.md, chart.svg and a table of README.md
//
// `make bench` does both. What counts is ratios, since all recorders share the machine's
// noise. Each recorder is set up as a controller would: with its defaults, a generated recorder for
// event-gen, and ready-made options where a benchmark says so.
package benchmarks
