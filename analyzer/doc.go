// Package analyzer reports calls that record Kubernetes events without a catalog, and what is wrong with them.
//
// It is an analyzer of golang.org/x/tools/go/analysis: a vet tool and a stand-alone command (cmd/event-gen-vet), and a module plugin
// of golangci-lint (analyzer/golangci). It judges one package at a time. What a function or a struct of another package does with
// the reason that it is given crosses packages as a fact, so that calls of wrappers are raw calls too. A struct that a package fills
// before a package that imports it records what it holds is not seen: event-gen scan, which reads the whole program, sees it.
//
// Generated code and, unless Tests is set, test files are not judged. The rules are those of event-gen scan that one package and its
// dependencies decide, and two more: EV501, raw calls, and EV503, deprecated events that are still recorded.
package analyzer
