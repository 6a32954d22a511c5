// Package check type-checks changed files against packages that were read once.
//
// go/packages takes changed files as an overlay, but then trusts no export data: it reads all
// dependencies as source, the standard library and client-go among them, each time. In
// source-controller, migrate --write then takes 16.9 s of processor time and 2.97 GB; with this
// package it takes 10.9 s and 0.73 GB. This package has the go command list the packages with the
// changed files, and keeps the packages that were read. It type-checks again only packages that
// change, and packages that import them, directly or not.
package check
