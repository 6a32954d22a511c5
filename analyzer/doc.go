// Package analyzer reports calls that record Kubernetes events without a catalog, and mistakes in
// such calls.
//
// It is an analyzer of golang.org/x/tools/go/analysis: a vet tool and a stand-alone command
// (cmd/event-gen-vet), and a module plugin of golangci-lint (analyzer/golangci). It judges one
// package at a time. Facts describe what functions and structs of other packages do with a reason,
// so calls of wrappers are raw calls too. If a package fills a struct, and a package that it
// imports records it, the analyzer finds nothing. event-gen scan reads the whole program and finds
// such events.
//
// The analyzer does not judge generated code or, unless Tests is set, test files. It has the rules
// of event-gen scan for which one package and its dependencies suffice. It has three more: EV501
// for raw calls, EV503 for calls that record deprecated events, and EV504 for values that no
// constant has.
package analyzer
