// Package check type-checks changed files against packages that were read once.
//
// go/packages takes changed files as an overlay, but then trusts no export data: it reads all
// dependencies as source, the standard library and client-go among them, each time. This package
// has the go command list the packages with the changed files, and keeps what was read: only
// packages that change, and those that import them, directly or not, are type-checked again.
package check
