// Package v1alpha1 is the typed form of an EventCatalog: the keys of a catalog as Go types with their JSON names. The
// reader of package catalog, which keeps positions, checks itself against these types, and the JSON Schema is made from them.
package v1alpha1

import _ "embed"

// Source is the Go source of the types, for the schema to take their doc comments from.
//
//go:embed types.go
var Source string
