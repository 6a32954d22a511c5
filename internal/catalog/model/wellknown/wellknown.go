// Package wellknown has a table of the kinds of k8s.io/api: API version, import path, Go type and
// scope. A catalog with only these kinds needs no types loaded. The table is generated from the
// sources of k8s.io/api.
package wellknown

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:generate go run ./gen

const root = "k8s.io/api/"

// group is a row of the table; the lists are separated by spaces and sorted.
type group struct {
	apiVersion string
	path       string
	namespaced string
	cluster    string
	strings    string
	// constants has a line for each type: its name, and the values of its constants after tabs.
	constants string
}

// Kind is a kind of k8s.io/api.
type Kind struct {
	APIVersion string
	Kind       string
	Path       string // import path of its Go type, which has the kind's name
	Alias      string // the import alias that Kubernetes uses for it: batchv1
	Namespaced bool
}

var (
	byAPIVersion = index(func(g *group) string { return g.apiVersion })
	byPath       = index(func(g *group) string { return root + g.path })
)

// index returns a function that maps a key to the groups of the table. The function makes the map
// when it is first called.
func index(key func(*group) string) func() map[string]*group {
	return sync.OnceValue(func() map[string]*group {
		m := make(map[string]*group, len(table))
		for i := range table {
			m[key(&table[i])] = &table[i]
		}
		return m
	})
}

// Lookup finds a kind. known reports whether the API version is one of k8s.io/api, and ok whether
// it has the kind.
func Lookup(apiVersion, kind string) (k Kind, known, ok bool) {
	g := byAPIVersion()[apiVersion]
	if g == nil {
		return Kind{}, false, false
	}
	k = Kind{APIVersion: apiVersion, Kind: kind, Path: root + g.path, Alias: g.alias()}
	k.Namespaced = has(g.namespaced, kind)
	return k, true, k.Namespaced || has(g.cluster, kind)
}

// LookupType finds a kind by import path and name of its Go type.
func LookupType(path, name string) (Kind, bool) {
	g := byPath()[path]
	if g == nil {
		return Kind{}, false
	}
	k, _, ok := Lookup(g.apiVersion, name)
	return k, ok
}

// Kinds lists the kinds of an API version, sorted.
func Kinds(apiVersion string) []string {
	g := byAPIVersion()[apiVersion]
	if g == nil {
		return nil
	}
	kinds := append(strings.Fields(g.namespaced), strings.Fields(g.cluster)...)
	slices.Sort(kinds)
	return kinds
}

// EveryKind lists the kinds of all API versions. Some are there several times.
func EveryKind() (kinds []string) {
	for _, apiVersion := range APIVersions() {
		kinds = append(kinds, Kinds(apiVersion)...)
	}
	return kinds
}

// APIVersions lists the API versions of the table, sorted.
func APIVersions() []string { return slices.Sorted(maps.Keys(byAPIVersion())) }

// Meant returns the API version that is meant by the alias of its Go package (corev1), by the
// package's folder (core/v1) or by a group without a version (batch, core); empty if there is none.
// It prefers a version that has the kind.
func Meant(text, kind string) (meant string) {
	for _, version := range APIVersions() {
		k, _, ok := Lookup(version, kind)
		folder := strings.TrimPrefix(k.Path, root)
		switch {
		case !slices.Contains([]string{k.Alias, folder, path.Dir(folder), path.Dir(version)}, text):
		case ok:
			return version
		case meant == "":
			meant = version
		}
	}
	return meant
}

// IsString reports whether a type of k8s.io/api is declared as a string: batchv1.JobConditionType.
func IsString(path, name string) bool {
	g := byPath()[path]
	return g != nil && has(g.strings, name)
}

// Constants returns the values of the constants of a string type of k8s.io/api, sorted. For
// corev1.PodPhase they are Failed, Pending, Running, Succeeded and Unknown.
func Constants(path, name string) []string {
	g := byPath()[path]
	if g == nil {
		return nil
	}
	for line := range strings.Lines(g.constants) {
		if typeName, values, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); typeName == name {
			return strings.Split(values, "\t")
		}
	}
	return nil
}

// Imports maps the aliases that Kubernetes uses to the import paths of k8s.io/api's packages.
var Imports = sync.OnceValue(func() map[string]string {
	m := make(map[string]string, len(table))
	for i := range table {
		m[table[i].alias()] = root + table[i].path
	}
	return m
})

func (g *group) alias() string { return strings.ReplaceAll(g.path, "/", "") }

func has(list, name string) bool {
	return slices.Contains(strings.Fields(list), name)
}
