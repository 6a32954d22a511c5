// Package v1alpha1 is the typed form of an EventCatalog: what a catalog may hold, as Go types with their JSON names. The
// reader of package catalog, which keeps positions, checks itself against it, and the JSON Schema is made of it.
package v1alpha1

import _ "embed"

// Source is the Go source of the types, for the schema to take their doc comments from.
//
//go:embed types.go
var Source string
