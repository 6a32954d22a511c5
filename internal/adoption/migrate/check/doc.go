// Package check type-checks changed files against packages that were read once.
//
// go/packages takes changed files as an overlay, but then trusts no export data: it reads all dependencies as source, the standard
// library and client-go among them, each time. This package keeps what one run of the go command found. It type-checks only the packages
// that change and those that import them, directly or not; all others keep the types that they have. A package that only a changed file
// imports is looked up once.
//
// The go command compiles a package again for a test if the package imports the one under test, and the test's own files belong to that
// one. Changed imports change which packages these are, so the package computes the variants itself.
package check
