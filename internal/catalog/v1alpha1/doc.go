// Package v1alpha1 is the typed form of an EventCatalog: what a catalog may hold, as Go types with their JSON names. The
// reader of package catalog, which keeps positions, checks itself against it.
package v1alpha1
