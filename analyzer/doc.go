// Package analyzer reports calls that record Kubernetes events without a catalog, and mistakes in
// such calls.
//
// It is an analyzer of golang.org/x/tools/go/analysis: a vet tool and a stand-alone command
// (cmd/event-gen-vet), and a module plugin of golangci-lint (analyzer/golangci). It judges one
// package at a time. A fact tells it what a function or a struct of another package does with a
// given reason, so calls of wrappers are raw calls too. The analyzer misses a struct that one
// package fills and another package, which the first one imports, records. event-gen scan reads the
// whole program and finds it.
//
// The analyzer does not judge generated code and, unless Tests is set, test files. It has the rules
// of event-gen scan that one package and its dependencies decide, and three more: EV501, raw calls,
// EV503, deprecated events that are still recorded, and EV504, values that no constant has.
package analyzer
