package model

import "fmt"

// Options says where and how catalogs are resolved.
type Options struct {
	// Dir is the folder that relative paths of catalogs are relative to; empty: the working directory.
	Dir     string
	Resolve ResolveMode
	// Cache is a folder in which facts of types are kept from one run to the next; empty: nowhere.
	Cache string
	// Baseline: nothing is generated from the catalogs, which are looked at for comparison; what their packages' folders hold
	// is in nobody's way.
	Baseline bool
}

// ResolveMode says when Go packages are loaded to look at types.
type ResolveMode int

// The modes.
const (
	// ResolveAuto: where a fact is missing that neither the catalog nor the cache gives.
	ResolveAuto ResolveMode = iota
	// ResolveAlways: for every type that is not Kubernetes' own, whatever the catalog and the cache say.
	ResolveAlways
	// ResolveNever: what can't be known without must be given; the cache, which others do not have, is not looked at.
	ResolveNever
)

var resolveModes = []string{ResolveAuto: "auto", ResolveAlways: "always", ResolveNever: "never"}

// String is the name that the command line uses.
func (m ResolveMode) String() string { return resolveModes[m] }

// ParseResolveMode reads the name of a mode.
func ParseResolveMode(name string) (ResolveMode, error) {
	for m, n := range resolveModes {
		if n == name {
			return ResolveMode(m), nil
		}
	}
	return ResolveAuto, fmt.Errorf("unknown resolve mode %q: it is auto, always or never", name)
}
